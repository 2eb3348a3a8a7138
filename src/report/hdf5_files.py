"""HDF5 files of a run. h5py is optional: without it the page says what it lacks."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from series import Column, drawable

# A reader's lock could stop a run that is still writing.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
try:
    import h5py
except ImportError:  # the page is worth making without it
    h5py = None

MISSING = "HDF5 files were not read: install the Debian package python3-h5py."
TENSOR = ("xx", "yy", "zz", "xy", "yz", "xz")
VECTOR = ("x", "y", "z")


def component_names(count: int) -> tuple[str, ...]:
    """Names of the components of a vector or a symmetric tensor, else numbers."""
    return {3: VECTOR, 6: TENSOR, 2: VECTOR[:2]}.get(count, tuple(str(index + 1) for index in range(count)))


@dataclass
class Measured:
    """An array of `series.h5`: [time x …]."""

    name: str
    unit: str
    description: str
    values: numpy.ndarray


@dataclass
class Group:
    """A group of `series.h5` at its first, middle and last time, and the coordinates that belong to it."""

    name: str
    time: numpy.ndarray  # s, of the times that were read
    arrays: list[Measured] = field(default_factory=list)
    constants: list[Measured] = field(default_factory=list)  # without time


def text_of(value: object) -> str:
    """An attribute as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def state_attributes(folder: Path, remarks: list[str]) -> dict[str, object]:
    """The attributes of the newest state file that can be read: version, revision, input, seed, hash, …

    `series.h5` tells the same from the first moment on, but for the hash: what there is before the first state.
    """
    files = [path for path in folder.glob("*.h5") if path.is_file()]
    if not files:
        return {}
    if h5py is None:
        remarks.append(MISSING)
        return {}
    for path in sorted(files, key=lambda file: (file.name != "series.h5", file.stat().st_mtime), reverse=True):
        try:
            with h5py.File(path, "r") as file:
                if "input" in file.attrs:
                    return {name: file.attrs[name] for name in file.attrs}
        except (OSError, RuntimeError) as error:
            if path.name != "series.h5":  # who reads its numbers has told that
                remarks.append(f"{path.name} cannot be read ({first_line(error)}).")
    return {}


def read_measured(path: Path, remarks: list[str]) -> tuple[list[Column], list[Group]]:
    """Scalars and groups of `series.h5`; nothing if there is no such file or it cannot be read."""
    if not path.is_file():
        return [], []
    if h5py is None:
        if MISSING not in remarks:
            remarks.append(MISSING)
        return [], []
    try:
        with h5py.File(path, "r") as file:
            columns = read_columns(file)
            groups = [read_group(name, item) for name, item in file.items() if isinstance(item, h5py.Group)]
            return columns, [group for group in groups if group.time.size and group.arrays]
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        remarks.append(f"series.h5 cannot be read ({first_line(error)}); profiles and distributions are left out.")
        return [], []


def first_line(error: Exception) -> str:
    """The first line of an error's text."""
    return (str(error).splitlines() or ["unknown error"])[0]


def numeric(item: object) -> bool:
    """Whether this is an array of numbers."""
    return isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu"


def measured(name: str, item: object, rows: object = ()) -> Measured:
    """One dataset, or some of its rows: fields of a long run do not fit into memory."""
    values = drawable(numpy.asarray(item[rows], dtype=float))
    unit = text_of(item.attrs.get("unit", ""))
    return Measured(name.replace("_", " "), "" if unit == "1" else unit,
                    text_of(item.attrs.get("description", "")), values)


def read_columns(file: object) -> list[Column]:
    """Datasets of the root that are numbers, vectors or tensors over time."""
    if "time" not in file or not numeric(file["time"]):
        return []
    items = {name: item for name, item in file.items() if numeric(item) and item.ndim in (1, 2)}
    count = file["time"].shape[0]
    # A run that goes on may have written some of the columns of a row only.
    rows = min([count] + [item.shape[0] for item in items.values() if 0 < count - item.shape[0] <= 1])
    time = numpy.asarray(file["time"][:rows], dtype=float)
    columns = []
    for name, item in items.items():
        if item.shape[0] < rows or (item.ndim == 2 and not 1 <= item.shape[1] <= 9):
            continue
        array = measured(name, item, slice(rows))
        if item.ndim == 1:
            columns.append(Column(array.name, array.unit, time, array.values))
            continue
        for index, component in enumerate(component_names(item.shape[1])):
            columns.append(Column(f"{array.name} {component}", array.unit, time, array.values[:, index]))
    return columns


def read_group(name: str, group: object) -> Group:
    """A group with its own time."""
    items = {key: item for key, item in group.items() if numeric(item)}
    if "time" not in items or items["time"].ndim != 1:
        return Group(name, numpy.empty(0))
    count = items["time"].shape[0]
    # Times are written last: those of a run that goes on or was killed may lack the last rows of the rest.
    over_time = {key: item for key, item in items.items() if key != "time" and item.ndim > 1 and item.shape[0] >= count}
    rows = sorted({0, (count - 1) // 2, count - 1}) if count else []
    result = Group(name.replace("_", " "), numpy.asarray(items["time"][()], dtype=float)[rows])
    if count:
        result.arrays = [measured(key, item, rows) for key, item in over_time.items()]
    result.constants = [measured(key, item) for key, item in items.items() if key != "time" and key not in over_time]
    return result
