"""Numbers of packings between two periodic pairs of sides and above a floor, from places and radii alone: the same for
every program that made them."""
import itertools
import math


def volume_below(plane, centre, radius):
    """Of a sphere, below a horizontal plane."""
    height = min(max(plane - centre + radius, 0.0), 2 * radius)
    return math.pi * height**2 * (radius - height / 3)


def fraction_between(grains, lower, upper, edge):
    """Volume fraction of a slab of a square box."""
    volume = sum(volume_below(upper, g.position[2], g.radius) - volume_below(lower, g.position[2], g.radius)
                 for g in grains)
    return volume / (edge**2 * (upper - lower))


def overlaps(grains, edge):
    """Of all pairs that overlap. The box is periodic in x and y."""
    cells_across = max(1, int(edge / (2 * max(g.radius for g in grains))))
    if cells_across < 3:
        raise ValueError("the box is too narrow")
    size = edge / cells_across
    cells = {}
    for grain in grains:
        x, y, z = grain.position
        cell = (math.floor(x / size) % cells_across, math.floor(y / size) % cells_across, math.floor(z / size))
        cells.setdefault(cell, []).append(grain)
    half = [way for way in itertools.product((-1, 0, 1), repeat=3) if way > (0, 0, 0)]
    found = []
    for (i, j, k), here in cells.items():
        pairs = list(itertools.combinations(here, 2))
        for di, dj, dk in half:
            there = cells.get(((i + di) % cells_across, (j + dj) % cells_across, k + dk), ())
            pairs += itertools.product(here, there)
        for one, two in pairs:
            dx, dy, dz = (b - a for a, b in zip(one.position, two.position))
            dx, dy = (d - edge * round(d / edge) for d in (dx, dy))
            overlap = one.radius + two.radius - math.sqrt(dx * dx + dy * dy + dz * dz)
            if overlap > 0:
                found.append(overlap)
    return found
