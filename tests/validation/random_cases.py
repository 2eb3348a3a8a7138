"""Draws the cases of random_packings.py: a random packing, its laws and its load, and the TOML text of it."""
import dataclasses
import math

import numpy

BED_FRACTION = {2: 0.82, 3: 0.6}    # at rest, about
FILL_FRACTION = {2: 0.42, 3: 0.27}  # at the start; narrow boxes with walls hold no more
LAWS = ("none", "restitution", "rolling", "torsion", "cohesion", "all")
LOADS = ("gravity", "piston", "weightless", "shear")
TOLERANCE, FORCE_TOLERANCE = 1e-3, 0.1  # the defaults of tamp; written to the case, so that the checks hold for it
STEP = 0.009  # of sqrt(d/g): the longest step of the defaults, here of plain sweeps too, so that both overlap alike


@dataclasses.dataclass(frozen=True)
class Packing:
    """One of many. Lengths in m; 2-D: stress in N/m, density in kg/m^2."""
    number: int
    dimension: int
    count: int
    diameter: float  # mean
    spread: float    # largest over smallest
    density: float
    friction: float
    law: str
    law_text: str
    load: str
    gravity: float        # of its time scale, too, where it does not act
    tilt: float           # rad, of gravity towards x
    stress_ratio: float   # of the piston, over the pressure that the weight has or would have
    inertial_number: float
    walls_at_sides: bool
    smooth: bool          # floor and piston have no friction
    width: float
    aspect: float         # height of the bed over its width

    @property
    def floor(self) -> str:
        return "y-" if self.dimension == 2 else "z-"

    @property
    def smallest(self) -> float:
        return 2 * self.diameter / (1 + self.spread)

    @property
    def layers(self) -> float:
        return self.aspect * self.width / self.diameter

    @property
    def grain_volume(self) -> float:
        return mean_volume(self.dimension, self.diameter, self.spread)

    @property
    def fill_height(self) -> float:
        return self.count * self.grain_volume / (FILL_FRACTION[self.dimension] * self.area)

    @property
    def area(self) -> float:
        return self.width**(self.dimension - 1)

    @property
    def mass(self) -> float:
        """Of all grains, about: their sizes are drawn by tamp."""
        return self.count * self.density * self.grain_volume

    @property
    def weight_stress(self) -> float:
        return self.mass * self.gravity / self.area

    @property
    def stress(self) -> float:
        return 0.0 if self.load == "gravity" else self.stress_ratio * self.weight_stress

    @property
    def inertial_time(self) -> float:
        """In which the pressure moves a grain by its diameter."""
        pressure = self.stress + (0 if self.load == "weightless" else self.weight_stress)
        return math.sqrt(self.density * self.grain_volume / (pressure * self.diameter**(self.dimension - 2)))

    @property
    def shear_speed(self) -> float:
        return self.inertial_number / self.inertial_time * self.layers * self.diameter if self.load == "shear" else 0.0

    @property
    def start_speed(self) -> float:
        """Along all horizontal axes, where nothing should change it."""
        return 0.3 * math.sqrt(self.gravity * self.diameter) if self.keeps_momentum else 0.0

    @property
    def keeps_momentum(self) -> bool:
        """Along periodic directions that walls without friction do not push: along every horizontal one."""
        return self.smooth and not self.walls_at_sides

    @property
    def energy_scale(self) -> float:
        """More kinetic energy than gravity, piston, driven floor and start can give."""
        fall = self.mass * self.gravity * self.fill_height
        speeds = self.shear_speed**2 + (self.dimension - 1) * self.start_speed**2
        return fall + self.stress * self.area * self.fill_height + 0.5 * self.mass * speeds


def mean_volume(dimension: int, diameter: float, spread: float) -> float:
    """Of discs or spheres, whose diameters are uniform from smallest to largest."""
    low, high = 2 * diameter / (1 + spread), 2 * diameter * spread / (1 + spread)
    moment = (high**(dimension + 1) - low**(dimension + 1)) / ((dimension + 1) * (high - low))
    return (math.pi / 6 if dimension == 3 else math.pi / 4) * moment


def draw(seed: int, number: int, counts: tuple[int, int], law: str | None = None) -> Packing:
    """counts: the fewest and the most grains; law: instead of one of chance."""
    chance = numpy.random.default_rng((seed, number))

    def logarithmic(low, high):
        return float(numpy.exp(chance.uniform(math.log(low), math.log(high))))

    dimension, count = int(chance.integers(2, 4)), round(logarithmic(*counts))
    diameter, spread, density = logarithmic(1e-4, 5e-2), float(chance.uniform(1.01, 3)), logarithmic(500, 8000)
    friction, gravity, stress_ratio = float(chance.uniform(0, 1)), 9.81 * logarithmic(0.1, 10), logarithmic(0.1, 1000)
    inertial_number, aspect = logarithmic(0.01, 0.1), logarithmic(0.5, 10)
    law_of_chance, load = str(chance.choice(LAWS)), str(chance.choice(LOADS))
    law = law or law_of_chance
    if dimension == 2 and law == "torsion":
        law = "rolling"  # discs have no torsion
    walls_at_sides = bool(chance.integers(2)) and load != "shear"
    smooth = bool(chance.integers(2)) and load != "shear"
    tilted, tilt = bool(chance.integers(2)), math.radians(chance.uniform(0, 30))
    if not (tilted and walls_at_sides and load == "gravity"):
        tilt = 0.0
    # A box narrower than some grains is another problem.
    volume, fraction = mean_volume(dimension, diameter, spread), BED_FRACTION[dimension]
    largest = 2 * diameter * spread / (1 + spread)
    width = max((count * volume / (fraction * aspect))**(1 / dimension), 5 * largest)
    aspect = count * volume / (fraction * width**dimension)
    grain_force = density * volume * gravity
    if load == "weightless":
        grain_force *= 0.1 * stress_ratio * aspect * width / diameter
    lines = {
        "restitution": [f"restitution = {chance.uniform(0.1, 0.9):.3f}",
                        f"restitution_speed = {0.1 * int(chance.integers(2)) * math.sqrt(gravity * diameter):.4g}"],
        "rolling": [f"rolling_ratio = {chance.uniform(0.01, 0.3):.3f}"],
        "torsion": [f"torsion_ratio = {chance.uniform(0.01, 0.3):.3f}"],
        "cohesion": [f"cohesion_force = {logarithmic(0.1, 10) * grain_force:.4g}",
                     f"cohesion_range = {logarithmic(0.003, 0.05) * diameter:.4g}"],
    }
    if dimension == 2:
        lines.pop("torsion")
    chosen = lines.values() if law == "all" else [lines.get(law, [])]
    law_text = "\n".join(line for some in chosen for line in some)
    return Packing(number, dimension, count, diameter, spread, density, friction, law, law_text, load, gravity, tilt,
                   stress_ratio, inertial_number, walls_at_sides, smooth, width, aspect)


def vector(packing: Packing, x: float, z: float, y: float = 0.0) -> str:
    parts = [x, z] if packing.dimension == 2 else [x, y, z]
    return "[" + ", ".join(f"{part:.9g}" for part in parts) + "]"


def stages(packing: Packing) -> str:
    """Grains gather under gravity or a piston, are pressed, and sheared."""
    scale = math.sqrt(packing.diameter / packing.gravity)
    fall = math.sqrt(2 * packing.fill_height / packing.gravity)
    text = f'[[stage]]\nname = "gather"\nduration = {3 * fall + 20 * scale:.6g}\nuntil_balance = 0.01\n'
    if packing.load == "gravity":
        return text
    text += (f'[[stage]]\nname = "press"\nduration = {4 * (packing.layers + 10) * packing.inertial_time:.6g}\n'
             f'until_balance = 0.01\nwall = [{{ name = "piston", stress = {packing.stress:.6g} }}]\n')
    if packing.load == "shear":
        floor = f'{{ name = "{packing.floor}", velocity = {vector(packing, packing.shear_speed, 0)} }}'
        text += (f'[[stage]]\nname = "shear"\nduration = {packing.inertial_time / packing.inertial_number:.6g}\n'
                 f'wall = [{floor}]\n')
    return text


def case_text(packing: Packing, method: str, cap: int, seed: int) -> str:
    """cap: of sweeps; 0: the default."""
    side, top = "wall" if packing.walls_at_sides else "periodic", packing.fill_height + 2 * packing.diameter
    boundary = [side] * (packing.dimension - 1) + ["wall"]
    weight = 0.0 if packing.load == "weightless" else packing.gravity
    wall_material = "smooth" if packing.smooth else "grain"
    text = f"""dimension = {packing.dimension}
seed = {seed}
gravity = {vector(packing, weight * math.sin(packing.tilt), -weight * math.cos(packing.tilt))}
[domain]
lower = {vector(packing, 0, 0)}
upper = {vector(packing, packing.width, top, packing.width)}
boundary = [{', '.join(f'"{word}"' for word in boundary)}]
wall_material = "{wall_material}"
[[material]]
name = "grain"
density = {packing.density:.6g}
friction = {packing.friction:.4f}
{packing.law_text}
[[material]]
name = "smooth"
density = {packing.density:.6g}
friction = 0
[[particles]]
generator = "random"
material = "grain"
count = {packing.count}
upper = {vector(packing, packing.width, packing.fill_height, packing.width)}
velocity = {vector(packing, packing.start_speed, 0, packing.start_speed)}
size = {{ distribution = "uniform", min = {packing.smallest:.9g}, max = {packing.smallest * packing.spread:.9g} }}
[solver]
method = "{method}"
tolerance = {TOLERANCE}
force_tolerance = {FORCE_TOLERANCE}
{f"max_sweeps = {cap}" if cap else ""}
[time]
max_step = {STEP * math.sqrt(packing.diameter / packing.gravity):.6g}
[checkpoint]
interval = 0
stage_ends = false
"""
    if packing.load != "gravity":
        # As heavy as a layer of grains. At first it only follows their surface.
        light = packing.weight_stress * (1 if packing.load == "weightless" else min(0.1, packing.stress_ratio))
        text += f"""[[wall]]
name = "piston"
point = {vector(packing, 0, packing.fill_height + packing.diameter)}
normal = {vector(packing, 0, -1)}
material = "{wall_material}"
mass = {packing.mass / packing.layers:.6g}
stress = {light:.6g}
"""
    return text + stages(packing)
