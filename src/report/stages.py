"""Stages of a run: their names and when they began and ended."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy

from log_file import Log, StageEnd
from series import Series

STATE_FILE = re.compile(r"^stage-(\d+)-(.+)\.h5$")


@dataclass
class Stage:
    """A stage that has begun."""

    number: int
    name: str
    begin: float  # s
    end: float  # s, of what is known by now
    steps: int | None = None
    reason: str = ""  # why it ended; empty if unknown or not ended


def parsed_input(text: str) -> dict:
    """The case as a dictionary; empty if it is not there or no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def stage_names(folder: Path, case: dict, log: Log) -> dict[int, str]:
    """Names by number: of the state files, of the case, of the log."""
    names = {number: end.name for number, end in enumerate(log.stages, 1)}
    for number, stage in enumerate(case.get("stage", []), 1):
        if isinstance(stage, dict) and stage.get("name"):
            names[number] = str(stage["name"])
    for path in folder.glob("stage-*.h5"):
        if match := STATE_FILE.match(path.name):
            names[int(match[1])] = match[2]
    return names


def find_stages(series: Series, names: dict[int, str], log: Log) -> list[Stage]:
    """Stages in their order, from the rows of the series."""
    numbers, times = series.values("stage"), series.values("time")
    ends: dict[str, list[StageEnd]] = {}  # by name: the log of a resumed run may begin with a later stage
    for end in log.stages:
        ends.setdefault(end.name, []).append(end)
    result: list[Stage] = []
    for number in numpy.unique(numbers[numpy.isfinite(numbers)]).astype(int):
        begin = result[-1].end if result else 0.0
        stage = Stage(number, names.get(number, f"stage {number}"), begin, float(times[numbers == number].max()))
        if known := ends.get(stage.name):
            end = known.pop(0)
            stage.steps, stage.reason = end.steps, end.reason
        result.append(stage)
    return result
