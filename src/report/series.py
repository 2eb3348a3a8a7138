"""The series of a run: numbers over time, from `series.csv` and, where it has more, from `series.h5`."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import numpy

from problems import FileProblem

NAME_AND_UNIT = re.compile(r"^(?P<name>.*?)\s*\[(?P<unit>[^\]]*)\]$")
FIRST_COLUMNS = ("time [s]", "step", "stage")


@dataclass
class Column:
    """One quantity over time."""

    name: str
    unit: str  # empty for pure numbers
    time: numpy.ndarray  # s
    values: numpy.ndarray

    @property
    def last(self) -> float:
        """The value at the end; not a number if there is none."""
        return float(self.values[-1]) if self.values.size else float("nan")


class Series:
    """The columns of a run, by name."""

    def __init__(self, columns: list[Column] | None = None):
        self.columns = columns or []

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def get(self, name: str) -> Column | None:
        """The column of this name."""
        return next((column for column in self.columns if column.name == name), None)

    def values(self, name: str) -> numpy.ndarray:
        """The values of a column; empty if there is none."""
        column = self.get(name)
        return column.values if column else numpy.empty(0)

    def add_missing(self, others: list[Column]) -> None:
        """Takes columns that are not there yet."""
        self.columns += [other for other in others if other.name not in self]

    def time_of_step(self, step: int) -> float | None:
        """The time at a step, between rows by interpolation; None outside of the series."""
        steps, times = self.values("step"), self.values("time")
        if not steps.size or step > steps[-1]:
            return None
        return float(numpy.interp(step, numpy.concatenate([[0], steps]), numpy.concatenate([[0], times])))


def drawable(values: numpy.ndarray) -> numpy.ndarray:
    """Numbers that axes can show: infinite and absurd ones become unknown, those next to nothing zero."""
    with numpy.errstate(invalid="ignore"):
        values = numpy.where(numpy.abs(values) < 1e120, values, numpy.nan)
        return numpy.where(numpy.abs(values) < 1e-120, 0.0, values)


def is_header(line: str) -> bool:
    """Whether a line is the first of a series of ours."""
    return tuple(line.rstrip("\r\n").split(",")[:3]) == FIRST_COLUMNS


def read_series(path: Path, remarks: list[str]) -> Series:
    """Reads `series.csv`. A last line that is still being written is left out."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FileProblem(f"{path}: cannot read this series: {error.strerror}") from error
    lines = text.splitlines()
    if not lines:
        remarks.append("series.csv is empty: its first row was not written yet.")
        return Series()
    if not is_header(lines[0]):
        raise FileProblem(f"{path}: line 1: not the header of a series ({','.join(FIRST_COLUMNS)},…)")
    header = next(csv.reader([lines[0]]))
    complete = lines[1:] if text.endswith("\n") else lines[1:-1]
    rows = []
    for line_number, line in enumerate(complete, 2):
        try:
            row = [float(word) for word in line.split(",")]
        except ValueError as error:
            raise FileProblem(f"{path}: line {line_number}: {error}; the file is damaged") from error
        if len(row) != len(header):
            raise FileProblem(
                f"{path}: line {line_number} has {len(row)} values, but the header has {len(header)}; "
                "the file is damaged")
        rows.append(row)
    if len(complete) < len(lines) - 1:
        remarks.append("The last line of series.csv is incomplete and left out.")
    table = numpy.array(rows, dtype=float).reshape(len(rows), len(header))
    table = drawable(table)
    columns = []
    for index, title in enumerate(header):
        match = NAME_AND_UNIT.match(title)
        name, unit = (match["name"], match["unit"]) if match else (title, "")
        columns.append(Column(name, "" if unit == "1" else unit, table[:, 0], table[:, index]))
    return Series(columns)
