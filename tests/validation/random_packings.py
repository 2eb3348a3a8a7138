#!/usr/bin/python3
"""Random packings, laws and loads that nothing was tuned on: do the defaults hold, and find what plain sweeps find?

    ./tests/validation/random_packings.py [--count 50] [--seed 1]    50 packings, 3 starts each, by both methods
    ./tests/validation/random_packings.py --quick                    6 small ones in about a minute, for the tests
    ./tests/validation/random_packings.py --only 17                  one of them again; all its files are kept

Packing k of a seed is always the same: random_cases.py draws it from (seed, k). It runs by default settings (auto) and
by plain sweeps with a high cap, from the same starts. Checks of each run:

    ran         tamp ended well, in time (plain may take longer: it is then left out), and no particle left the box
    overlap     the largest one is below 5 % of the mean diameter
    energy      all numbers of the series are finite, and the kinetic energy at the end is below that of the free fall,
                of what the piston does on its way and of the driven floor
    tolerance   residual and force error of all steps are within the tolerances, or steps that were capped or shortened by the rule
                for deep packings were reported
    momentum    where sides are periodic, gravity is upright, and floor and piston have no friction, grains keep the
                horizontal momentum that they start with, to round-off

Both methods make steps of the same length at most: overlaps grow with the step, and contacts with overlaps.

Then volume fraction and coordination of the bed, the force on the floor over its load, and where grains are sheared the
shear force over the load are compared: the difference of the means of auto and plain over its standard error, which has
the scatter over starts and what the tolerances allow. If both methods do the same it follows Student's distribution, so
a few beyond 3 prove nothing: the check is that no more are there than chance explains (to 0.1 %), and none is beyond 20.
"""
import argparse
import csv
import dataclasses
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy

import random_cases
from random_cases import Packing

LARGEST_OVERLAP = 0.05  # mean diameters
MOMENTUM_ERROR = 1e-9
GROSS = 20  # standard errors
CHECKS = ("ran", "overlap", "energy", "tolerance", "momentum")
# What is compared, with what the tolerances allow in the mean of some steps: differences that do not matter.
QUANTITIES = {"fraction": 1e-3, "coordination": 0.03, "floor": 0.01, "shear": 0.01}
# Numbers of grains, cap of plain sweeps, seconds that a run may take.
MODES = {"full": {"counts": (300, 3000), "cap": 3000, "limit": 900},
         "quick": {"counts": (100, 250), "cap": 2000, "limit": 60}}


def run(program: Path, folder: Path, text: str, limit: float) -> tuple[str, float]:
    """What went wrong, if something did, and CPU seconds."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(text, encoding="utf-8")
    command = [program, "run", "case.toml", "--output", "run", "--progress", "none"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(folder / "log", "w", encoding="utf-8") as log:
        try:
            code = subprocess.run(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            return f"took more than {limit:g} s", limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if code == 0:
        return "", seconds
    words = [line for line in (folder / "log").read_text(encoding="utf-8").splitlines() if line.strip()]
    return f"exit code {code}: {words[-1] if words else 'said nothing'}", seconds


def read_series(path: Path) -> dict:
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    return {key: numpy.array([float(line[key]) for line in lines]) for key in lines[0]}


def momentum_error(packing: Packing, state: Path) -> float:
    """Of horizontal momentum, relative to what the grains would have at the speed of their fall."""
    with h5py.File(state) as file:
        mass, velocity = file["particles/mass"][:], file["particles/velocity"][:]
    change = mass @ (velocity[:, :packing.dimension - 1] - packing.start_speed)
    return float(abs(change).max() / (mass.sum() * math.sqrt(2 * packing.gravity * packing.fill_height)))


def judge(packing: Packing, folder: Path) -> tuple[dict, dict]:
    """The numbers of a run, and its checks: words for those that failed, else nothing."""
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    series = read_series(folder / "series.csv")
    stage = report["stages"][-1]
    # The last tenth; sheared grains fluctuate, so half of that stage.
    begin = report["stages"][-2]["time"] if packing.load == "shear" else 0.0
    end = report["simulated_seconds"]
    late = series["time [s]"] >= (0.5 * (begin + end) if packing.load == "shear" else 0.9 * end)
    if packing.load != "shear":
        late &= series["stage"] == stage["stage"]
    load = report["weight"] * math.cos(packing.tilt) + packing.stress * packing.area
    one = {"layers": stage["bed_height"] / packing.diameter, "steps": report["steps"],
           "sweeps": report["sweeps"] / report["steps"], "capped": report["capped_steps"] + report["shortened_steps"],
           "overlap": report["largest_overlap"] / packing.diameter,
           "energy": stage["kinetic_energy"] / packing.energy_scale, "residual": report["residual"]["largest"],
           "force_error": series["force error"].max(), "ended_by": stage["ended_by"],
           "fraction": series["bed volume fraction"][late].mean(), "coordination": series["coordination"][late].mean(),
           "floor": series[f"force on {packing.floor} [N]"][late].mean() / load}
    if packing.load == "shear":
        one["shear"] = series[f"wall {packing.floor} force x [N]"][late].mean() / load
    finite = all(numpy.isfinite(column).all() for column in series.values())
    within = max(one["residual"] / random_cases.TOLERANCE, one["force_error"] / random_cases.FORCE_TOLERANCE) <= 1.001
    checks = {"ran": "" if report["lost"] == 0 else f"{report['lost']} particles left the box",
              "overlap": "" if one["overlap"] < LARGEST_OVERLAP else f"{one['overlap']:.3f} d",
              "energy": "" if finite and one["energy"] < 1 else f"{one['energy']:.2g} of the bound, finite: {finite}",
              "tolerance": "" if within or one["capped"] > 0 else
              f"residual {one['residual']:.2g}, force error {one['force_error']:.2g}, no step was capped or shortened"}
    if packing.keeps_momentum:
        one["momentum"] = momentum_error(packing, folder / f"stage-{len(report['stages'])}-{stage['name']}.h5")
        checks["momentum"] = "" if one["momentum"] < MOMENTUM_ERROR else f"changed by {one['momentum']:.2g}"
    return one, checks


def standard_errors(ours: list[float], theirs: list[float], allowed: float) -> float:
    """The difference of the means over its standard error."""
    variance = sum(numpy.var(values, ddof=1) / len(values) for values in (ours, theirs))
    return float((numpy.mean(ours) - numpy.mean(theirs)) / math.sqrt(variance + allowed**2))


def student_beyond(t: float, starts: int) -> float:
    """Probability that |t| is larger, by integration: 2 (starts - 1) degrees of freedom."""
    freedom = 2 * (starts - 1)
    angle = numpy.linspace(math.atan(t / math.sqrt(freedom)), math.pi / 2, 20_001)
    density = numpy.cos(angle)**(freedom - 1)
    area = ((density[1:] + density[:-1]) / 2).sum() * (angle[1] - angle[0])
    return 2 * area * math.gamma((freedom + 1) / 2) / (math.sqrt(math.pi) * math.gamma(freedom / 2))


def by_chance(found: int, of: int, probability: float) -> float:
    """Probability of so many or more."""
    return sum(math.comb(of, k) * probability**k * (1 - probability)**(of - k) for k in range(found, of + 1))


def mean_of(runs: list[dict], key: str) -> float:
    return float(numpy.mean([one[key] for one in runs])) if runs else math.nan


class Study:
    """Runs packings, and collects what was found."""

    def __init__(self, options, folder: Path):
        self.options, self.folder, self.mode = options, folder, MODES["quick" if options.quick else "full"]
        self.program = Path(options.tamp).resolve()
        self.rows, self.differences = [], []  # differences: packing, quantity, standard errors
        self.tally = {check: [0, 0] for check in CHECKS}  # passed, failed
        self.left_out = 0

    def one_run(self, packing: Packing, method: str, start: int) -> dict | None:
        """Its numbers, if it came to an end."""
        folder = self.folder / f"{packing.number}-{method}-{start}"
        seed = 1000 * packing.number + start
        text = random_cases.case_text(packing, method, self.mode["cap"] if method == "plain" else 0, seed)
        problem, seconds = run(self.program, folder, text, self.mode["limit"])
        if problem.startswith("took") and method == "plain":
            self.left_out += 1
            print(f"    left out: {folder.name} {problem}", flush=True)
            return None
        one, checks = ({}, {"ran": problem}) if problem else judge(packing, folder / "run")
        for check, words in checks.items():
            self.tally[check][words != ""] += 1
            if words:
                print(f"    FAILED {check}: {folder.name}: {words}", flush=True)
        self.rows.append({"packing": packing.number, "method": method, "start": start, "seconds": seconds,
                          **{key: value for key, value in dataclasses.asdict(packing).items() if key != "number"}, **one,
                          "failed": "; ".join(f"{check}: {words}" for check, words in checks.items() if words)})
        if not any(checks.values()) and self.options.only is None:
            shutil.rmtree(folder)
        return self.rows[-1] if one else None

    def one_packing(self, number: int):
        # A quick study has each law once, if it has six packings.
        law = random_cases.LAWS[number % len(random_cases.LAWS)] if self.options.quick else None
        packing = random_cases.draw(self.options.seed, number, self.mode["counts"], law)
        runs = {method: [one for start in range(1, self.options.starts + 1)
                         if (one := self.one_run(packing, method, start))] for method in ("auto", "plain")}
        far = {}
        for quantity, allowed in QUANTITIES.items():
            values = [[one[quantity] for one in some if quantity in one] for some in runs.values()]
            if min(map(len, values)) > 1:
                far[quantity] = standard_errors(*values, allowed)
                self.differences.append((number, quantity, far[quantity], *map(numpy.mean, values)))
        load = f"{packing.load}{f' {math.degrees(packing.tilt):.0f} deg' if packing.tilt else ''}"
        ratio = "" if packing.load == "gravity" else f"{packing.stress_ratio:.3g}"
        print(f"{number:4} {packing.dimension} {packing.count:5} {1e3 * packing.diameter:8.3g} {packing.spread:6.2f} "
              f"{packing.friction:8.2f} {packing.law:11} {load:14} {ratio:>6} {packing.gravity / 9.81:5.2f} "
              f"{'walls' if packing.walls_at_sides else 'periodic':8} {packing.layers:6.1f} "
              + "".join(f"{mean_of(some, 'sweeps'):8.1f} {sum(one['capped'] for one in some):6} "
                        f"{max((one['overlap'] for one in some), default=math.nan):8.1e} "
                        f"{mean_of(some, 'seconds'):6.1f} "
                        for some in runs.values())
              + " ".join(f"{far[q]:+6.1f}" if q in far else "     -" for q in QUANTITIES), flush=True)

    def tell(self) -> tuple[int, int]:
        """Prints what was found; how many checks passed and failed."""
        passed, failed = (sum(counts[i] for counts in self.tally.values()) for i in (0, 1))
        print()
        for check, (good, bad) in self.tally.items():
            note = " (no packing qualifies)" if good + bad == 0 else ""
            print(f"{check:10} {good} passed, {bad} failed{note}")
        if self.left_out:
            print(f"{self.left_out} plain runs took too long and were left out")
        for far in self.differences:
            if abs(far[2]) > 3:
                print(f"    packing {far[0]}, {far[1]}: auto {far[3]:.4f}, plain {far[4]:.4f}, {far[2]:+.1f} standard "
                      "errors")
        sizes = numpy.array([abs(far[2]) for far in self.differences])
        for limit in (2, 3):
            share = student_beyond(limit, self.options.starts)
            beyond, chance = int((sizes > limit).sum()), by_chance(int((sizes > limit).sum()), len(sizes), share)
            print(f"auto and plain differ by more than {limit} standard errors in {beyond} of {len(sizes)} comparisons; "
                  f"{share * len(sizes):.1f} or fewer are expected by chance, {beyond} or more with a probability of "
                  f"{chance:.2g}")
        good = [chance > 1e-3, not (sizes > GROSS).any()]
        if not good[1]:
            print(f"FAILED: a difference is beyond {GROSS} standard errors")
        return passed + sum(good), failed + len(good) - sum(good)


def write(rows: list[dict], path: Path):
    keys = dict.fromkeys(key for row in rows for key in row)
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, keys)
        table.writeheader()
        for row in rows:
            table.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()
                            if key != "law_text"})


def main() -> int:
    parser = argparse.ArgumentParser(description="Random packings by default settings and by plain sweeps.")
    parser.add_argument("--count", type=int, default=0, help="packings (default: 50, quick: 6)")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other packings")
    parser.add_argument("--starts", type=int, default=3, help="runs of each packing and method, at least 2")
    parser.add_argument("--quick", action="store_true", help="few small packings")
    parser.add_argument("--only", type=int, help="this packing alone")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    parser.add_argument("--folder", help="of runs that failed and random_packings.csv (default: a temporary one)")
    options = parser.parse_args()
    if not Path(options.tamp).is_file():
        sys.exit(f"random_packings: there is no {options.tamp}; build tamp, or name it by --tamp")
    folder = Path(options.folder or tempfile.mkdtemp(prefix="random-packings-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([Path(options.tamp).resolve(), "--version"], stdout=subprocess.PIPE, text=True, check=True)
    print(f"{version.stdout.strip()}, seed {options.seed}; runs that fail are kept in {folder}")
    print("   k d     N   d [mm] spread friction law         load           stress   g/g0 sides    layers"
          "| auto: sweeps a step, capped steps of all starts, largest overlap in d, CPU s | plain: the same "
          "| differences in standard errors: " + ", ".join(QUANTITIES))
    study = Study(options, folder)
    numbers = range(1, 1 + (options.count or (6 if options.quick else 50))) if options.only is None else [options.only]
    for number in numbers:
        study.one_packing(number)
    passed, failed = study.tell()
    write(study.rows, folder / "random_packings.csv")
    print(f"table: {folder / 'random_packings.csv'}\n{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
