#!/usr/bin/env bash
# The slump study in small: one pile, without cohesion and with a lot of it.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$python" -c 'import h5py, matplotlib' 2>/dev/null || skip "$python has no h5py or no matplotlib"
here=$TAMP_SOURCE_DIR/inputs/slump
study() {
    "$here/run.py" --tamp "$TAMP" --output "$work/study" --piles 1 --bond 0 20 --step 1e-3 --impulse --convergence 0
}
study
[[ $(head -c 4 "$work/study/slump.png" | tail -c 3) == PNG ]] || fail "slump.png is not a picture"
# bond, time step, threshold, pile, slump, overlap
awk -F, '
    NR > 1 && $3 == "force" { slump[$1 + 0] = $5; overlap[$1 + 0] = $6 + 0; rows++ }
    END {
        if (rows != 2) { print "expected two runs, got " rows; exit 1 }
        if (slump[0] < 0.2 || slump[0] > 0.45) { print "without cohesion the pile slumps by " slump[0]; exit 1 }
        if (slump[20] > 0.1) { print "at Bond 20 it slumps by " slump[20]; exit 1 }
        if (overlap[20] > 1e-3 || overlap[20] <= 0) { print "mean overlap " overlap[20]; exit 1 }
    }' "$work/study/runs.csv" || fail "see above"

# A second call finds everything there.
report=$work/study/pile-1/bond0-step0.001-force/report.json
touch -d '2001-01-01' "$report"
study >/dev/null
[[ $(stat -c %Y "$report") -lt 1000000000 ]] || fail "a finished run was run again"

# Runs of another program are not mixed with those of this one.
sed -i 's/"program": "[^"]*"/"program": "another"/' "$work/study/made_by.json"
if study >"$work/refused.log" 2>&1; then fail "runs of another program were taken"; fi
grep -q 'runs of another program' "$work/refused.log" || fail "no word about another program"

# The comparison of --confirm: one changed digit is found; on another machine only what error bars do not explain.
PYTHONDONTWRITEBYTECODE=1 "$python" - "$here" <<'END' || fail "the comparison of --confirm is wrong"
import sys
sys.path.insert(0, sys.argv[1])
from tables import differences
runs = {(pile, 10, 1e-3): {"slump": 0.1 + 0.01 * pile, "overlap": 1e-6, "sweeps": 5, "capped": 0} for pile in range(20)}
sample = {key: dict(runs[key]) for key in list(runs)[:2]}
assert not differences(runs, sample, True)
sample[0, 10, 1e-3]["slump"] += 1e-9
assert len(differences(runs, sample, True)) == 1
assert not differences(runs, sample, False)
sample[0, 10, 1e-3]["slump"] += 0.5
assert len(differences(runs, sample, False)) == 1
END
