"""The cases of the study: which laws collide, at which speeds, and the files that tamp reads."""

from dataclasses import dataclass, field
from math import pi
from typing import Callable

import theory

# Spheres like aluminium.
RADIUS = 5e-3  # m
DENSITY = 2700  # kg/m^3
MODULUS = 39.28e9  # Pa: E* = E/(2 (1 - nu^2)) with E = 70 GPa and nu = 0.33
PRESSURE = 0.43e9  # Pa: 1.6 times a yield strength of 270 MPa
STIFFNESS = 3.4e6  # N/m: about the slope pi R* p_y of the plastic spheres
MASS = 0.5 * DENSITY * 4 / 3 * pi * RADIUS**3  # reduced
REDUCED = 0.5 * RADIUS

DURATION = 4e-4  # s: longer than every contact
STEPS = [8e-8, 4e-8, 2e-8, 1e-8]  # s
LONGEST_FLIGHT = 8e-8  # s: from the start to the touch, which is at another moment of a step in every pair


@dataclass
class Law:
    """`keys`: of the material; `theory`: restitution and contact time at a speed."""
    name: str
    label: str
    keys: dict
    theory: Callable
    colour: str
    group: int  # of the legend


def damped_hertz(exponent, damping, text, colour):
    return Law(f"hertz l={exponent:g}", f"Hertz, $l = {text}$",
               {"normal_law": "hertz", "contact_modulus": MODULUS, "viscosity": damping, "damping_exponent": exponent},
               lambda v: theory.damped_hertz(MODULUS, damping, exponent, REDUCED, MASS, v), colour, 0)


def luding(name, label, adhesion, colour):
    k1, k2, depth = STIFFNESS, 5 * STIFFNESS, 0.007
    return Law(name, label, {"normal_law": "adhesive", "stiffness": k1, "unloading_stiffness": k2,
                             "adhesion_stiffness": adhesion, "plasticity_depth": depth},
               lambda v: theory.adhesive(k1, k2, adhesion, depth, RADIUS, MASS, v), colour, 1)


# The dampings make e = 0.70 at 1 m/s.
LAWS = [
    damped_hertz(0.0, 14.4, "0", "#d62728"),
    damped_hertz(0.25, 343, "1/4", "#ff7f0e"),
    damped_hertz(0.5, 7820, "1/2", "#2ca02c"),
    damped_hertz(1.0, 3.73e6, "1", "#1f77b4"),
    Law("latching", "Walton-Braun, $k_2 = 4 k_1$",
        {"normal_law": "latching", "stiffness": STIFFNESS, "unloading_stiffness": 4 * STIFFNESS},
        lambda v: theory.latching(STIFFNESS, 4 * STIFFNESS, 0, MASS, v), "#9467bd", 1),
    Law("latching, growing", "Walton-Braun, $k_2$ grows with the force",
        {"normal_law": "latching", "stiffness": STIFFNESS, "unloading_stiffness": STIFFNESS, "unloading_growth": 7e4},
        lambda v: theory.latching(STIFFNESS, STIFFNESS, 7e4, MASS, v), "#8c564b", 1),
    Law("yielding", "Thornton, elastic-plastic",
        {"normal_law": "yielding", "contact_modulus": MODULUS, "yield_pressure": PRESSURE},
        lambda v: theory.yielding(MODULUS, PRESSURE, REDUCED, MASS, v), "#000000", 1),
    luding("adhesive", "Luding, $k_c = 0.1 k_1$", 0.1 * STIFFNESS, "#e377c2"),
    luding("adhesive, strong", "Luding, $k_c = 0.5 k_1$", 0.5 * STIFFNESS, "#17becf"),
]

# Only their contact times are shown, and how they converge.
ELASTIC = [
    Law("hertz", "Hertz, no dashpot", {"normal_law": "hertz", "contact_modulus": MODULUS, "restitution": 1},
        lambda v: (1.0, theory.hertz_time(MODULUS, REDUCED, MASS, v)), "#7f7f7f", 2),
    Law("linear", "linear spring, e = 0.6", {"normal_law": "linear", "stiffness": STIFFNESS, "restitution": 0.6},
        lambda v: theory.linear(STIFFNESS, theory.linear_viscosity(STIFFNESS, MASS, 0.6), MASS), "#bcbd22", 2),
]


def speeds(count):
    """From 0.01 to 10 m/s, evenly on a logarithmic scale."""
    return [10 ** (-2 + 3 * i / (count - 1)) for i in range(count)]


def toml(value):
    return f'"{value}"' if isinstance(value, str) else repr(value)


def case_text(title, materials, dimension, extent, step, duration, table):
    """A whole case: open space without gravity. `extent`: half the edge of the domain."""
    lines = [f'title = "{title}"', 'engine = "soft"', f"dimension = {dimension}", "",
             "[domain]", f"lower = {[-extent] * dimension}", f"upper = {[extent] * dimension}",
             f"boundary = {toml_list(['open'] * dimension)}"]
    for name, keys in materials.items():
        lines += ["", "[[material]]", f'name = "{name}"', f"density = {DENSITY}"]
        lines += [f"{key} = {toml(value)}" for key, value in ({"friction": 0} | keys).items()]
    lines += ["", "[[particles]]", 'generator = "file"', f'path = "{table}"', "", "[time]", f"step = {step!r}", "",
              "[[stage]]", 'name = "collide"', f"duration = {duration!r}", ""]
    return "\n".join(lines)


def toml_list(words):
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


@dataclass
class Pairs:
    """Pairs of grains far apart, on a grid across x. Grain 2 i comes from the left, 2 i + 1 from the right."""
    count: int
    dimension: int
    rows: list = field(default_factory=list)

    def place(self, i):
        side = int(self.count ** (1 / (self.dimension - 1)) + 0.999999)
        spot = (i % side, i // side) if self.dimension == 3 else (i, 0)
        return [(spot[0] - side / 2) * 6 * RADIUS, (spot[1] - side / 2) * 6 * RADIUS if self.dimension == 3 else 0.0]

    def extent(self):
        return max([4 * RADIUS] + [abs(y) for i in range(self.count) for y in self.place(i)]) + 4 * RADIUS

    def add(self, i, speed, gap, spin=0.0, material="ball"):
        """They meet with this relative speed; both have the same spin about z."""
        y, z = self.place(i)
        for sign in (-1, 1):
            self.rows.append([sign * (RADIUS + 0.5 * gap), y, z, RADIUS, -sign * 0.5 * speed, spin, material])

    def text(self):
        names = ["x", "y", "z", "radius", "vx", "wz", "material"]
        keep = [k for k, name in enumerate(names) if self.dimension == 3 or name != "z"]
        rows = [names] + [[v if isinstance(v, str) else repr(float(v)) for v in row] for row in self.rows]
        return "\n".join(",".join(row[k] for k in keep) for row in rows) + "\n"


def flight(i):
    """Time from the start to the touch of pair i; the golden section spreads it evenly."""
    return LONGEST_FLIGHT * (0.1 + 0.9 * (i * 0.6180339887 % 1))
