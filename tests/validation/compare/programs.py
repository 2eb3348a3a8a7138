"""Runs tamp, LAMMPS and LIGGGHTS in a folder of their own."""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import grain_files  # noqa: E402


def run(command, folder):
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}")


def value(python):
    """As TOML."""
    return f'"{python}"' if isinstance(python, str) else repr(python)


def keys(table):
    return "\n".join(f"{key} = {value(entry)}" for key, entry in table.items())


def run_tamp(tamp, folder, case):
    """Of a text with the case; returns the folder of its results."""
    (folder / "case.toml").write_text(case, encoding="utf-8")
    run([tamp, "run", "case.toml", "--output", "run", "--progress", "none"], folder)
    return folder / "run"


def run_script(program, folder, lines):
    """Of LAMMPS or LIGGGHTS; returns the tables that it dumped to dump.txt."""
    (folder / "in.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    run([program, "-in", "in.txt", "-log", "none"], folder)
    return grain_files.read_dump(folder / "dump.txt")
