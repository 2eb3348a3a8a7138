#!/usr/bin/env bash
# Builds tamp and all tests, warnings as errors, and runs the tests. Arguments go to ctest: tests/run.sh -R unit

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$root/cmake/setup.sh" tests
exec ctest --test-dir "$root/build" --output-on-failure --no-tests=error --parallel "$(nproc)" "$@"
