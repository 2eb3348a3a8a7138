#!/usr/bin/env python3
"""Adds to the folder of a run pictures, which only a build with ParaView makes, and columns and keys that nobody knows.

    enrich.py FOLDER [pictures] [columns]

Pictures and columns that are there stay.
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


def add_columns(folder: Path) -> None:
    """Columns in `series.csv` and keys in `report.json` that nobody foresaw."""
    path = folder / "series.csv"
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    columns = {"temperament": lambda share: math.sin(9 * share),
               "flow of something [m^3/s]": lambda share: 1e-7 * share,
               "absurd [J/s]": lambda share: [1e-300, math.inf, math.nan, 1e300, -1][int(4 * share)]}
    for name in [name for name in columns if name not in rows[0]]:
        rows[0].append(name)
        for index, row in enumerate(rows[1:]):
            row.append(str(columns[name](index / max(1, len(rows) - 2))))
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    if (folder / "report.json").is_file():
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        report |= {"pictures": {"count": 28, "seconds": 1.25}, "snapshot_bytes": 123456789, "novelty": ["a", "<b>"]}
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")


def main() -> None:
    """Adds what is asked for."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    for name, add in {"pictures": add_pictures, "columns": add_columns}.items():
        if name in wanted:
            add(folder)


if __name__ == "__main__":
    main()
