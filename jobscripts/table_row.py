#!/usr/bin/env python3
"""A row of a table of parameters, for sweep.sbatch.

    table_row.py TABLE        prints how many rows there are
    table_row.py TABLE N      prints the settings of row N, counted from 1, one KEY=VALUE a line
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path


def read_table(path: Path) -> list[tuple[int, list[str]]]:
    """Number and fields of every line that is neither empty nor a remark; commas in the first make it CSV."""
    lines = [(number, line.strip()) for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not lines:
        raise ValueError("the table is empty; its first line holds keys, the others values")
    if "," in lines[0][1]:
        rows = [next(csv.reader([line], skipinitialspace=True, strict=True)) for _, line in lines]
    else:
        rows = [line.split() for _, line in lines]
    return [(number, [field.strip() for field in row]) for (number, _), row in zip(lines, rows)]


def settings(table: list[tuple[int, list[str]]], wanted: int) -> list[str]:
    """Row `wanted` as KEY=VALUE. Every row is looked at: a mistake in the last one is told before the first has run."""
    (first, keys), rows = table[0], table[1:]
    for key in keys:
        if not key or keys.count(key) > 1:
            raise ValueError(f"line {first}: the key '{key}' {'is there twice' if key else 'is empty'}")
    for number, row in rows:
        if len(row) != len(keys):
            raise ValueError(f"line {number} has {len(row)} values for {len(keys)} keys; values with blanks or commas need "
                             "a table with commas and quotes around them")
        if "" in row:
            raise ValueError(f"line {number} has no value for '{keys[row.index('')]}'")
    if not 1 <= wanted <= len(rows):
        raise ValueError(f"there is no row {wanted}: rows are 1 to {len(rows)}; submit with --array=1-{len(rows)}")
    return [f"{key}={value}" for key, value in zip(keys, rows[wanted - 1][1])]


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        table = read_table(Path(sys.argv[1]))
        if len(sys.argv) == 2:
            print(len(table) - 1)
        else:
            print("\n".join(settings(table, int(sys.argv[2]))))
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"{sys.argv[1]}: {reason}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
