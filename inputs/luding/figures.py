"""Means over the seeds, figures, and the tables of README.md."""

from math import sqrt

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import cases  # noqa: E402
import curves  # noqa: E402

COLOURS = ["#1b9e77", "#d95f02", "#7570b3", "#e7298a"]
MARKS = "osD^"
PAPERS_LEAST = 0.42  # extrapolated in the paper from its figure 3
LABELS = {"slow": "slow start: grains bounce", "fast": "fast start: many stick"}


def mean_and_scatter(values):
    """Mean, and the standard deviation over seeds: how far one packing lies from another."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None


def means(rows):
    table = []
    points = dict.fromkeys((row["group"], row["start"], row["friction"], row["rolling"]) for row in rows)
    for point in points:
        mine = [row for row in rows if (row["group"], row["start"], row["friction"], row["rolling"]) == point]
        entry = dict(zip(("group", "start", "friction", "rolling"), point)) | {"seeds": len(mine)}
        for key in [f"{what} at {level:g}" for what in ("fraction", "coordination") for level in cases.LEVELS] + [
                "fraction at two contacts"]:
            values = [row[key] for row in mine if row[key] != ""]
            mean, scatter = mean_and_scatter(values) if len(values) == len(mine) else (None, None)
            entry[key] = "" if mean is None else mean
            entry[f"scatter of {key}"] = "" if scatter is None else scatter
        table.append(entry)
    return table


def style():
    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.grid": True,
                         "grid.alpha": 0.25, "legend.frameon": False, "legend.fontsize": 9})


def draw_all(folder, runs, table):
    """Makes all figures and returns the names of all files of the study."""
    style()
    draw_compression(folder, runs)
    draw_density(folder / "density.png", [row for row in table if row["group"] == "main"])
    return ["runs.csv", "table.csv", "curve.csv", "compression.png", "density.png"]


def draw_compression(folder, runs):
    """After figure 2 of the paper: its parameters, one packing of each start."""
    figure, panel = plt.subplots(figsize=(9, 5.2), layout="constrained")
    other = panel.twinx()
    other.grid(False)
    shipped = []
    for start, colour in zip(cases.SPEEDS, COLOURS):
        run = cases.Run("main", start, 1, 0.1, 1)
        if not (runs / run.name / "curve.csv").exists():
            continue
        curve = curves.compression(curves.read_table(runs / run.name / "curve.csv"))
        panel.plot([c[0] for c in curve], [c[2] for c in curve], color=colour, lw=1.1, label=f"$e$, {LABELS[start]}")
        other.plot([c[0] for c in curve], [c[1] for c in curve], "--", color=colour, lw=1.4, label=f"$C$, {LABELS[start]}")
        shipped += [{"start": start, "volume fraction": c[0], "coordination": c[1], "energy ratio": c[2]}
                    for c in curve[::5]]
    for level in cases.LEVELS:
        panel.axhline(level, color="0.6", lw=0.8, ls=":")
    other.axhline(2, color="k", lw=0.8, ls=":")
    panel.set(yscale="log", xlabel="volume fraction", ylabel="energy ratio $e = E_{kin}/E_{pot}$ (full lines)",
              title=r"Growing grains come to rest ($\mu = 1$, $\mu_r = \mu_o = 0.1$)", ylim=(5e-5, 1e6))
    other.set(ylabel="coordination $C$ (dashed)", ylim=(0, 6.5))
    lines = [*panel.get_legend_handles_labels(), *other.get_legend_handles_labels()]
    panel.legend(lines[0] + lines[2], lines[1] + lines[3], loc="upper right", ncols=2)
    figure.savefig(folder / "compression.png", dpi=110, metadata={"Software": None})
    plt.close(figure)
    curves.write_table(folder / "curve.csv", shipped)


def draw_density(path, table):
    """After figure 3 of the paper; one column a start."""
    starts = [start for start in cases.SPEEDS if any(row["start"] == start for row in table)]
    figure, panels = plt.subplots(2, len(starts), figsize=(6.5 * len(starts), 9), layout="constrained", squeeze=False,
                                  sharey=True)
    for column, start in enumerate(starts):
        mine = [row for row in table if row["start"] == start]
        reference = [row for row in mine if row["friction"] == 0 and row["rolling"] == 0]
        upper = sorted((row for row in mine if row["friction"] == 1), key=lambda row: row["rolling"])
        lower = sorted((row for row in mine if row["rolling"] == 0.1), key=lambda row: row["friction"])
        for panel, rows, key, least, title, label in (
                (panels[0][column], upper, "rolling", 0.003, r"$\mu = 1$", r"$\mu_r = \mu_o$"),
                (panels[1][column], lower, "friction", 0.01, r"$\mu_r = \mu_o = 0.1$", r"$\mu$")):
            draw_levels(panel, reference, rows, key, least)
            panel.set(title=f"{LABELS[start].capitalize()}; {title}",
                      xlabel=f"{label} (hollow symbols: no friction and no resistance)")
            if not column:
                panel.set_ylabel("volume fraction at energy ratio $e$")
    panels[0][0].legend(loc="upper right", ncols=2)
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def draw_levels(panel, reference, rows, key, least):
    """`least`: where a logarithmic axis shows zero. Hollow symbols are the reference without friction."""
    panel.set_xscale("log")
    panel.axhspan(0.63, 0.69, color="0.93", zorder=0)
    panel.text(1.4, 0.66, "random packings,\nno friction", fontsize=8, va="center", ha="right")
    panel.axhline(PAPERS_LEAST, color="k", lw=1, ls="--")
    panel.text(0.65 * least, PAPERS_LEAST - 0.004, "least of the paper", fontsize=8, va="top")
    for level, colour, mark in zip(cases.LEVELS, COLOURS, MARKS):
        name = f"fraction at {level:g}"
        shown = [row for row in rows if row[name] != ""]
        panel.errorbar([row[key] or least for row in shown], [row[name] for row in shown],
                       [row[f"scatter of {name}"] or 0 for row in shown], fmt=f"-{mark}", color=colour, ms=5, lw=1.1, capsize=2.5,
                       label=f"$e$ = {level:g}")
        for row in reference:
            if row[name] != "":
                panel.errorbar([0.75 * least], [row[name]], [row[f"scatter of {name}"] or 0], fmt=mark, color=colour,
                               mfc="white", ms=6, capsize=2.5)
    panel.set_xlim(0.6 * least, 1.5)
    ticks = [least] + [t for t in (0.01, 0.03, 0.1, 0.3, 1) if t > least]
    panel.set_xticks(ticks, labels=["0"] + [f"{t:g}" for t in ticks[1:]])
    panel.minorticks_off()


def cell(row, name):
    if row[name] == "":
        return "not reached"
    scatter = row[f"scatter of {name}"]
    return f"{row[name]:.3f}" + (f" ± {scatter:.3f}" if scatter != "" else "")


def density_table(table, start):
    lines = ["| μ | μ_r = μ_o | seeds | " + " | ".join(f"e = {level:g}" for level in cases.LEVELS) + " | C at e = 0.001 |",
             "|---" * (len(cases.LEVELS) + 4) + "|"]
    rows = [row for row in table if row["group"] == "main" and row["start"] == start]
    for row in sorted(rows, key=lambda row: (row["rolling"] != 0 or row["friction"] != 0, row["friction"] != 1,
                                             row["rolling"], row["friction"])):
        lines.append(f"| {row['friction']:g} | {row['rolling']:g} | {row['seeds']:g} | " +
                     " | ".join(cell(row, f"fraction at {level:g}") for level in cases.LEVELS) +
                     f" | {cell(row, 'coordination at 0.001')} |")
    return "\n".join(lines)


def variation_table(table):
    lines = ["| | seeds | " + " | ".join(f"e = {level:g}" for level in cases.LEVELS) + " |",
             "|---" * (len(cases.LEVELS) + 2) + "|"]
    main = [row for row in table if row["group"] == "main" and row["friction"] == 1 and row["rolling"] == 0.1]
    for row in main + [row for row in table if row["group"] != "main"]:
        name = LABELS[row["start"]].partition(":")[0] if row["group"] == "main" else row["group"]
        lines.append(f"| {name} | {row['seeds']:g} | " +
                     " | ".join(cell(row, f"fraction at {level:g}") for level in cases.LEVELS) + " |")
    return "\n".join(lines)


def fill_readme(readme, table, stamp, more=()):
    """Puts the tables and who made them between their marks."""
    made = f"Made by `{stamp['command']}` with commit {stamp['commit']} on {stamp['date']} ({stamp['machine']})."
    text = readme.read_text(encoding="utf-8")
    for mark, content in (("made", made), ("slow", density_table(table, "slow")), ("fast", density_table(table, "fast")),
                          ("variations", variation_table(table)), *more):
        begin, end = f"<!-- begin {mark} -->", f"<!-- end {mark} -->"
        if begin not in text or end not in text:
            raise RuntimeError(f"{readme} lacks the marks of '{mark}'")
        text = f"{text.partition(begin)[0]}{begin}\n{content}\n{end}{text.partition(end)[2]}"
    readme.write_text(text, encoding="utf-8")
