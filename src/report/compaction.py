"""The compaction curve: volume fraction at the ends of stages against the stress on the walls that press."""

import re

import numpy

from figures import CURVES, Entry, Plot, axis_label, new_axes, scaled_unit, spans_decades, svg_of, use_linear_axis
from series import Series
from stages import Stage

APPLIED = re.compile(r"wall (?P<wall>.+) applied stress")


def pressing_walls(series: Series) -> list[str]:
    """Walls that were pushed at some time."""
    return [match["wall"] for column in series.columns
            if (match := APPLIED.fullmatch(column.name)) and numpy.nan_to_num(column.values).any()]


def fraction_of(series: Series) -> str:
    """That of the bed, where the series has it: a box may be half empty."""
    return "bed volume fraction" if "bed volume fraction" in series else "volume fraction"


def last_rows(series: Series, stages: list[Stage]) -> list[int]:
    """The row of the series at the end of each stage."""
    numbers = series.values("stage")
    return [int((numbers == stage.number).nonzero()[0][-1]) for stage in stages]


def draw_compaction(series: Series, stages: list[Stage]) -> Plot | None:
    """A curve for each wall that pressed in two stages or more."""
    rows = last_rows(series, stages)
    figure, axes = new_axes()
    curves, legend = [], []
    for wall in pressing_walls(series):
        pressed = [row for row in rows if series.values(f"wall {wall} applied stress")[row] > 0]
        stress = series.values(f"wall {wall} stress")[pressed]
        known = stress > 0
        if known.sum() < 2:
            continue
        curves.append((stress[known], series.values(fraction_of(series))[pressed][known]))
        legend.append(Entry(wall, CURVES[(len(curves) - 1) % len(CURVES)]))
    if not curves:
        return None
    everything = numpy.concatenate([stress for stress, _ in curves])
    unit = series.get(f"wall {legend[0].label} stress").unit
    scale, shown = scaled_unit(float(everything.max()), unit)
    for index, (stress, fraction) in enumerate(curves):
        axes.plot(stress / scale, fraction, color=legend[index].colour, marker="o", markersize=3, gid=f"curve-{index}")
    if spans_decades(everything, 10):
        axes.set_xscale("log")
    else:
        use_linear_axis(axes.xaxis, 8)
    use_linear_axis(axes.yaxis, 5)
    axes.set_xlabel(axis_label("stress", shown))
    axes.set_ylabel(fraction_of(series))
    return Plot("Compaction curve", svg_of(figure, "Compaction curve", "compaction"), legend if len(legend) > 1 else [],
                "At the end of each stage, against the stress of the particles on the pushed wall.")
