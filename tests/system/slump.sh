#!/usr/bin/env bash
# The slump study in small: one pile, without cohesion and with a lot of it.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$python" -c 'import h5py, matplotlib' 2>/dev/null || skip "$python has no h5py or no matplotlib"
study() {
    "$TAMP_SOURCE_DIR/inputs/slump/run.py" --tamp "$TAMP" --output "$work" --states 1 --bond 0 20 --step 1e-3
}
study
for figure in slump overlap threshold; do
    [[ $(head -c 4 "$work/$figure.png" | tail -c 3) == PNG ]] || fail "$figure.png is not a picture"
done
# bond, time step, threshold, pile, slump, overlap
awk -F, '
    NR > 1 && $3 == "force" { slump[$1 + 0] = $5; overlap[$1 + 0] = $6 + 0; rows++ }
    END {
        if (rows != 2) { print "expected two runs, got " rows; exit 1 }
        if (slump[0] < 0.2 || slump[0] > 0.45) { print "without cohesion the pile slumps by " slump[0]; exit 1 }
        if (slump[20] > 0.1) { print "at Bond 20 it slumps by " slump[20]; exit 1 }
        if (overlap[20] > 1e-3 || overlap[20] <= 0) { print "mean overlap " overlap[20]; exit 1 }
    }' "$work/slump.csv" || fail "see above"

# A second call finds everything there.
report=$work/pile-1/bond0-step0.001-force/report.json
touch -d '2001-01-01' "$report"
study >/dev/null
[[ $(stat -c %Y "$report") -lt 1000000000 ]] || fail "a finished run was run again"
