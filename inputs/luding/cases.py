"""The runs of the study: which keys of compress.toml each one changes."""

from dataclasses import dataclass, field
from math import pi

LEVELS = [1.0, 1e-1, 1e-2, 1e-3]  # energy ratios at which the paper reads densities
ROLLING = [0, 0.01, 0.03, 0.1, 0.3, 1]  # mu_r = mu_o, at mu = 1
FRICTION = [0, 0.03, 0.1, 0.3]  # mu, at mu_r = mu_o = 0.1; mu = 1 is in the other list
SPEEDS = {"slow": 4e-5, "fast": 1e-4}  # m/s, of the two starts

RADIUS = 0.5e-6  # m
MASS = 2000 * 4 / 3 * pi * RADIUS**3
CONTACT_TIME = pi * (0.5 * MASS / 1e-7) ** 0.5  # s, with k_2
START_FRACTION = 1728 * 4 / 3 * pi * RADIUS**3 / 25e-6**3


@dataclass(frozen=True)
class Run:
    """`group`: what it is for; `settings`: what differs from the case, besides friction and resistances."""
    group: str
    start: str
    friction: float
    rolling: float
    seed: int
    settings: tuple = field(default=())

    @property
    def name(self):
        name = f"{self.group}-{self.start}-mu{self.friction:g}-mur{self.rolling:g}-seed{self.seed}"
        return name.replace(" ", "_").replace("/", "")

    def keys(self):
        return {"seed": self.seed, "particles[0].speed": SPEEDS.get(self.start, 0),
                "material.powder.friction": self.friction, "material.powder.rolling_ratio": self.rolling,
                "material.powder.torsion_ratio": self.rolling, **dict(self.settings)}


def points():
    """(friction, rolling) of figure 3: the reference, the upper and the lower panel."""
    return [(0, 0), *((1, r) for r in ROLLING), *((m, 0.1) for m in FRICTION)]


def main_runs(start, seeds):
    return [Run("main", start, m, r, seed) for seed in seeds for m, r in points()]


GROWTH = "stage[1].growth_rate", "stage[2].growth_rate"
# What might explain a difference, with the paper's parameters: (name, start, settings).
VARIATIONS = [
    ("step of the paper", "slow", (("time.step", 2e-6),)),
    ("spring without dashpot", "slow", (("soft.after_slip", '"with_dashpot"'),)),
    ("twice the growth rate", "slow", tuple((key, 4e-7) for key in GROWTH)),
    ("no adhesion", "slow", (("material.powder.adhesion_stiffness", 0),)),
    ("start at 2e-4 m/s", "fast", (("particles[0].speed", 2e-4),)),
]


def variation_runs(seeds):
    return [Run(name, start, 1, 0.1, seed, settings) for seed in seeds for name, start, settings in VARIATIONS]
