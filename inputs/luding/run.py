#!/usr/bin/python3
"""The compression test of Luding's paper: densities at which growing cohesive grains come to rest.

    ./inputs/luding/run.py [--seeds 3] [--no-runs] [--ship] [--jobs 2] [--output output/luding] [--tamp build/tamp]
    ./inputs/luding/run.py --quick      two points with few grains, checked; for a test
    ./inputs/luding/run.py --confirm    reruns a sample of the shipped runs and compares

It runs tamp for every friction and resistance to rolling and torsion, from two starts, and writes runs.csv (every run),
table.csv (means over the seeds), curve.csv, compression.png, density.png, agglomerate.csv and agglomerate.png to the
output folder. With --ship it copies them beside this script, puts the tables into README.md and writes stamp.json. Runs
that are already there are not run again, so that a study that was stopped goes on; --no-runs takes only those.

Needs python3-h5py and python3-matplotlib.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "inputs")]
import agglomerate  # noqa: E402
import cases  # noqa: E402
import curves  # noqa: E402
import stamps  # noqa: E402

DEPENDS_ON = ["src/soft", "include/tamp/soft", "include/tamp/laws/soft", "src/engine/soft_engine.cpp",
              "inputs/luding/compress.toml", "inputs/luding/agglomerate.toml", "inputs/luding/cases.py"]
# What --confirm runs again: the reference and the paper's parameters.
SAMPLE = [cases.Run("main", "slow", 0, 0, 1), cases.Run("main", "slow", 1, 0.1, 1)]
# Fewer grains, which grow twice as fast: (key, value).
QUICK = (("particles[0].count", 216), ("domain.upper", "[12.5e-6, 12.5e-6, 12.5e-6]"),
         *((key, 4e-7) for key in cases.GROWTH))


def run_tamp(tamp, case, folder, settings):
    """One run on one rank, in a folder that is renamed when the run is whole. Pictures need a display."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    display = [str(ROOT / "jobscripts/with-display.sh")] if case == agglomerate.CASE else []
    command = [*display, str(tamp), "run", str(HERE / case), "--output", str(part), "--progress", "none"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{result.stdout}")
    return part


def compress(tamp, folder, run):
    """Keeps curve.csv of a run, and little else."""
    target = folder / run.name
    if is_there(folder, run):
        return
    shutil.rmtree(target, ignore_errors=True)
    part = run_tamp(tamp, agglomerate.CASE if run.group == agglomerate.GROUP else "compress.toml", target, run.keys())
    curves.keep(part / "series.csv", part / "curve.csv")
    kept = {"curve.csv", "report.json", "run.log"}
    if run.group == agglomerate.GROUP:
        kept |= agglomerate.keep(part, run)
    for path in part.iterdir():
        if path.name not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (part / "keys.json").write_text(json.dumps(run.keys()), encoding="utf-8")
    part.rename(target)


def is_there(folder, run):
    keys = folder / run.name / "keys.json"
    return keys.exists() and json.loads(keys.read_text(encoding="utf-8")) == run.keys()


def numbers_of(folder, run):
    """The row of runs.csv: densities and coordinations where the energy ratio falls below the levels."""
    curve = curves.compression(curves.read_table(folder / run.name / "curve.csv"))
    row = {"group": run.group, "start": run.start, "friction": float(run.friction), "rolling": float(run.rolling),
           "seed": run.seed}
    for level in cases.LEVELS:
        found = curves.crossing(curve, level)
        row[f"fraction at {level:g}"] = found[0] if found else ""
        row[f"coordination at {level:g}"] = found[1] if found else ""
    row["fraction at two contacts"] = curves.fraction_at_coordination(curve, 2) or ""
    return row


def all_runs(tamp, folder, runs, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(compress, tamp, folder, run) for run in runs]:
            future.result()


def planned(seeds):
    """All runs, the most telling first: a study that was stopped is of use, too."""
    def telling(run):
        return (run.friction != 1 and run.rolling > 0, run.rolling not in (0.1, 1), run.friction == 1, run.rolling, run.friction)
    first = cases.main_runs("slow", [1]) + [agglomerate.run(1)] + cases.main_runs("fast", [1])
    more = [run for start in ("fast", "slow") for run in cases.main_runs(start, range(2, seeds + 1))]
    return (sorted(first, key=telling) + cases.variation_runs([1]) + [agglomerate.run(seed) for seed in range(2, seeds + 1)] +
            sorted(more, key=telling) + cases.variation_runs(range(2, seeds + 1)))


def check_folder(options):
    """Runs of another program or of another case must not be mixed with those of this one."""
    mark = options.output / "made_by.json"
    mine = {"program": stamps.version_of(options.tamp), "case": stamps.digest(ROOT, ["inputs/luding/compress.toml"])}
    options.output.mkdir(parents=True, exist_ok=True)
    if mark.exists() and json.loads(mark.read_text(encoding="utf-8")) != mine:
        sys.exit(f"{options.output} has runs of another program or of another case; remove it, or give --output")
    mark.write_text(json.dumps(mine) + "\n", encoding="utf-8")


def check_case(tamp, settings=()):
    """What is wrong with what `tamp check` says of the case: contact time and volume fraction have closed forms."""
    command = [str(tamp), "check", str(HERE / "compress.toml")]
    for key, value in settings:
        command += ["--set", f"{key}={value}"]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    faults = []
    for what, pattern, wanted in (("contact time", r"in ([\d.e+-]+) s, the shortest contact time", cases.CONTACT_TIME),
                                  ("volume fraction", r"volume fraction ([\d.e+-]+)", cases.START_FRACTION)):
        found = re.search(pattern, text)
        if not found or abs(float(found[1]) / wanted - 1) > 0.005:  # it is printed with three digits
            faults.append(f"the {what} is not {wanted:.3g}: {text}")
    return faults


def quick(options):
    """Few grains. Resistance to rolling and torsion must lower the density at which grains come to rest."""
    faults = check_case(options.tamp, QUICK)
    free, rough = (cases.Run("quick", "slow", m, r, 1, QUICK) for m, r in ((0, 0), (1, 0.3)))
    with tempfile.TemporaryDirectory() as scratch:
        all_runs(options.tamp, Path(scratch), [free, rough], options.jobs)
        found = [numbers_of(Path(scratch), run) for run in (free, rough)]
    for level in cases.LEVELS[:3]:
        without, with_resistance = (row[f"fraction at {level:g}"] for row in found)
        print(f"energy ratio {level:g}: fraction {without} without friction, {with_resistance} with mu = 1, mu_r = mu_o = 0.3")
        if "" in (without, with_resistance):
            faults.append(f"the energy ratio never falls below {level:g}")
        # Seeds of the whole study scatter by 0.001 and 0.006 there, those of eight times fewer grains by about three times that.
        elif not with_resistance < without - 0.05:
            faults.append(f"at an energy ratio of {level:g} resistance does not lower the density: {with_resistance}, {without}")
    # Grains without friction jam near random close packing, 0.64.
    if not faults and not 0.55 < found[0]["fraction at 1"] < 0.74:
        faults.append(f"grains without friction come to rest at {found[0]['fraction at 1']}")
    return faults


def study(options):
    """Makes all files in the output folder."""
    import figures
    check_folder(options)
    faults = check_case(options.tamp)
    if faults:
        sys.exit("\n".join(faults))
    runs = planned(options.seeds)
    folder = options.output / "runs"
    if not options.no_runs:
        all_runs(options.tamp, folder, runs, options.jobs)
    there = [run for run in runs if is_there(folder, run)]
    print(f"{len(there)} of {len(runs)} runs are there")
    rows = [numbers_of(folder, run) for run in there if run.group != agglomerate.GROUP]
    table = figures.means(rows)
    curves.write_table(options.output / "runs.csv", rows)
    curves.write_table(options.output / "table.csv", table)
    agglomerates = [run for run in there if run.group == agglomerate.GROUP]
    return figures.draw_all(options.output, folder, table) + agglomerate.write(options.output, folder, agglomerates)


def confirm(options):
    stamp = stamps.read(HERE / stamps.NAME)
    shipped = {(r["group"], r["start"], r["friction"], r["rolling"], r["seed"]): r
               for r in curves.read_table(HERE / "runs.csv")}
    with tempfile.TemporaryDirectory() as scratch:
        all_runs(options.tamp, Path(scratch), SAMPLE, options.jobs)
        again = [numbers_of(Path(scratch), run) for run in SAMPLE]
    # A packing is chaotic: on another kind of processor its last digits differ, and then all of it. Then the densities
    # must lie within the scatter of the shipped seeds.
    exact = stamps.machine_of(options.tamp) == stamp["machine"]
    print(f"compared {'exactly' if exact else 'by the scatter of the seeds, because the study was made on ' + stamp['machine']}")
    wrong = []
    for row in again:
        before = shipped[row["group"], row["start"], row["friction"], row["rolling"], float(row["seed"])]
        seeds = [r for r in shipped.values() if all(r[k] == row[k] for k in ("group", "start", "friction", "rolling"))]
        for level in cases.LEVELS:
            key = f"fraction at {level:g}"
            values = [r[key] for r in seeds]
            allowed = 1e-7 if exact else 2 * (max(values) - min(values))
            if not abs(row[key] - before[key]) <= allowed:
                wrong.append(f"mu = {row['friction']:g}, mu_r = {row['rolling']:g}: {key} is {row[key]:.8g}, not {before[key]}")
    if wrong:
        sys.exit("\n".join([*wrong, f"the shipped results no longer hold; make them again with `{stamp['command']}`"]))
    stamp["confirmed"] = {"commit": stamps.version_of(options.tamp), "date": stamps.today(),
                          "machine": stamps.machine_of(options.tamp)}
    stamp["digest"] = stamps.digest(ROOT, stamp["depends_on"])
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"{len(again)} runs give the shipped numbers; {HERE / stamps.NAME} now holds for {stamp['confirmed']['commit']}")


def ship(options, files):
    import figures
    stamp = {"result": "the compression test", "command": "./inputs/luding/run.py --ship",
             "confirm": "./inputs/luding/run.py --confirm", "commit": stamps.version_of(options.tamp),
             "machine": stamps.machine_of(options.tamp), "date": stamps.today(), "confirmed": None,
             "depends_on": DEPENDS_ON, "digest": stamps.digest(ROOT, DEPENDS_ON)}
    for file in files:
        shutil.copyfile(options.output / file, HERE / file)
    figures.fill_readme(HERE / "README.md", curves.read_table(HERE / "table.csv"), stamp,
                        [("agglomerate", agglomerate.markdown(HERE / "agglomerate.csv"))])
    stamp["files"] = {file: stamps.file_digest(HERE / file) for file in files}
    stamps.write(HERE / stamps.NAME, stamp)
    print(f"{HERE}: {', '.join(files)}, README.md and {stamps.NAME} are new")


def main():
    parser = argparse.ArgumentParser(description="The compression test of inputs/luding.")
    parser.add_argument("--quick", action="store_true", help="two points with few grains, checked")
    parser.add_argument("--seeds", type=int, default=3, help="runs of every point")
    parser.add_argument("--ship", action="store_true", help="put the results beside this script, with a stamp")
    parser.add_argument("--no-runs", action="store_true", help="take the runs that are there already, and no others")
    parser.add_argument("--confirm", action="store_true", help="rerun a sample of the shipped results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at the same time")
    parser.add_argument("--output", type=Path, default=ROOT / "output/luding")
    parser.add_argument("--tamp", type=Path, default=ROOT / "build/tamp")
    options = parser.parse_args()
    options.output = options.output.resolve()
    if not options.tamp.exists():
        sys.exit(f"{options.tamp} is not there; run cmake/setup.sh first, or give --tamp")
    try:
        if options.quick:
            faults = quick(options)
            if faults:
                sys.exit("\n".join(faults))
        elif options.confirm:
            confirm(options)
        else:
            files = study(options)
            if options.ship:
                ship(options, files)
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
