#!/usr/bin/env python3
"""Checks that sources which may fuse a multiplication with an addition share no inline function with others.

    tests/fused_symbols.py LIBRARY.a

The linker keeps one copy of an inline function, whichever source it comes from. A copy that fuses must not reach code
whose bits rest on not fusing, nor the other way round: it has to have a name of its own.
"""

import subprocess
import sys

FUSED = {"kernel.cpp.o", "look_kernel.cpp.o"}


def shared_functions(library):
    """Weak functions of the fused sources whose names do not say so."""
    listing = subprocess.run(["nm", "--demangle", "--defined-only", library], capture_output=True, text=True, check=True)
    member, found, seen = "", [], set()
    for line in listing.stdout.splitlines():
        if line.endswith(".o:"):
            member = line[:-1]
            seen |= {member} & FUSED
        parts = line.split(maxsplit=2)
        if member in FUSED and len(parts) == 3 and parts[1] in "Ww" and "tamp::fused::" not in parts[2]:
            found.append(parts[2])
    if seen != FUSED:
        sys.exit(f"{library} has no {FUSED - seen}: name the sources that may fuse in {__file__}")
    return found


functions = shared_functions(sys.argv[1])
for function in functions:
    print(f"a source that may fuse shares an inline function with others: {function}")
sys.exit(1 if functions else 0)
