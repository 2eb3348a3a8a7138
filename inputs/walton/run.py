#!/usr/bin/python3
"""Restitution against impact speed for all normal laws, contact times, and spin after an impact, as tamp finds them.

    ./inputs/walton/run.py [--quick] [--laws LAW...] [--ship] [--jobs 2] [--output output/walton] [--tamp build/tamp]
    ./inputs/walton/run.py --confirm [--tamp build/tamp]

It runs tamp for every law and time step, writes restitution.csv, convergence.csv, spin.csv and walton.png to the output
folder, and fails if a law is not what theory says (`check` below). --quick has fewer speeds and steps, and takes seconds.
--ship copies the files beside this script, puts the tables into README.md and writes stamp.json. --confirm makes the
study again; if the numbers are those that are shipped, it renews the stamp for the present code.

Needs python3-h5py and python3-matplotlib.
"""

import argparse
import csv
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from math import inf, pi, sqrt
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "inputs")]
import cases  # noqa: E402
import stamps  # noqa: E402
import theory  # noqa: E402

try:
    import h5py

    import plot
except ImportError as error:
    sys.exit(f"{error}; install python3-h5py and python3-matplotlib (cmake/setup.sh tests does), "
             "and run this with the system's /usr/bin/python3")

DEPENDS_ON = ["src/soft", "include/tamp/soft", "include/tamp/laws/soft", "src/engine/soft_engine.cpp",
              "inputs/walton/cases.py"]
FILES = ["restitution.csv", "convergence.csv", "spin.csv", "walton.png"]
RATIOS = [0.02 * i for i in range(1, 61)]  # K_t/K_n
SPIN_STEPS = 1000  # in a contact


def run_tamp(tamp, folder, case, table):
    """Runs a case on one rank and returns the particles at its end by name of their columns, sorted by id."""
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(case, encoding="utf-8")
    (folder / "pairs.csv").write_text(table, encoding="utf-8")
    command = [str(tamp), "run", str(folder / "case.toml"), "--output", str(folder / "run"), "--progress", "none"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{result.stdout}")
    with h5py.File(folder / "run" / "stage-1-collide.h5", "r") as file:
        particles = {name: data[:] for name, data in file["particles"].items()}
        order = particles["id"].argsort()
        return {name: data[order] for name, data in particles.items()}, float(file.attrs["time"])


def collide(tamp, folder, law, speeds, step):
    """Restitution and contact time of one pair a speed. Before and after its contact a pair flies freely."""
    pairs = cases.Pairs(len(speeds), 3)
    for i, v in enumerate(speeds):
        pairs.add(i, v, v * cases.flight(i))
    case = cases.case_text(f"{law.label}: collisions at many speeds", {"ball": law.keys}, 3, pairs.extent(), step,
                           cases.DURATION, "pairs.csv")
    particles, end = run_tamp(tamp, folder, case, pairs.text())
    found = []
    for i, v in enumerate(speeds):
        apart = particles["position"][2 * i + 1][0] - particles["position"][2 * i][0] - 2 * cases.RADIUS
        leaving = particles["velocity"][2 * i + 1][0] - particles["velocity"][2 * i][0]
        parted = apart > 0
        found.append((leaving / v, end - cases.flight(i) - apart / leaving) if parted else (0.0, inf))
    return found


def spin(tamp, folder, dimension, ratios):
    """Spin after over spin before, one material and one pair a ratio K_t/K_n. The overlap is 1e-5 of the radius, so
    that the shorter arm does not matter, and friction never slips but at the very end."""
    volume = 4 / 3 * pi * cases.RADIUS**3 if dimension == 3 else pi * cases.RADIUS**2
    m = 0.5 * cases.DENSITY * volume
    stiffness = cases.STIFFNESS if dimension == 3 else 100 * cases.STIFFNESS
    omega = sqrt(stiffness / m)
    v, surface = 1e-5 * cases.RADIUS * omega, 1e-6 * cases.RADIUS * omega
    pairs = cases.Pairs(len(ratios), dimension)
    materials = {}
    for i, ratio in enumerate(ratios):
        materials[f"ratio{i}"] = {"normal_law": "linear", "stiffness": stiffness, "restitution": 1, "friction": 100,
                                  "sliding_stiffness": ratio * stiffness}
        pairs.add(i, v, 0.0, surface / cases.RADIUS, f"ratio{i}")
    time = pi / omega
    case = cases.case_text(f"Spin after a collision, {dimension}-D", materials, dimension, pairs.extent(),
                           time / SPIN_STEPS, 1.1 * time, "pairs.csv")
    particles, _ = run_tamp(tamp, folder, case, pairs.text())
    axis = particles["angular_velocity"]
    return [axis[2 * i][-1] * cases.RADIUS / surface for i in range(len(ratios))]


def measure(options, folder):
    """All runs: rows of restitution.csv and of spin.csv."""
    speeds = cases.speeds(7 if options.quick else 31)
    steps = cases.STEPS[:3] if options.quick else cases.STEPS
    ratios = RATIOS[4::10] if options.quick else RATIOS
    laws = [law for law in cases.LAWS + cases.ELASTIC if not options.laws or law.name in options.laws]
    with ThreadPoolExecutor(options.jobs) as pool:
        def run(law, step):
            name = "".join(c if c.isalnum() else "_" for c in f"{law.name}-{step:g}")
            return collide(options.tamp, folder / name, law, speeds, step)
        runs = {(law.name, step): pool.submit(run, law, step) for law in laws for step in steps}
        spins = {d: pool.submit(spin, options.tamp, folder / f"spin-{d}", d, ratios) for d in (3, 2)}
        rows = []
        for law in laws:
            wanted = [law.theory(v) for v in speeds]
            for step in steps:
                for v, (e, time), (e_theory, time_theory) in zip(speeds, runs[law.name, step].result(), wanted):
                    rows.append({"law": law.name, "step [s]": step, "speed [m/s]": v, "restitution": e,
                                 "restitution of theory": e_theory, "contact time [s]": time,
                                 "contact time of theory [s]": time_theory})
        turned = [{"dimension": d, "ratio": ratio, "spin after/before": after,
                   "theory": theory.spin_after(ratio, d)}
                  for d in (3, 2) for ratio, after in zip(ratios, spins[d].result())]
    return rows, turned


def convergence(rows):
    """Per law and step: how far restitution and contact time are from theory, and from their values with the step before.
    Root mean squares over the speeds; contact times relative to theory."""
    table = []
    for name in dict.fromkeys(row["law"] for row in rows):
        before = None
        for step in sorted({row["step [s]"] for row in rows}, reverse=True):
            mine = [row for row in rows if row["law"] == name and row["step [s]"] == step]
            restitutions, times = [row["restitution"] for row in mine], [relative_time(row) for row in mine]
            table.append({"law": name, "step [s]": step,
                          "error": difference(restitutions, [row["restitution of theory"] for row in mine]),
                          "change": difference(restitutions, before[0]) if before else None,
                          "time error": difference(times, [1.0] * len(times)),
                          "time change": difference(times, before[1]) if before else None})
            before = restitutions, times
    return table


def relative_time(row):
    """Pairs that stay together, and should, are right."""
    time, wanted = row["contact time [s]"], row["contact time of theory [s]"]
    return 1.0 if time == wanted else time / wanted


def difference(one, two):
    """Root mean square."""
    return sqrt(sum((a - b) ** 2 for a, b in zip(one, two)) / len(one))


def check(table, turned):
    """What is wrong, in words. The scheme is of first order or better, so halving the step must at least come as near to
    theory as the last change: an error of c dt leaves c dt/2 after a change of c dt/2. Twice that is allowed, because
    every contact begins at another moment of a step."""
    faults = []
    for name in dict.fromkeys(row["law"] for row in table):
        first, *_, last = [row for row in table if row["law"] == name]
        for what, error, change in (("restitution", "error", "change"), ("contact time", "time error", "time change")):
            if not last[error] <= 2 * last[change]:
                faults.append(f"{name}: the {what} is {last[error]:.2g} off theory, and the last halving of the step changed "
                              f"it by {last[change]:.2g} only: the law is not that of theory")
            if not last[error] <= 0.6 * first[error]:
                faults.append(f"{name}: the error of the {what} does not fall with the step: {first[error]:.2g}, then "
                              f"{last[error]:.2g}")
    for d in (3, 2):
        off = max(abs(row["spin after/before"] - row["theory"]) for row in turned if row["dimension"] == d)
        if not off <= 10 / SPIN_STEPS:
            faults.append(f"spin in {d}-D: {off:.2g} off theory")
    return faults


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([f"{v:.9g}" if isinstance(v, float) else v for v in row.values()] for row in rows)


def study(options):
    """Makes all files in the output folder and returns what is wrong."""
    folder = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as runs:
        rows, turned = measure(options, Path(runs))
    table = convergence(rows)
    write_csv(folder / "restitution.csv", rows)
    write_csv(folder / "convergence.csv", table)
    write_csv(folder / "spin.csv", turned)
    plot.draw(folder / "walton.png", rows, table, turned)
    print(plot.error_table(table))
    print(f"{folder}: {', '.join(FILES)}")
    return check(table, turned)


def ship(options):
    folder = options.output.resolve()
    stamp = {"result": "the study of collisions", "command": "./inputs/walton/run.py --ship",
             "confirm": "./inputs/walton/run.py --confirm", "commit": stamps.version_of(options.tamp),
             "machine": stamps.machine_of(options.tamp), "date": stamps.today(), "confirmed": None,
             "depends_on": DEPENDS_ON, "digest": stamps.digest(ROOT, DEPENDS_ON)}
    for file in FILES:
        shutil.copyfile(folder / file, HERE / file)
    plot.fill_readme(HERE / "README.md", HERE / "convergence.csv", stamp)
    stamp["files"] = {file: stamps.file_digest(HERE / file) for file in FILES}
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"{HERE}: {', '.join(FILES)}, README.md and {stamps.NAME} are new")


def confirm(options):
    """The same numbers to eight digits: the shipped results hold for the present code as well."""
    stamp = stamps.read(HERE / stamps.NAME)
    wrong = [file for file in ("restitution.csv", "spin.csv")
             if not alike(read_csv(HERE / file), read_csv(options.output.resolve() / file))]
    if wrong:
        sys.exit(f"other numbers in {', '.join(wrong)}; make the study again with `{stamp['command']}`")
    stamp["confirmed"] = {"commit": stamps.version_of(options.tamp), "date": stamps.today(),
                          "machine": stamps.machine_of(options.tamp)}
    stamp["digest"] = stamps.digest(ROOT, stamp["depends_on"])
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"the numbers are those that are shipped; {HERE / stamps.NAME} now holds for {stamp['confirmed']['commit']}")


def read_csv(path):
    """Rows, with numbers where there are numbers."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(path, newline="", encoding="utf-8") as file:
        return [[number(text) for text in row] for row in csv.reader(file)]


def alike(one, two):
    def same(a, b):
        return a == b or (isinstance(a, float) and isinstance(b, float) and abs(a - b) <= 1e-8 * max(abs(a), abs(b)))
    return len(one) == len(two) and all(len(row) == len(other) and all(map(same, row, other))
                                        for row, other in zip(one, two))


def main():
    parser = argparse.ArgumentParser(description="The study of collisions of inputs/walton.")
    parser.add_argument("--quick", action="store_true", help="fewer speeds and steps, for a test")
    parser.add_argument("--laws", nargs="+", choices=[law.name for law in cases.LAWS + cases.ELASTIC], metavar="LAW",
                        help="only these, as restitution.csv names them")
    parser.add_argument("--ship", action="store_true", help="put the results beside this script, with a stamp")
    parser.add_argument("--confirm", action="store_true", help="compare with the shipped results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("--output", type=Path, default=ROOT / "output/walton")
    parser.add_argument("--tamp", type=Path, default=ROOT / "build/tamp")
    options = parser.parse_args()
    if (options.quick or options.laws) and (options.ship or options.confirm):
        sys.exit("--quick and --laws make a part of the study only; leave them out")
    if not options.tamp.exists():
        sys.exit(f"{options.tamp} is not there; run cmake/setup.sh first, or give --tamp")
    with tempfile.TemporaryDirectory() as scratch:
        if options.confirm:
            options.output = Path(scratch)
        try:
            faults = study(options)
        except RuntimeError as error:
            sys.exit(str(error))
        if faults:
            sys.exit("\n".join(faults))
        if options.ship:
            ship(options)
        if options.confirm:
            confirm(options)


if __name__ == "__main__":
    main()
