# shellcheck shell=bash disable=SC2034,SC2153
# For the scripts of this folder: a folder to work in, a display, and checks.

set -euo pipefail

if [[ ${DISPLAY:-} != :* ]] && ! command -v Xvfb >/dev/null; then
    echo "skipped: there is no X display of this machine and no Xvfb to provide one"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra mpirun <<<"$MPIRUN"
failed=0

# draw RANKS FOLDER ARGUMENTS...
draw() {
    local ranks=$1 folder=$2
    shift 2
    "$TAMP_SOURCE_DIR/jobscripts/with-display.sh" "${mpirun[@]}" -n "$ranks" "$DRAW" "$folder" "$@"
}

# check WORDS...: the condition of an awk program, and what it means
check() {
    local condition=$1 meaning=$2
    if awk "BEGIN { exit !($condition) }"; then
        echo "ok: $meaning ($condition)"
    else
        echo "FAILED: $meaning ($condition)"
        failed=1
    fi
}

# contains FILE TEXT
contains() {
    if grep -qF -- "$2" "$1"; then
        echo "ok: says '$2'"
    else
        echo "FAILED: does not say '$2'; it says:"
        sed 's/^/    /' "$1"
        failed=1
    fi
}
