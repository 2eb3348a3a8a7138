"""A head-on collision of two grains in LIGGGHTS (hooke/hysteresis) and in tamp (normal_law = "adhesive"), step by step.

Both follow S. Luding's law: loading with k_1, unloading with k_2' that grows with the largest overlap, and the adhesive
branch -k_c delta, on which the largest overlap shrinks.

  LIGGGHTS                             tamp
  k_1 by Hertz' law, see `loading`     stiffness
  coefficientMaxElasticStiffness       unloading_stiffness = k_1 times it
  coefficientAdhesionStiffness         adhesion_stiffness = k_1 times it
  coefficientPlasticityDepth           plasticity_depth
  coefficientRestitution e             viscosity = sqrt(4 m12 k_1/(1 + (pi/ln e)^2))

Where the laws differ:
- LIGGGHTS measures the plasticity depth in reduced radii 2 a1 a2/(a1 + a2), tamp in mean radii: grains must be equal.
- Beyond the overlap delta* from which k_2' is constant, LIGGGHTS loads with k_2, tamp with k_1 as the paper does. One
  collision here goes that far; its forces agree up to delta*, and are shown to differ beyond.
- LIGGGHTS' dashpot is that of its restitution; its friction springs and torsion are not compared.
"""
import dataclasses
import math
import tempfile
from pathlib import Path

from compare import laws, programs
from grain_files import Grain, write_csv, write_data

MODULUS, POISSON, SPEED_OF_K = 5e6, 0.3, 1.0 # LIGGGHTS computes k_1 from these; it wants a modulus of 5e6 Pa or more
EDGE = 0.05
OVERLAP = 2e-6 # at the start
TOLERANCE = 1e-10 # of the largest force


def loading():
    """k_1: the linear spring that is as deep as Hertz' one at the characteristic velocity."""
    modulus = MODULUS / (2 * (1 - POISSON**2))
    root = math.sqrt(laws.REDUCED_RADIUS)
    return 16 / 15 * root * modulus * (15 * laws.REDUCED_MASS * SPEED_OF_K**2 / (16 * root * modulus))**0.2


@dataclasses.dataclass(frozen=True)
class Collision:
    unloading: float # in k_1
    adhesion: float # in k_1
    depth: float # phi_f
    restitution: float
    speed: float # of each grain, m/s
    beyond: bool = False # whether delta* is passed

    def viscosity(self):
        if self.restitution == 1:
            return 0.0
        return math.sqrt(4 * laws.REDUCED_MASS * loading() / (1 + (math.pi / math.log(self.restitution))**2))

    def star(self):
        """delta*"""
        return self.unloading / (self.unloading - 1) * self.depth * laws.RADIUS


COLLISIONS = {
    "grains that part": Collision(4, 0.5, 0.2, 1, 1.0),
    "grains that part, with a dashpot": Collision(4, 0.5, 0.2, 0.8, 1.0),
    "grains that stick": Collision(4, 4, 0.2, 1, 0.7),
    "grains that stick, with a dashpot": Collision(4, 4, 0.2, 0.8, 0.7),
    "grains that load beyond delta*": Collision(4, 0.5, 0.1, 1, 1.0, beyond=True),
}


def step_and_steps(collision):
    time = math.pi * math.sqrt(laws.REDUCED_MASS / loading())
    return time / 100 / math.sqrt(collision.unloading), 350


def grains(collision):
    place = laws.RADIUS - OVERLAP / 2
    return [Grain([-side * place, 0.0, 0.0], [side * collision.speed, 0.0, 0.0], laws.RADIUS) for side in (1, -1)]


def liggghts_path(program, folder, collision):
    """Overlap and force on the second grain in each step."""
    write_data(folder / "grains.data", grains(collision), laws.DENSITY, [-EDGE] * 3, [EDGE] * 3)
    step, steps = step_and_steps(collision)
    pairs = {"coefficientRestitution": collision.restitution, "coefficientFriction": 0,
             "coefficientMaxElasticStiffness": collision.unloading, "coefficientAdhesionStiffness": collision.adhesion,
             "coefficientPlasticityDepth": collision.depth}
    frames = programs.run_script(program, folder, [
        "units si", "atom_style granular", "boundary f f f", "newton off", "communicate single vel yes",
        "read_data grains.data", "neighbor 1e-3 bin", "neigh_modify delay 0",
        f"fix m1 all property/global youngsModulus peratomtype {MODULUS!r}",
        f"fix m2 all property/global poissonsRatio peratomtype {POISSON!r}",
        f"fix m3 all property/global characteristicVelocity scalar {SPEED_OF_K!r}",
        *(f"fix p{i} all property/global {name} peratomtypepair 1 {value!r}"
          for i, (name, value) in enumerate(pairs.items())),
        "pair_style gran model hooke/hysteresis tangential off", "pair_coeff * *", f"timestep {step!r}",
        "fix 1 all nve/sphere", "dump 1 all custom 1 dump.txt id x fx",
        'dump_modify 1 sort id format "%d %.17g %.17g"', f"run {steps}"])
    return [(2 * laws.RADIUS - abs(one[0] - two[0]), two[1]) for one, two in frames]


def tamp_path(program, folder, collision):
    """Forces on the second grain. Those of a snapshot are from the beginning of its last step."""
    import h5py

    write_csv(folder / "grains.csv", grains(collision))
    step, steps = step_and_steps(collision)
    law = {"normal_law": "adhesive", "stiffness": loading(), "unloading_stiffness": collision.unloading * loading(),
           "adhesion_stiffness": collision.adhesion * loading(), "plasticity_depth": collision.depth,
           "viscosity": collision.viscosity(), "friction": 0}
    out = programs.run_tamp(program, folder, f"""engine = "soft"
[domain]
lower = [{-EDGE}, {-EDGE}, {-EDGE}]
upper = [{EDGE}, {EDGE}, {EDGE}]
boundary = ["open", "open", "open"]
[time]
step = {step!r}
max_overlap = 0.5
[[material]]
name = "grain"
density = {laws.DENSITY}
{programs.keys(law)}
[[particles]]
generator = "file"
path = "grains.csv"
[snapshots]
every = 1
compression = 0
[[stage]]
name = "cycle"
steps = {steps + 1}
""")
    with h5py.File(out / "snapshots.h5") as file:
        return [float(sum(file[name]["contacts/normal_force"][:])) for name in sorted(k for k in file if k.isdigit())]


def branches(collision, path):
    """Steps on each branch, by the forces of LIGGGHTS without its dashpot."""
    k1 = loading()
    counts = {"loading": 0, "unloading": 0, "adhesive": 0}
    speeds = [path[1][0] - path[0][0]] + [after[0] - before[0] for before, after in zip(path, path[1:])]
    step, _ = step_and_steps(collision)
    for (overlap, force), moved in zip(path, speeds):
        if overlap > 0:
            spring = force - collision.viscosity() * moved / step
            slope = spring / overlap / k1
            near = 0.02
            branch = "loading" if slope > 1 - near else "adhesive" if slope < near - collision.adhesion else "unloading"
            counts[branch] += 1
    return counts


def check(tamp, liggghts):
    good = True
    for name, collision in COLLISIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = liggghts_path(liggghts, Path(folder), collision)
            ours = tamp_path(tamp, Path(folder), collision)
        deepest = max(overlap for overlap, _ in path)
        scale = max(abs(force) for _, force in path)
        apart = [abs(theirs - own) / scale for (_, theirs), own in zip(path, ours)]
        end = next((k for k, (overlap, _) in enumerate(path) if overlap > collision.star()), len(path))
        counts = branches(collision, path[:end])
        print(f"hysteresis, {name}: largest overlap {deepest / collision.star():.2f} delta*, steps "
              + ", ".join(f"{branch} {count}" for branch, count in counts.items())
              + f"; largest difference {max(apart[:end]):.2g} of {scale:.3g} N"
              + (f", {max(apart[end:]):.2g} beyond delta*" if collision.beyond else ""))
        good = good and max(apart[:end]) <= TOLERANCE
        if (end < len(path)) != collision.beyond or counts["loading"] < 10 or \
                (not collision.beyond and min(counts.values()) < 10):
            print("  this collision does not show what it is meant to show")
            good = False
    return good
