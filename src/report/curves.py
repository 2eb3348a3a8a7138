"""Curves over time: which columns go together, and how they are drawn."""

import re
from dataclasses import dataclass

import numpy

from figures import (CURVES, MUTED, Entry, Plot, axis_label, cut_peaks, mark_stages, new_axes, scaled_unit, spans_decades,
                     svg_of, thinned, use_linear_axis, use_log_axis)
from series import Column, Series
from stages import Stage
from text import quantity


@dataclass
class Panel:
    """Columns that share a figure. A group `label` in the pattern is what the legend shows of their names."""

    title: str
    pattern: str
    axis: str = ""  # what the y axis shows; empty: the title
    log: bool = False  # where the values differ by far
    shared: bool = False  # the columns may be in another panel too

    def label(self, column: Column) -> str:
        """The name of a column in the legend."""
        match = re.fullmatch(self.pattern, column.name)
        return (match.groupdict().get("label") if match else None) or column.name

    def columns(self, series: Series) -> list[Column]:
        """Those that belong here."""
        return [column for column in series.columns if re.fullmatch(self.pattern, column.name)]


    def is_silent(self, series: Series) -> bool:
        """Whether there is nothing but zero to draw."""
        return not any(numpy.nan_to_num(column.values).any() for column in self.columns(series))


@dataclass
class Mark:
    """A horizontal line: a limit or a value to compare with."""

    label: str
    value: float


PHYSICS = [
    Panel("Kinetic energy", "kinetic energy", log=True, shared=True),
    Panel("Volume fraction", "(?P<label>bed |)volume fraction"),
    Panel("Height of the bed", "bed height"),
    Panel("Strain of the bed, since the start of each stage", "bed strain", axis="strain"),
    Panel("Coordination number", "(?P<label>(mechanical )?coordination.*)"),
    Panel("Forces on walls", "force on (?P<label>.*)", axis="force"),
    Panel("Stress on walls", "wall (?P<label>.+) stress", axis="stress"),
    Panel("Positions of walls", "wall (?P<label>.+) position", axis="position"),
    Panel("Balance of forces", "unbalanced (?P<label>force|load)", axis="unbalanced share", log=True),
    Panel("Contact stress", "contact stress (?P<label>xx|yy|zz)|mean stress", axis="stress"),
    Panel("Velocities", "mean velocity.*|largest speed", axis="velocity"),
    Panel("Energy budget", ".*(energy|dissipat|work|lost by).*", axis="energy", shared=True),
    Panel("Particles and contacts", "particles|contacts|rattlers|.* bonds", axis="number"),
    Panel("Overlaps", "(?P<label>.*)overlap", axis="overlap", log=True),
    Panel("Friction", "sliding share|mean mobilisation", axis="share"),
    Panel("Mean normal force", "mean normal force"),
    Panel("Fabric", "fabric (?P<label>xx|yy|zz)"),
]
MORE = [  # folded
    Panel("Contact stress, shear", "contact stress (?P<label>.*)", axis="stress"),
    Panel("Kinetic stress", "kinetic stress (?P<label>.*)", axis="stress"),
    Panel("Stress deviator", "stress deviator"),
    Panel("Other stress", "(?!wall)(?P<label>.*stress.*)", axis="stress"),
    Panel("Fabric, mixed components", "fabric (?P<label>.*)", axis="fabric"),
]
WALL_VECTOR = re.compile(r"wall (?P<wall>.+) (?P<kind>force|torque|velocity) [xyz]")
WALL_TITLES = {"force": "Force on", "torque": "Torque on", "velocity": "Velocity of"}
CONVERGENCE = [
    Panel("Sweeps a step", "sweeps", axis="sweeps"),
    Panel("Residual", "(?P<label>(largest )?residual)", log=True),
    Panel("Error of stress and wall forces", "force error", log=True),
    Panel("Time step", "time step", log=True),
]
NEVER_DRAWN = {"time", "step", "stage"}


def draw_panel(panel: Panel, columns: list[Column], stages: list[Stage], marks: list[Mark], identifier: str) -> Plot:
    """One figure. Columns that are zero all the time are only named."""
    columns = [column for column in columns if numpy.isfinite(column.values).any()]
    drawn = [column for column in columns if numpy.any(column.values != 0)] or columns
    unit = drawn[0].unit
    everything = numpy.concatenate([column.values for column in drawn])
    known = everything[numpy.isfinite(everything)]
    logarithmic = panel.log and spans_decades(everything)
    scale, shown_unit = (1.0, unit) if logarithmic else scaled_unit(float(numpy.abs(known).max(initial=0)), unit)
    end = max([float(column.time[-1]) for column in drawn] + [stage.end for stage in stages])  # the same in all figures
    time_scale, time_unit = scaled_unit(end, "s")

    figure, axes = new_axes()
    legend = []
    for index, column in enumerate(drawn):
        values = numpy.where(column.values > 0, column.values, numpy.nan) if logarithmic else column.values
        x, y = thinned(column.time, values)
        entry = Entry(panel.label(column).strip() or column.name, CURVES[index % len(CURVES)], index >= len(CURVES))
        axes.plot(x / time_scale, y / scale, color=entry.colour, linestyle="--" if entry.dashed else "-",
                  marker="o" if numpy.isfinite(y).sum() < 3 else None, markersize=3, gid=f"curve-{index}")
        legend.append(entry)
    use_log_axis(axes) if logarithmic else use_linear_axis(axes.yaxis, 5)
    for mark in marks:
        if not logarithmic or mark.value > 0:
            axes.axhline(mark.value / scale, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)))
            legend.append(Entry(f"{mark.label} ({quantity(mark.value, unit)})", MUTED, True))
    notes = []
    if not logarithmic and known.size:
        if known.min() >= 0 and (known.min() < 0.5 * known.max() or known.max() == 0):
            axes.set_ylim(bottom=0)
        for cut, word, peak, side in zip(cut_peaks([column.values for column in drawn]), ("down", "up"),
                                         (known.min(), known.max()), ("bottom", "top")):
            if cut is not None:
                axes.set_ylim(**{side: cut / scale})
                notes.append(f"Peaks {word} to {quantity(float(peak), unit)} are cut off.")
    use_linear_axis(axes.xaxis, 8)
    axes.set_xlim(0, end / time_scale if end > 0 else 1)
    axes.set_xlabel(axis_label("time", time_unit))
    axes.set_ylabel(axis_label(panel.axis or panel.title.lower(), shown_unit))
    mark_stages(axes, stages, time_scale)
    silent = [panel.label(column) for column in columns if column not in drawn]
    if silent:
        notes.append(f"Zero all the time: {', '.join(silent)}.")
    return Plot(panel.title, svg_of(figure, panel.title, identifier), legend if len(legend) > 1 else [], " ".join(notes))


def draw_panels(panels: list[Panel], series: Series, stages: list[Stage], marks: dict[str, list[Mark]],
                used: set[str]) -> list[Plot]:
    """All panels that have columns; `used` collects the columns that were drawn."""
    plots = []
    for index, panel in enumerate(panels):
        columns = [column for column in panel.columns(series) if panel.shared or column.name not in used]
        new = [column for column in columns if column.name not in used]
        if not new:  # an energy budget of the kinetic energy alone was shown before
            continue
        used |= {column.name for column in columns}
        for unit in dict.fromkeys(column.unit for column in columns):
            same = [column for column in columns if column.unit == unit and numpy.isfinite(column.values).any()]
            if same:
                identifier = re.sub(r"\W+", "-", f"{panel.title}-{unit}-{index}".lower())  # walls may be z- and z+
                plots.append(draw_panel(panel, same, stages, marks.get(panel.title, []), identifier))
    return plots


def wall_panels(series: Series) -> list[Panel]:
    """For each wall a figure of its force, one of its torque and one of its velocity."""
    found = dict.fromkeys((match["wall"], match["kind"]) for column in series.columns
                          if (match := WALL_VECTOR.fullmatch(column.name)))
    return [Panel(f"{WALL_TITLES[kind]} {wall}", f"wall {re.escape(wall)} {kind} (?P<label>[xyz])", axis=kind)
            for wall, kind in found]


def draw_others(series: Series, stages: list[Stage], used: set[str]) -> list[Plot]:
    """Columns that no panel knows: those of a unit together, pure numbers alone."""
    groups: dict[str, list[Column]] = {}
    for column in series.columns:
        if column.name not in used | NEVER_DRAWN and numpy.isfinite(column.values).any():
            groups.setdefault(column.unit or column.name, []).append(column)
    panels = [(Panel(columns[0].name.capitalize() if len(columns) == 1 else f"Other series [{unit}]", ".*",
                     axis=columns[0].name if len(columns) == 1 else "value", log=True), columns)
              for unit, columns in groups.items()]
    return [draw_panel(panel, columns, stages, [], f"other-{index}") for index, (panel, columns) in enumerate(panels)]
