# shellcheck shell=bash disable=SC2034
# For the scripts of this folder, which source it: a folder to work in, the launcher, and how to fail. Not executable,
# hence no test of its own.
#
# Needs TAMP (the executable); TAMP_SOURCE_DIR and MPIRUN have defaults.

set -euo pipefail

: "${TAMP:?set TAMP to the executable}"
: "${TAMP_SOURCE_DIR:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
read -r -a mpirun <<<"${MPIRUN:-mpirun --oversubscribe}"
python=/usr/bin/python3 # Debian's, which sees Debian's h5py and Matplotlib
[[ -x $python ]] || python=python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

skip() {
    printf '%s: skipped: %s\n' "$(basename "$0")" "$*"
    exit 77
}

# expect CODE TEXT COMMAND...: the command ends with this exit code and says this once.
expect() {
    local code=$1 text=$2 found=0
    shift 2
    timeout 60 "$@" >log 2>&1 </dev/null || found=$?
    [[ $found == "$code" ]] || { cat log; fail "exit code $found instead of $code: $*"; }
    [[ $(grep -c -F -e "$text" log) == 1 ]] || { cat log; fail "\"$text\" is not said once: $*"; }
}

# hash_in LOG: the state hash that a run printed
hash_in() { sed -n 's/^state hash: \([0-9a-f]\{32\}\)$/\1/p' "$1"; }

# same_snapshots FOLDER FOLDER: all can be read, and differ in nothing but the number of ranks
same_snapshots() {
    local file
    diff <(ls "$1/snapshots") <(ls "$2/snapshots") || fail "$2 has other snapshots than $1"
    for file in "$1"/snapshots/*; do
        h5diff "$file" "$2/snapshots/$(basename "$file")" >differences 2>&1 || true
        ! grep -qv 'ranks of\|differences found' differences || fail "$2: another $file: $(cat differences)"
    done
}
