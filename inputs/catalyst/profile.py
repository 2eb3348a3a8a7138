# script-version: 2.0
"""A profile: a field, averaged over horizontal layers, against the height. The case's colour names the field, for example
volume_fraction (taken if there is none of that name); of a vector or a tensor the vertical component is shown.

To adapt: copy this file, name the copy in the case, and change it.
"""

from paraview.simple import *
from paraview.vtk import vtkTable
from paraview.vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
import tamp_picture

options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("fields")
view = producer = line = None


def layers(image, picture, name):
    """Heights and means, on the rank that has the fields; nothing on the others."""
    if image.GetNumberOfCells() == 0:
        return [], []
    up = picture.dimension - 1
    values = vtk_to_numpy(image.GetCellData().GetArray(name))
    if values.ndim > 1:
        values = values[:, up]
    nx, ny, nz = (max(1, n - 1) for n in image.GetDimensions())
    grid = values.reshape(nz, ny, nx)
    means = grid.mean(axis=(1, 2)) if up == 2 else grid.mean(axis=(0, 2))
    first, step = image.GetOrigin()[up], image.GetSpacing()[up]  # the grid follows the walls, not the box
    return [first + (n + 0.5) * step for n in range(len(means))], means


def catalyst_execute(info):
    global view, producer, line
    picture = tamp_picture.Picture(info)
    name = picture.colour if picture.colour in picture.fields else "volume_fraction"
    quantity = picture.quantity(picture.fields, name)
    table = vtkTable()
    image = info.dataDescription.GetInputDescriptionByName("fields").GetGrid()
    heights, means = layers(image, picture, name)
    for label, column in (("height", heights), (name, means)):
        array = numpy_to_vtk(column, deep=True)
        array.SetName(label)
        table.AddColumn(array)
    if view is None:
        view = tamp_picture.chart(picture)
        producer = PVTrivialProducer()
    producer.GetClientSideObject().SetOutput(table)
    producer.MarkModified(producer.SMProxy)
    producer.UpdatePipeline(picture.time)
    if line is None:
        line = Show(producer, view, "XYChartRepresentation")
    line.AttributeType = "Row Data"
    line.UseIndexForXAxis = 0
    line.XArrayName = name
    line.SeriesVisibility = ["height"]
    line.SeriesColor = ["height", "0.15", "0.35", "0.65"]
    line.SeriesLineThickness = ["height", "3"]
    line.SeriesMarkerStyle = ["height", "4"]  # a disc
    line.SeriesMarkerSize = ["height", "9"]
    tamp_picture.save_chart(view, picture, name, quantity, means)
