#!/usr/bin/python3
"""Compares forces of soft grains with LAMMPS (Debian: lammps), which nobody here wrote.

    ./tests/validation/lammps.py [--tamp build/tamp]

Pairs of equal grains that overlap, at random places and directions and with random velocities, get their forces from
both programs. The laws are the same where grains do not spin (LAMMPS takes other arms for rotation):

  LAMMPS                    tamp
  gran/hooke/history        normal_law = "linear", viscosity = gamma_n m12, sliding_viscosity = gamma_t m12
  gran/hertz/history        normal_law = "hertz", contact_modulus = 3/4 K_n, viscosity = gamma_n m12 sqrt(R*)

Exits with 77 where LAMMPS or h5py is not installed.
"""

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 40
RADIUS = 0.005
DENSITY = 2500.0
SPACING = 0.03
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
REDUCED_MASS, REDUCED_RADIUS = MASS / 2, RADIUS / 2
TOLERANCE = 1e-10

LAWS = {
    "hooke": {
        "lammps": "gran/hooke/history 1e5 28571.428571428572 40 20 0.4 1",
        "tamp": {"normal_law": '"linear"', "stiffness": 1e5, "viscosity": 40 * REDUCED_MASS,
                 "sliding_stiffness": 28571.428571428572, "sliding_viscosity": 20 * REDUCED_MASS, "friction": 0.4},
    },
    "hertz": {
        "lammps": "gran/hertz/history 1e8 0 5e4 0 0 0",
        "tamp": {"normal_law": '"hertz"', "contact_modulus": 0.75e8,
                 "viscosity": 5e4 * REDUCED_MASS * math.sqrt(REDUCED_RADIUS), "friction": 0},
    },
}


def grains():
    """Position and velocity of each; pairs follow each other."""
    dice = random.Random(1)
    rows = []
    for k in range(PAIRS):
        middle = [SPACING * (0.5 + (k // 5**axis) % 5) for axis in range(3)]
        direction = [dice.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in direction))
        distance = RADIUS * dice.uniform(1.9, 1.999)
        for side in (-0.5, 0.5):
            rows.append(([m + side * distance * d / size for m, d in zip(middle, direction)],
                         [dice.uniform(-0.5, 0.5) for _ in range(3)]))
    return rows


def lammps_forces(program, folder, law, rows):
    edge = 5 * SPACING
    data = [f"grains\n\n{len(rows)} atoms\n1 atom types\n"]
    data += [f"0 {edge} {axis}lo {axis}hi" for axis in "xyz"]
    data += ["\nAtoms # sphere\n"]
    data += [f"{i + 1} 1 {2 * RADIUS!r} {DENSITY!r} " + " ".join(repr(x) for x in position)
             for i, (position, _) in enumerate(rows)]
    data += ["\nVelocities\n"]
    data += [f"{i + 1} " + " ".join(repr(v) for v in velocity) + " 0 0 0" for i, (_, velocity) in enumerate(rows)]
    (folder / "grains.data").write_text("\n".join(data) + "\n", encoding="utf-8")
    (folder / "in.lmp").write_text("\n".join([
        "units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
        "read_data grains.data", f"pair_style {LAWS[law]['lammps']}", "pair_coeff * *", "neighbor 1e-3 bin",
        "fix 1 all nve/sphere", "timestep 1e-9", "dump 1 all custom 1 forces.txt id fx fy fz",
        "dump_modify 1 sort id format float %.17g", "run 0", ""]), encoding="utf-8")
    result = subprocess.run([program, "-in", "in.lmp"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"LAMMPS failed:\n{result.stdout}")
    lines = (folder / "forces.txt").read_text(encoding="utf-8").splitlines()[9:]
    return [[float(x) for x in line.split()[1:4]] for line in lines]


def tamp_forces(program, folder, law, rows):
    import h5py

    table = ["x, y, z, radius, vx, vy, vz"]
    table += [", ".join(repr(x) for x in (*position, RADIUS, *velocity)) for position, velocity in rows]
    (folder / "grains.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    edge = 5 * SPACING
    keys = "\n".join(f"{key} = {value}" for key, value in LAWS[law]["tamp"].items())
    (folder / "case.toml").write_text(f"""engine = "soft"
[domain]
lower = [0, 0, 0]
upper = [{edge}, {edge}, {edge}]
boundary = ["open", "open", "open"]
[time]
step = 1e-9
max_overlap = 0.5
[[material]]
name = "grain"
density = {DENSITY}
{keys}
[[particles]]
generator = "file"
path = "grains.csv"
[[stage]]
name = "one"
steps = 1
""", encoding="utf-8")
    result = subprocess.run([program, "run", "case.toml", "--output", "run"], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"tamp failed:\n{result.stdout}")
    forces = [[0.0, 0.0, 0.0] for _ in rows]
    with h5py.File(folder / "run" / "stage-1-one.h5") as file:
        contacts = file["contacts"]
        for first, second, force in zip(contacts["first"][:], contacts["second"][:], contacts["force_on_second"][:]):
            for axis in range(3):
                forces[int(first)][axis] -= force[axis]
                forces[int(second)][axis] += force[axis]
    return forces


def main():
    parser = argparse.ArgumentParser(description="Forces of soft grains against LAMMPS.")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    options = parser.parse_args()
    program = shutil.which("lmp")
    try:
        import h5py  # noqa: F401
    except ImportError:
        program = None
    if program is None:
        print("skipped: lmp (Debian: lammps) or h5py is not installed")
        return 77
    rows = grains()
    worst = 0.0
    for law in LAWS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            theirs = lammps_forces(program, folder, law, rows)
            ours = tamp_forces(Path(options.tamp).resolve(), folder, law, rows)
        scale = max(abs(x) for force in theirs for x in force)
        difference = max(abs(a - b) for one, two in zip(theirs, ours) for a, b in zip(one, two)) / scale
        print(f"{law}: {PAIRS} pairs, largest force {scale:.3g} N, largest difference {difference:.2g} of it")
        worst = max(worst, difference)
    return 0 if worst <= TOLERANCE and worst == worst else 1


if __name__ == "__main__":
    sys.exit(main())
