"""Plots as inline SVG in one style. Colours are variables of the page, so that it can be dark; text is text."""

import io
import math
import re
from dataclasses import dataclass, field

import matplotlib
import numpy
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from stages import Stage
from text import PREFIXED_UNITS, PREFIXES, SUPERSCRIPTS, escaped, number, power_of_ten, prefix_exponent

# Colours here are names: the page's style sheet gives them their values, light and dark.
INK, MUTED, GRID, BAND = "#101418", "#5b6571", "#dfe3e8", "#f1f4f7"
CURVES = ["#1f6fb4", "#d9731a", "#2b9a66", "#b8428c", "#7a5bc7", "#128fa3", "#8a7a1c", "#c2403a"]
VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", BAND: "band"} | {
    colour: f"curve-{index}" for index, colour in enumerate(CURVES, 1)}
WIDTH, HEIGHT = 5.6, 2.75  # inches; the page scales them

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "tamp", "font.family": "sans-serif", "font.size": 8.5,
    "text.color": INK, "axes.labelcolor": MUTED, "axes.edgecolor": MUTED, "axes.linewidth": 0.6,
    "xtick.color": MUTED, "ytick.color": MUTED, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
    "xtick.major.size": 3, "ytick.major.size": 3, "xtick.minor.size": 0, "ytick.minor.size": 1.8,
    "xtick.minor.width": 0.4, "ytick.minor.width": 0.4, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": GRID, "grid.linewidth": 0.6, "axes.axisbelow": True,
    "lines.linewidth": 1.2, "lines.solid_joinstyle": "round", "path.simplify": True, "figure.facecolor": "none",
    "axes.facecolor": "none", "axes.unicode_minus": True,
})


@dataclass
class Entry:
    """A line of a legend."""

    label: str
    colour: str
    dashed: bool = False

    def html(self) -> str:
        """A short line and its name."""
        kind = "dashed" if self.dashed else "solid"
        return (f'<li><i style="border-top: 2px {kind} var(--{VARIABLES[self.colour]})"></i>'
                f"{escaped(self.label)}</li>")


@dataclass
class Plot:
    """A drawn figure, ready for the page."""

    title: str
    svg: str
    legend: list[Entry] = field(default_factory=list)
    note: str = ""
    wide: bool = False


def new_axes(width: float = WIDTH, height: float = HEIGHT, left: float = 0.66) -> tuple[Figure, Axes]:
    """A figure with one pair of axes. Margins (inches) are fixed, so that the axes of all figures are in line."""
    figure = Figure(figsize=(width, height))
    figure.subplots_adjust(left=left / width, right=1 - 0.12 / width, bottom=0.43 / height, top=1 - 0.22 / height)
    return figure, figure.add_subplot()


def thinned(x: numpy.ndarray, y: numpy.ndarray, bins: int = 700) -> tuple[numpy.ndarray, numpy.ndarray]:
    """At most two points a bin, its smallest and its largest, so that long series keep their spikes."""
    if x.size <= 2 * bins:
        return x, y
    keep = []
    for part in numpy.array_split(numpy.arange(x.size), bins):
        known = part[numpy.isfinite(y[part])]
        if known.size:
            keep += sorted({known[numpy.argmin(y[known])], known[numpy.argmax(y[known])]})
    keep = sorted({0, x.size - 1, *keep})
    return x[keep], y[keep]


def spans_decades(values: numpy.ndarray, factor: float = 50) -> bool:
    """Whether a logarithmic axis shows these numbers better: positive ones that differ by far."""
    positive = values[numpy.isfinite(values) & (values > 0)]
    return positive.size > 1 and not (values < 0).any() and positive.max() > factor * positive.min()


def cut_peaks(curves: list[numpy.ndarray]) -> tuple[float | None, float | None]:
    """Where to begin and to end an axis that few peaks would otherwise make useless; None where all fits.

    What a curve has in all but 2 % of its points, and where it ends, is no peak.
    """
    known = [values for values in (values[numpy.isfinite(values)] for values in curves) if values.size]
    if not known:
        return None, None
    lower = min(0.0, *(min(numpy.percentile(values, 2), values[-1]) for values in known))
    upper = max(0.0, *(max(numpy.percentile(values, 98), values[-1]) for values in known))
    span = upper - lower
    if span == 0:
        return None, None
    return (float(lower - 0.6 * span) if min(values.min() for values in known) < lower - 3 * span else None,
            float(upper + 0.6 * span) if max(values.max() for values in known) > upper + 3 * span else None)


def use_log_axis(axes: Axes) -> None:
    """A logarithmic y axis with labels such as 10⁻³."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=7))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten(round(numpy.log10(value)))))
    axes.yaxis.set_minor_formatter(NullFormatter())


def use_linear_axis(axis: object, most: int = 6) -> None:
    """Few, round ticks with plain numbers."""
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value, 6)))


def scaled_unit(largest: float, unit: str) -> tuple[float, str]:
    """What to divide by and the unit that is then right: (1000, "kPa"), or (1e8, "10⁸ 1/m") where there are no prefixes."""
    if unit not in PREFIXED_UNITS and math.isfinite(largest) and largest > 0 and not 1e-3 <= largest < 1e6:
        power = math.floor(math.log10(largest) + 1e-12)
        return 10.0**power, f"{power_of_ten(power)} {unit}".strip()
    exponent = prefix_exponent(largest, unit)
    return 10.0**exponent, PREFIXES[exponent] + unit


def axis_label(name: str, unit: str) -> str:
    """What an axis shows and its unit, with m² for m^2."""
    unit = re.sub(r"\^(-?\d+)", lambda match: match[1].translate(SUPERSCRIPTS), unit)
    return f"{name} [{unit}]" if unit else name


def mark_stages(axes: Axes, stages: list[Stage], scale: float) -> None:
    """Bands and lines at the boundaries of stages, with their names above."""
    begin, end = axes.get_xlim()
    for index, stage in enumerate(stages):
        left, right = max(begin, stage.begin / scale), min(end, stage.end / scale)
        share = (right - left) / (end - begin)
        if share <= 0:
            continue
        if index % 2 == 1:
            axes.axvspan(left, right, facecolor=BAND, edgecolor="none", zorder=0)
        if index > 0:
            axes.axvline(left, color=MUTED, linewidth=0.6, dashes=(3, 2), zorder=1)
        label = stage.name if share * 75 > len(stage.name) + 1 else str(stage.number)
        if len(stages) > 1 and share * 75 > len(label):
            axes.text((left + right) / 2, 1.02, label, transform=axes.get_xaxis_transform(), ha="center",
                      va="bottom", fontsize=7.5, color=MUTED)
    axes.set_xlim(begin, end)


def svg_of(figure: Figure, title: str, identifier: str) -> str:
    """The figure as an inline SVG element whose names clash with no other figure of the page. Narrow ones stay so."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<!--.*?-->|<path (?![^>]*\bd="[^"])[^>]*/>', "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'\bid="', f'id="{identifier}-', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{identifier}-", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    share = min(1.0, figure.get_figwidth() / WIDTH)
    style = f' style="width: {100 * share:.0f}%"' if share < 1 else ""
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escaped(title)}"{style}', 1)
    return re.sub(r"\n\s*", "\n", svg)
