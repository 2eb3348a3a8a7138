#!/usr/bin/python3
"""The slump study: pours piles, lets them slump for every Bond number and time step, and writes tables and figures.

    ./inputs/slump/run.py [--piles 20] [--bond 0 5 10 15 18 20] [--step 1e-4 2e-4 5e-4 7e-4 1e-3] [--impulse 10 15]
                          [--point BOND STEP]... [--convergence 10] [--variants PROGRAM] [--ship]
                          [--jobs 2] [--output output/slump] [--tamp build/tamp]
    ./inputs/slump/run.py --confirm [--tamp build/tamp]

It writes runs.csv (every run), table.csv (mean and standard error over the piles), convergence.csv, variants.csv,
slump.png and variants.png to the output folder. With --ship it also copies them beside this script, puts the tables
into README.md, and writes stamp.json: which commit, command and machine made them. --confirm reruns a sample of the
shipped runs (a minute); if the numbers are the same, it renews the stamp for the present code.

Runs that are already there are not run again, so that a study that was stopped goes on.
Needs python3-h5py and python3-matplotlib.
"""

import argparse
import csv
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "inputs")]
import stamps  # noqa: E402

try:
    import h5py

    import tables
except ImportError as error:
    sys.exit(f"{error}; install python3-h5py and python3-matplotlib (cmake/setup.sh tests does), "
             "and run this with the system's /usr/bin/python3")

MEAN_DIAMETER = 0.005
REFERENCE_STEP = 1e-4  # at which force and impulse threshold are the same
FIXED_MATERIAL = 1
CASES = ["pour.toml", "slump.toml"]
DEPENDS_ON = ["src/solver", "include/tamp/solver", "src/laws", "include/tamp/laws", "src/materials",
              "include/tamp/materials", "src/contacts",
              "include/tamp/contacts", "src/engine", "include/tamp/engine",
              *(f"inputs/slump/{case}" for case in CASES)]

# The solver of slump.toml against looser and tighter ones: (name, settings).
LEVELS = [
    ("loose", {"solver.tolerance": 1e-4, "solver.max_sweeps": 500}),
    ("shipped", {}),
    ("tight", {"solver.tolerance": 1e-6, "solver.force_tolerance": 0.01, "solver.max_sweeps": 20000}),
]
CONVERGENCE_POINTS = [(bond, step) for bond in (10, 20) for step in (1e-4, 5e-4, 1e-3)]

# Other treatments of contacts (variants.patch), as the sum in SLUMP_VARIANT: (name, sum).
VARIANTS = [("tamp", 0), ("overlapping only", 1), ("overlapping only, restitution in all", 3)]
VARIANT_POINTS = [(bond, step) for bond in (10, 15) for step in (5e-4, 1e-3)]

# What --confirm runs again: (pile, Bond, step). Piles that slump and piles that stand.
SAMPLE = [(pile, bond, step) for pile in (1, 2) for bond, step in ((10, 1e-3), (20, 1e-3), (20, 5e-4), (10, 5e-4))]


def run_tamp(tamp, case, folder, settings, environment=None):
    """One run on one rank; returns when its last file is there. A folder without report is begun again."""
    if (folder / "report.json").exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    command = [str(tamp), "run", str(case), "--output", str(part)]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                            env={**os.environ, **(environment or {})})
    if result.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{result.stdout}")
    for file in ("checkpoint-*.h5", "series.h5"):  # not needed here, and the largest
        for path in part.glob(file):
            path.unlink()
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
    with open(folder / "series.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    column = rows[0].index("mean overlap [m]")
    values = [float(row[column]) for row in rows[1:]]
    return sum(values) / len(values) / MEAN_DIAMETER


def numbers_of(pile, folder):
    """What is kept of a run; ten digits, so that a file says exactly what two runs are compared by."""
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return {"slump": float(f"{slump_of(pile, folder):.10g}"), "overlap": float(f"{overlap_of(folder):.10g}"),
            "steps": report["steps"], "sweeps": report["sweeps"], "capped": report["capped_steps"]}


def slump_settings(pile, bond, step, threshold):
    settings = {"particles[0].path": f"'{pile}'", "time.step": step}
    for material in ("disc", "rough"):
        settings[f"material.{material}.cohesion_bond"] = bond
        if threshold == "impulse":
            settings[f"material.{material}.cohesion_impulse_time"] = REFERENCE_STEP
    return settings


class Study:
    """The runs of one program in one folder."""

    def __init__(self, tamp, folder, workers):
        self.tamp, self.folder, self.workers = tamp, folder, workers
        self.version = stamps.version_of(tamp)
        self.check_folder()

    def check_folder(self):
        """Runs of another program or of other cases must not be mixed with those of this one."""
        mark = self.folder / "made_by.json"
        mine = {"program": self.version, "cases": stamps.digest(ROOT, [f"inputs/slump/{case}" for case in CASES])}
        self.folder.mkdir(parents=True, exist_ok=True)
        if mark.exists():
            if json.loads(mark.read_text(encoding="utf-8")) != mine:
                sys.exit(f"{self.folder} has runs of another program or of other cases; remove it, or give --output")
        elif any(self.folder.iterdir()):
            sys.exit(f"{self.folder} is not a folder of this study; remove it, or give --output")
        else:
            mark.write_text(json.dumps(mine) + "\n", encoding="utf-8")

    def pile(self, number):
        return self.folder / f"pile-{number}" / "stage-1-pour.h5"

    def run(self, pile, bond, step, threshold="force", level="shipped"):
        suffix = "" if level == "shipped" else f"-{level}"
        return self.pile(pile).parent / f"bond{bond:g}-step{step:g}-{threshold}{suffix}"

    def pour(self, piles):
        self.all([(f"pile {p}", lambda p=p: run_tamp(self.tamp, HERE / "pour.toml", self.pile(p).parent, {"seed": p}))
                  for p in piles], "piles")

    def slump(self, runs):
        """`runs`: tuples (pile, bond, step, threshold, level)."""
        def job(pile, bond, step, threshold, level):
            settings = {**slump_settings(self.pile(pile), bond, step, threshold), **dict(LEVELS)[level]}
            run_tamp(self.tamp, HERE / "slump.toml", self.run(pile, bond, step, threshold, level), settings)
        self.all([(str(r), lambda r=r: job(*r)) for r in runs], "runs")

    def variant_run(self, number, pile, bond, step):
        return self.folder / f"variant-{number}" / f"pile-{pile}" / f"bond{bond:g}-step{step:g}"

    def variants(self, program, piles):
        """The same piles with all treatments of contacts."""
        def job(number, pile, bond, step):
            run = self.variant_run(number, pile, bond, step)
            settings = slump_settings(self.pile(pile), bond, step, "force") | {"time.max_overlap": 0}  # some overlap far
            run_tamp(program, HERE / "slump.toml", run, settings,
                     {"SLUMP_VARIANT": str(number), "SLUMP_COUNTS": f"{run}.counts"})
        runs = [(number, pile, *point) for _, number in VARIANTS for point in VARIANT_POINTS for pile in piles]
        self.all([(f"variant {r}", lambda r=r: job(*r)) for r in runs], "runs of variants")
        rows = []
        for name, number in VARIANTS:
            for bond, step in VARIANT_POINTS:
                for pile in piles:
                    run = self.variant_run(number, pile, bond, step)
                    bonds, breaks = Path(f"{run}.counts").read_text(encoding="utf-8").split()
                    rows.append({"variant": name, "bond": bond, "step": step, "pile": pile,
                                 **numbers_of(self.pile(pile), run), "lost": float(f"{int(breaks) / int(bonds):.6g}")})
        return rows

    def all(self, jobs, what):
        """Runs (label, function) pairs, with a line that says how far it is."""
        begin, failure = time.monotonic(), None
        with ThreadPoolExecutor(self.workers) as pool:
            futures = {pool.submit(action): label for label, action in jobs}
            for done, future in enumerate(as_completed(futures), 1):
                if future.exception():
                    failure = f"{futures[future]}: {future.exception()}"
                    pool.shutdown(wait=True, cancel_futures=True)
                    break
                passed = time.monotonic() - begin
                if sys.stdout.isatty() or done % 25 == 0 or done == len(jobs):
                    print(f"{done} of {len(jobs)} {what}, {passed:.0f} s, about "
                          f"{passed / done * (len(jobs) - done):.0f} s to go   ",
                          end="\r" if sys.stdout.isatty() and done < len(jobs) else "\n", flush=True)
        if failure:
            sys.exit(failure)

    def numbers(self, runs):
        return [{"pile": pile, "bond": bond, "step": step, "threshold": threshold, "level": level,
                 **numbers_of(self.pile(pile), self.run(pile, bond, step, threshold, level))}
                for pile, bond, step, threshold, level in runs]


def command_of(options):
    """The command that makes the same numbers again: what differs from the defaults, but not where and how fast."""
    words = ["./inputs/slump/run.py"]
    for name, value in vars(options).items():
        if name in ("jobs", "output", "tamp", "ship", "confirm", "variants") or value == DEFAULTS[name]:
            continue
        for values in value if name == "point" else [value if isinstance(value, list) else [value]]:
            words += [f"--{name}", *(f"{v:g}" for v in values)]
    return " ".join([*words, *(["--variants", "PROGRAM"] if options.variants else []), "--ship"])


def study(options):
    piles = range(1, options.piles + 1)
    work = Study(options.tamp, options.output.resolve(), options.jobs)
    print(f"{len(piles)} piles with tamp {work.version}; results in {work.folder}")
    work.pour(piles)
    grid = [(b, s) for s in reversed(options.step) for b in reversed(options.bond)]
    grid += [point for point in map(tuple, options.point) if point not in grid]
    table = [(p, b, s, "force", "shipped") for b, s in grid for p in piles]
    # At the reference step the two thresholds are the same run.
    table += [(p, b, s, "impulse", "shipped") for s in reversed(options.step) for b in options.impulse
              if s != REFERENCE_STEP for p in piles]
    points = [(b, s) for b, s in CONVERGENCE_POINTS if b in options.bond and s in options.step]
    levels = [(p, b, s, "force", level) for b, s in points for level, _ in LEVELS
              for p in piles[:options.convergence]]
    work.slump(list(dict.fromkeys(table + levels)))
    results = {"runs": work.numbers(table), "convergence": work.numbers(levels), "variants": []}
    if options.variants:
        results["variants"] = work.variants(options.variants, piles[:options.convergence])
    files = tables.write(work.folder, results, [name for name, _ in LEVELS])
    print(tables.slump_table(results["runs"]))
    print(f"{work.folder}: {', '.join(files)}")
    if options.ship:
        ship(work, options, results, files)


def ship(work, options, results, files):
    """Puts results, tables and stamp beside this script."""
    stamp = {"result": "the slump study", "command": command_of(options),
             "confirm": "./inputs/slump/run.py --confirm", "commit": work.version,
             "machine": stamps.machine_of(options.tamp), "date": stamps.today(), "confirmed": None, "depends_on": DEPENDS_ON}
    for file in files:
        shutil.copyfile(work.folder / file, HERE / file)
    tables.fill_readme(HERE / "README.md", results, [name for name, _ in LEVELS], stamp)
    stamp["digest"] = stamps.digest(ROOT, DEPENDS_ON)
    stamp["files"] = {file: stamps.file_digest(HERE / file) for file in files}
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"{HERE}: {', '.join(files)}, README.md and {stamps.NAME} are new")


def confirm(options):
    """Runs SAMPLE again. The same numbers: the shipped results hold for the present code as well."""
    stamp = stamps.read(HERE / stamps.NAME)
    shipped = {(r["pile"], r["bond"], r["step"]): r for r in tables.read(HERE / "runs.csv") if r["threshold"] == "force"}
    sample = [key for key in SAMPLE if key in shipped]
    if not sample:
        sys.exit(f"runs.csv has none of the sample's runs; make the study again with `{stamp['command']}`")
    same_machine = stamps.machine_of(options.tamp) == stamp["machine"]
    with tempfile.TemporaryDirectory() as folder:
        work = Study(options.tamp, Path(folder), options.jobs)
        work.pour(sorted({pile for pile, _, _ in sample}))
        runs = [(*key, "force", "shipped") for key in sample]
        work.slump(runs)
        again = {key: numbers for key, numbers in zip(sample, work.numbers(runs))}
    print(f"compared {'exactly' if same_machine else 'by error bars, because the study was made on ' + stamp['machine']}")
    wrong = tables.differences(shipped, again, same_machine)
    if wrong:
        sys.exit("\n".join([*wrong, f"the shipped results no longer hold; make them again with `{stamp['command']}`"]))
    stamp["confirmed"] = {"commit": work.version, "date": stamps.today(), "machine": stamps.machine_of(options.tamp)}
    stamp["digest"] = stamps.digest(ROOT, stamp["depends_on"])
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"{len(sample)} runs give the shipped numbers; {HERE / stamps.NAME} now holds for {work.version}")


DEFAULTS = {"piles": 20, "bond": [0, 5, 10, 15, 18, 20], "step": [1e-4, 2e-4, 5e-4, 7e-4, 1e-3], "impulse": [10, 15],
            "convergence": 10, "point": []}


def main():
    parser = argparse.ArgumentParser(description="The slump study of inputs/slump.")
    parser.add_argument("--piles", type=int, help="number of piles")
    parser.add_argument("--bond", type=float, nargs="+", help="Bond numbers")
    parser.add_argument("--step", type=float, nargs="+", help="time steps [s]")
    parser.add_argument("--point", type=float, nargs=2, action="append", metavar=("BOND", "STEP"), help="one more point")
    parser.add_argument("--impulse", type=float, nargs="*", help="Bond numbers for the impulse threshold")
    parser.add_argument("--convergence", type=int, help="piles for the convergence table and the variants")
    parser.add_argument("--variants", type=Path, help="a tamp with variants.patch; makes the table of variants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("--output", type=Path, default=ROOT / "output/slump")
    parser.add_argument("--tamp", type=Path, default=ROOT / "build/tamp")
    parser.add_argument("--ship", action="store_true", help="put the results beside this script, with a stamp")
    parser.add_argument("--confirm", action="store_true", help="rerun a sample of the shipped results")
    parser.set_defaults(**DEFAULTS)
    options = parser.parse_args()
    if options.piles < 1 or options.jobs < 1:
        sys.exit("--piles and --jobs must be at least 1")
    options.bond, options.step = sorted(set(options.bond)), sorted(set(options.step))
    options.impulse = sorted(set(options.impulse))
    options.convergence = min(options.convergence, options.piles)
    if not options.tamp.exists():
        sys.exit(f"{options.tamp} is not there; run cmake/setup.sh first, or give --tamp")
    if options.confirm:
        confirm(options)
    else:
        study(options)


if __name__ == "__main__":
    main()
