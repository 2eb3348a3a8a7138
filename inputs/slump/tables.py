"""Tables and figures of the slump study, from the numbers of its runs (dictionaries, one a run)."""

import csv
import math
import re

import matplotlib

matplotlib.use("Agg")  # no display needed
import matplotlib.pyplot as plt  # noqa: E402

COLUMNS = {
    "runs": ["bond", "step", "threshold", "pile", "slump", "overlap", "steps", "sweeps", "capped"],
    "convergence": ["bond", "step", "level", "pile", "slump", "overlap", "steps", "sweeps", "capped"],
    "variants": ["variant", "bond", "step", "pile", "slump", "overlap", "lost", "steps", "sweeps", "capped"],
}
TEXT_COLUMNS = ("threshold", "level", "variant")
INTEGER_COLUMNS = ("pile", "steps", "sweeps", "capped")


def mean_and_error(values):
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def grouped(rows, *keys):
    """Rows by the values of `keys`, in the order in which they come."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def mean_of(rows, key):
    return mean_and_error([row[key] for row in rows])


def read(path):
    """Rows of a CSV that `write` has written."""
    def value(key, text):
        return text if key in TEXT_COLUMNS else int(text) if key in INTEGER_COLUMNS else float(text)
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def write(folder, results, levels):
    """All CSV files and figures; returns their names."""
    files = []
    for name, columns in COLUMNS.items():
        if results[name]:
            write_csv(folder / f"{name}.csv", columns, [[row[key] for key in columns] for row in results[name]])
            files.append(f"{name}.csv")
    rows = [[*key, len(runs), *mean_of(runs, "slump"), *mean_of(runs, "overlap"), capped_share(runs)]
            for key, runs in sorted(grouped(results["runs"], "threshold", "bond", "step").items())]
    write_csv(folder / "table.csv", ["threshold", "bond", "step", "piles", "slump", "error of slump", "overlap",
                                     "error of overlap", "share of capped steps"],
              [[f"{v:.6g}" if isinstance(v, float) else v for v in row] for row in rows])
    draw_slump(folder / "slump.png", results["runs"])
    files += ["table.csv", "slump.png"]
    if results["variants"]:
        draw_variants(folder / "variants.png", results["variants"])
        files.append("variants.png")
    return files


def capped_share(rows):
    return sum(row["capped"] for row in rows) / sum(row["steps"] for row in rows)


# ---- Tables in Markdown ----------------------------------------------------------------------------------------------
def markdown(header, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def shown(mean, error, digits=3):
    return f"{mean + 0.0:.{digits}f} ± {error:.{digits}f}"


def signed(mean, error):
    return f"{mean:+.3f} ± {error:.3f}"


def grid(rows, cell):
    """A Markdown table of Bond numbers by time steps."""
    groups = grouped(rows, "bond", "step")
    bonds, steps = sorted({bond for bond, _ in groups}), sorted({step for _, step in groups})
    body = [[f"{bond:g}", *(cell(groups[bond, step]) if (bond, step) in groups else "" for step in steps)]
            for bond in bonds]
    return markdown(["Bond", *(f"dt = {step:g} s" for step in steps)], body)


def slump_table(rows, threshold="force"):
    return grid([row for row in rows if row["threshold"] == threshold],
                lambda runs: shown(*mean_of(runs, "slump")))


def overlap_table(rows):
    return grid([row for row in rows if row["threshold"] == "force"],
                lambda runs: f"{mean_of(runs, 'overlap')[0]:.1e}")


def capped_table(rows):
    return grid([row for row in rows if row["threshold"] == "force"], lambda runs: f"{100 * capped_share(runs):.1f} %")


def standing_table(rows, least=0.03):
    """Piles that fall by less than `least`: they lose a few discs at most."""
    return grid([row for row in rows if row["threshold"] == "force"],
                lambda runs: f"{sum(run['slump'] < least for run in runs)} of {len(runs)}")


def rise_table(rows):
    """How the slump changes from each time step to the next, over the same piles."""
    slumps = {(row["bond"], row["step"], row["pile"]): row["slump"] for row in rows if row["threshold"] == "force"}
    bonds, steps = sorted({key[0] for key in slumps}), sorted({key[1] for key in slumps})
    pairs = list(zip(steps, steps[1:]))
    body = []
    for bond in bonds:
        cells = []
        for one, two in pairs:
            piles = [pile for b, step, pile in slumps if (b, step) == (bond, one) and (bond, two, pile) in slumps]
            changes = [slumps[bond, two, pile] - slumps[bond, one, pile] for pile in piles]
            cells.append(signed(*mean_and_error(changes)) if changes else "")
        body.append([f"{bond:g}", *cells])
    return markdown(["Bond", *(f"{one:g} to {two:g} s" for one, two in pairs)], body)


def convergence_table(rows, levels):
    """Every level, and its difference from the shipped one over the same piles."""
    body = []
    for (bond, step), runs in grouped(rows, "bond", "step").items():
        by_level = {level: {run["pile"]: run for run in runs if run["level"] == level} for level in levels}
        for level in levels:
            own, shipped = by_level[level], by_level["shipped"]
            differences = [own[pile]["slump"] - shipped[pile]["slump"] for pile in own]
            here = list(own.values())
            body.append([f"{bond:g}", f"{step:g}", level, str(len(own)), shown(*mean_of(here, "slump")),
                         "" if level == "shipped" else signed(*mean_and_error(differences)),
                         f"{sum(r['sweeps'] for r in here) / sum(r['steps'] for r in here):.0f}",
                         f"{100 * capped_share(here):.1f} %"])
    return markdown(["Bond", "dt [s]", "solver", "piles", "slump", "difference from shipped", "sweeps a step",
                     "capped steps"], body)


def variant_table(rows):
    slumps = {(row["variant"], row["bond"], row["step"], row["pile"]): row["slump"] for row in rows}
    first = min(row["step"] for row in rows)

    def rise(variant, bond, step, runs):
        changes = [run["slump"] - slumps[variant, bond, first, run["pile"]] for run in runs]
        return "" if step == first else signed(*mean_and_error(changes))

    body = [[variant, f"{bond:g}", f"{step:g}", str(len(runs)), shown(*mean_of(runs, "slump")),
             rise(variant, bond, step, runs), f"{mean_of(runs, 'overlap')[0]:.1e}", f"{mean_of(runs, 'lost')[0]:.1e}"]
            for (variant, bond, step), runs in grouped(rows, "variant", "bond", "step").items()]
    return markdown(["contacts", "Bond", "dt [s]", "piles", "slump", f"change from {first:g} s", "mean overlap [d]",
                     "share of bonds lost in a step"],
                    body)


def fill_readme(path, results, levels, stamp):
    """Replaces what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`."""
    runs = results["runs"]
    made = (f"Made by `{stamp['command']}` with commit {stamp['commit']} on {stamp['date']} "
            f"({stamp['machine']}).")
    blocks = {"made": made, "force": slump_table(runs), "overlap": overlap_table(runs), "capped": capped_table(runs),
              "standing": standing_table(runs), "rise": rise_table(runs)}
    if any(row["threshold"] == "impulse" for row in runs):
        blocks["impulse"] = slump_table(runs, "impulse")
    if results["convergence"]:
        blocks["convergence"] = convergence_table(results["convergence"], levels)
    if results["variants"]:
        blocks["variants"] = variant_table(results["variants"])
    text = path.read_text(encoding="utf-8")
    for name, block in blocks.items():
        marks = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not marks.search(text):
            raise SystemExit(f"{path} has no place for the table `{name}`: add <!-- begin {name} --> and <!-- end {name} -->")
        text = marks.sub(lambda found, block=block: f"{found[1]}{block}\n{found[2]}", text)
    path.write_text(text, encoding="utf-8")


# ---- Comparison of a sample with the shipped runs --------------------------------------------------------------------
def differences(shipped, again, exactly):
    """`shipped` and `again`: (pile, bond, step) -> numbers. What does not agree, in words.

    Exactly: all numbers of each run. Else slumps of single piles differ by rounding alone, because a pile that falls is
    chaotic; their mean must lie within three standard errors of the mean of all shipped piles.
    """
    wrong = []
    if exactly:
        for (pile, bond, step), new in again.items():
            old = shipped[pile, bond, step]
            wrong += [f"pile {pile}, Bond {bond:g}, dt = {step:g} s: {key} is {new[key]}, shipped is {old[key]}"
                      for key in ("slump", "overlap", "sweeps", "capped") if new[key] != old[key]]
        return wrong
    points = sorted({key[1:] for key in again})
    for bond, step in points:
        slumps = [new["slump"] for key, new in again.items() if key[1:] == (bond, step)]
        all_piles = [old["slump"] for key, old in shipped.items() if key[1:] == (bond, step)]
        mean, error = mean_and_error(all_piles)
        allowed = 3 * error * math.sqrt(len(all_piles) / len(slumps) + 1) + 1e-3
        here = sum(slumps) / len(slumps)
        if abs(here - mean) > allowed:
            wrong.append(f"Bond {bond:g}, dt = {step:g} s: slump {here:.4f}, shipped {mean:.4f} within {allowed:.4f}")
    return wrong


# ---- Figures ---------------------------------------------------------------------------------------------------------
def draw(path, curves, title):
    """`curves`: (label, rows of one curve, style)."""
    figure, axes = plt.subplots(figsize=(8.5, 4.5), constrained_layout=True)
    for label, rows, style in curves:
        points = sorted((step, *mean_of(runs, "slump")) for (step,), runs in grouped(rows, "step").items())
        steps, means, errors = zip(*points)
        axes.errorbar(steps, means, yerr=errors, capsize=3, label=label, **style)
    axes.set_xscale("log")
    axes.set_xlabel(r"time step $\Delta t$ [s]")
    axes.set_ylabel(r"slump $\Delta y_G$")
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=100, metadata={"Software": None})
    plt.close(figure)


def draw_slump(path, rows):
    curves, bonds = [], sorted({row["bond"] for row in rows})
    for (threshold, bond), runs in sorted(grouped(rows, "threshold", "bond").items()):
        style = {"color": f"C{bonds.index(bond)}", "marker": "o" if threshold == "force" else "s",
                 "linestyle": "-" if threshold == "force" else "--"}
        curves.append((f"Bond {bond:g}" + (", impulse threshold" if threshold == "impulse" else ""), runs, style))
    piles = len({row["pile"] for row in rows})
    draw(path, curves, f"Fall of the centre of mass of 150 discs: mean and standard error of {piles} piles")


def draw_variants(path, rows):
    bonds = sorted({row["bond"] for row in rows})
    names = list(dict.fromkeys(row["variant"] for row in rows))
    curves = [(f"Bond {bond:g}, {variant}", runs,
               {"color": f"C{bonds.index(bond)}", "linestyle": ["-", "--", ":"][names.index(variant) % 3], "marker": "o"})
              for (variant, bond), runs in grouped(rows, "variant", "bond").items()]
    draw(path, curves, "The same piles with other treatments of contacts")
