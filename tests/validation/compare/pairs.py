"""Forces of 40 overlapping pairs at random places, in random directions and with random velocities."""
import math
import random
import tempfile
from pathlib import Path

from compare import laws, programs
from grain_files import Grain, write_csv, write_data

PAIRS = 40
SPACING = 0.03
EDGE = 5 * SPACING
TOLERANCE = 1e-10 # of the largest force


def grains():
    """Pairs follow each other."""
    dice = random.Random(1)
    rows = []
    for k in range(PAIRS):
        middle = [SPACING * (0.5 + (k // 5**axis) % 5) for axis in range(3)]
        direction = [dice.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in direction))
        distance = laws.RADIUS * dice.uniform(1.9, 1.999)
        for side in (-0.5, 0.5):
            rows.append(Grain([m + side * distance * d / size for m, d in zip(middle, direction)],
                              [dice.uniform(-0.5, 0.5) for _ in range(3)], laws.RADIUS))
    return rows


def lammps_forces(program, folder, law, rows):
    write_data(folder / "grains.data", rows, laws.DENSITY, [0.0] * 3, [EDGE] * 3)
    return programs.run_script(program, folder, [
        "units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
        "read_data grains.data", *law.lammps_lines(), "neighbor 1e-3 bin",
        "fix 1 all nve/sphere", "timestep 1e-9", "dump 1 all custom 1 dump.txt id fx fy fz",
        "dump_modify 1 sort id format float %.17g", "run 0"])[0]


def tamp_forces(program, folder, law, rows):
    import h5py

    write_csv(folder / "grains.csv", rows)
    out = programs.run_tamp(program, folder, f"""engine = "soft"
[domain]
lower = [0, 0, 0]
upper = [{EDGE}, {EDGE}, {EDGE}]
boundary = ["open", "open", "open"]
[time]
step = 1e-9
max_overlap = 0.5
[[material]]
name = "grain"
density = {laws.DENSITY}
{programs.keys(law.tamp)}
[[particles]]
generator = "file"
path = "grains.csv"
[[stage]]
name = "one"
steps = 1
""")
    forces = [[0.0, 0.0, 0.0] for _ in rows]
    with h5py.File(out / "stage-1-one.h5") as file:
        contacts = file["contacts"]
        for first, second, force in zip(contacts["first"][:], contacts["second"][:], contacts["force_on_second"][:]):
            for axis in range(3):
                forces[int(first)][axis] -= force[axis]
                forces[int(second)][axis] += force[axis]
    return forces


def check(tamp, lammps):
    rows, good = grains(), True
    for name, law in laws.PAIR_LAWS.items():
        with tempfile.TemporaryDirectory() as folder:
            theirs = lammps_forces(lammps, Path(folder), law, rows)
            ours = tamp_forces(tamp, Path(folder), law, rows)
        scale = max(abs(x) for force in theirs for x in force)
        difference = max(abs(a - b) for one, two in zip(theirs, ours) for a, b in zip(one, two)) / scale
        print(f"pairs, {name}: {PAIRS} pairs, largest force {scale:.3g} N, largest difference {difference:.2g} of it")
        good = good and difference <= TOLERANCE
    return good
