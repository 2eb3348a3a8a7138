"""Grains as files: a table for tamp, a data file for LAMMPS and LIGGGHTS, and what those two dump."""
import collections

Grain = collections.namedtuple("Grain", "position velocity radius")


def write_csv(path, grains):
    with open(path, "w", encoding="utf-8") as file:
        file.write("x, y, z, radius, vx, vy, vz\n")
        file.writelines(",".join(map(repr, (*g.position, g.radius, *g.velocity))) + "\n" for g in grains)


def write_data(path, grains, density, lower, upper):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"grains\n\n{len(grains)} atoms\n1 atom types\n")
        file.writelines(f"{low!r} {high!r} {axis}lo {axis}hi\n" for low, high, axis in zip(lower, upper, "xyz"))
        file.write("\nAtoms\n\n")
        file.writelines(f"{i} 1 {2 * g.radius!r} {density!r} " + " ".join(map(repr, g.position)) + "\n"
                        for i, g in enumerate(grains, 1))
        file.write("\nVelocities\n\n")
        file.writelines(f"{i} " + " ".join(map(repr, g.velocity)) + " 0 0 0\n" for i, g in enumerate(grains, 1))


def read_dump(path):
    """The tables of a dump in order, each a list of rows of numbers by id, without the id."""
    frames, rows, columns = [], None, False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("ITEM:"):
                columns = line.startswith("ITEM: ATOMS")
                if columns:
                    rows = []
                    frames.append(rows)
            elif columns:
                rows.append([float(word) for word in line.split()])
    return [[row[1:] for row in sorted(frame)] for frame in frames]
