#!/usr/bin/env bash
# ./tests/bench/run.sh [NAME…]: measures the speed of this machine and this build, prints a table and writes
# build/bench.json. Names: sweep step ranks memory settle million laws snapshot (default: all; about 8 minutes).
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake/setup.sh tests
exec python3 tests/bench/table.py build "$@"
