#!/usr/bin/python3
"""The slump study: pours piles, lets them slump for every Bond number, time step and kind of threshold, and plots.

    ./inputs/slump/run.py [--states 5] [--jobs 2] [--output output/slump] [--tamp build/tamp]
                          [--bond 0 5 10 15 18 20] [--step 1e-4 2e-4 5e-4 7e-4 1e-3]

Writes slump.csv (every run), table.csv (mean and standard error over the piles) and three figures:
  slump.png      fall of the centre of mass against the time step, one curve a Bond number (force threshold)
  overlap.png    mean overlap against the time step
  threshold.png  force against impulse threshold
Runs that are already there are not run again. Needs python3-h5py and python3-matplotlib.
"""

import argparse
import csv
import math
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

try:
    import h5py
    import matplotlib

    matplotlib.use("Agg")  # no display needed
    import matplotlib.pyplot as plt
except ImportError as error:
    sys.exit(f"{error}; install python3-h5py and python3-matplotlib (cmake/setup.sh tests does), "
             "and run this with the system's /usr/bin/python3")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MEAN_DIAMETER = 0.005
REFERENCE_STEP = 1e-4  # at which force and impulse threshold are the same
FIXED_MATERIAL = 1


def run_tamp(tamp, case, folder, settings):
    """One run on one rank; returns when its last file is there. A folder without report is begun again."""
    if (folder / "report.json").exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    command = [str(tamp), "run", str(case), "--output", str(part)]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stdout}")
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def heights(path):
    """Height of every free disc, by id."""
    with h5py.File(path, "r") as file:
        particles = file["particles"]
        free = particles["material"][:] != FIXED_MATERIAL
        return dict(zip(particles["id"][:][free].tolist(), particles["position"][:, 1][free].tolist()))


def slump_of(pile, folder):
    """Equation 11 of the paper. A disc that left the plane lies on the ground somewhere: height zero."""
    start, end = heights(pile), heights(folder / "stage-1-slump.h5")
    return sum(y - end.get(i, 0.0) for i, y in start.items()) / sum(start.values())


def overlap_of(folder):
    """Mean over contacts and time, in mean diameters."""
    with open(folder / "series.csv", newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    column = rows[0].index("mean overlap [m]")
    values = [float(row[column]) for row in rows[1:]]
    return sum(values) / len(values) / MEAN_DIAMETER


def name_of(bond, step, threshold):
    return f"bond{bond:g}-step{step:g}-{threshold}"


def slump_settings(pile, bond, step, threshold):
    settings = {"particles[0].path": f"'{pile}'", "time.step": step}
    for material in ("disc", "rough"):
        settings[f"material.{material}.cohesion_bond"] = bond
        if threshold == "impulse":
            settings[f"material.{material}.cohesion_impulse_time"] = REFERENCE_STEP
    return settings


def run_all(jobs, workers):
    """Runs (label, function) pairs, with a line that says how far it is."""
    begin, failures = time.monotonic(), []
    with ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(action): label for label, action in jobs}
        for done, future in enumerate(as_completed(futures), 1):
            if future.exception():
                failures.append(f"{futures[future]}: {future.exception()}")
                pool.shutdown(wait=True, cancel_futures=True)
                break
            passed = time.monotonic() - begin
            left = passed / done * (len(jobs) - done)
            end = "\r" if sys.stdout.isatty() and done < len(jobs) else "\n"
            if sys.stdout.isatty() or done % 25 == 0 or done == len(jobs):
                print(f"{done} of {len(jobs)} runs, {passed:.0f} s, about {left:.0f} s to go   ", end=end, flush=True)
    if failures:
        sys.exit(failures[0])


def mean_and_error(values):
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def plot(path, curves, ylabel, title, logarithmic=False):
    """`curves`: label -> (steps, means, errors, style)."""
    figure, axes = plt.subplots(figsize=(7, 5), constrained_layout=True)
    for label, (steps, means, errors, style) in curves.items():
        axes.errorbar(steps, means, yerr=errors, capsize=3, label=label, **style)
    axes.set_xscale("log")
    if logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(r"time step $\Delta t$ [s]")
    axes.set_ylabel(ylabel)
    axes.set_title(title)
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def draw(folder, table, bonds, steps, states):
    def curve(bond, threshold, quantity, **style):
        points = [table[bond, step, threshold][quantity] for step in steps]
        return steps, [p[0] for p in points], [p[1] for p in points], style

    colours = {bond: f"C{i}" for i, bond in enumerate(bonds)}
    note = f"mean and standard error of {states} piles"
    plot(folder / "slump.png",
         {f"Bond {b:g}": curve(b, "force", 0, marker="o", color=colours[b]) for b in bonds},
         r"slump $\Delta y_G$", f"150 discs, force threshold ({note})")
    plot(folder / "overlap.png",
         {f"Bond {b:g}": curve(b, "force", 1, marker="o", color=colours[b]) for b in bonds},
         r"mean overlap $\delta/d$", f"Overlap at the contacts ({note})", logarithmic=True)
    shown = [b for b in bonds if b in (10, 15)] or [b for b in bonds if b > 0]
    curves = {}
    for b in shown:
        curves[f"Bond {b:g}, force"] = curve(b, "force", 0, marker="o", color=colours[b])
        curves[f"Bond {b:g}, impulse"] = curve(b, "impulse", 0, marker="s", color=colours[b], linestyle="--")
    if curves:
        plot(folder / "threshold.png", curves, r"slump $\Delta y_G$", f"Force and impulse threshold ({note})")


def main():
    parser = argparse.ArgumentParser(description="The slump study of inputs/slump.")
    parser.add_argument("--states", type=int, default=5, help="number of piles")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("--output", type=Path, default=ROOT / "output/slump")
    parser.add_argument("--tamp", type=Path, default=ROOT / "build/tamp")
    parser.add_argument("--bond", type=float, nargs="+", default=[0, 5, 10, 15, 18, 20])
    parser.add_argument("--step", type=float, nargs="+", default=[1e-4, 2e-4, 5e-4, 7e-4, 1e-3])
    options = parser.parse_args()
    if options.states < 1 or options.jobs < 1:
        sys.exit("--states and --jobs must be at least 1")
    options.bond, options.step = sorted(set(options.bond)), sorted(set(options.step))
    if not options.tamp.exists():
        sys.exit(f"{options.tamp} is not there; run cmake/setup.sh first, or give --tamp")
    folder = options.output.resolve()
    piles = {state: folder / f"pile-{state}" / "stage-1-pour.h5" for state in range(1, options.states + 1)}
    print(f"pouring {len(piles)} piles; results in {folder}")
    run_all([(f"pile {state}", lambda s=state, p=pile: run_tamp(options.tamp, HERE / "pour.toml", p.parent, {"seed": s}))
             for state, pile in piles.items()], options.jobs)

    # Without cohesion, and at the reference step, the two thresholds are the same run.
    runs = [(b, dt, threshold) for dt in options.step for b in options.bond for threshold in ("force", "impulse")]
    same = [r for r in runs if r[2] == "impulse" and (r[0] == 0 or r[1] == REFERENCE_STEP)]
    jobs = [(f"pile {state}, {name_of(*r)}",
             lambda s=state, r=r: run_tamp(options.tamp, HERE / "slump.toml", folder / f"pile-{s}" / name_of(*r),
                                           slump_settings(piles[s], *r)))
            for r in runs if r not in same for state in piles]
    run_all(jobs, options.jobs)

    rows, table = [], {}
    for bond, step, threshold in runs:
        source = name_of(bond, step, "force" if (bond, step, threshold) in same else threshold)
        values = [(slump_of(pile, folder / f"pile-{s}" / source), overlap_of(folder / f"pile-{s}" / source))
                  for s, pile in piles.items()]
        rows += [[bond, step, threshold, s, *v] for s, v in zip(piles, values)]
        table[bond, step, threshold] = [mean_and_error([v[k] for v in values]) for k in (0, 1)]
    write_csv(folder / "slump.csv", ["bond", "time step [s]", "threshold", "pile", "slump", "mean overlap [d]"], rows)
    write_csv(folder / "table.csv",
              ["bond", "time step [s]", "threshold", "slump", "error of slump", "mean overlap [d]", "error of overlap"],
              [[*key, *slump, *overlap] for key, (slump, overlap) in table.items()])
    draw(folder, table, options.bond, options.step, options.states)
    print("slump (force threshold), mean of the piles; columns: time step [s]")
    print("Bond   " + "".join(f"{dt:>9g}" for dt in options.step))
    for bond in options.bond:
        print(f"{bond:<7g}" + "".join(f"{table[bond, dt, 'force'][0][0]:9.3f}" for dt in options.step))
    print(f"{folder}: slump.csv, table.csv, slump.png, overlap.png, threshold.png")


if __name__ == "__main__":
    main()
