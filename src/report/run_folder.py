"""Everything that is known about a run, from the files of its folder."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from friction import is_frictionless, leave_friction_out
from hdf5_files import Group, read_measured, state_attributes, text_of
from log_file import Log, read_log
from pictures import Film, find_films
from problems import FileProblem, InputProblem
from series import Series, is_header, read_series
from stages import Stage, find_stages, parsed_input, stage_names


@dataclass
class Run:
    """A run, finished or not."""

    folder: Path
    report: dict = field(default_factory=dict)  # report.json
    finished: bool = False
    log: Log = field(default_factory=Log)
    series: Series = field(default_factory=Series)
    groups: list[Group] = field(default_factory=list)
    attributes: dict[str, object] = field(default_factory=dict)  # of a state file
    input: str = ""
    case: dict = field(default_factory=dict)  # the input, parsed
    stages: list[Stage] = field(default_factory=list)
    films: list[Film] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # what the page lacks and why

    def known(self, name: str) -> str:
        """A fact such as the version: of the report, the log or a state file; empty if nobody tells."""
        for value in (self.report.get(name), getattr(self.log, name, None), self.attributes.get(name)):
            if value not in (None, ""):
                return text_of(value)
        return ""

    @property
    def title(self) -> str:
        """What the case calls itself, else its file, else the folder."""
        title = self.report.get("title") or self.case.get("title") or Path(self.log.case).stem
        return str(title or self.folder.resolve().name)


def read_run(folder: Path) -> Run:
    """Reads a folder; a Problem if it is not one of ours or is damaged."""
    try:
        if not folder.exists():
            raise InputProblem(f"{folder}: cannot read this folder: it does not exist")
        if not folder.is_dir():
            raise InputProblem(f"{folder}: this is not a folder; name the folder that tamp run wrote to")
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise InputProblem(f"{folder}: cannot read this folder: {error.strerror}") from error
    run = Run(folder)
    run.log = read_log(folder / "run.log")
    run.finished = "report.json" in names
    if run.finished:
        run.report = read_report(folder / "report.json")
    if not (run.log.is_ours or "state_hash" in run.report or has_series(folder / "series.csv")):
        raise InputProblem(f"{folder}: this is not a folder of tamp run: it has neither its run.log, series.csv nor "
                           "report.json")
    if "series.csv" in names:
        run.series = read_series(folder / "series.csv", run.remarks)
    columns, run.groups = read_measured(folder / "series.h5", run.remarks)
    run.series.add_missing(columns)
    run.attributes = state_attributes(folder, run.remarks)
    run.input = text_of(run.attributes.get("input", ""))
    run.case = parsed_input(run.input)
    if is_frictionless(run.case):
        leave_friction_out(run.series, run.groups)
    run.stages = find_stages(run.series, stage_names(folder, run.case, run.log), run.log)
    run.films = find_films(folder / "images")
    return run


def has_series(path: Path) -> bool:
    """Whether this file begins as our series do."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return is_header(file.readline())
    except OSError:
        return False


def read_report(path: Path) -> dict:
    """Reads `report.json`."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileProblem(f"{path}: cannot read this file: {error.strerror}") from error
    except ValueError as error:
        raise FileProblem(f"{path}: damaged: {error}") from error
    if not isinstance(report, dict):
        raise FileProblem(f"{path}: damaged: not a table of keys")
    return report
