#!/usr/bin/env bash
# tamp replaces functions of one version of ParaView. Another version is left as it is: pictures are drawn, and a warning
# tells what to look out for.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

draw 2 "$work/known" lattice good=particles >"$work/said" 2>&1 || check "0 > 1" "the run ends with 0"
check "$(grep -c warning "$work/said" || true) == 0" "warnings with the version that tamp was made for"

export LD_PRELOAD=$OTHER_PARAVIEW
draw 2 "$work/other" lattice frames:2 good=particles >"$work/said" 2>&1 || check "0 > 1" "the run ends with 0"
unset LD_PRELOAD
contains "$work/said" "this is ParaView 5.99."
contains "$work/said" "tamp corrects the pictures of ParaView 5.11 only"
check "$(grep -c warning "$work/said") == 1" "it is said once"
check "$(find "$work/other" -name '*.png' | wc -l) == 2" "pictures are drawn all the same"
exit "$failed"
