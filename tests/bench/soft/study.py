"""Speed of soft grains on a settled bed, in turns with LAMMPS on the same start; see bed.py for the bed and the laws.

A time is the CPU time of a long run less that of a short one, so that start and end of the programs do not count, and
contacts are there when it begins. All runs of a comparison use one core, one after the other, several times.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grain_files
from soft import bed

SKINS = (0.01, 0.03, 0.1, 0.2) # diameters
# copies across, steps before the clock, timed steps, turns
SIZES = ((1, 500, 3000, 5), (3, 150, 600, 5))


def one_core():
    return ["taskset", "-c", str(max(os.sched_getaffinity(0)))]


def timed(command, folder):
    """CPU and wall seconds, and what was said."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=bed.ENVIRONMENT, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if process.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command))} failed in {folder}:\n{text}")
    return usage.ru_utime + usage.ru_stime, wall, text


class Bench:
    """Both programs on one bed."""

    def __init__(self, tamp, lammps, keep, across, warm_up=0):
        self.tamp, self.lammps = Path(tamp).resolve(), lammps
        self.edge, self.warm_up = across * bed.EDGE, warm_up
        self.folder = Path(keep).resolve() / f"{across}x{across}"
        self.folder.mkdir(parents=True, exist_ok=True)
        grains = bed.copies(bed.settled(self.tamp, Path(keep).resolve()), across)
        self.particles = len(grains)
        grain_files.write_csv(self.folder / "bed.csv", grains)
        if lammps:
            grain_files.write_data(self.folder / "bed.data", grains, bed.DENSITY, [0.0] * 3,
                                   [self.edge, self.edge, bed.HEIGHT])

    def run_lammps(self, steps, skin, newton):
        (self.folder / "in.lmp").write_text(bed.lammps_script(steps, skin, newton), encoding="utf-8")
        return timed([*one_core(), self.lammps, "-in", "in.lmp", "-log", "none"], self.folder)

    def run_tamp(self, steps, law, ranks=1):
        text = bed.case(law, self.edge, 'generator = "file"\npath = "bed.csv"', f"steps = {steps}")
        (self.folder / "case.toml").write_text(text, encoding="utf-8")
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        launcher = one_core() if ranks == 1 else ["mpirun", "-n", str(ranks)]
        return timed([*launcher, self.tamp, "run", "case.toml", "--output", "run", "--progress", "none"], self.folder)

    def nanoseconds(self, run, steps, *arguments):
        """CPU and wall time a particle-step, and what the long run said."""
        short, long = run(self.warm_up, *arguments), run(self.warm_up + steps, *arguments)
        scale = 1e9 / (steps * self.particles)
        return scale * (long[0] - short[0]), scale * (long[1] - short[1]), long[2]


def contacts_of_tamp(text):
    return int(re.search(r"particles, (\d+) contacts", text)[1])


def lammps_facts(text):
    """Contacts between grains, without those of the floor, and list builds of a run."""
    last = [line.split() for line in text.splitlines() if re.fullmatch(r"\s*\d+(\s+[-+.e\d]+){2}\s*", line)][-1]
    builds = re.search(r"Neighbor list builds = (\d+)", text)
    return {"contacts": float(last[2]) / 2, "list_builds": int(builds[1])}


def summary(values):
    return {"best": min(values), "median": statistics.median(values), "all": values}


def compare(one, steps, turns):
    """LAMMPS' Hooke, tamp's Hooke and tamp's Luding in turns; LAMMPS at the best of its settings."""
    result = {"particles": one.particles, "steps": steps}
    hooke, luding, theirs = [], [], []
    if one.lammps:
        scan = {(skin, newton): one.nanoseconds(one.run_lammps, steps // 2, skin, newton)[0]
                for newton in ("off", "on") for skin in SKINS}
        best = min(scan, key=scan.get)
        result["lammps_settings"] = {f"skin {skin} d, newton {newton}": ns for (skin, newton), ns in scan.items()}
        result["lammps_best"] = {"skin": best[0], "newton": best[1]}
    for _ in range(turns):
        if one.lammps:
            cpu, _, text = one.nanoseconds(one.run_lammps, steps, *best)
            theirs.append(cpu)
            result["lammps_facts"] = lammps_facts(text)
        cpu, _, text = one.nanoseconds(one.run_tamp, steps, bed.HOOKE)
        hooke.append(cpu)
        result["tamp_contacts"] = contacts_of_tamp(text)
        luding.append(one.nanoseconds(one.run_tamp, steps, bed.LUDING)[0])
    result |= {"hooke": summary(hooke), "luding": summary(luding)}
    if one.lammps:
        result["lammps"] = summary(theirs)
        for name, ours in (("hooke", hooke), ("luding", luding)):
            result[name]["ratio"] = {"of_best": min(theirs) / min(ours),
                                     "median": statistics.median(a / b for a, b in zip(theirs, ours))}
    return result


def rows_of(result):
    """Of the table."""
    size = f"{result['particles']} soft grains"
    contacts = f"{result['tamp_contacts'] / result['particles']:.2f} contacts a particle"

    def time_text(one):
        return f"{one['best']:.1f} ns a particle-step (median {one['median']:.1f})"

    rows = []
    if "lammps" in result:
        best, facts = result["lammps_best"], result["lammps_facts"]
        rows.append((f"{size}, LAMMPS gran/hooke/history", time_text(result["lammps"]), "",
                     f"skin {best['skin']} d, newton {best['newton']}; "
                     f"{facts['contacts'] / result['particles']:.2f} contacts a particle, {facts['list_builds']} list builds"))
    for name, title, goal in (("hooke", "Hooke with history", 4), ("luding", "Luding, rolling, torsion", 2)):
        one = result[name]
        rows.append((f"{size}, {title}", time_text(one), "", contacts if name == "hooke" else ""))
        if "ratio" in one:
            rows.append((f"{size}, {title} against LAMMPS' Hooke", f"{one['ratio']['of_best']:.2f} x "
                         f"(median of turns {one['ratio']['median']:.2f})", f"{goal} x or more", ""))
    return rows


def two_ranks(one, steps, turns=3):
    """Wall time of one rank and of two. Where others use the cores, wall time says nothing."""
    singles, doubles, quiet = [], [], True
    for _ in range(turns):
        cpu, wall, _ = one.nanoseconds(one.run_tamp, steps, bed.HOOKE)
        singles.append(wall)
        quiet = quiet and wall < 1.1 * cpu
        doubles.append(one.nanoseconds(one.run_tamp, steps, bed.HOOKE, 2)[1])
    ratio = min(singles) / min(doubles)
    return [(f"{one.particles} soft grains, 2 ranks against 1", f"{ratio:.2f} x" if quiet else "the machine is busy",
             "1.8 x or more", f"{min(singles):.1f} and {min(doubles):.1f} ns of wall time a particle-step")], \
        {"one_rank": singles, "two_ranks": doubles, "quiet": quiet}


def memory(one, law):
    """Bytes of all processes at the peak, by tamp's own account, in a short run."""
    one.run_tamp(one.warm_up, law)
    return json.loads((one.folder / "run" / "report.json").read_text(encoding="utf-8"))["memory_bytes"]


def soft(build):
    tamp, keep, lammps = Path(build) / "tamp", Path(build) / "bench-soft", shutil.which("lmp")
    if not lammps:
        print("bench: soft: lmp (Debian: lammps) is not installed: nothing to compare with", file=sys.stderr)
    rows, results, peaks = [], {}, {"hooke": [], "luding": []}
    for across, warm_up, steps, turns in SIZES:
        one = Bench(tamp, lammps, keep, across, warm_up)
        results[f"{one.particles}"] = compare(one, steps, turns)
        rows += rows_of(results[f"{one.particles}"])
        print(*(f"  {row[0]}: {row[1]}" for row in rows_of(results[f"{one.particles}"])), sep="\n", file=sys.stderr,
              flush=True) # the rest takes a while
        for name, law in (("hooke", bed.HOOKE), ("luding", bed.LUDING)):
            peaks[name].append((one.particles, memory(one, law)))
    more, results["ranks"] = two_ranks(one, SIZES[-1][2])
    rows += more
    for name, ((few, less), (many, more)) in peaks.items():
        # The difference of two sizes leaves out the program and its libraries.
        rows.append((f"memory of soft grains, {name}", f"{(more - less) / (many - few):.0f} bytes a particle", "",
                     f"from {few} and {many} grains on one rank"))
    results["memory"] = peaks
    return rows, results


def soft_million(build):
    """A million grains for 1000 steps on two ranks; takes minutes, so it must be asked for."""
    one = Bench(Path(build) / "tamp", None, Path(build) / "bench-soft", 10)
    _, wall, _ = one.run_tamp(1000, bed.HOOKE, 2)
    report = json.loads((one.folder / "run" / "report.json").read_text(encoding="utf-8"))
    return [(f"{one.particles} soft grains, 1000 steps on 2 ranks", f"{report['seconds']:.0f} s", "",
             f"{wall:.0f} s with start and end, {1e9 * report['seconds'] / 1000 / one.particles:.1f} ns of wall time a "
             f"particle-step, {report['memory_bytes'] / one.particles:.0f} bytes a particle")], report
