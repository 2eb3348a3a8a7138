#!/usr/bin/env bash
# tamp leaves the displays of the machine alone: hwloc, which looks at the hardware for MPI, would ask all of them, also
# those of other users. Who wants that says so in HWLOC_COMPONENTS.

set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$work/said"
    exit 1
}

env -u HWLOC_COMPONENTS HWLOC_COMPONENTS_VERBOSE=1 "$TAMP" --version >"$work/said" 2>&1 || fail "tamp --version"
if ! grep -q "Registered discovery component .gl'" "$work/said"; then
    echo "skipped: this hwloc has no part that asks displays"
    exit 77
fi
grep -q "Enabling discovery component .gl'" "$work/said" && fail "displays were asked"
HWLOC_COMPONENTS=gl,linux HWLOC_COMPONENTS_VERBOSE=1 "$TAMP" --version >"$work/said" 2>&1 || fail "tamp --version"
grep -q "Enabling discovery component .gl'" "$work/said" || fail "the user's HWLOC_COMPONENTS was replaced"
echo "displays are left alone"
