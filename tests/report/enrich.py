#!/usr/bin/env python3
"""Adds to the folder of a run what other settings would have written: pictures, `series.h5`, more columns and keys.

    enrich.py FOLDER [pictures] [measured] [columns]

Pictures and columns that are there stay; `series.h5` is replaced. The numbers are made up, but have the shapes and
attributes of real ones.
"""

import csv
import json
import math
import sys
from pathlib import Path

import numpy
from PIL import Image, ImageDraw


def add_pictures(folder: Path, names: tuple[str, ...] = ("speed", "force-chains"), count: int = 14) -> None:
    """Discs that fall, one picture every so many steps."""
    images = folder / "images"
    if images.is_dir():
        return
    images.mkdir()
    generator = numpy.random.default_rng(1)
    discs = generator.random((60, 3))
    with open(folder / "series.csv", encoding="utf-8") as file:
        last = int(float(list(csv.reader(file))[-1][1]))
    for name_index, name in enumerate(names):
        for frame in range(count):
            share = frame / (count - 1)
            image = Image.new("RGB", (640, 360), "white")
            draw = ImageDraw.Draw(image)
            for x, y, colour in discs:
                level = 340 - 300 * y * (1 - 0.6 * share)
                shade = (int(40 + 200 * colour), int(90 + 60 * name_index), int(220 - 160 * colour * (1 - share)))
                draw.ellipse([600 * x, level - 18, 600 * x + 36, level + 18], fill=shade, outline=(50, 50, 50))
            image.save(images / f"{name}-{round(share * last):08}.png")


def add_measured(folder: Path) -> None:
    """`series.h5` with scalars, profiles, distributions, and fields on a grid."""
    import h5py

    times = numpy.linspace(0.01, 0.3, 7)

    def put(group, name, values, unit, description):
        data = group.create_dataset(name, data=values)
        data.attrs["unit"], data.attrs["description"] = unit, description

    with h5py.File(folder / "series.h5", "w") as file:
        put(file, "time", times, "s", "Simulated time")
        put(file, "fabric", numpy.outer(times, [1, 1, 1.2, 0, 0, 0.1]), "1", "Fabric tensor of contacts")
        put(file, "sliding_contacts", 0.3 * numpy.exp(-10 * times), "1", "Share of contacts that slide")

        profile = file.create_group("profile")
        z = numpy.linspace(0.005, 0.2, 30)
        put(profile, "time", times, "s", "Simulated time")
        put(profile, "position", z, "m", "Centres of the slices")
        filled = 1 / (1 + numpy.exp((z[None, :] - 0.15 + 0.2 * times[:, None]) * 200))
        put(profile, "volume_fraction", 0.6 * filled, "1", "Volume fraction of slices along z.")
        put(profile, "stress", (3000 * filled * (0.2 - z))[:, :, None] * numpy.array([0.5, 0.5, 1, 0, 0, 0.1]), "Pa",
            "Stress of contacts in slices along z.")

        forces = file.create_group("force_distribution")
        f = numpy.linspace(0.05, 5.95, 60)
        put(forces, "time", times, "s", "Simulated time")
        put(forces, "force", f, "1", "Normal force over its mean")
        put(forces, "probability", numpy.array([numpy.exp(-(1 + t) * f) * (1 + f) for t in times]), "1",
            "Probability density of normal forces.")

        pairs = file.create_group("pair_correlation")
        r = numpy.linspace(0.05, 5, 100)
        put(pairs, "time", times, "s", "Simulated time")
        put(pairs, "distance", r, "1", "Distance over the mean diameter")
        shell = numpy.where(r < 0.95, 0, 1 + 3 * numpy.exp(-6 * (r - 1)) * numpy.cos(2 * math.pi * (r - 1)))
        put(pairs, "pair_correlation", numpy.array([1 + (shell - 1) * (0.5 + t) for t in times]), "1", "g(r).")

        field = file.create_group("field")
        field.attrs["lower"], field.attrs["upper"] = [0.0, 0.0, 0.0], [0.1, 0.1, 0.2]
        nz, ny, nx = 20, 10, 10
        level = numpy.linspace(1, 0, nz)[None, :, None, None] * numpy.ones((7, nz, ny, nx))
        ripple = 1 + 0.2 * numpy.sin(numpy.arange(nx))[None, None, None, :]
        put(field, "time", times, "s", "Simulated time")
        put(field, "volume_fraction", 0.6 * level**0.3 * ripple, "1", "Coarse-grained volume fraction.")
        put(field, "velocity", (level * ripple)[..., None] * [0, 0, -0.1], "m/s", "Coarse-grained velocity.")


def add_columns(folder: Path) -> None:
    """Stress and energy columns in `series.csv`, and keys in `report.json` that nobody foresaw."""
    path = folder / "series.csv"
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    kinetic = rows[0].index("kinetic energy [J]")
    columns = {"contact stress xx [Pa]": lambda share, energy: 900 * share,
               "contact stress zz [Pa]": lambda share, energy: 2100 * share**2,
               "contact stress xz [Pa]": lambda share, energy: -80 * share,
               "potential energy [J]": lambda share, energy: 0.3 * (1 - share) - energy,
               "dissipated by friction [J]": lambda share, energy: 0.28 * share,
               "work of walls [J]": lambda share, energy: 0.01 * share,
               "temperament": lambda share, energy: math.sin(9 * share),
               "flow of something [m^3/s]": lambda share, energy: 1e-7 * share}
    for name in [name for name in columns if name not in rows[0]]:
        rows[0].append(name)
        for index, row in enumerate(rows[1:]):
            row.append(str(columns[name](index / max(1, len(rows) - 2), float(row[kinetic]))))
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    if (folder / "report.json").is_file():
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        report |= {"pictures": {"count": 28, "seconds": 1.25}, "snapshot_bytes": 123456789, "novelty": ["a", "<b>"]}
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")


def main() -> None:
    """Adds what is asked for."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    for name, add in {"pictures": add_pictures, "measured": add_measured, "columns": add_columns}.items():
        if name in wanted:
            add(folder)


if __name__ == "__main__":
    main()
