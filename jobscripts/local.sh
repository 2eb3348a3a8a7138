#!/usr/bin/env bash
# Builds tamp if need be and runs a case on this machine.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=jobscripts/job.sh
. "$root/jobscripts/job.sh"

usage() {
    cat <<EOF
usage: jobscripts/local.sh [CASE] [RANKS] [OPTIONS OF tamp run ...]

  CASE     the input, default inputs/compaction.toml
  RANKS    MPI processes, default the machine's cores, 8 at most
  OPTIONS  for example --set key=value

Installs what is missing (Debian), builds build/tamp, and starts: mpirun -n RANKS build/tamp run CASE
Where there is no display a virtual one is provided for pictures, see jobscripts/with-display.sh.
Ctrl-C ends the run with a checkpoint (exit code 75); build/tamp resume FOLDER goes on. A second Ctrl-C ends it at once.
TAMP_CATALYST=OFF in the environment does without ParaView and pictures.
EOF
}

# Hardware threads share a core's arithmetic units: a second rank on the same core only gets in the way.
physical_cores() {
    local cores=""
    if command -v lscpu >/dev/null; then
        cores=$(lscpu --parse=SOCKET,CORE 2>/dev/null | grep -v '^#' | sort -u | wc -l) || true
    fi
    local usable
    usable=$(nproc)
    if [[ -z $cores ]] || ((cores < 1 || cores > usable)); then
        cores=$usable
    fi
    echo "$cores"
}

case ${1:-} in
-h | --help)
    usage
    exit 0
    ;;
-*)
    usage >&2
    fail "the case comes first, then the number of ranks, then options such as $1"
    ;;
esac

cores=$(physical_cores)
find_case "${1:-$root/inputs/compaction.toml}"
ranks=${2:-$((cores < 8 ? cores : 8))}
shift $(($# < 2 ? $# : 2))

if [[ ! $ranks =~ ^[1-9][0-9]{0,5}$ ]]; then
    fail "the number of ranks must be a whole number from 1 on, not '$ranks'"
fi

"$root/cmake/setup.sh"

if [[ $(id -u) -eq 0 ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
mpi_options=()
if ((ranks > cores)); then
    mpi_options=(--oversubscribe --bind-to none)
    export OMPI_MCA_mpi_yield_when_idle=1 # a waiting rank must not keep the core from one that works
fi
# Pictures need a display. A build without ParaView draws none.
with_display=()
if grep -qx 'TAMP_CONFIGURED_PICTURES:INTERNAL=ON' "$root/build/CMakeCache.txt"; then
    with_display=("$root/jobscripts/with-display.sh")
fi
attend "${with_display[@]}" mpirun -n "$ranks" "${mpi_options[@]}" "$root/build/tamp" run "$case_file" "$@"
