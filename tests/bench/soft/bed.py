"""The settled bed of the soft benchmark, and how tamp and LAMMPS are told to move it by the same law.

tamp settles one bed of equal grains between periodic sides and keeps it in the build folder. Larger beds are made of
copies of it side by side, which fit because the sides are periodic. Equal grains make the laws of both programs the
same: LAMMPS takes its dashpots per reduced mass, tamp takes them as they are.
"""
import csv
import json
import math
import os
import subprocess
from pathlib import Path

from grain_files import Grain

DIAMETER = 0.01
DENSITY = 2500.0
MASS = DENSITY * math.pi / 6 * DIAMETER**3
STIFFNESS = 1e5
SLIDING_STIFFNESS = 2 / 7 * STIFFNESS
FRICTION = 0.5
DAMPING = 3000.0 # 1/s; LAMMPS' gamma_n, restitution 0.68
SLIDING_DAMPING = 1500.0
EDGE = 22 * DIAMETER
HEIGHT = 50 * DIAMETER
COUNT = 11_000
STEP = 4e-6 # a fiftieth of a contact time is 5.1e-6

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")

HOOKE = f"""normal_law = "linear"
stiffness = {STIFFNESS!r}
sliding_stiffness = {SLIDING_STIFFNESS!r}
friction = {FRICTION}
"""

# The loading branch is the spring that the bed was settled with, so that it stays in balance.
LUDING = f"""normal_law = "adhesive"
stiffness = {STIFFNESS!r}
unloading_stiffness = {2 * STIFFNESS!r}
adhesion_stiffness = {STIFFNESS!r}
plasticity_depth = 0.05
sliding_stiffness = {SLIDING_STIFFNESS!r}
friction = {FRICTION}
rolling_ratio = 0.1
torsion_ratio = 0.1
"""


def dashpots(law, mass):
    """Of a pair whose reduced mass this is."""
    keys = f"viscosity = {DAMPING * mass!r}\nsliding_viscosity = {SLIDING_DAMPING * mass!r}\n"
    if law is LUDING:
        keys += f"rolling_viscosity = {SLIDING_DAMPING * mass!r}\ntorsion_viscosity = {SLIDING_DAMPING * mass!r}\n"
    return keys


def case(law, edge, particles, stage):
    """A case of tamp. LAMMPS takes the whole mass of a grain at the floor, hence the pair."""
    return f"""engine = "soft"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [{edge!r}, {edge!r}, {HEIGHT!r}]
boundary = ["periodic", "periodic", "wall"]
wall_material = "floor"
[time]
step = {STEP}
[[material]]
name = "grain"
density = {DENSITY}
{law}{dashpots(law, MASS / 2)}
[[material]]
name = "floor"
density = {DENSITY}
{law}{dashpots(law, MASS)}
[[pair]]
between = ["grain", "floor"]
{law}{dashpots(law, MASS)}
[[particles]]
{particles}
[output]
series_every = 1000000
[checkpoint]
interval = 0
stage_ends = false
[[stage]]
name = "only"
{stage}
"""


def run_tamp(tamp, folder, text, launcher=()):
    """Report of the run."""
    (folder / "case.toml").write_text(text, encoding="utf-8")
    result = subprocess.run([*launcher, tamp, "run", "case.toml", "--output", "run", "--progress", "none"], cwd=folder,
                            env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"bench: tamp failed in {folder}:\n{result.stdout}")
    return json.loads((folder / "run" / "report.json").read_text(encoding="utf-8"))


def settled(tamp, keep):
    """Rows x, y, z, vx, vy, vz of the bed; settles it where `keep` does not have it yet."""
    import h5py

    path = Path(keep) / f"bed-{COUNT}.csv"
    if not path.exists():
        folder = Path(keep) / "settling"
        folder.mkdir(parents=True, exist_ok=True)
        text = case(HOOKE, EDGE, f"""generator = "random"
count = {COUNT}
size = {{ distribution = "mono", diameter = {DIAMETER} }}""", "duration = 2.0\nuntil_balance = 0.01")
        run_tamp(tamp, folder, text)
        with h5py.File(folder / "run" / "stage-1-only.h5") as file:
            rows = [(*x, *v) for x, v in zip(file["particles/position"][:].tolist(),
                                             file["particles/velocity"][:].tolist())]
        unfinished = path.with_suffix(".new")
        with open(unfinished, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        unfinished.rename(path)
    with open(path, newline="", encoding="utf-8") as file:
        return [tuple(map(float, row)) for row in csv.reader(file)]


def copies(rows, across):
    """Grains of a bed that is `across` times as wide in both directions."""
    return [Grain((x + i * EDGE, y + j * EDGE, z), velocity, DIAMETER / 2)
            for i in range(across) for j in range(across) for x, y, z, *velocity in rows]


def lammps_script(steps, skin, newton):
    law = f"{STIFFNESS!r} {SLIDING_STIFFNESS!r} {DAMPING!r} {SLIDING_DAMPING!r} {FRICTION} 1"
    return f"""units si
atom_style sphere
boundary p p f
newton {newton}
comm_modify vel yes
read_data bed.data
pair_style gran/hooke/history {law}
pair_coeff * *
neighbor {skin * DIAMETER!r} bin
neigh_modify delay 0 every 1 check yes
timestep {STEP}
fix gravity all gravity 9.81 vector 0 0 -1
fix move all nve/sphere
fix floor all wall/gran hooke/history {law} zplane 0 NULL
compute touching all contact/atom
compute contacts all reduce sum c_touching
thermo_style custom step ke c_contacts
thermo_modify norm no
thermo {steps}
run {steps}
"""
