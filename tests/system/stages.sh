#!/usr/bin/env bash
# A stage ends where its limits say, whatever is written and how often: until_fraction and until_speed. A wall that a
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

# Upside down the grains rest on the lid, which then vanishes: they fall on the wall z+ of the domain.
"$TAMP" run case.toml --progress none --output out-removed --set 'gravity=[0,0,9.81]' --set 'stage[1].duration=0.5' \
    --set 'stage[1].wall[0]={name="lid", remove=true}' >log-removed
awk -F, '$3 == 1 { f = $18 } END { exit f > 1.8 && f < 2.1 ? 0 : 1 }' out-removed/series.csv || fail "no rest on the lid"
awk -F, '$3 == 2 { f = $17; lid = $18 } END { exit f > 1.8 && f < 2.1 && lid == 0 ? 0 : 1 }' out-removed/series.csv ||
    fail "the lid is not removed: $(tail -n 1 out-removed/series.csv)"
