#!/usr/bin/python3
"""Compares soft grains with LAMMPS (Debian: lammps) and LIGGGHTS (Debian: liggghts), which nobody here wrote.

    ./tests/validation/lammps.py [--tamp build/tamp] [--seeds 6] [PART…]

  part        program    compares
  pairs       LAMMPS     forces of 40 random pairs
  path        LAMMPS     forces along an oblique loading and unloading, with slip, step by step
  settling    LAMMPS     packings of 1000 grains, over several starts
  hysteresis  LIGGGHTS   forces along collisions by S. Luding's law, step by step

compare/laws.py and compare/hysteresis.py say which laws are the same, by which numbers, and where they differ. Exits with
77 if none of the parts can run, because a program or h5py is not installed.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent)) # grain_files
from compare import hysteresis, pairs, path, settling  # noqa: E402

# part -> (program, Debian package, function of tamp, that program and the options)
PARTS = {
    "pairs": ("lmp", "lammps", lambda tamp, other, _: pairs.check(tamp, other)),
    "path": ("lmp", "lammps", lambda tamp, other, _: path.check(tamp, other)),
    "settling": ("lmp", "lammps", lambda tamp, other, options: settling.check(tamp, other, options.seeds)),
    "hysteresis": ("liggghts", "liggghts", lambda tamp, other, _: hysteresis.check(tamp, other)),
}


def missing(program, package):
    try:
        import h5py  # noqa: F401
    except ImportError:
        return "h5py (Debian: python3-h5py)"
    return None if shutil.which(program) else f"{program} (Debian: {package})"


def main():
    parser = argparse.ArgumentParser(description="Soft grains against LAMMPS and LIGGGHTS.")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    parser.add_argument("--seeds", type=int, default=6, help="starts of the settling grains, at least 2")
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS))
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown or options.seeds < 2:
        parser.error(f"no part named {', '.join(unknown)}" if unknown else "--seeds must be at least 2")
    ran, good = False, True
    for part in options.parts or PARTS:
        program, package, check = PARTS[part]
        if lacks := missing(program, package):
            print(f"{part}: skipped: {lacks} is not installed")
            continue
        ran = True
        if not check(Path(options.tamp).resolve(), shutil.which(program), options):
            print(f"{part}: FAILED")
            good = False
    return 77 if not ran else 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
