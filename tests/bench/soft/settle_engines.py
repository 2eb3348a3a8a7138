"""inputs/settle.toml by rigid grains, by soft ones of several stiffnesses, and by LAMMPS: time against overlap.

All start from the grains that the case generates. The soft cases are the same file without the sections that only the rigid
engine has, and with a stiffness, a restitution and a time step. LAMMPS gets the same springs, the same step and the dashpot of
two grains of mean size, at the best of a few skins. Overlaps and fraction are computed here, for all programs alike, from where
the grains lie at the end.
"""
import json
import math
import re
import shutil
import statistics
import sys
from pathlib import Path

import grain_files
from grain_files import Grain
from packings import fraction_between, overlaps
from soft.study import one_core, timed

CASE = Path("inputs/settle.toml")
DIAMETER, EDGE, HEIGHT, DENSITY, FRICTION, DURATION = 0.01, 0.2, 0.55, 2500.0, 0.5, 1.0 # as in the case
REDUCED_MASS = DENSITY * math.pi / 6 * DIAMETER**3 / 2
RESTITUTION = 0.3
STEPS_A_CONTACT = 50
STIFFNESSES = (1e4, 1e5, 1e6) # N/m
LAMMPS_STIFFNESSES = (1e4, 1e5) # the next would take a quarter of an hour
SKINS = (0.1, 0.2, 0.3) # diameters; grains move much
SLAB = (0.05, 0.15) # m


def steps_of(stiffness):
    """So many in the whole run, of which STEPS_A_CONTACT in the contact time of two grains of mean size."""
    return math.ceil(DURATION * STEPS_A_CONTACT / (math.pi * math.sqrt(REDUCED_MASS / stiffness)))


def soft_case(stiffness, end=""):
    """The text of the case for the soft engine."""
    sections = re.split(r"(?m)^(?=\[)", CASE.read_text(encoding="utf-8"))
    kept = [text for text in sections if not text.startswith(("[solver]", "[time]", "[output]"))]
    soft = f"stiffness = {stiffness!r}\nrestitution = {RESTITUTION}\n"
    text = "".join(part.replace("[[material]]\n", f"[[material]]\n{soft}") for part in kept)
    text = 'engine = "soft"\n' + (text.replace("duration = 1.0", end) if end else text)
    return text + f"[time]\nstep = {DURATION / steps_of(stiffness)!r}\n"


def run_tamp(tamp, folder, case):
    """CPU seconds, report, and grains at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.toml").write_text(case, encoding="utf-8")
    shutil.rmtree(folder / "run", ignore_errors=True)
    cpu, _, _ = timed([*one_core(), tamp, "run", "case.toml", "--output", "run", "--progress", "none"], folder)
    return cpu, json.loads((folder / "run/report.json").read_text(encoding="utf-8")), grains_of(folder / "run")


def grains_of(run):
    import h5py

    with h5py.File(run / "stage-1-settle.h5") as file:
        particles = file["particles"]
        return [Grain(x, v, r) for x, v, r in zip(particles["position"][:].tolist(), particles["velocity"][:].tolist(),
                                                  particles["radius"][:].tolist())]


def run_lammps(lammps, folder, start, stiffness, step, skin, steps):
    """CPU seconds and grains at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    grain_files.write_data(folder / "start.data", start, DENSITY, [0.0] * 3, [EDGE, EDGE, HEIGHT])
    log = math.log(RESTITUTION)
    damping = -2 * log / math.hypot(math.pi, log) * math.sqrt(stiffness / REDUCED_MASS)
    law = f"{stiffness!r} {2 / 7 * stiffness!r} {damping!r} 0 {FRICTION} 0"
    (folder / "in.txt").write_text(f"""units si
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data start.data
pair_style gran/hooke/history {law}
pair_coeff * *
neighbor {skin * DIAMETER!r} bin
neigh_modify delay 0 every 1 check yes
timestep {step!r}
fix gravity all gravity 9.81 vector 0 0 -1
fix move all nve/sphere
fix floor all wall/gran hooke/history {law} zplane 0 NULL
dump end all custom {steps} dump.txt id x y z radius
dump_modify end sort id format float %.17g first no
thermo {steps}
run {steps}
""", encoding="utf-8")
    cpu, _, _ = timed([*one_core(), lammps, "-in", "in.txt", "-log", "none"], folder)
    return cpu, [Grain(row[:3], None, row[3]) for row in grain_files.read_dump(folder / "dump.txt")[-1]]


def row_of(name, cpu, grains, remark, results):
    touching = overlaps(grains, EDGE)
    found = {"cpu_seconds": cpu, "mean_overlap": statistics.fmean(touching) / DIAMETER,
             "largest_overlap": max(touching) / DIAMETER, "fraction": fraction_between(grains, *SLAB, EDGE)}
    results[name] = found
    row = (f"settle.toml, {name}", f"{cpu:.0f} CPU-seconds", "",
           f"overlap at the end {found['mean_overlap']:.1e} d in the mean, {found['largest_overlap']:.1e} d at most"
           f"{remark}; fraction {found['fraction']:.4f}")
    print(f"  {row[0]}: {row[1]}; {row[3]}", file=sys.stderr, flush=True) # the rest takes a while
    return row


def settle_engines(build):
    tamp, folder, lammps = Path(build).resolve() / "tamp", Path(build).resolve() / "bench-soft/settle", shutil.which("lmp")
    results, rows = {}, []

    def of_run(report):
        return f", {report['largest_overlap'] / DIAMETER:.1e} d in the whole run"

    cpu, report, grains = run_tamp(tamp, folder / "rigid", CASE.read_text(encoding="utf-8"))
    rows.append(row_of("rigid", cpu, grains, of_run(report), results))
    for stiffness in STIFFNESSES:
        cpu, report, grains = run_tamp(tamp, folder / f"soft-{stiffness:.0e}", soft_case(stiffness))
        rows.append(row_of(f"soft, {stiffness:.0e} N/m", cpu, grains, of_run(report), results))
    if not lammps:
        print("bench: settle_engines: lmp (Debian: lammps) is not installed", file=sys.stderr)
        return rows, results
    _, _, start = run_tamp(tamp, folder / "start", soft_case(STIFFNESSES[-1], "steps = 1"))
    for stiffness in LAMMPS_STIFFNESSES:
        steps = steps_of(stiffness)
        arguments = lammps, folder / "lammps", start, stiffness, DURATION / steps
        skin = min(SKINS, key=lambda one: run_lammps(*arguments, one, steps // 5)[0])
        cpu, grains = run_lammps(*arguments, skin, steps)
        rows.append(row_of(f"LAMMPS, {stiffness:.0e} N/m", cpu, grains, f" (skin {skin} d)", results))
    return rows, results
