"""Files are written aside and renamed when they are whole, and only files of ours are replaced."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from problems import FileProblem, InputProblem

MARK = b"made by tamp report"  # in every file that `tamp report` writes


def refuse_foreign(path: Path) -> None:
    """Stops if there is something at this path that is not ours, or if nothing can be written there."""
    if path.is_dir():
        raise InputProblem(f"{path}: this is a folder; name a file")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK | os.X_OK):
        why = "cannot be written to" if path.parent.is_dir() else "is not a folder"
        raise FileProblem(f"{path}: cannot write this file: {path.parent} {why}")
    if not os.path.lexists(path):
        return
    try:
        ours = path.is_file() and MARK in path.read_bytes()
    except OSError as error:
        raise FileProblem(f"{path}: cannot read this file: {error.strerror}") from error
    if not ours:
        raise InputProblem(f"{path}: this file was not made by tamp report and is not overwritten; "
                           "choose another name or remove it")


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path beside the one wanted; what is written there gets the right name at the end, or vanishes."""
    aside = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(descriptor)
        aside = Path(name)
        yield aside
        with open(aside, "rb+") as file:
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(aside, 0o666 & ~umask)  # mkstemp makes files that others cannot read
        os.replace(aside, path)
        aside = None
    except OSError as error:
        raise FileProblem(f"{path}: cannot write this file: {error.strerror or error}") from error
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)
