"""1000 grains settle in both programs, from the same starts and by the same law: are the packings alike?

Single grains go their own way after some collisions, since the programs round differently and rotate with different
arms. So means over several starts are compared, in units of their standard errors. As a check of the check, tamp
also settles grains with another friction, and these must be seen to differ.
"""
import dataclasses
import math
import random
import statistics
import tempfile
from pathlib import Path

from compare import laws, programs
from grain_files import Grain, write_csv, write_data
from packings import fraction_between, overlaps

COUNT = 1000
RADIUS = laws.RADIUS
DIAMETER = 2 * RADIUS
ACROSS = 8 # grains in a row of the start
EDGE = 10 * DIAMETER
SPACING = EDGE / ACROSS
HEIGHT = SPACING * (COUNT // ACROSS**2 + 2)
STIFFNESS, DAMPING = 2e4, 2400.0 # restitution 0.5
FRICTION, OTHER_FRICTION = 0.5, 0.1
LAW = laws.hooke(STIFFNESS, DAMPING, 0.0, FRICTION)
FLOOR = laws.hooke(STIFFNESS, DAMPING, 0.0, FRICTION, mass=laws.MASS) # LAMMPS takes the mass of the grain there
STEP = math.pi * math.sqrt(laws.REDUCED_MASS / STIFFNESS) / 40
STEPS = int(0.45 / STEP)
SLAB = (2 * DIAMETER, 6 * DIAMETER) # away from floor and surface
# With six starts in each program, equal ones differ by more in one of 400 cases (Student's distribution).
LIMIT = 4.0 # standard errors


def start(seed):
    dice = random.Random(seed)
    rows = []
    for k in range(COUNT):
        site = (k % ACROSS, k // ACROSS % ACROSS, k // ACROSS**2)
        free = 0.5 * (SPACING - DIAMETER)
        rows.append(Grain([SPACING * (i + 0.5) + dice.uniform(-free, free) for i in site],
                          [dice.uniform(-0.2, 0.2) for _ in range(3)], RADIUS))
    return rows


def lammps_places(program, folder, rows):
    write_data(folder / "grains.data", rows, laws.DENSITY, [0.0] * 3, [EDGE, EDGE, HEIGHT])
    law = LAW.lammps.split(None, 1)
    return programs.run_script(program, folder, [
        "units si", "atom_style sphere", "boundary p p f", "newton off", "comm_modify vel yes",
        "read_data grains.data", *LAW.lammps_lines(), f"neighbor {0.1 * DIAMETER!r} bin",
        "neigh_modify delay 0 every 1 check yes", f"timestep {STEP!r}", "fix 1 all nve/sphere",
        "fix 2 all gravity 9.81 vector 0 0 -1", f"fix 3 all wall/gran hooke/history {law[1]} zplane 0 NULL",
        f"dump 1 all custom {STEPS} dump.txt id x y z", "dump_modify 1 sort id format float %.17g first no",
        f"thermo {STEPS}", f"run {STEPS}"])[-1]


def tamp_places(program, folder, rows, friction):
    import h5py

    write_csv(folder / "grains.csv", rows)
    with_friction = [programs.keys(law.tamp | {"friction": friction}) for law in (LAW, FLOOR)]
    out = programs.run_tamp(program, folder, f"""engine = "soft"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [{EDGE!r}, {EDGE!r}, {HEIGHT!r}]
boundary = ["periodic", "periodic", "wall"]
wall_material = "floor"
[time]
step = {STEP!r}
[[material]]
name = "grain"
density = {laws.DENSITY}
{with_friction[0]}
[[material]]
name = "floor"
density = {laws.DENSITY}
{with_friction[1]}
[[pair]]
between = ["grain", "floor"]
{with_friction[1]}
[[particles]]
generator = "file"
path = "grains.csv"
[[stage]]
name = "settle"
steps = {STEPS}
""")
    with h5py.File(out / "stage-1-settle.h5") as file:
        return file["particles/position"][:].tolist()


@dataclasses.dataclass
class Packing:
    fraction: float
    height: float # twice that of the centre of mass, in diameters
    coordination: float # by contacts between grains


def measured(places):
    grains = [Grain(place, None, RADIUS) for place in places]
    height = 2 * statistics.fmean(place[2] for place in places) / DIAMETER
    return Packing(fraction_between(grains, *SLAB, EDGE), height, 2 * len(overlaps(grains, EDGE)) / len(grains))


def mean_and_error(values):
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))


def check(tamp, lammps, seeds=6):
    theirs, ours, others = [], [], []
    for seed in range(1, seeds + 1):
        rows = start(seed)
        with tempfile.TemporaryDirectory() as folder:
            theirs.append(measured(lammps_places(lammps, Path(folder), rows)))
            ours.append(measured(tamp_places(tamp, Path(folder), rows, FRICTION)))
        with tempfile.TemporaryDirectory() as folder:
            others.append(measured(tamp_places(tamp, Path(folder), rows, OTHER_FRICTION)))
    good = True
    print(f"settling: {COUNT} grains, {STEPS} steps, {seeds} starts; means with standard errors")
    for field in dataclasses.fields(Packing):
        sets = [[getattr(one, field.name) for one in packings] for packings in (theirs, ours, others)]
        (a, da), (b, db), (c, dc) = map(mean_and_error, sets)
        away, other = abs(a - b) / math.hypot(da, db), abs(a - c) / math.hypot(da, dc)
        print(f"  {field.name:<13} LAMMPS {a:.5f} +- {da:.5f}, tamp {b:.5f} +- {db:.5f}: {away:.1f} errors apart; "
              f"with friction {OTHER_FRICTION} {c:.5f}: {other:.1f}")
        if not away <= LIMIT:
            print("    the programs differ")
            good = False
        if not other > LIMIT:
            print("    this cannot tell one friction from the other")
            good = False
    return good
