#!/usr/bin/env bash
# What users see of walls. A stress acts on the cross-section of the shaft, and the summary says the same stress. Slanted
# walls count in the volume. A wall that is driven into particles stops the run with exit code 4, on any number of ranks
# with the same words, after a checkpoint that can be gone on from.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A shaft of 2 x 2 cm in a box of 10 x 10 cm.
cat >shaft.toml <<'END_OF_CASE'
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.1, 0.1, 0.08]
boundary = ["wall", "wall", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0
[[particles]]
generator = "lattice"
lower = [0.04, 0.04, 0]
upper = [0.06, 0.06, 0.04]
spacing = 0.01
size = { distribution = "mono", diameter = 0.01 }
[[wall]]
name = "left"
point = [0.04, 0, 0]
normal = [1, 0, 0]
[[wall]]
name = "right"
point = [0.06, 0, 0]
normal = [-1, 0, 0]
[[wall]]
name = "front"
point = [0, 0.04, 0]
normal = [0, 1, 0]
[[wall]]
name = "back"
point = [0, 0.06, 0]
normal = [0, -1, 0]
[[wall]]
name = "lid"
point = [0, 0, 0.0405]
normal = [0, 0, -1]
mass = 0.01
stress = 1000
[[stage]]
name = "press"
duration = 0.1
END_OF_CASE

# measured_on WALL LOG: the stress that the summary gives for it
measured_on() { sed -n "s/^ *wall $1 .* N from the particles (\([^ ]*\) Pa).*/\1/p" "$2"; }
# near A B: within 1 %
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit d * d < 1e-4 * b * b ? 0 : 1 }'; }

"$TAMP" run shaft.toml --progress none --output shaft >log-shaft
grep -q 'wall lid .* 0.4 N applied (1000 Pa)' log-shaft || fail "not 1000 Pa applied: $(grep 'wall lid' log-shaft)"
near "$(measured_on lid log-shaft)" 1000 || fail "not 1000 Pa measured: $(grep 'wall lid' log-shaft)"
# 16 spheres on a floor of 2 x 2 cm
near "$(measured_on z- log-shaft)" "$(awk 'BEGIN { print 1000 + 16 * 2500 * 9.81 * 3.14159265 / 6 * 1e-6 / 4e-4 }')" ||
    fail "wrong stress on the floor: $(grep 'wall z-' log-shaft)"

# The volume between slopes of 45 degrees that meet on the floor: half of 10 x 10 x 5 cm below, 10 x 10 x 3 above.
expect 0 'volume fraction 0.0163' "$TAMP" check shaft.toml \
    --set 'wall=[{name="a",point=[0.05,0,0],normal=[1,0,1]},{name="b",point=[0.05,0,0],normal=[-1,0,1]}]' \
    --set 'particles=[{generator="lattice",count=50,lower=[0.03,0.03,0.06],upper=[0.07,0.07,0.08],size={distribution="mono",diameter=0.007}}]'

# A lid is driven through a bed down to the floor.
cat >press.toml <<'END_OF_CASE'
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.05, 0.05, 0.1]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "lattice"
lower = [0, 0, 0]
upper = [0.05, 0.05, 0.03]
spacing = 0.01
size = { distribution = "mono", diameter = 0.01 }
[[wall]]
name = "lid"
point = [0, 0, 0.032]
normal = [0, 0, -1]
[solver]
max_sweeps = 50
[[stage]]
name = "crush"
duration = 0.5
[[stage.wall]]
name = "lid"
velocity = [0, 0, -0.2]
END_OF_CASE

expect 4 'more than time.max_overlap = 0.1' "$TAMP" run press.toml --progress none --output press
grep 'max_overlap' log >message-1
checkpoint=$(grep -o 'press/checkpoint-[0-9]*\.h5; to go on' message-1 | cut -d';' -f1)
[[ -f $checkpoint ]] || fail "there is no checkpoint '$checkpoint': $(cat message-1)"
grep -q "overlap by .* m after step [0-9]* (t = .* s): 0\.1[0-9]* of a diameter" message-1 || fail "$(cat message-1)"
[[ $(tail -n 1 press/series.csv | cut -d, -f2) -gt 0 ]] || fail "the series has no steps"
for ranks in 2 3; do
    expect 4 'more than time.max_overlap = 0.1' "${mpirun[@]}" -n "$ranks" "$TAMP" run press.toml --progress none \
        --output "press-$ranks"
    grep 'max_overlap' log | sed "s|press-$ranks|press|g" | diff - message-1 || fail "another message on $ranks ranks"
done

# Not even a checkpoint of every step holds a state beyond the limit: the last one is that of the step before.
expect 4 'more than time.max_overlap = 0.1' "$TAMP" run press.toml --progress none --output every --set checkpoint.every=1
step=$(sed -n 's/.* after step \([0-9]*\) .*/\1/p' log)
last=$(printf '%s\n' every/checkpoint-*.h5 | tail -n 1)
[[ $last == every/checkpoint-$(printf '%08d' $((step - 1))).h5 ]] || fail "$last is the last one, stopped after step $step"

# With the lid stopped in time, the checkpoint goes on to the end of the stage.
expect 0 'crush: ended by its duration' "$TAMP" resume "$checkpoint" --force --output held --progress none \
    --set 'stage[0].wall=[{name="lid", hold=true}]' --set stage[0].duration=0.1

# Without a limit walls must still leave room: the lid meets the floor.
expect 4 'the walls have passed each other and leave no room' "$TAMP" run press.toml --progress none --output through \
    --set time.max_overlap=0
grep -q "moving: 'lid'" log || fail "the wall is not named: $(cat log)"
