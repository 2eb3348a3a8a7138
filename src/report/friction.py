"""Where nothing rubs, tangential forces are round-off, and figures of them would show noise."""

from hdf5_files import Group
from series import Series

COLUMNS = {"sliding share", "mean mobilisation", "dissipated by friction"}
ARRAYS = {"mobilisation distribution": None, "force distribution": {"tangential", "tangential outside"}}  # None: all


def entries(case: dict, section: str) -> list[dict]:
    """The tables of a section of the case."""
    tables = case.get(section)
    return [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []


def is_frictionless(case: dict) -> bool:
    """Whether the friction of all materials and pairs is zero. A pair without its own has the mean of its materials'."""
    frictions = [table.get("friction") for table in entries(case, "material")]
    frictions += [table["friction"] for table in entries(case, "pair") if "friction" in table]
    return bool(frictions) and all(friction == 0 for friction in frictions)


def leave_friction_out(series: Series, groups: list[Group]) -> None:
    """Drops what would be drawn of it."""
    series.columns = [column for column in series.columns if column.name not in COLUMNS]
    for group in groups:
        if group.name in ARRAYS:
            dropped = ARRAYS[group.name]
            group.arrays = [array for array in group.arrays if dropped is not None and array.name not in dropped]
    groups[:] = [group for group in groups if group.arrays]
