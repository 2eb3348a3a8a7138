"""Profiles, distributions and fields of `series.h5`: those of tamp by name, others as their shapes tell."""

import re
from dataclasses import dataclass

import numpy

from figures import (CURVES, MUTED, WIDTH, Entry, Plot, axis_label, new_axes, scaled_unit, spans_decades, svg_of, use_linear_axis,
                     use_log_axis)
from hdf5_files import Group, Measured, component_names
from text import quantity


@dataclass(frozen=True)
class Known:
    """How a group that tamp writes is drawn."""

    coordinate: str  # the array [time, bin] that the others are drawn against
    x_label: str = ""  # empty: its name
    y_label: str = ""  # empty: the name of what is drawn
    log: bool = False  # wherever there are different positive values
    counted: bool = True  # nothing but zero means that there was nothing to count
    mark: tuple[str, float] | None = None  # a horizontal line


KNOWN = {
    "force distribution": Known("force", "force / mean force", "probability density", log=True),
    "overlap distribution": Known("overlap", y_label="probability density"),
    "mobilisation distribution": Known("mobilisation", y_label="probability density"),
    "pair correlation": Known("distance", y_label="pair correlation", mark=("no order", 1.0)),
    "profile": Known("position", counted=False),
}
OTHER = Known("", counted=False)
CORNERS = ("lower", "upper")  # of the grid of a field
PLAIN_NAMES = ("density", "value")  # say no more than their group
COORDINATE = re.compile(r"\b(position|coordinate|height|depth|distance|radius|cent(re|er)s?|edges?|bins?|lower|x|y|z|r)\b")
TIME_COLOURS = {1: [CURVES[0]], 2: [CURVES[1], CURVES[0]], 3: [CURVES[2], CURVES[1], CURVES[0]]}
MOST_COMPONENTS = 9
AXES = ("x", "y", "z")


def is_field(group: Group) -> bool:
    """Whether a group holds arrays over a grid: [time, z, y, x] and perhaps components."""
    return "field" in group.name or any(array.values.ndim >= 4 for array in group.arrays)


def rises(values: numpy.ndarray) -> bool:
    """Whether numbers grow along their last axis, as those of an axis do."""
    return values.size > 1 and bool(numpy.all(numpy.diff(values, axis=-1) > 0))


def is_coordinate(group: Group, array: Measured) -> bool:
    """Whether an array belongs to an axis, and is hence not drawn."""
    return (array.name == KNOWN.get(group.name, OTHER).coordinate or (is_field(group) and array.name in CORNERS)
            or (array.values.ndim == 2 and bool(COORDINATE.fullmatch(array.name)) and rises(array.values)))


def coordinate_of(group: Group, array: Measured) -> Measured | None:
    """What an array of a group is drawn against: centres or edges of bins that fit, best by name."""
    count = array.values.shape[1]
    for one in group.arrays + group.constants:
        if one.name == KNOWN.get(group.name, OTHER).coordinate and one.values.shape[-1] == count:
            return one
    constants = [one for one in group.constants
                 if one.values.ndim == 1 and one.values.size in (count, count + 1) and rises(one.values)]
    moving = [one for one in group.arrays
              if one is not array and one.values.ndim == 2 and one.values.shape[1] in (count, count + 1)
              and COORDINATE.search(one.name) and rises(one.values)]
    words = set(array.name.split())
    candidates = sorted(constants + moving, key=lambda one: -(len(words & set(one.name.split())) * 2
                                                             + bool(COORDINATE.search(one.name))))
    return candidates[0] if candidates else None


def positions(coordinate: Measured | None, row: int, count: int) -> numpy.ndarray:
    """The coordinate of every bin at one time; the number of the bin if there is none."""
    if coordinate is None:
        return numpy.arange(count, dtype=float)
    values = coordinate.values if coordinate.values.ndim == 1 else coordinate.values[row]
    return values if values.size == count else (values[1:] + values[:-1]) / 2


def title_of(group: Group, array: Measured) -> str:
    """Group and array, once if the second says nothing new."""
    once = array.name == group.name or (group.name in KNOWN and array.name in PLAIN_NAMES)
    return (group.name if once else f"{group.name}: {array.name}").capitalize()


def sentence(text: str) -> str:
    """A description for below a figure. Names of components stand in the legend."""
    text = re.sub(r"^[xyz]{2}(, [xyz]{2})+; ", "", text.strip())
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def x_label(known: Known, coordinate: Measured | None) -> str:
    """What the horizontal axis shows; for slabs, the direction that they are along."""
    if coordinate is None:
        return "bin"
    along = re.search(r"\balong ([xyz])\b", coordinate.description)
    return known.x_label or (f"{coordinate.name} along {along[1]}" if along else coordinate.name)


def draw_lines(group: Group, array: Measured, identifier: str) -> Plot | None:
    """An array over one coordinate: a curve each for the first, middle and last time, or one a component at the last."""
    known = KNOWN.get(group.name, OTHER)
    coordinate = coordinate_of(group, array)
    count, last = array.values.shape[1], array.values.shape[0] - 1
    if array.values.ndim == 2:
        curves = [(positions(coordinate, row, count), array.values[row], f"t = {quantity(float(group.time[row]), 's')}")
                  for row in range(last + 1)]
        colours = TIME_COLOURS[len(curves)]
    else:
        curves = [(positions(coordinate, last, count), array.values[last, :, index], name)
                  for index, name in enumerate(component_names(array.values.shape[2]))]
        colours = [CURVES[index % len(CURVES)] for index in range(len(curves))]
    logarithmic = ("distribution" in group.name
                   and spans_decades(numpy.concatenate([y for _, y, _ in curves]), 1 if known.log else 300))
    if logarithmic:
        curves = [(x, numpy.where(y > 0, y, numpy.nan), label) for x, y, label in curves]
    seen = [index for index, (_, y, _) in enumerate(curves)
            if numpy.isfinite(y).any() and (numpy.nan_to_num(y).any() or not (known.counted or array.values.ndim == 3))]
    if not seen:
        return None
    missing = [label for index, (_, _, label) in enumerate(curves) if index not in seen]
    curves, colours = [curves[index] for index in seen], [colours[index] for index in seen]
    values = numpy.concatenate([y for _, y, _ in curves])
    scale, unit = (1.0, array.unit) if logarithmic else scaled_unit(float(numpy.nanmax(numpy.abs(values))), array.unit)
    x_unit = coordinate.unit if coordinate else ""
    x_scale, x_shown = scaled_unit(max(float(numpy.abs(x).max()) for x, _, _ in curves), x_unit)
    figure, axes = new_axes()
    for index, ((x, y, _), colour) in enumerate(zip(curves, colours)):
        lonely = numpy.isfinite(y).sum() < 3 or (logarithmic and not numpy.isfinite(y).all())  # points between gaps
        axes.plot(x / x_scale, y / scale, color=colour, marker="o" if lonely else None, markersize=2.5,
                  gid=f"curve-{index}")
    legend = [Entry(label, colour) for (_, _, label), colour in zip(curves, colours)]
    if known.mark:
        axes.axhline(known.mark[1] / scale, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)))
        legend.append(Entry(known.mark[0], MUTED, True))
    use_log_axis(axes) if logarithmic else use_linear_axis(axes.yaxis, 5)
    use_linear_axis(axes.xaxis, 8)
    axes.margins(x=0.01)
    axes.set_xlabel(axis_label(x_label(known, coordinate), x_shown))
    axes.set_ylabel(axis_label(known.y_label or array.name, unit))
    note = sentence(array.description)
    if array.values.ndim == 3:
        note = f"{note} At t = {quantity(float(group.time[last]), 's')}.".strip()
    if missing:
        note = f"{note} Nothing to show for {', '.join(missing)}.".strip()
    title = title_of(group, array)
    return Plot(title, svg_of(figure, title, identifier), legend, note)


def grid_limits(group: Group) -> tuple[numpy.ndarray, numpy.ndarray] | None:
    """Lower and upper corner of the grid at the last time, if the file tells: it follows the walls."""
    corners = {one.name: one.values for one in group.constants} | {
        one.name: one.values[-1] for one in group.arrays if one.values.ndim == 2}
    lower, upper = (corners.get(name, numpy.empty(0)).ravel() for name in CORNERS)
    return (lower, upper) if lower.size == 3 and upper.size == 3 else None


def scalar_field(array: Measured, dimension: int) -> tuple[numpy.ndarray, str]:
    """The last time of a field as one number a cell, and what it is."""
    values = array.values[-1]
    if values.ndim == 3:
        return values, ""
    if values.shape[-1] == 6:
        return values[..., :dimension].mean(axis=-1), "mean of the normal components"
    return numpy.sqrt((values**2).sum(axis=-1)), "magnitude"


def map_size(aspect: float) -> tuple[float, float]:
    """Width and height of a figure that a map of this shape fills; 1.7 and 0.5 inches are for what is around it."""
    width = min(WIDTH, max(2.8, 2.9 * aspect + 1.7))
    return width, min(3.4, max(1.8, (width - 1.7) / aspect + 0.5))


def draw_map(group: Group, array: Measured, identifier: str) -> Plot | None:
    """A field as a map: the mean over y, or over z where there is one layer only (two dimensions)."""
    limits = grid_limits(group)
    values, what = scalar_field(array, 2 if limits and limits[1][2] <= limits[0][2] else 3)  # discs have no depth
    flat = values.shape[0] == 1
    depth, vertical = (0, 1) if flat else (1, 2)  # axes of the array; coordinate that points up
    known = numpy.isfinite(values)
    weights = known.sum(axis=depth)
    mean = numpy.where(weights > 0, numpy.where(known, values, 0).sum(axis=depth) / numpy.maximum(weights, 1), numpy.nan)
    if not (weights > 0).any():
        return None
    scale, unit = scaled_unit(float(numpy.nanmax(numpy.abs(mean))), array.unit)
    extent, label_unit = (0.0, float(mean.shape[1]), 0.0, float(mean.shape[0])), "cells"
    if limits and all(limits[1][axis] > limits[0][axis] for axis in (0, vertical)):
        metres = [float(limits[side][axis]) for axis in (0, vertical) for side in (0, 1)]
        length, label_unit = scaled_unit(max(map(abs, metres)), "m")
        extent = tuple(value / length for value in metres)
    figure, axes = new_axes(*map_size((extent[1] - extent[0]) / (extent[3] - extent[2])))
    figure.set_layout_engine("constrained")  # the bar of colours needs its place
    image = axes.imshow(mean / scale, origin="lower", extent=extent, cmap="viridis", interpolation="nearest",
                        gid="curve-0")
    axes.grid(False)
    use_linear_axis(axes.xaxis, 4)
    use_linear_axis(axes.yaxis, 6)
    axes.set_xlabel(axis_label("x", label_unit))
    axes.set_ylabel(axis_label(AXES[vertical], label_unit))
    bar = figure.colorbar(image, ax=axes, shrink=0.9, aspect=24)
    use_linear_axis(bar.ax.yaxis, 6)
    bar.outline.set_linewidth(0)
    bar.set_label(axis_label(array.name, unit))
    title = title_of(group, array)
    over = "" if flat else "mean over y"
    note = ", ".join(filter(None, [what, over, f"at t = {quantity(float(group.time[-1]), 's')}"]))
    note = f"{sentence(array.description)} {sentence(note)}".strip()
    return Plot(title, svg_of(figure, title, identifier), [], note)


def draw_groups(groups: list[Group]) -> list[Plot]:
    """Figures of all groups: profiles first, fields last."""
    plots = []
    for group in sorted(groups, key=lambda group: (is_field(group), "profile" not in group.name)):
        for array in group.arrays:
            identifier = re.sub(r"\W+", "-", f"{group.name}-{array.name}".lower())
            dimensions = array.values.ndim
            if array.values.size == 0 or is_coordinate(group, array):
                plot = None
            elif is_field(group) and dimensions in (4, 5):
                plot = draw_map(group, array, identifier)
            elif dimensions in (2, 3):
                if dimensions == 3 and array.values.shape[2] > MOST_COMPONENTS:
                    continue
                plot = draw_lines(group, array, identifier) if array.values.shape[1] > 1 else None
            else:
                plot = None
            if plot:
                plots.append(plot)
    return plots
