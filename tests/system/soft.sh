#!/usr/bin/env bash
# Soft grains from the outside: the same bits on any number of ranks, stopped and resumed, started from a file of their
# own, and the same case with either engine.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >press.toml <<'END'
title = "Soft grains under a piston"
engine = "soft"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.006, 0.006, 0.012]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.5
restitution = 0.4
rolling_ratio = 0.05
stiffness = 500
[[particles]]
generator = "random"
fraction = 0.3
upper = [0.006, 0.006, 0.010]
speed = 0.1
size = { distribution = "uniform", min = 0.0009, max = 0.0011 }
[[wall]]
name = "lid"
point = [0, 0, 0.0115]
normal = [0, 0, -1]
mass = 1e-4
damping = 0.05
[[stage]]
name = "settle"
duration = 0.01
[[stage]]
name = "press"
duration = 0.01
wall = [{ name = "lid", stress = 200 }]
[snapshots]
interval = 0.005
END

# ---- What check tells ---------------------------------------------------------------------------------------------
expect 0 "restitution 0.400" "$TAMP" check press.toml
expect 0 "the shortest contact time" "$TAMP" check press.toml
expect 0 "is too soft for its load" "$TAMP" check press.toml --set 'material[0].stiffness=0.5'

# ---- The same bits on any number of ranks, and after a stop ---------------------------------------------------------
for ranks in 1 2 3 4; do
    timeout 300 "${mpirun[@]}" -n $ranks "$TAMP" run press.toml --output run-$ranks >log-$ranks 2>&1 ||
        { cat log-$ranks; fail "on $ranks ranks"; }
    [[ -n $(hash_in log-1) && $(hash_in log-$ranks) == "$(hash_in log-1)" ]] || fail "other bits on $ranks ranks"
done
grep -q "M particle-steps/s" log-1 || fail "the summary does not tell the speed"
grep -q "sweeps" log-1 && fail "soft grains have no sweeps"
expect 0 "state hash" "${mpirun[@]}" -n 2 "$TAMP" run press.toml --output parts --until 0.004
expect 0 "state hash" "${mpirun[@]}" -n 3 "$TAMP" resume parts --until 0.013
expect 0 "$(hash_in log-1)" "$TAMP" resume parts

# ---- Files ------------------------------------------------------------------------------------------------------------
grep -q "elastic energy \[J\]" run-1/series.csv || fail "the series has no elastic energy"
expect 0 "contacts/sliding_spring" "$TAMP" info run-1/stage-2-press.h5
sed -e '/^generator/,/^size/d' -e 's|^\[\[particles\]\]|[[particles]]\ngenerator = "file"\nwalls = true\npath = "run-1/stage-2-press.h5"|' \
    press.toml >again.toml
expect 0 "walls that stand where the file had them" "$TAMP" run again.toml --output again

# ---- Grains that grow, beyond the tiles that were made for them ---------------------------------------------------------
cat >grow.toml <<'END'
title = "Growing grains"
engine = "soft"
[domain]
lower = [0, 0, 0]
upper = [12.5e-6, 12.5e-6, 12.5e-6]
boundary = ["periodic", "periodic", "periodic"]
[[material]]
name = "powder"
density = 2000
normal_law = "adhesive"
stiffness = 0.2e-7
unloading_stiffness = 1e-7
adhesion_stiffness = 1e-7
plasticity_depth = 0.05
viscosity = 2e-13
friction = 1
sliding_stiffness = 0.2e-7
[soft]
background_viscosity = 2e-14
background_rotation_viscosity = 1e-14
[time]
max_overlap = 0.5
[[particles]]
generator = "lattice"
spacing = 2e-6
jitter = 0.5
speed = 1e-3
size = { distribution = "uniform", min = 0.9e-6, max = 1.1e-6 }
[[stage]]
name = "grow"
duration = 1
growth_rate = 2e-5
until_fraction = 0.4
[[stage]]
name = "touch"
duration = 1
relative_growth_rate = 10
until_coordination = 5.5
[[stage]]
name = "rest"
duration = 1
until_energy_ratio = 0.1
END
for ranks in 1 2 3; do
    timeout 300 "${mpirun[@]}" -n $ranks "$TAMP" run grow.toml --output grow-$ranks >grow-log-$ranks 2>&1 ||
        { cat grow-log-$ranks; fail "growth on $ranks ranks"; }
    [[ -n $(hash_in grow-log-1) && $(hash_in grow-log-$ranks) == "$(hash_in grow-log-1)" ]] ||
        fail "other bits of growing grains on $ranks ranks"
done
grep -q "grow: ended by the volume fraction .* volume fraction 0.400" grow-log-1 || fail "no end by the volume fraction"
grep -q "touch: ended by the coordination number .* coordination 5\.[5-9]" grow-log-1 ||
    fail "no end by the coordination number"
grep -q "rest: ended by the energy ratio" grow-log-1 || fail "no end by the energy ratio"
grep -q "energy ratio" grow-1/series.csv || fail "the series has no energy ratio"
expect 0 " 4 x 4 x 4 tiles" "$TAMP" check grow.toml
grep -q " 8 tiles" grow-log-1 || fail "tiles were not made anew"
expect 0 "state hash" "${mpirun[@]}" -n 2 "$TAMP" run grow.toml --output grow-parts --until 0.005
expect 0 "state hash" "${mpirun[@]}" -n 3 "$TAMP" resume grow-parts --until 0.02
expect 0 "$(hash_in grow-log-1)" "$TAMP" resume grow-parts
# What a check cannot know: a wall that moves leaves no fraction to reckon with.
expect 4 "particles have grown too large for the box" "$TAMP" run grow.toml --output too-large --set 'time.max_overlap=0' \
    --set 'stage=[{name="grow",duration=1,relative_growth_rate=100,until_balance=1e-9}]'

# ---- The same case with rigid grains ------------------------------------------------------------------------------------
expect 0 "stiffness: has no effect with engine = \"rigid\"" "$TAMP" check press.toml --set engine=rigid
expect 0 "contact updates/s in the steps" "$TAMP" run press.toml --set engine=rigid --output rigid
