#!/usr/bin/env bash
# Walls of other shapes than planes from the outside, with both engines: a drum turns and gives the same bits on any number of
# ranks and after a stop, a die bears a part of what its piston applies, and a hopper empties when its slide is gone.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >material.txt <<'END'
gravity = [0, 0, -9.81]
[[material]]
name = "glass"
density = 2500
friction = 0.5
restitution = 0.3
restitution_speed = 0.05
END
soft=(--set engine=soft --set 'material[0].normal_law=linear' --set 'material[0].stiffness=500'
    --set 'material[0].sliding_stiffness=150' --set 'material[0].restitution_speed=0')

# ---- A drum with a blade that oscillates -------------------------------------------------------------------------------
cat material.txt - >drum.toml <<'END'
[domain]
lower = [-0.011, 0, -0.011]
upper = [0.011, 0.005, 0.011]
boundary = ["open", "periodic", "open"]
[[particles]]
generator = "random"
fraction = 0.3
size = { distribution = "uniform", min = 0.0009, max = 0.0012 }
[[wall]]
name = "drum"
shape = "cylinder"
point = [0, 0, 0]
axis = [0, 1, 0]
radius = 0.0105
[[wall]]
name = "rod"
shape = "sphere"
side = "outside"
point = [0.002, 0.0025, -0.004]
radius = 0.001
amplitude = [0, 0, 0.0005]
frequency = 40
[[stage]]
name = "settle"
duration = 0.02
[[stage]]
name = "turn"
duration = 0.03
wall = [{ name = "drum", rotation_speed = 6 }, { name = "rod", amplitude = [0.0005, 0, 0], frequency = 40 }]
[checkpoint]
every = 100
END
for engine in rigid soft; do
    options=()
    [[ $engine == rigid ]] || options=("${soft[@]}")
    for ranks in 1 2 3; do
        timeout 300 "${mpirun[@]}" -n $ranks "$TAMP" run drum.toml --progress none --output $engine-$ranks \
            "${options[@]}" >log-$ranks 2>&1 || { cat log-$ranks; fail "$engine on $ranks ranks"; }
        [[ -n $(hash_in log-1) && $(hash_in log-$ranks) == "$(hash_in log-1)" ]] ||
            fail "$engine: other bits on $ranks ranks"
    done
    grep -q 'wall drum .* N m about its axis, 6 rad/s' log-1 || fail "$engine: $(grep 'wall drum' log-1)"
    grep -q 'left the domain' log-1 && fail "$engine: grains left the drum"
    # From a checkpoint in the middle of turning, on another number of ranks.
    checkpoint=$(printf '%s\n' $engine-1/checkpoint-*.h5 | head -n 1)
    timeout 300 "${mpirun[@]}" -n 2 "$TAMP" resume "$checkpoint" --progress none --output $engine-again >log-again 2>&1 ||
        { cat log-again; fail "$engine: cannot go on"; }
    [[ $(hash_in log-again) == "$(hash_in log-1)" ]] || fail "$engine: other bits after going on"
    "$python" - $engine-1 <<'END' || fail "$engine: files"
import csv, h5py, numpy, sys
time, torque = "time [s]", "wall drum torque y [N m]"
rows = list(csv.DictReader(open(sys.argv[1] + "/series.csv")))
turning = [float(row[torque]) for row in rows if float(row[time]) > 0.03]
assert len(turning) > 3 and sum(turning) < 0, f"grains brake the drum: {turning}"
with h5py.File(sys.argv[1] + "/stage-2-turn.h5") as file:
    walls = file["walls"]
    names = [name.decode() for name in walls["name"][:]]
    drum = names.index("drum")
    assert walls["shape"][drum] == 3 and walls["radius"][drum] == 0.0105, "shape"
    assert walls["turning_speed"][drum] == 6, "speed"
    at, radius = file["particles/position"][:], file["particles/radius"][:]
    assert (numpy.hypot(at[:, 0], at[:, 2]) + radius).max() < 0.0105 + 1e-4, "grains are in the drum"
END
done

# Walls that stand where a file had them turn about axes that came along, on all ranks.
sed 's/^generator = .*/generator = "file"\npath = "rigid-1\/stage-2-turn.h5"\nwalls = true/; /^fraction/d; /^size/d
    s/^amplitude = .*/rotation_speed = 30\nrotation_axis = [0, 1, 0]\npivot = [0.004, 0.0025, -0.004]/; /^frequency/d
    s/, amplitude = [^}]*}/, rotation_speed = 20 }/; s/^point = \[0.002, 0.0025, -0.004\]/point = [0.002, 0.0025, -0.0035]/' \
    drum.toml >placed.toml
for ranks in 1 3; do
    timeout 300 "${mpirun[@]}" -n $ranks "$TAMP" run placed.toml --progress none --output placed-$ranks >log-$ranks 2>&1 ||
        { cat log-$ranks; fail "walls of a file on $ranks ranks"; }
done
[[ -n $(hash_in log-1) && $(hash_in log-3) == "$(hash_in log-1)" ]] || fail "walls of a file: other bits on 3 ranks"

# ---- A die ------------------------------------------------------------------------------------------------------------
cat material.txt - >die.toml <<'END'
[domain]
lower = [-0.004, -0.004, 0]
upper = [0.004, 0.004, 0.02]
boundary = ["open", "open", "wall"]
[[particles]]
generator = "random"
fraction = 0.3
upper = [0.004, 0.004, 0.0195]
size = { distribution = "uniform", min = 0.0009, max = 0.0011 }
[[wall]]
name = "die"
shape = "cylinder"
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.0038
[[wall]]
name = "lid"
point = [0, 0, 0.0195]
normal = [0, 0, -1]
mass = 1e-4
stress = 2000
[[stage]]
name = "press"
duration = 1
until_balance = 0.005
END
timeout 300 "$TAMP" run die.toml --progress none --output die --set solver.force_tolerance=0.01 >log 2>&1 || { cat log; fail "die"; }
# The lid covers the section of the die: pi 3.8^2 mm^2.
grep -q 'wall lid .* 0.0907292 N applied (2000 Pa)' log || fail "wrong force: $(grep 'wall lid' log)"
stress_on() { sed -n "s/^ *wall $1 .* N from the particles (\([^ ]*\) Pa).*/\1/p" log; }
awk -v lid="$(stress_on lid)" -v floor="$(stress_on z-)" 'BEGIN {
    exit lid > 1960 && lid < 2040 && floor < 0.8 * lid && floor > 0.02 * lid ? 0 : 1 }' ||
    fail "the die does not bear its part: $(grep 'wall' log)"

# ---- A hopper ---------------------------------------------------------------------------------------------------------
cat material.txt - >hopper.toml <<'END'
[domain]
lower = [-0.006, -0.006, 0]
upper = [0.006, 0.006, 0.02]
boundary = ["open", "open", "open"]
[[particles]]
generator = "random"
count = 250
lower = [-0.005, -0.005, 0.006]
upper = [0.005, 0.005, 0.02]
size = { distribution = "mono", diameter = 0.001 }
[[wall]]
name = "bin"
shape = "cylinder"
side = "inside"
point = [0, 0, 0.006]
axis = [0, 0, 1]
radius = 0.005
ends = [0, 0.014]
[[wall]]
name = "cone"
shape = "cone"
point = [0, 0, 0.003]
axis = [0, 0, 1]
radii = [0.0025, 0.005]
ends = [0, 0.003]
[[wall]]
name = "slide"
shape = "disc"
point = [0, 0, 0.003]
normal = [0, 0, 1]
radius = 0.0026
[[stage]]
name = "fill"
duration = 0.1
[[stage]]
name = "empty"
duration = 0.15
wall = [{ name = "slide", remove = true }]
END
timeout 300 "$TAMP" run hopper.toml --progress none --output hopper >log 2>&1 || { cat log; fail "hopper"; }
left=$(sed -n 's/.*WARNING *\([0-9]*\) particles left the domain.*/\1/p' log)
[[ ${left:-0} -ge 50 ]] || { cat log; fail "only ${left:-no} grains ran out"; }
timeout 300 "$TAMP" run hopper.toml --progress none --output shut --set 'stage[1].wall=[{name="slide",hold=true}]' >log 2>&1 ||
    { cat log; fail "shut hopper"; }
! grep -q 'left the domain' log || fail "grains ran out of a shut hopper: $(grep left log)"
