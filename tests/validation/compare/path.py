"""One oblique loading and unloading, step by step.

A grain is shot through the gap between two held ones, which is narrower than the grain. It is loaded and sheared, slips
or sticks, is unloaded on the other side and leaves. The two contacts mirror each other, so that their torques cancel:
nothing spins, and the different arms of the programs do not matter.

Forces are compared in every step in which the contacts push (see laws.py).
"""
import math
import tempfile
from pathlib import Path

from compare import laws, programs
from grain_files import Grain, write_csv, write_data

RADIUS = laws.RADIUS
OVERLAP = 0.1 * RADIUS # at the middle of the way
SPEED = 30.0
EDGE = 12 * RADIUS
# Positions are rounded by 1e-18 m, 1e-15 of the largest overlap, in each of some hundred steps.
TOLERANCE = 1e-10 # of the largest force


def grains():
    """The flying one first. It begins where its contacts begin to touch."""
    height = 2 * RADIUS - OVERLAP
    away = math.sqrt(4 * RADIUS**2 - height**2) # from the middle, where the contacts touch
    turn = 0.4 # rad, about the axis through the held grains, so that no component is zero
    direction = (math.cos(turn), math.sin(turn), 0.0)
    flying = Grain([-0.999 * away * x for x in direction], [SPEED * x for x in direction], RADIUS)
    return [flying] + [Grain([0.0, 0.0, side * height], [0.0] * 3, RADIUS) for side in (-1, 1)], away


def step_of(law):
    return math.pi * math.sqrt(laws.REDUCED_MASS / law.stiffness) / 100


def lammps_path(program, folder, law, rows, step, steps):
    """Forces on the flying grain in each step."""
    write_data(folder / "grains.data", rows, laws.DENSITY, [-EDGE] * 3, [EDGE] * 3)
    frames = programs.run_script(program, folder, [
        "units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
        "read_data grains.data", *law.lammps_lines(), "neighbor 1e-3 bin",
        "group flying id 1", "fix 1 flying nve/sphere", f"timestep {step!r}",
        "dump 1 all custom 1 dump.txt id fx fy fz", "dump_modify 1 sort id format float %.17g", f"run {steps}"])
    return [frame[0] for frame in frames]


def tamp_path(program, folder, law, rows, step, steps):
    """The same. The forces of a snapshot are those at the beginning of its last step."""
    import h5py

    write_csv(folder / "flying.csv", rows[:1])
    write_csv(folder / "held.csv", rows[1:])
    law_keys = programs.keys(law.tamp)
    out = programs.run_tamp(program, folder, f"""engine = "soft"
[domain]
lower = [{-EDGE}, {-EDGE}, {-EDGE}]
upper = [{EDGE}, {EDGE}, {EDGE}]
boundary = ["open", "open", "open"]
[time]
step = {step!r}
[soft]
{programs.keys(law.soft)}
[[material]]
name = "flying"
density = {laws.DENSITY}
{law_keys}
[[material]]
name = "held"
density = {laws.DENSITY}
fixed = true
{law_keys}
[[particles]]
generator = "file"
path = "flying.csv"
material = "flying"
[[particles]]
generator = "file"
path = "held.csv"
material = "held"
[snapshots]
every = 1
compression = 0
[[stage]]
name = "cycle"
steps = {steps + 1}
""")
    forces, contacts = [], []
    with h5py.File(out / "snapshots.h5") as file:
        for name in sorted(key for key in file if key.isdigit()):
            table = file[name]["contacts"]
            force = [0.0, 0.0, 0.0]
            for first, one in zip(table["first"][:], table["force"][:]):
                sign = -1 if int(first) == 0 else 1 # the force is that on the second grain
                force = [total + sign * x for total, x in zip(force, one)]
            forces.append(force)
            contacts.append(list(zip(table["normal_force"][:].tolist(), table["tangential_force"][:].tolist())))
    return forces, contacts


def check(tamp, lammps):
    good = True
    for name, law in laws.PATH_LAWS.items():
        rows, away = grains()
        step = step_of(law)
        steps = int(6 * away / SPEED / step)
        with tempfile.TemporaryDirectory() as folder:
            theirs = lammps_path(lammps, Path(folder), law, rows, step, steps)
            ours, contacts = tamp_path(tamp, Path(folder), law, rows, step, steps)
        # Until a dashpot pulls; after it the laws differ.
        end = next((k for k, pair in enumerate(contacts) if any(normal < 0 for normal, _ in pair)), len(theirs))
        loaded = [pair[0] for pair in contacts[:end] if pair]
        friction = law.tamp["friction"]
        slipping = sum(abs(sliding - friction * normal) < 1e-9 * normal for normal, sliding in loaded if normal > 0)
        parted = end < len(theirs) or not contacts[-1]
        scale = max(abs(x) for force in theirs for x in force)
        difference = max(abs(a - b) for one, two in zip(theirs[:end], ours) for a, b in zip(one, two)) / scale
        print(f"path, {name}: {len(loaded)} steps in contact, {slipping if friction > 0 else 'no friction'} of them slipping, "
              f"largest normal force {max(normal for normal, _ in loaded):.3g} N, largest difference {difference:.2g} of "
              f"{scale:.3g} N")
        good = good and difference <= TOLERANCE and parted and len(loaded) > 50
        if not parted or len(loaded) <= 50:
            print("  this is no whole cycle of loading and unloading")
        if "slips" in name and not 10 < slipping < len(loaded) - 10:
            print("  the contact was to stick and to slip")
            good = False
    return good
