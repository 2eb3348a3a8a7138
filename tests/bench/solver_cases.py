"""The cases of solver_study.py: what varies, their TOML text, and a guess of what they cost.

The base case is a bed of grains of 9 to 11 mm on a periodic square. It settles under gravity while a light piston follows
its surface, and then the piston presses. The piston is as heavy as a layer of grains. Each study varies one thing.
"""
import dataclasses
import math

DIAMETER = 0.01  # mean, m
SIZES = (0.009, 0.011)
DENSITY = 2500
GRAVITY = 9.81
GRAIN_VOLUME = math.pi / 24 * (SIZES[1]**4 - SIZES[0]**4) / (SIZES[1] - SIZES[0])  # pi/6 times the mean of d^3
GRAIN_MASS = DENSITY * GRAIN_VOLUME
BED_FRACTION, FILL_FRACTION = 0.58, 0.3  # of the bed at rest, about; of the grains at the start
LIGHT, HEAVY = 100, 10_000  # stress of the piston while grains settle, and after, Pa
PRESS_SECONDS, SHEAR_SECONDS = 0.15, 0.2
SHEAR_RATE = 4  # widths of the gap a second: an inertial number of 0.02 under HEAVY
FRICTION = 0.5
COLD_STEP, COLD_CAP = 5e-4, 200_000  # s, sweeps
START_OVERLAP = 0.009  # diameters; tamp starts from no file whose grains overlap by much more

LAWS = {
    "": "",
    "cohesion": f"cohesion_force = {2 * GRAIN_MASS * GRAVITY:.4g}\ncohesion_range = {0.02 * DIAMETER:g}",
    "rolling": "rolling_ratio = 0.1\ntorsion_ratio = 0.1",
    "cohesion and rolling": f"cohesion_force = {2 * GRAIN_MASS * GRAVITY:.4g}\ncohesion_range = {0.02 * DIAMETER:g}\n"
                            "rolling_ratio = 0.1\ntorsion_ratio = 0.1",
}
COST_OF_LAW = {"": 1, "cohesion": 8, "rolling": 2.5, "cohesion and rolling": 18}
COST_OF_METHOD = {"auto": 1, "ratio": 1, "nesterov": 1, "plain": 3}

# Base case; N at constant depth; depths, and the width of their narrow base in diameters; frictions; laws; cap of plain
# sweeps, which would take too long without one.
PLANS = {
    "quick": {"count": 1500, "layers": 14, "counts": (750, 1500, 3000), "depths": (14, 22, 44), "narrow": 5,
              "frictions": (0, 0.5, 1), "laws": ("", "cohesion", "rolling"), "cap": 200},
    "normal": {"count": 8000, "layers": 22, "counts": (2000, 8000, 32_000), "depths": (14, 22, 44, 68, 130),
               "narrow": 8, "frictions": (0, 0.1, 0.3, 0.5, 1), "laws": tuple(LAWS), "cap": 500},
    "large": {"count": 10_000, "layers": 22, "counts": (2000, 8000, 32_000, 125_000, 500_000, 1_000_000),
              "depths": (14, 22, 44, 68, 130), "narrow": 12, "frictions": (0, 0.1, 0.3, 0.5, 1), "laws": tuple(LAWS),
              "cap": 1000},
}


@dataclasses.dataclass(frozen=True)
class Case:
    """One run. Its name is its folder, so that two rows of the table can share it."""
    count: int
    layers: float  # wanted along gravity
    friction: float = FRICTION
    law: str = ""
    load: str = "piston"  # gravity: settle only; piston: settle, press; shear: settle, press, shear
    method: str = "auto"
    cap: int = 0  # of sweeps; 0: the default

    @property
    def name(self) -> str:
        words = [self.load, f"{self.count}", f"{self.layers:g}-layers", f"friction-{self.friction:g}",
                 self.law.replace(" ", "-"), self.method, f"cap-{self.cap}" if self.cap else ""]
        return "-".join(word for word in words if word)

    @property
    def width(self) -> float:
        """Of the base, m."""
        return math.sqrt(self.count * GRAIN_VOLUME / (BED_FRACTION * self.layers * DIAMETER))

    @property
    def fill_height(self) -> float:
        return self.count * GRAIN_VOLUME / (FILL_FRACTION * self.width**2)

    @property
    def settle_seconds(self) -> float:
        """Three times as long as the highest grain falls, and some more to come to rest."""
        return 0.2 + 3 * math.sqrt(2 * (1 - FILL_FRACTION / BED_FRACTION) * self.fill_height / GRAVITY)

    @property
    def piston_mass(self) -> float:
        return GRAIN_MASS * self.count / self.layers

    @property
    def expected_seconds(self) -> float:
        """Of CPU time. Only shares matter: the time left is scaled by what finished runs took."""
        seconds = self.settle_seconds + {"gravity": 0, "piston": 1, "shear": 2}[self.load] * PRESS_SECONDS
        steps = 1500 * seconds * max(1, self.layers / 30)
        return 1e-6 * self.count * steps * COST_OF_LAW[self.law] * COST_OF_METHOD[self.method]


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table."""
    study: str
    value: str
    case: Case


def plan(size: str) -> list[Row]:
    sizes = PLANS[size]
    base = Case(sizes["count"], sizes["layers"])
    layer = (sizes["narrow"] * DIAMETER)**2 * BED_FRACTION * DIAMETER / GRAIN_VOLUME  # grains, on the narrow base

    def varied(**changes):
        return dataclasses.replace(base, **changes)

    rows = [Row("N", f"{count}", varied(count=count)) for count in sizes["counts"]]
    rows += [Row("depth", f"{depth} layers, settling", varied(count=round(layer * depth), layers=depth, load="gravity"))
             for depth in sizes["depths"]]
    rows += [Row("friction", f"{friction:g}", varied(friction=friction)) for friction in sizes["frictions"]]
    rows += [Row("load", load, varied(load=load)) for load in ("gravity", "piston", "shear")]
    rows += [Row("law", law or "friction only", varied(law=law)) for law in sizes["laws"]]
    rows += [Row("method", method, varied(method=method)) for method in ("ratio", "nesterov")]
    rows += [Row("method", f"plain, at most {sizes['cap']} sweeps", varied(method="plain", cap=sizes["cap"]))]
    return rows


def head(case: Case) -> str:
    """What a run and its cold start share."""
    return f"""seed = 1
gravity = [0, 0, {-GRAVITY}]
[domain]
lower = [0, 0, 0]
upper = [{case.width:.9g}, {case.width:.9g}, {case.fill_height + 2 * DIAMETER:.9g}]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "grain"
density = {DENSITY}
friction = {case.friction:g}
{LAWS[case.law]}
[checkpoint]
interval = 0
stage_ends = false
"""


def text(case: Case) -> str:
    parts = [head(case), f"""[[particles]]
generator = "random"
count = {case.count}
upper = [{case.width:.9g}, {case.width:.9g}, {case.fill_height:.9g}]
size = {{ distribution = "uniform", min = {SIZES[0]}, max = {SIZES[1]} }}
[solver]
method = "{case.method}"
"""]
    if case.cap:
        parts.append(f"max_sweeps = {case.cap}\n")
    if case.load != "gravity":
        parts.append(f"""[[wall]]
name = "piston"
point = [0, 0, {case.fill_height + DIAMETER:.9g}]
normal = [0, 0, -1]
mass = {case.piston_mass:.6g}
stress = {LIGHT}
""")
    parts.append(f'[[stage]]\nname = "settle"\nduration = {case.settle_seconds:.6g}\n')
    if case.load != "gravity":
        parts.append(f'[[stage]]\nname = "press"\nduration = {PRESS_SECONDS}\n'
                     f'wall = [{{ name = "piston", stress = {HEAVY} }}]\n')
    if case.load == "shear":
        speed = SHEAR_RATE * case.layers * DIAMETER
        parts.append(f'[[stage]]\nname = "shear"\nduration = {SHEAR_SECONDS}\n'
                     f'wall = [{{ name = "z-", velocity = [{speed:.6g}, 0, 0] }}]\n')
    return "".join(parts)


def cold_text(case: Case, piston_height: float | None, state_hash: str) -> str:
    """One step of the settled bed from the places of grains alone. The hash tells which bed it is."""
    piston = "" if piston_height is None else f"""[[wall]]
name = "piston"
point = [0, 0, {piston_height!r}]
normal = [0, 0, -1]
mass = {case.piston_mass:.6g}
stress = {LIGHT}
"""
    return f"""# {state_hash}
{head(case)}[[particles]]
generator = "file"
path = "bed.csv"
{piston}[solver]
method = "{case.method}"
max_sweeps = {COLD_CAP}
[time]
step = {COLD_STEP}
[output]
series_every = 1
[[stage]]
name = "cold"
steps = 1
"""
