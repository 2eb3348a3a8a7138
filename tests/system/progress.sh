#!/usr/bin/env bash
# Rank 0 alone tells how a run gets on. Whatever it asks for that, the others must not be needed: else the run hangs at its
# first line of progress, or goes on with other numbers. So both engines run with a live line, which comes five times a
# second, and end with the bits of a silent run.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >case.toml <<'END'
title = "Grains that fall into a box"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.1, 0.1, 0.2]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.5
restitution = 0.3
restitution_speed = 0.02
stiffness = 1e5
[[particles]]
generator = "random"
count = 700
size = { distribution = "uniform", min = 0.009, max = 0.011 }
[solver]
max_sweeps = 60
[time]
max_step = 2e-4
[[stage]]
name = "settle"
duration = 0.01
until_balance = 1e-6
[[stage]]
name = "wait"
duration = 0.01
until_speed = 1e-9
END

declare -A seconds=([rigid]=0.2 [soft]=0.2) # simulated; some of computing
for engine in rigid soft; do
    for progress in live none; do
        log=$engine-$progress
        timeout 60 "${mpirun[@]}" -n 2 "$TAMP" run case.toml --set engine=$engine --set "stage[0].duration=${seconds[$engine]}" \
            --progress $progress --output $log >$log.log 2>&1 ||
            { tail -c 2000 $log.log; fail "$engine grains with --progress $progress do not end well"; }
    done
    lines=$({ grep -o ETA $engine-live.log || true; } | wc -l)
    ((lines >= 3)) || fail "only $lines lines of progress with $engine grains: the run is too short to show anything"
    [[ -n $(hash_in $engine-none.log) && $(hash_in $engine-live.log) == "$(hash_in $engine-none.log)" ]] ||
        fail "$engine grains have other bits when progress is shown"
done
