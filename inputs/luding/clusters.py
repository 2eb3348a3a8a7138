"""Clusters of grains that touch, in a periodic box."""

from collections import deque

import h5py
import numpy


def read_grains(path):
    with h5py.File(path, "r") as file:
        particles = file["particles"]
        return particles["position"][:], particles["radius"][:], particles["velocity"][:]


def clusters(position, radius, edge):
    """Sizes of all clusters, largest first, and along how many axes the largest one meets itself across the box."""
    neighbours = touching(position, radius, edge)
    seen = numpy.full(len(position), -1)
    found = []
    for start in range(len(position)):
        if seen[start] >= 0:
            continue
        size, spanned = follow(start, len(found), neighbours, position, edge, seen)
        found.append((size, spanned))
    found.sort(reverse=True)
    return [size for size, _ in found], found[0][1]


def touching(position, radius, edge):
    neighbours = []
    for i in range(len(position)):
        apart = position - position[i]
        apart -= edge * numpy.round(apart / edge)
        near = (apart**2).sum(axis=1) < (radius + radius[i]) ** 2
        near[i] = False
        neighbours.append(numpy.flatnonzero(near))
    return neighbours


def follow(start, number, neighbours, position, edge, seen):
    """Walks through a cluster and carries along where each grain lies without the box's wrapping. A grain that is met
    again a whole box away shows that the cluster spans it."""
    place = {start: position[start].copy()}
    seen[start] = number
    spanned = numpy.zeros(3, dtype=bool)
    queue = deque([start])
    while queue:
        i = queue.popleft()
        for j in neighbours[i]:
            step = position[j] - position[i]
            there = place[i] + step - edge * numpy.round(step / edge)
            if j in place:
                spanned |= numpy.abs(there - place[j]) > 0.5 * edge
            else:
                place[j] = there
                seen[j] = number
                queue.append(j)
    return len(place), int(spanned.sum())
