"""Runs with attraction, after figure 4 of the paper: how dense they are when they come to rest, and their clusters."""

import csv
import json
import shutil

import cases
import curves

CASE = "agglomerate.toml"
GROUP = "agglomerate"
EDGE = 25e-6  # m
REST = 3  # number of the stage without growth


def run(seed):
    return cases.Run(GROUP, "slow", 1, 0.1, seed)


def keep(folder, mine):
    """Makes what is needed later from a run's folder, and returns the names of the files."""
    import clusters
    import numpy
    position, radius, velocity = clusters.read_grains(folder / "stage-3-rest.h5")
    sizes, axes = clusters.clusters(position, radius, EDGE)
    series = [row for row in curves.read_table(folder / "series.csv") if row["stage"] == REST]
    numbers = {"seed": mine.seed, "fraction at rest": series[-1]["volume fraction"],
               "coordination at rest": series[-1]["coordination"], "energy ratio at rest": series[-1]["energy ratio"],
               "speed at rest [m/s]": float(numpy.sqrt((velocity**2).sum(axis=1).mean())), "clusters": len(sizes),
               "share of the largest": sizes[0] / sum(sizes), "axes that it spans": axes}
    (folder / "clusters.json").write_text(json.dumps(numbers), encoding="utf-8")
    shutil.copyfile(sorted(folder.glob("images/*.png"))[REST - 1], folder / "agglomerate.png")
    return {"clusters.json", "agglomerate.png"}


def numbers_of(folder, mine):
    """Densities while grains grow, which are compared with runs without attraction; and the state at rest."""
    rows = curves.read_table(folder / mine.name / "curve.csv")
    growing = curves.compression([row for row in rows if row["stage"] != REST])
    row = json.loads((folder / mine.name / "clusters.json").read_text(encoding="utf-8"))
    for level in cases.LEVELS:
        found = curves.crossing(growing, level)
        row[f"fraction at {level:g}"] = found[0] if found else ""
    return row


def write(output, folder, runs):
    """agglomerate.csv and agglomerate.png; returns their names."""
    if not runs:
        return []
    curves.write_table(output / "agglomerate.csv", [numbers_of(folder, mine) for mine in runs])
    shutil.copyfile(folder / runs[0].name / "agglomerate.png", output / "agglomerate.png")
    return ["agglomerate.csv", "agglomerate.png"]


def markdown(path):
    lines = ["| seed | " + " | ".join(f"e = {level:g}" for level in cases.LEVELS) + " | at rest: fraction | C | e | "
             "grains in the largest cluster | it spans |", "|---" * (len(cases.LEVELS) + 6) + "|"]
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            densities = [row[f"fraction at {level:g}"] for level in cases.LEVELS]
            lines.append(f"| {row['seed']} | " + " | ".join(f"{float(d):.3f}" if d else "–" for d in densities) +
                         f" | {float(row['fraction at rest']):.3f} | {float(row['coordination at rest']):.2f} | "
                         f"{float(row['energy ratio at rest']):.1e} | {100 * float(row['share of the largest']):.1f} % | "
                         f"{row['axes that it spans']} of 3 axes |")
    return "\n".join(lines)
