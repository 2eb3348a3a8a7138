#!/usr/bin/python3
"""Rigid or soft: what does the same problem cost by both engines, against N and against stiffness [000 fig. 1.6]?

    ./tests/validation/crossover.py [--tamp build/tamp] [--output FOLDER]     the whole study, with plot: about half an hour
    ./tests/validation/crossover.py --quick                                   a small one that checks what must hold
    ./tests/validation/crossover.py --plot FOLDER                             draws what was measured before

The problem: N grains lie in a box that is as wide as the bed is high, and one side wall pushes into them by 0.5 of the width a
second. That is slow: the bed stays dense and changes all the time, so rigid grains have to find new forces in every step.
Both engines start from the same bed. The step of rigid grains is 1 ms, that of soft ones a fiftieth of the contact time.

Expected [000 eq. 1.34-1.37], in d dimensions, with stiffness K:

    rigid    CPU time of a simulated second ~ N^(1 + 2/d), if every step is solved from scratch
    soft     CPU time of a simulated second ~ N K^(1/2)
    both cost the same at K ~ N^(4/d)

--quick looks at counts of steps and contacts, which do not depend on the machine; it compares no times.
"""

import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DIAMETER = 0.01
PUSH_RATE = 0.5  # widths a second
MODES = {
    "full": {"layers": {3: (6, 8, 11, 15, 20), 2: (12, 18, 27, 40, 60)},
             "stiffness": {3: (1e4, 1e5, 1e6, 1e7), 2: (1e6, 1e7, 1e8, 1e9)}, "duration": 0.05},
    "quick": {"layers": {3: (5, 7, 10), 2: (8, 12, 18)},
              "stiffness": {3: (1e4, 1e6), 2: (1e6, 1e8)}, "duration": 0.02},
}


def vector(dimension, *components):
    """[x, z] or [x, y, z]; y is 0 if two components are given."""
    x, z = components[0], components[-1]
    y = components[1] if len(components) == 3 else 0
    return str([x, z] if dimension == 2 else [x, y, z])


def case(dimension, layers, seed, engine, stiffness, particles, stage):
    width = 1.1 * layers * DIAMETER
    return f"""engine = "{engine}"
dimension = {dimension}
seed = {seed}
gravity = {vector(dimension, 0, -9.81)}
[domain]
lower = {vector(dimension, 0, 0)}
upper = {vector(dimension, width, width, 2 * width)}
boundary = {'["wall", "wall"]' if dimension == 2 else '["wall", "periodic", "wall"]'}
[[material]]
name = "grain"
density = 2500
friction = 0.3
restitution = 0.7         # so that the contact decides on the step of soft grains, not its dashpot
restitution_speed = 0.1   # and rigid ones come to rest
stiffness = {stiffness}
[[particles]]
{particles}
[solver]
max_sweeps = 1000000
[time]
max_step = 1e-3
[output]
series_every = 1000000000
[checkpoint]
interval = 0
stage_ends = false
[[stage]]
{stage}
"""


def settling(dimension, layers):
    """Particles and stage of the bed."""
    particles = f"""generator = "lattice"
count = {layers**dimension}
spacing = {1.1 * DIAMETER}
speed = 0.2
size = {{ distribution = "uniform", min = {0.9 * DIAMETER}, max = {1.1 * DIAMETER} }}"""
    return particles, 'name = "settle"\nduration = 1\nuntil_balance = 0.01'


def pushing(dimension, layers, bed, limit):
    """Particles and stage of the push; limit: duration or steps."""
    speed = vector(dimension, PUSH_RATE * 1.1 * layers * DIAMETER, 0)
    return (f'generator = "file"\npath = "{bed}"',
            f'name = "push"\n{limit}\nwall = [{{ name = "x-", velocity = {speed} }}]')


class Runner:
    """Runs cases in a folder, one after the other."""

    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, folder, 0

    def run(self, text, more=()):
        """CPU seconds, the report, and the folder of the results."""
        self.count += 1
        name = self.folder / f"case-{self.count}.toml"
        output = self.folder / f"run-{self.count}"
        name.write_text(text, encoding="utf-8")
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            process = subprocess.Popen([self.program, "run", name, "--output", output, "--progress", "none", *more],
                                       stdout=log, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"tamp failed:\n{(self.folder / 'log').read_text(encoding='utf-8')}")
        report = json.loads((output / "report.json").read_text(encoding="utf-8"))
        return usage.ru_utime + usage.ru_stime, report, output


def measure(runner, mode, dimension, seeds):
    """A row of every run."""
    plan, rows = MODES[mode], []
    for layers in plan["layers"][dimension]:
        for seed in range(1, seeds + 1):
            loose = [word for key in ("solver.tolerance=1e-3", "solver.force_tolerance=0.05", "material[0].restitution=0")
                     for word in ("--set", key)]
            _, _, output = runner.run(case(dimension, layers, seed, "rigid", 1e4, *settling(dimension, layers)), loose)
            bed = output / "stage-1-settle.h5"
            for engine, stiffness in [("rigid", 0)] + [("soft", k) for k in plan["stiffness"][dimension]]:
                def push(limit, engine=engine, stiffness=stiffness):
                    return runner.run(case(dimension, layers, seed, engine, stiffness or 1e4,
                                           *pushing(dimension, layers, bed, limit)))
                start, _, _ = push("steps = 1")  # what a run costs before its first step
                seconds, report, _ = push(f"duration = {plan['duration']}")
                contacts = report["contact_updates"] / max(1, report["sweeps"] or report["steps"])
                rows.append({"engine": engine, "particles": layers**dimension, "stiffness": stiffness, "seed": seed,
                             "cpu": (seconds - start) / plan["duration"], "steps": report["steps"] / plan["duration"],
                             "sweeps": report["sweeps"] / report["steps"], "contacts": contacts,
                             "overlap": report["largest_overlap"] / DIAMETER, "capped": report["capped_steps"]})
                print("{engine:5} N = {particles:5} K = {stiffness:7g} N/m seed {seed}: {cpu:9.3f} s of CPU time a simulated "
                      "second, {steps:8.0f} steps of {sweeps:6.1f} sweeps, overlap {overlap:.1e} d".format(**rows[-1]),
                      flush=True)
    return rows


def exponents(points):
    """Least squares of log y = c + sum_i e_i log x_i; returns c and all e_i. Each point: (y, x_1, ...)."""
    table = [[1.0] + [math.log(x) for x in point[1:]] for point in points]
    right = [math.log(point[0]) for point in points]
    size = len(table[0])
    matrix = [[sum(row[i] * row[j] for row in table) for j in range(size)] +
              [sum(row[i] * y for row, y in zip(table, right))] for i in range(size)]
    for i in range(size):  # Gauss; the matrix is positive definite
        for j in range(size):
            if j != i:
                share = matrix[j][i] / matrix[i][i]
                matrix[j] = [a - share * b for a, b in zip(matrix[j], matrix[i])]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]


def over_seeds(rows, fit):
    """Mean and standard error of what `fit` finds with the rows of each seed."""
    seeds = sorted({row["seed"] for row in rows})
    found = [fit([row for row in rows if row["seed"] == seed]) for seed in seeds]
    means = [sum(values) / len(values) for values in zip(*found)]
    if len(seeds) == 1:
        return [(mean, float("nan")) for mean in means]
    return [(mean, math.sqrt(sum((v - mean)**2 for v in values) / (len(values) * (len(values) - 1))))
            for mean, values in zip(means, zip(*found))]


def fits(rows):
    rigid = [row for row in rows if row["engine"] == "rigid"]
    soft = [row for row in rows if row["engine"] == "soft"]
    return {
        "rigid": over_seeds(rigid, lambda some: exponents([(r["cpu"], r["particles"]) for r in some])),
        "sweeps": over_seeds(rigid, lambda some: exponents([(r["sweeps"], r["particles"]) for r in some])),
        "soft": over_seeds(soft, lambda some: exponents([(r["cpu"], r["particles"], r["stiffness"]) for r in some])),
    }


def tell(found, dimension):
    def line(name, value, theory):
        print(f"  {name:42} {value[0]:6.3f} +- {value[1]:.3f}   theory {theory:.3f}")
    print(f"exponents in {dimension} dimensions, with standard errors over seeds")
    line("rigid: CPU time with N", found["rigid"][1], 1 + 2 / dimension)
    line("rigid: sweeps a step with N", found["sweeps"][1], 2 / dimension)
    line("soft: CPU time with N", found["soft"][1], 1)
    line("soft: CPU time with K", found["soft"][2], 0.5)
    slope = (found["rigid"][1][0] - found["soft"][1][0]) / found["soft"][2][0]
    print(f"  both cost the same at K ~ N^{slope:.2f}, theory N^{4 / dimension:.2f}")


def check(rows, dimension):
    """What must hold whatever the machine; problems in words."""
    problems = []

    def expect(name, value, low, high):
        print(f"  {name}: {value:.4f}, expected {low:.4f} to {high:.4f}")
        if not low <= value <= high:
            problems.append(name)
    soft = [row for row in rows if row["engine"] == "soft"]
    rigid = [row for row in rows if row["engine"] == "rigid"]
    # The contact time is pi sqrt(m/K), and a run has a whole number of steps.
    with_size, with_stiffness = exponents([(r["steps"], r["particles"], r["stiffness"]) for r in soft])[1:]
    expect("soft: steps a second with K", with_stiffness, 0.499, 0.501)
    # The smallest of more grains is a little smaller.
    expect("soft: steps a second with N", with_size, -0.001, 0.02)
    # In the bulk as N, besides those at walls and those that are missing at the surface.
    for name, some in (("soft", soft), ("rigid", rigid)):
        with_size = exponents([(r["contacts"], r["particles"]) for r in some])[1]
        expect(f"{name}: contacts of a step with N", with_size, 0.85, 1.15)
    expect("rigid: steps a second with N", exponents([(r["steps"], r["particles"]) for r in rigid])[1], -0.001, 0.1)
    # More than none, and no more than from scratch [000 eq. 1.34].
    expect("rigid: sweeps a step with N", exponents([(r["sweeps"], r["particles"]) for r in rigid])[1], 0, 2 / dimension)
    expect("rigid: steps that did not converge", sum(row["capped"] for row in rigid), 0, 0)
    return problems


def plotting():
    """Matplotlib, or the end: it is missed before the runs, not after them."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        return plt
    except ImportError:
        sys.exit("crossover.py: Matplotlib is missing; install python3-matplotlib, or use --quick")


def draw(rows, found, dimension, path):
    plt = plotting()

    def means(some, key):
        """x, mean and standard error over seeds of the CPU time."""
        result = []
        for x in sorted({row[key] for row in some}):
            values = [row["cpu"] for row in some if row[key] == x]
            mean = sum(values) / len(values)
            error = math.sqrt(sum((v - mean)**2 for v in values) / max(1, len(values) * (len(values) - 1)))
            result.append((x, mean, error))
        return list(zip(*result))

    rigid = [row for row in rows if row["engine"] == "rigid"]
    soft = [row for row in rows if row["engine"] == "soft"]
    sizes, stiffnesses = (sorted({row[key] for row in soft}) for key in ("particles", "stiffness"))
    (a, _), (alpha, _) = found["rigid"]
    (b, _), (beta, _), (kappa, _) = found["soft"]
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.3), layout="constrained")
    colours = plt.cm.viridis([0.15 + 0.7 * i / max(1, len(stiffnesses) - 1) for i in range(len(stiffnesses))])
    for k, colour in zip(stiffnesses, colours):
        left.errorbar(*means([r for r in soft if r["stiffness"] == k], "particles"), fmt="o", color=colour,
                      label=f"soft, K = {k:g} N/m")
        left.plot(sizes, [math.exp(b) * n**beta * k**kappa for n in sizes], color=colour, linewidth=0.8)
    left.errorbar(*means(rigid, "particles"), fmt="s", color="crimson", label="rigid")
    left.plot(sizes, [math.exp(a) * n**alpha for n in sizes], color="crimson", linewidth=0.8)
    left.plot(sizes, [math.exp(a) * sizes[0]**alpha * (n / sizes[0])**(1 + 2 / dimension) for n in sizes], "--",
              color="crimson", linewidth=0.8, label=f"N^(1+2/{dimension}) [000 eq. 1.35]")
    left.set(xscale="log", yscale="log", xlabel="particles N", ylabel="CPU time of a simulated second [s]",
             title=f"rigid ~ N^{alpha:.2f}, soft ~ N^{beta:.2f}")
    left.legend(fontsize=7)
    for n, marker in zip(sizes, "ov^Ds"):
        middle.errorbar(*means([r for r in soft if r["particles"] == n], "stiffness"), fmt=marker, color="steelblue",
                        label=f"soft, N = {n}")
        middle.plot(stiffnesses, [math.exp(b) * n**beta * k**kappa for k in stiffnesses], color="steelblue", linewidth=0.8)
        mean = means([r for r in rigid if r["particles"] == n], "particles")[1][0]
        middle.plot(stiffnesses, [mean] * len(stiffnesses), ":" + marker, color="crimson", markersize=3)
    middle.set(xscale="log", yscale="log", xlabel="stiffness K [N/m]", title=f"soft ~ K^{kappa:.2f}; rigid dotted")
    middle.legend(fontsize=7)
    for n in sizes:
        for k in stiffnesses:
            ratio = (means([r for r in rigid if r["particles"] == n], "particles")[1][0] /
                     means([r for r in soft if r["particles"] == n and r["stiffness"] == k], "particles")[1][0])
            right.plot(n, k, "s" if ratio < 1 else "o", color="crimson" if ratio < 1 else "steelblue")
            right.annotate(f"{ratio:.2g}", (n, k), textcoords="offset points", xytext=(6, 3), fontsize=7)
    crossing = [math.exp((a - b) / kappa) * n**((alpha - beta) / kappa) for n in sizes]
    right.plot(sizes, crossing, "k-", label=f"both cost the same: K ~ N^{(alpha - beta) / kappa:.2f}")
    right.plot(sizes, [crossing[0] * (n / sizes[0])**(4 / dimension) for n in sizes], "k--",
               label=f"K ~ N^(4/{dimension}) [000 fig. 1.6]")
    right.set(xscale="log", yscale="log", xlabel="particles N", ylabel="stiffness K [N/m]",
              xlim=(0.7 * sizes[0], 2 * sizes[-1]), ylim=(0.5 * stiffnesses[0], 50 * stiffnesses[-1]),
              title="rigid over soft; squares: rigid is cheaper")
    right.legend(fontsize=7)
    figure.savefig(path, dpi=110)
    print(f"plot: {path}")


def write(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        for row in rows:
            table.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value if key == "engine" else int(value) if key in ("particles", "seed") else float(value)
                 for key, value in row.items()} for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description="CPU time of rigid and soft grains against N and stiffness.")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    parser.add_argument("--quick", action="store_true", help="small, without a plot; fails if something does not hold")
    parser.add_argument("--dimension", type=int, choices=(2, 3), default=3)
    parser.add_argument("--seeds", type=int, default=0, help="runs of each kind (default: 3, quick: 1)")
    parser.add_argument("--output", default=".", help="folder for crossover.csv and crossover.png")
    parser.add_argument("--plot", metavar="FOLDER", help="only draw the crossover.csv of this folder")
    options = parser.parse_args()
    if options.plot:
        rows = read(Path(options.plot) / "crossover.csv")
        found = fits(rows)
        tell(found, options.dimension)
        draw(rows, found, options.dimension, Path(options.plot) / "crossover.png")
        return 0
    if not options.quick:
        plotting()
    program = Path(options.tamp).resolve()
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    print(f"{version}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program, Path(folder))
        rows = measure(runner, "quick" if options.quick else "full", options.dimension,
                       options.seeds or (1 if options.quick else 3))
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    if options.quick: # too short for times
        problems = check(rows, options.dimension)
        for problem in problems:
            print(f"out of bounds: {problem}")
        return 1 if problems else 0
    found = fits(rows)
    tell(found, options.dimension)
    write(rows, Path(options.output) / "crossover.csv")
    draw(rows, found, options.dimension, Path(options.output) / "crossover.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
