"""Profiles, distributions and fields of `series.h5`, whatever they are called: their shapes tell how to draw them."""

import re

import numpy

from figures import (CURVES, WIDTH, Entry, Plot, axis_label, new_axes, scaled_unit, spans_decades, svg_of, use_linear_axis,
                     use_log_axis)
from hdf5_files import Group, Measured, component_names
from text import quantity

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


def coordinate_of(group: Group, array: Measured) -> Measured | None:
    """What an array of a group is drawn against: centres or edges of bins that fit, best by name."""
    count = array.values.shape[1]
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
    """Group and array, once if they have the same name."""
    return (group.name if group.name == array.name else f"{group.name}: {array.name}").capitalize()


def draw_lines(group: Group, array: Measured, identifier: str) -> Plot | None:
    """An array over one coordinate: a curve each for the first, middle and last time, or one a component at the last."""
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
    logarithmic = "distribution" in group.name and spans_decades(numpy.concatenate([y for _, y, _ in curves]), 300)
    if logarithmic:
        curves = [(x, numpy.where(y > 0, y, numpy.nan), label) for x, y, label in curves]
    seen = [index for index, (_, y, _) in enumerate(curves) if numpy.isfinite(y).any()]
    if not seen:
        return None
    curves, colours = [curves[index] for index in seen], [colours[index] for index in seen]
    values = numpy.concatenate([y for _, y, _ in curves])
    scale, unit = (1.0, array.unit) if logarithmic else scaled_unit(float(numpy.nanmax(numpy.abs(values))), array.unit)
    x_unit = coordinate.unit if coordinate else ""
    x_scale, x_shown = scaled_unit(max(float(numpy.abs(x).max()) for x, _, _ in curves), x_unit)
    figure, axes = new_axes()
    for index, ((x, y, _), colour) in enumerate(zip(curves, colours)):
        axes.plot(x / x_scale, y / scale, color=colour, marker="o" if numpy.isfinite(y).sum() < 3 else None,
                  markersize=3, gid=f"curve-{index}")
    use_log_axis(axes) if logarithmic else use_linear_axis(axes.yaxis, 5)
    use_linear_axis(axes.xaxis, 8)
    axes.margins(x=0.01)
    axes.set_xlabel(axis_label(coordinate.name if coordinate else "bin", x_shown))
    axes.set_ylabel(axis_label(array.name, unit))
    note = array.description
    if array.values.ndim == 3:
        note = f"{note} At t = {quantity(float(group.time[last]), 's')}.".strip()
    title = title_of(group, array)
    return Plot(title, svg_of(figure, title, identifier),
                [Entry(label, colour) for (_, _, label), colour in zip(curves, colours)], note)


def grid_limits(group: Group) -> tuple[numpy.ndarray, numpy.ndarray] | None:
    """Lower and upper corner of the grid, if the file tells."""
    known = {one.name: one.values for one in group.constants} | {
        name: numpy.asarray(value, dtype=float) for name, value in group.attributes.items()
        if numpy.asarray(value).dtype.kind in "fiu"}
    lower, upper = known.get("lower"), known.get("upper")
    if lower is None or upper is None or lower.size != 3 or upper.size != 3 or not (upper > lower).all():
        return None
    return lower.ravel(), upper.ravel()


def scalar_field(array: Measured) -> tuple[numpy.ndarray, str]:
    """The last time of a field as one number a cell, and what it is."""
    values = array.values[-1]
    if values.ndim == 3:
        return values, ""
    if values.shape[-1] == 6:
        return values[..., :3].mean(axis=-1), "mean of the normal components"
    return numpy.sqrt((values**2).sum(axis=-1)), "magnitude"


def map_size(aspect: float) -> tuple[float, float]:
    """Width and height of a figure that a map of this shape fills; 1.7 and 0.5 inches are for what is around it."""
    width = min(WIDTH, max(2.8, 2.9 * aspect + 1.7))
    return width, min(3.4, max(1.8, (width - 1.7) / aspect + 0.5))


def draw_map(group: Group, array: Measured, identifier: str) -> Plot | None:
    """A field as a map: the mean over y, or over z where there is one layer only (two dimensions)."""
    values, what = scalar_field(array)
    flat = values.shape[0] == 1
    depth, vertical = (0, 1) if flat else (1, 2)  # axes of the array; coordinate that points up
    known = numpy.isfinite(values)
    weights = known.sum(axis=depth)
    mean = numpy.where(weights > 0, numpy.where(known, values, 0).sum(axis=depth) / numpy.maximum(weights, 1), numpy.nan)
    if not (weights > 0).any():
        return None
    scale, unit = scaled_unit(float(numpy.nanmax(numpy.abs(mean))), array.unit)
    limits = grid_limits(group)
    extent, label_unit = (0.0, float(mean.shape[1]), 0.0, float(mean.shape[0])), "cells"
    if limits:
        lower, upper = limits
        length, label_unit = scaled_unit(float(numpy.abs(upper).max()), "m")
        extent = tuple(float(v) / length for v in (lower[0], upper[0], lower[vertical], upper[vertical]))
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
    bar.outline.set_linewidth(0)
    bar.set_label(axis_label(array.name, unit))
    title = title_of(group, array)
    over = "" if flat else "mean over y, "
    note = f"{what}{', ' if what else ''}{over}t = {quantity(float(group.time[-1]), 's')}."
    note = f"{array.description} {note[0].upper()}{note[1:]}".strip()
    return Plot(title, svg_of(figure, title, identifier), [], note)


def draw_groups(groups: list[Group]) -> list[Plot]:
    """Figures of all groups: profiles first, fields last."""
    plots = []
    for group in sorted(groups, key=lambda group: (is_field(group), "profile" not in group.name)):
        for array in group.arrays:
            identifier = re.sub(r"\W+", "-", f"{group.name}-{array.name}".lower())
            dimensions = array.values.ndim
            if array.values.size == 0:
                plot = None
            elif is_field(group) and dimensions in (4, 5):
                plot = draw_map(group, array, identifier)
            elif dimensions in (2, 3) and not (COORDINATE.fullmatch(array.name) and rises(array.values)):
                if dimensions == 3 and array.values.shape[2] > MOST_COMPONENTS:
                    continue
                plot = draw_lines(group, array, identifier) if array.values.shape[1] > 1 else None
            else:
                plot = None
            if plot:
                plots.append(plot)
    return plots
