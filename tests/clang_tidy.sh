#!/usr/bin/env bash
# clang-tidy, with the checks of .clang-tidy, on the modules that it gets through in about a minute on two cores. Others
# by hand, for example: clang-tidy -p build src/io/reader.cpp. What includes base/pack.hpp (laws, solver) it cannot read:
# clang lacks some of the vector functions of g++.
#
# Needs compile_commands.json in TAMP_BUILD_DIR. Skipped without clang-tidy.

set -euo pipefail

modules=(base mpi materials boundaries domain contacts protocol)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v clang-tidy >/dev/null; then
    echo "skipped: clang-tidy is not installed (Debian: clang-tidy)"
    exit 77
fi
mapfile -t sources < <(find "${modules[@]/#/src/}" -name '*.cpp' | sort)
echo "${#sources[@]} sources of ${modules[*]}"
# On its error stream it counts the warnings in headers of others, which it does not show.
printf '%s\n' "${sources[@]}" |
    xargs -P "$(nproc)" -n 1 clang-tidy --quiet --warnings-as-errors='*' -p "${TAMP_BUILD_DIR:-build}" 2>/dev/null
