#!/usr/bin/env bash
# A stage ends where its limits say, whatever is written and how often: until_fraction, until_speed and until_balance. A wall that a
# stage removes touches nothing any more.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >case.toml <<'END'
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.06, 0.06, 0.2]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "lattice"
count = 150
jitter = 0.5
lower = [0, 0, 0.05]
upper = [0.06, 0.06, 0.18]
size = { distribution = "mono", diameter = 0.01 }
[[wall]]
name = "lid"
point = [0, 0, 0.19]
normal = [0, 0, -1]
[solver]
tolerance = 1e-3
force_tolerance = 1e-2
[[stage]]
name = "settle"
duration = 2
until_speed = 0.05
[[stage]]
name = "lower"
duration = 2
until_fraction = 0.4
[[stage.wall]]
name = "lid"
velocity = [0, 0, -0.3]
END

run() { "$TAMP" run case.toml --progress none --output "out-$1" --set "output.series_every=$1" >"log-$1"; }
hash_of() { grep '^state hash:' "log-$1"; }

run 1
run 7
[ "$(hash_of 1)" = "$(hash_of 7)" ] || fail "the end of a stage depends on series_every"
grep -q 'settle: ended by rest at t = 0\.[0-9]' log-1 || fail "the stage did not end at rest: $(grep settle log-1)"
grep -q 'lower: ended by the volume fraction' log-1 || fail "the stage did not end at its volume fraction"
# It must have fallen before it counts as being at rest: 5 cm take 0.1 s.
awk -F, '$3 == 1 { t = $1 } END { exit t > 0.1 ? 0 : 1 }' out-1/series.csv || fail "it counted as rest before it fell"
awk -F, '$3 == 2 { f = $7 } END { exit f >= 0.4 && f < 0.41 ? 0 : 1 }' out-1/series.csv || fail "wrong volume fraction"

# A table tells what each stage came to, in a file and in the summary.
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
    NR == 2 { settled = $2 == "settle" && $3 == "rest" && $column["wall lid position [m]"] == 0.19 }
    NR == 3 { f = $column["volume fraction"]; lowered = $2 == "lower" && $3 == "the volume fraction" && f >= 0.4 && f < 0.41 }
    END { exit settled && lowered && NR == 3 ? 0 : 1 }' out-1/stages.csv || fail "wrong table of stages: $(cat out-1/stages.csv)"
grep -q '^  stage  *ended by  *time \[s\]' log-1 || fail "no table of stages in the summary"
grep -q '^  settle  *rest  ' log-1 || fail "the table of stages has no first stage"
grep -q '"name": "settle"' out-1/report.json || fail "no stages in report.json"

# Balance of forces: every grain is where its neighbours hold it, and the floor bears the weight.
sed 's/until_speed = 0.05/until_balance = 0.01/' case.toml >balance.toml
"$TAMP" run balance.toml --progress none --output out-balance >log-balance
grep -q 'settle: ended by balance at t = 0\.[0-9]' log-balance || fail "the stage did not end in balance: $(grep settle log-balance)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
    $column["stage"] == 1 { force = $column["force on z- [N]"]; unbalanced = $column["unbalanced force"] }
    END { exit unbalanced < 0.01 && force > 0.99 * 1.926 && force < 1.01 * 1.926 ? 0 : 1 }' out-balance/series.csv ||
    fail "the grains are not in balance with their weight of 1.926 N"

# Upside down the grains rest on the lid, which then vanishes: they fall on the wall z+ of the domain.
"$TAMP" run case.toml --progress none --output out-removed --set 'gravity=[0,0,9.81]' --set 'stage[1].duration=0.5' \
    --set 'stage[1].wall[0]={name="lid", remove=true}' >log-removed
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
    $3 == 1 { f = $column["force on lid [N]"] }
    END { exit f > 1.8 && f < 2.1 ? 0 : 1 }' out-removed/series.csv || fail "no rest on the lid"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
    $3 == 2 { f = $column["force on z+ [N]"]; lid = $column["force on lid [N]"] }
    END { exit f > 1.8 && f < 2.1 && lid == 0 ? 0 : 1 }' out-removed/series.csv ||
    fail "the lid is not removed: $(tail -n 1 out-removed/series.csv)"
