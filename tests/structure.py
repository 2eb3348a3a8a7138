#!/usr/bin/env python3
"""Checks that the tree keeps its shape: include order, who may call MPI or name an engine, one home for each type, layout,
file lengths, tests that return early, presets of CMake."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A file may include its own module and modules of earlier rows, never its row's other modules or later rows.
LEVELS = [
    ["base"],
    ["mpi"],
    ["geometry", "materials"],
    ["laws"],
    ["particles", "boundaries"],
    ["domain"],
    ["contacts"],
    ["world"],
    ["solver", "soft"],
    ["engine"],
    ["measure"],
    ["io", "insitu"],
    ["fclib"],
    ["protocol"],
    ["config", "app"],
]
LEVEL = {module: level for level, row in enumerate(LEVELS) for module in row}

# (including module, included module) -> reason
INCLUDE_EXCEPTIONS = {
    ("app", "config"): "the command line reads the case; nothing else knows how a case is written",
}

# (module, module that it may not include although that comes before it) -> reason
FORBIDDEN = {
    **{(module, engine): "whoever only looks takes a World and contact forces, never an engine"
       for module in ("measure", "io", "insitu") for engine in ("engine", "solver", "soft")},
    ("config", "engine"): "a case says what is wanted; the application chooses who does it",
    ("protocol", "engine"): "walls, cells and stages are told the same things, whatever moves the world",
}

# Only these may name one of the engines: the engines themselves, and what chooses between them.
ENGINE_NAMES = re.compile(r"\b(RigidEngine|SoftEngine)\b")
MAY_NAME_ENGINES = ("engine",)

# module -> reason
MAY_CALL_MPI = {
    "mpi": "wraps MPI and PETSc for everybody else",
    "io": "parallel HDF5 takes a communicator",
    "insitu": "Catalyst takes a communicator",
    "app": "main starts and ends MPI and PETSc",
}

# path of one file -> reason; for a file outside of the modules above
MPI_EXCEPTIONS: dict[str, str] = {}

TOP_LEVEL = {
    "src", "include", "inputs", "jobscripts", "tests", "cmake",
    "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE",
}

LONGEST = 400
CODE_FOLDERS = ["src", "include", "tests", "cmake", "jobscripts"]
CODE_SUFFIXES = {".cpp", ".hpp", ".h", ".py", ".sh", ".cmake", ".txt"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENS_NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]*) ?\{$")
DEFINES_TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (?:alignas\([^)]*\) )?(\w+)(?!\w|::)[^;]*$")
MPI_HEADER = re.compile(r"^(mpi\.h|mpi-ext\.h|petsc.*\.(h|hpp))$")


def module_of(path: Path) -> str | None:
    """The module of a file in src/ or include/tamp/, else None."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "tamp") and len(parts) > 3:
        return parts[2]
    return None


def included_module(file: Path, name: str) -> str | None:
    """The module that an include of ours points to; None for the headers of others."""
    if name.startswith("tamp/"):
        return name.split("/")[1]
    beside = (file.parent / name).resolve()
    return module_of(beside) if beside.is_file() and beside.is_relative_to(ROOT) else None


def includes(file: Path) -> list[tuple[int, str]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    matches = ((number, INCLUDE.match(line)) for number, line in enumerate(lines, 1))
    return [(number, match[2]) for number, match in matches if match]


def check_includes(file: Path) -> list[str]:
    here = file.relative_to(ROOT).as_posix()
    module = module_of(file)
    if module not in LEVEL:
        return [f"{here}: not in the folder of a known module ({', '.join(LEVEL)})"]
    problems = []
    for number, name in includes(file):
        where = f"{here}:{number}"
        if MPI_HEADER.match(name) and module not in MAY_CALL_MPI and here not in MPI_EXCEPTIONS:
            problems.append(f"{where}: includes <{name}>; only {', '.join(MAY_CALL_MPI)} call MPI and PETSc")
        other = included_module(file, name)
        if other is None or other == module or (module, other) in INCLUDE_EXCEPTIONS:
            continue
        if other not in LEVEL:
            problems.append(f"{where}: includes {name}, of no known module")
        elif (module, other) in FORBIDDEN:
            problems.append(f"{where}: {module} may not include {other} ({name}): {FORBIDDEN[module, other]}")
        elif LEVEL[other] >= LEVEL[module]:
            problems.append(f"{where}: {module} may not include {other} ({name}); includes point up the list of modules")
    if module not in MAY_NAME_ENGINES:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if ENGINE_NAMES.search(line):
                problems.append(f"{here}:{number}: only {', '.join(MAY_NAME_ENGINES)}/ names an engine; take an Engine")
    return problems


def check_types() -> list[str]:
    """Two types of one name that meet in one program break the one-definition rule, and neither compiler nor linker says
    so. Types in unnamed namespaces are each file's own."""
    homes: dict[str, list[str]] = {}
    for file in sorted(f for top in ("src", "include", "tests") for f in (ROOT / top).rglob("*") if f.suffix in {".cpp", ".hpp"}):
        spaces: list[str] = []
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if match := OPENS_NAMESPACE.match(line):
                spaces.append(match[1])
            elif line.startswith("} // namespace"):
                spaces.pop()
            elif (match := DEFINES_TYPE.match(line)) and "" not in spaces:
                homes.setdefault("::".join([*spaces, match[1]]), []).append(f"{file.relative_to(ROOT).as_posix()}:{number}")
    return [f"{name}: defined in {' and '.join(places)}; give one of them another name"
            for name, places in homes.items() if len(places) > 1]


def check_layout() -> list[str]:
    """Only what git tracks counts, so that a user's own files do not matter; without git there is nothing to check."""
    try:
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"top-level layout not checked: {error}")
        return []
    tops = {path.split("/")[0] for path in listing.stdout.split("\0") if path}
    strangers = sorted(top for top in tops if top not in TOP_LEVEL and not top.startswith("."))
    return [f"{top}: does not belong at the top level" for top in strangers]


def check_lengths() -> list[str]:
    problems = []
    for folder in CODE_FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix in CODE_SUFFIXES:
                length = len(file.read_text(encoding="utf-8", errors="replace").splitlines())
                if length > LONGEST:
                    problems.append(f"{file.relative_to(ROOT)}: {length} lines; split by idea past {LONGEST}")
    return problems


def check_early_returns() -> list[str]:
    """A test that returns early passes without a word; GTEST_SKIP says why, and is counted."""
    problems = []
    for file in sorted((ROOT / "tests").rglob("*.cpp")):
        inside, opener = False, ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("TEST"):
                inside = True
            elif line.startswith("}"):
                inside = False
            if re.match(r" {4}\S", line):
                opener = line.strip()
            if inside and re.match(r" {8}return;", line) and opener.startswith(("if", "}")):
                problems.append(f"{file.relative_to(ROOT)}:{number}: a test that returns passes; use GTEST_SKIP, or split it")
    return problems


def check_presets() -> list[str]:
    """Make builds with one job unless told otherwise; Ninja uses all cores."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    return [f"CMakePresets.json: the preset {preset['name']} does not name Ninja as its generator"
            for preset in presets["configurePresets"] if preset.get("generator") != "Ninja"]


def main() -> int:
    sources = [f for top in ("src", "include") for f in sorted((ROOT / top).rglob("*")) if f.suffix in {".cpp", ".hpp", ".h"}]
    problems = [problem for file in sources for problem in check_includes(file)]
    problems += check_types() + check_layout() + check_lengths() + check_early_returns() + check_presets()
    print("\n".join(problems) if problems else f"{len(sources)} sources in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
