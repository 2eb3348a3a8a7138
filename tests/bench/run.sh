#!/usr/bin/env bash
# ./tests/bench/run.sh [NAME…] [ASSUMPTION=VALUE…]: measures the speed of this machine and this build, prints a table and
# writes build/bench.json. Names: sweep step ranks memory settle million laws snapshot soft strong weak communication model
# (default: all; about 20 minutes). Only by name: soft_million (10^6 soft grains; minutes, 2 GB) and settle_engines (some 20
# minutes). soft and settle_engines compare with LAMMPS where that is installed. communication and model count on 1 to 4096 ranks
# that need not exist, and also write build/communication-{strong,weak}.csv, by rank and phase. What the model assumes of a
# cluster can be given: latency=1e-6 bandwidth=25e9 ranks_a_node=128 batch_seconds=80e-9 …; assumptions.cpp lists them,
# scaling_model/sweep_model.hpp explains them.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake/setup.sh tests
python=python3 # one that has h5py; Debian's has it, another one in the PATH may not
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
exec "$python" -B tests/bench/table.py build "$@"
