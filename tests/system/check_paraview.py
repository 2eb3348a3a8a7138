"""Reads snapshots.xmf with each XDMF reader of ParaView; the numbers are those of tests/parallel/synthetic_view.hpp."""
import sys

from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

path = sys.argv[1]
COUNTS = {0.0: (50, 0), 2.5: (60, 90), 6.25: (40, 33), 10.0: (45, 0)}
VERTEX, LINE = (1, 2), (3, 4)  # VTK's numbers of cells; several kinds of points and lines


def leaves(data):
    if data is None:
        return []
    if data.IsA("vtkMultiBlockDataSet"):
        return [leaf for i in range(data.GetNumberOfBlocks()) for leaf in leaves(data.GetBlock(i))]
    if data.IsA("vtkMultiPieceDataSet"):
        return [leaf for i in range(data.GetNumberOfPieces()) for leaf in leaves(data.GetPiece(i))]
    return [data] if data.GetNumberOfPoints() > 0 else []


def arrays(attributes):
    return {attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i)) for i in range(attributes.GetNumberOfArrays())}


def check_particles(data, count, time):
    assert data.GetNumberOfPoints() == count and data.GetNumberOfCells() == count
    assert data.GetCellType(count - 1) in VERTEX, data.GetCellType(0)
    a = arrays(data.GetPointData())
    wanted = {"id", "radius", "mass", "velocity", "angular_velocity", "speed", "pressure", "stress", "coordination",
              "material"}
    assert set(a) == wanted, set(a) ^ wanted
    x = (3 * 7 + 1) / 64  # of the particle in row 7
    assert a["id"][7] == 22 and a["radius"][7] == 0.25 + x and list(a["velocity"][7]) == [x - 1, 2 * x - 2, 3 - 3 * x]
    assert list(a["stress"][7]) == [x, 2 * x, 3 * x, 4 * x, 5 * x, 6 * x] and a["coordination"][7] == 0
    assert data.GetPoint(7) == (x + time, 2 * (x + time), -3 * (x + time)), data.GetPoint(7)


def check_network(data, count, time):
    assert data.GetNumberOfPoints() == 2 * count and data.GetNumberOfCells() == count
    assert data.GetCellType(count - 1) in LINE, data.GetCellType(0)
    a = arrays(data.GetCellData())
    assert {"normal_force", "tangential_force", "mobilisation", "gap", "bond", "wall"} <= set(a), set(a)
    x = (3 * 3 + 1) / 64  # of contact 7, which joins particle 3
    assert a["normal_force"][7] == 7 / 8 - 2 and a["bond"][7] == 1 and a["mobilisation"][7] == 0.75
    cell = data.GetCell(7)
    assert cell.GetPoints().GetPoint(0)[0] == x + time and cell.GetPoints().GetPoint(1)[0] == x + time + 1


def check(reader, selector=None, blocks=("particles", "force_network")):
    """Of the reader, or of the blocks that the selector takes from it."""
    name = type(reader).__name__
    reader.UpdatePipelineInformation()
    assert list(reader.TimestepValues) == list(COUNTS), (name, list(reader.TimestepValues))
    source = simple.ExtractBlock(Input=reader, Selectors=[selector]) if selector else reader
    for time in (0.0, 6.25, 2.5, 10.0):  # not only forwards
        particles, contacts = COUNTS[time]
        source.UpdatePipeline(time)
        found = leaves(servermanager.Fetch(source))
        points = [d for d in found if d.GetCellType(0) in VERTEX]
        lines = [d for d in found if d.GetCellType(0) in LINE]
        expected = (int("particles" in blocks), int("force_network" in blocks and contacts > 0))
        assert (len(points), len(lines)) == expected, (name, time, blocks, len(points), len(lines))
        for data in points:
            check_particles(data, particles, time)
        for data in lines:
            check_network(data, contacts, time)
    print(f"ParaView: {name} gives {' and '.join(blocks)}{f' by {selector}' if selector else ''}")


check(simple.OpenDataFile(path))
check(simple.Xdmf3ReaderS(FileName=path))
best, other = simple.XDMFReader(FileNames=[path]), simple.Xdmf3ReaderT(FileName=path)
for reader in (best, other):
    check(reader)
check(best, "//particles", ["particles"])
check(best, "//force_network", ["force_network"])
check(other, "/Root/*[1]", ["particles"])  # has no names
check(other, "/Root/*[2]", ["force_network"])
