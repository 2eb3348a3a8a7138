#!/usr/bin/env python3
"""Makes a case FACTOR times as large, for weak.sbatch: prints the settings that do it, one KEY=VALUE a line.

    enlarge.py CASE FACTOR [AXES]

The box grows along AXES (for example xy; default: those that are periodic and not along gravity), each time along the
one that is shortest, such that its volume grows by FACTOR; so do counts of particles, the regions that are filled, and
mass, force and area of walls that span these axes. A case for this has particles of the generators random or lattice, and
no walls across AXES besides those of its boundary. Needs Python 3.11.
"""

from __future__ import annotations

import sys
from pathlib import Path

NAMES = "xyz"


def prime_factors(number: int) -> list[int]:
    """Largest first: 12 is 3, 2, 2."""
    factors, divisor = [], 2
    while number > 1:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor = divisor + 1 if divisor * divisor <= number else max(number, 2)
    return factors[::-1]


def default_axes(case: dict, dimension: int) -> list[int]:
    """Periodic and not along gravity: there a packing grows without becoming another one."""
    gravity = case.get("gravity", [0, 0, 0])
    axes = [axis for axis in range(dimension) if case["domain"]["boundary"][axis] == "periodic" and not gravity[axis]]
    if not axes:
        raise ValueError("no direction is periodic and without gravity; say along which ones the box shall grow: TAMP_GROW=xy")
    return axes


def named_axes(text: str, dimension: int) -> list[int]:
    if not text or any(letter not in NAMES[:dimension] or text.count(letter) > 1 for letter in text):
        raise ValueError(f"axes are letters of {NAMES[:dimension]}, not '{text}'")
    return [NAMES.index(letter) for letter in text]


def growth(lengths: list[float], axes: list[int], factor: int) -> list[int]:
    """How many times longer the box becomes along each axis."""
    times = [1] * len(lengths)
    for prime in prime_factors(factor):
        axis = min(axes, key=lambda one: (lengths[one] * times[one], one))
        times[axis] *= prime
    return times


def wall_settings(path: str, wall: dict, times: list[int], factor: int) -> list[str]:
    """A wall that becomes as many times larger becomes as many times heavier, and is pushed as many times harder."""
    crossed = [axis for axis, number in enumerate(times) if number > 1 and wall.get("normal", [0, 0, 0])[axis]]
    if crossed:
        raise ValueError(f"{path} stands across {NAMES[crossed[0]]}, along which the box shall grow; choose others: TAMP_GROW")
    return [f"{path}.{key}={wall[key] * factor:.15g}" for key in ("mass", "force", "area") if key in wall]


def enlarge(case: dict, factor: int, axes_text: str | None) -> list[str]:
    """All settings. What the case leaves out keeps its default, which follows the box."""
    dimension = case.get("dimension", 3)
    lower, upper = case["domain"]["lower"], case["domain"]["upper"]
    lengths = [upper[axis] - lower[axis] for axis in range(dimension)]
    axes = named_axes(axes_text, dimension) if axes_text else default_axes(case, dimension)
    times = growth(lengths, axes, factor)

    def stretched(path: str, corner: list[float]) -> list[str]:
        return [f"{path}[{axis}]={lower[axis] + (corner[axis] - lower[axis]) * times[axis]:.15g}"
                for axis in range(dimension) if times[axis] > 1]

    settings = stretched("domain.upper", upper)
    for index, particles in enumerate(case["particles"]):
        path = f"particles[{index}]"
        if particles.get("generator") not in ("random", "lattice"):
            raise ValueError(f"{path} are not made by random or lattice: a listed packing cannot be enlarged")
        if "count" in particles:
            settings.append(f"{path}.count={particles['count'] * factor}")
        for corner in ("lower", "upper"):
            if corner in particles:
                settings += stretched(f"{path}.{corner}", particles[corner])
    for index, wall in enumerate(case.get("wall", [])):
        settings += wall_settings(f"wall[{index}]", wall, times, factor)
    for stage_index, stage in enumerate(case.get("stage", [])):
        for index, wall in enumerate(stage.get("wall", [])):
            settings += wall_settings(f"stage[{stage_index}].wall[{index}]", wall, times, factor)
    return settings


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        import tomllib

        case = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        factor = int(sys.argv[2])
        if factor < 1:
            raise ValueError("the factor is a whole number from 1 on")
        if factor > 1:
            print("\n".join(enlarge(case, factor, sys.argv[3] if len(sys.argv) == 4 else None)))
    except ImportError:
        sys.exit("enlarge.py needs Python 3.11 or later: load such a module")
    except (OSError, KeyError, IndexError, ValueError) as error:  # of TOML, too
        reason = f"there is no {error}" if isinstance(error, KeyError) else error
        print(f"{sys.argv[1]}: {reason}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
