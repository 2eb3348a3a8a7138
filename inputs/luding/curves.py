"""What is read from a run: energy ratio and coordination against the volume fraction."""

import csv
from math import log

COLUMNS = ["stage", "volume fraction", "coordination", "energy ratio", "kinetic energy [J]"]


def read_table(path):
    """Rows by the names of their columns, with numbers where there are numbers."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(path, newline="", encoding="utf-8") as file:
        lines = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return [dict(zip(lines[0], map(number, row))) for row in lines[1:]]


def write_table(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([f"{v:.8g}" if isinstance(v, float) else v for v in row.values()] for row in rows)


def keep(series, path):
    """The columns of a series that the study needs; the rest takes a hundred times the room."""
    write_table(path, [{name: row[name] for name in COLUMNS} for row in read_table(series)])


def compression(rows):
    """Where grains grow and touch: (fraction, coordination, energy ratio)."""
    return [(row["volume fraction"], row["coordination"], row["energy ratio"]) for row in rows
            if row["stage"] >= 2 and isinstance(row["energy ratio"], float) and row["energy ratio"] > 0]


def crossing(curve, level):
    """Fraction and coordination where the energy ratio falls below the level for the last time, or nothing. For the
    last time, because grains that still rearrange are not a stable packing."""
    last = None
    for before, after in zip(curve, curve[1:]):
        if before[2] >= level > after[2]:
            last = before, after
    if last is None or curve[-1][2] >= level:
        return None
    before, after = last
    share = log(before[2] / level) / log(before[2] / after[2])
    return tuple(before[i] + share * (after[i] - before[i]) for i in (0, 1))


def fraction_at_coordination(curve, wanted):
    """The first fraction from which on grains have at least this many contacts."""
    last = None
    for before, after in zip(curve, curve[1:]):
        if before[1] < wanted <= after[1]:
            last = after[0]
    return last
