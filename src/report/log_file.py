"""What `run.log` tells: version, case, dates, how stages ended, warnings."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from problems import FileProblem

STAMP = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (.*)$")
START = re.compile(r"^tamp (?P<version>\S+) \((?P<revision>[^)]*)\): (?P<case>.+) on (?P<ranks>\d+) ranks?, results in ")
STAGE_END = re.compile(r"^(?P<stage>.+?): ended by (?P<reason>.+?) at t = (?P<time>\S+) s after (?P<steps>\d+) steps")
WARNING = re.compile(r"(?:^|\s)(?:warning:|WARNING:?)\s*(?P<text>.*)$")
NOT_SAVED = re.compile(r"NOT saved \((?P<text>.*)\)")


@dataclass
class StageEnd:
    """A stage as the log tells its end."""

    name: str
    reason: str
    time: float
    steps: int


@dataclass
class Log:
    """What was said during the run."""

    lines: list[str] = field(default_factory=list)
    version: str = ""
    revision: str = ""
    case: str = ""
    ranks: int | None = None
    begin: str = ""
    end: str = ""
    stages: list[StageEnd] = field(default_factory=list)
    warnings: dict[str, int] = field(default_factory=dict)  # text: how often

    @property
    def is_ours(self) -> bool:
        """Whether tamp wrote it."""
        return bool(self.version)


def read_log(path: Path) -> Log:
    """Reads `run.log`; an empty log if there is none."""
    log = Log()
    if not path.is_file():
        return log
    try:
        log.lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise FileProblem(f"{path}: cannot read this log: {error.strerror}") from error
    for line in log.lines:
        stamp = STAMP.match(line)
        if stamp:
            log.begin = log.begin or stamp[1]
            log.end = stamp[1]
            line = stamp[2]
        look_at(line, log)
    return log


def look_at(line: str, log: Log) -> None:
    """Takes from a line, already without its date, what the page shows."""
    if (start := START.match(line)) and not log.version:
        log.version, log.revision, log.case = start["version"], start["revision"], start["case"]
        log.ranks = int(start["ranks"])
    elif end := STAGE_END.match(line):
        log.stages.append(StageEnd(end["stage"], end["reason"], float(end["time"]), int(end["steps"])))
    for pattern in (WARNING, NOT_SAVED):
        if found := pattern.search(line):
            text = found["text"].strip()
            log.warnings[text] = log.warnings.get(text, 0) + 1
