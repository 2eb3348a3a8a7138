"""Tables and the figure of the study."""

import csv
from math import isfinite

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import cases  # noqa: E402
import theory  # noqa: E402


def draw(path, rows, table, turned):
    """Lines are theory, symbols are runs of tamp with the smallest time step."""
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.grid": True,
                         "grid.alpha": 0.25, "legend.frameon": False, "legend.fontsize": 9})
    figure, panels = plt.subplot_mosaic([["e", "e", "names"], ["time", "error", "spin"]], figsize=(14, 9.5),
                                        layout="constrained", height_ratios=[1.25, 1])
    finest = min(row["step [s]"] for row in rows)
    last = [row for row in rows if row["step [s]"] == finest]
    draw_restitution(panels["e"], panels["names"], last)
    draw_times(panels["time"], last)
    draw_errors(panels["error"], table)
    draw_spin(panels["spin"], turned)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def points(rows, law, column):
    mine = [(row["speed [m/s]"], row[column]) for row in rows if row["law"] == law.name]
    return [list(values) for values in zip(*[(x, y) for x, y in mine if isfinite(y)])] or [[], []]


def draw_restitution(panel, names, rows):
    marks = dict(zip((law.name for law in cases.LAWS), "osD^vP*X<"))
    for law in cases.LAWS:
        speeds = cases.speeds(61 if law.group == 0 else 301)  # a quadrature takes time
        panel.plot(speeds, [law.theory(v)[0] for v in speeds], color=law.colour, lw=1.3)
        panel.plot(*points(rows, law, "restitution"), marks[law.name], color=law.colour, ms=5.5, label=law.label)
    panel.set(xscale="log", xlim=(0.009, 11.1), ylim=(-0.02, 1.04), xlabel="relative impact speed [m/s]",
              ylabel="restitution", title="(a) Restitution of two equal spheres (after Walton's figure 1)")
    names.axis("off")
    handles, labels = panel.get_legend_handles_labels()
    dashpots = [i for i, law in enumerate(cases.LAWS) if law.group == 0]
    plastic = [i for i, law in enumerate(cases.LAWS) if law.group == 1]
    for group, title, top in ((dashpots, "Dashpot $D\\,\\delta^l\\,\\dot\\delta$, with $e = 0.70$ at 1 m/s", 1.0),
                              (plastic, "Plastic laws", 0.66)):
        legend = names.legend([handles[i] for i in group], [labels[i] for i in group], title=title, loc="upper left",
                              bbox_to_anchor=(-0.02, top), fontsize=10, title_fontsize=10.5, alignment="left")
        if group is dashpots:
            names.add_artist(legend)  # a second legend would replace it
    names.text(0.02, 0.2, "Lines: closed form or quadrature.\nSymbols: runs of tamp.", transform=names.transAxes)


def draw_times(panel, rows):
    speeds = cases.speeds(61)
    shown = [*cases.ELASTIC, *(law for law in cases.LAWS if law.name in ("yielding", "latching, growing"))]
    for law, mark in zip(shown, "osD^"):
        panel.plot(speeds, [1e6 * law.theory(v)[1] for v in speeds], color=law.colour, lw=1.3)
        x, y = points(rows, law, "contact time [s]")
        panel.plot(x, [1e6 * t for t in y], mark, color=law.colour, ms=4.5, label=law.label)
    panel.set(xscale="log", yscale="log", xlabel="relative impact speed [m/s]", ylabel="contact time [µs]",
              title="(b) Time from touch to parting")
    panel.set_ylim(17, 150)
    panel.set_yticks([20, 40, 60, 80, 100], labels=["20", "40", "60", "80", "100"])
    panel.minorticks_off()
    x = [0.03, 0.3]
    panel.plot(x, [38 * (v / 0.03) ** -0.2 for v in x], "k-", lw=0.8)
    panel.text(0.03, 26.5, "slope −1/5", fontsize=9)
    panel.legend(loc="upper right", fontsize=8.5)


def draw_errors(panel, table):
    for law in cases.LAWS + cases.ELASTIC:
        mine = [row for row in table if row["law"] == law.name]
        style = "--s" if law.group == 2 else "-o"
        panel.plot([1e9 * row["step [s]"] for row in mine], [row["error"] for row in mine], style, color=law.colour,
                   lw=1, ms=4)
    steps = sorted({1e9 * row["step [s]"] for row in table})
    for order, start, name, above in ((1, 1.5e-3, "first order", 2.2), (2, 2e-10, "second order", 0.15)):
        line = [start * (s / steps[0]) ** order for s in steps]
        panel.plot(steps, line, "k:", lw=1)
        panel.text(steps[1], line[1] * above, name, fontsize=9)
    panel.set(xscale="log", yscale="log", xlabel="time step [ns]", ylabel="error of the restitution (rms over speeds)",
              title="(c) Error of the runs; colours as in (a), (b)")
    panel.set_xticks(steps, labels=[f"{s:g}" for s in steps])
    panel.minorticks_off()


def draw_spin(panel, turned):
    top = max(row["ratio"] for row in turned)
    fine = [top * i / 300 for i in range(301)]
    panel.axvspan(2 / 3, 1, color="0.9", zorder=0)
    panel.text(5 / 6, -0.3, "elastic\nmaterials\n(Mindlin)", ha="center", fontsize=9)
    panel.axhline(0, color="k", lw=0.8)
    for dimension, colour, mark, name, share in ((3, "#1f77b4", "o", "spheres", "2/7"), (2, "#d62728", "s", "discs", "1/3")):
        mine = [row for row in turned if row["dimension"] == dimension]
        panel.plot(fine, [theory.spin_after(r, dimension) for r in fine], color=colour, lw=1.3)
        panel.plot([row["ratio"] for row in mine], [row["spin after/before"] for row in mine], mark, color=colour, ms=4,
                   label=f"{name}: in step at {share}")
        ratio = 2 / 7 if dimension == 3 else 1 / 3
        panel.axvline(ratio, color=colour, lw=0.8, ls="--")
    panel.set(xlim=(0, top * 1.01), ylim=(-0.62, 1.08), xlabel="tangential over normal stiffness $K_t/K_n$",
              ylabel="spin after / spin before", title="(d) Spin after a head-on impact")
    panel.legend(loc="upper center", bbox_to_anchor=(0.36, 1.0), frameon=True, facecolor="white",
                 framealpha=1, edgecolor="none")


def error_table(table):
    """Root mean square error of the restitution over the speeds, by law and time step, as Markdown."""
    steps = sorted({float(row["step [s]"]) for row in table}, reverse=True)
    lines = ["| law | " + " | ".join(f"dt = {1e9 * s:g} ns" for s in steps) + " |", "|---" * (len(steps) + 1) + "|"]
    for name in dict.fromkeys(row["law"] for row in table):
        errors = [next(float(r["error"]) for r in table if r["law"] == name and float(r["step [s]"]) == s) for s in steps]
        lines.append(f"| {name} | " + " | ".join(f"{e:.1e}" for e in errors) + " |")
    return "\n".join(lines)


def fill_readme(readme, convergence, stamp):
    """Puts the table and who made it between their marks."""
    with open(convergence, newline="", encoding="utf-8") as file:
        table = error_table(list(csv.DictReader(file)))
    made = f"Made by `{stamp['command']}` with commit {stamp['commit']} on {stamp['date']} ({stamp['machine']})."
    text = readme.read_text(encoding="utf-8")
    for mark, content in (("made", made), ("errors", table)):
        begin, end = f"<!-- begin {mark} -->", f"<!-- end {mark} -->"
        if begin not in text or end not in text:
            raise RuntimeError(f"{readme} lacks the marks of '{mark}'")
        text = f"{text.partition(begin)[0]}{begin}\n{content}\n{end}{text.partition(end)[2]}"
    readme.write_text(text, encoding="utf-8")
