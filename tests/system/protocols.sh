#!/usr/bin/env bash
# Stages that turn gravity, move and press walls by tables, and end by strain, stress, motion, number or all together: the same bits
# on 1, 2 and 3 ranks; stopped and killed in the middle of a ramp, a run goes on with the same bits; the energy budget stays closed.
#
# Needs what common.sh asks for, and h5py.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$python" -c 'import h5py' 2>/dev/null || skip "no h5py"

# case_of ENGINE LAWS SECTIONS LIMIT: grains in a box that is turned, sheared by its floor, pressed by a lid and opened
case_of() {
    cat <<END
engine = "$1"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.006, 0.006, 0.009]
boundary = ["wall", "periodic", "open"]
[[material]]
name = "glass"
density = 2500
friction = 0.4
$2
[[particles]]
generator = "random"
count = 150
upper = [0.006, 0.006, 0.008]
size = {distribution = "uniform", min = 0.9e-3, max = 1.1e-3}
[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
name = "lid"
point = [0, 0, 0.0085]
normal = [0, 0, -1]
$3
[output]
series_every = 3
[measure]
interval = 0.005
energy_budget = true
[checkpoint]
every = 40
[[stage]]
name = "turn"
duration = 0.02
gravity = { time = [0.002, 0.01, 0.03], value = [[0, 0, -9.81], [6, 0, -8], [0, 4, -9]] }
wall = [{ name = "floor", velocity = { time = [0, 0.01, 0.02], value = [[0, 0, 0], [0.1, 0, 0.02], [0, 0, 0]] } }]
[[stage]]
name = "press"
duration = 0.1
gravity = [0, 0, -9.81]
wall = [{ name = "floor", hold = true }, { name = "lid", mass = 1e-4, stress = { time = [0, 0.02], value = [100, 2000] } }]
until_stress = { wall = "lid", above = 1000, steps = 3 }
until_coordination = 3
until_all = true
[[stage]]
name = "squeeze"
duration = 0.1
wall = [{ name = "lid", velocity = [0, 0, -0.02] }]
until_strain = { wall = "lid", value = 0.01 }
[[stage]]
name = "wait"
duration = 0.02
wall = [{ name = "lid", hold = true }]
$4
[[stage]]
name = "open"
duration = 0.05
gravity = [0, 0, 9.81]
wall = [{ name = "lid", remove = true }]
until_count = { below = 140 }
END
}

# on RANKS COMMAND...
on() {
    timeout 300 "${mpirun[@]}" -n "$1" "$TAMP" "${@:2}" --progress none
}

# half_of FOLDER STAGE: a time in the middle of a stage, from the table of another run
half_of() {
    awk -F, -v name="$2" '$2 == name { print (before + $4) / 2 } { before = $4 }' "$1/stages.csv"
}

# check CASE END: of the stage that waits
check() {
    local name=$1 hash ranks stage
    for ranks in 1 2 3; do
        on "$ranks" run "$name.toml" --output "$name-$ranks" >"$name-$ranks.log" || fail "$name on $ranks ranks: $(cat "$name-$ranks.log")"
        [[ $(hash_in "$name-$ranks.log") == "$(hash_in "$name-1.log")" ]] || fail "$name: other bits on $ranks ranks"
    done
    hash=$(hash_in "$name-1.log")
    [[ -n $hash ]] || fail "$name: no hash"
    for stage in "turn,its duration" "press,all of its conditions" "squeeze,the strain" "wait,$2" \
        "open,the number of particles"; do
        grep -q "^[0-9]*,$stage," "$name-1/stages.csv" || fail "$name: a stage does not end as '$stage': $(cut -d, -f1-5 "$name-1/stages.csv")"
    done

    # Stopped in the middle of both ramps, on other numbers of ranks.
    on 2 run "$name.toml" --output "$name-parts" --until "$(half_of "$name-1" turn)" >parts.log
    on 3 resume "$name-parts" --until "$(half_of "$name-1" press)" >parts.log
    on 1 resume "$name-parts" --until "$(half_of "$name-1" squeeze)" >parts.log
    on 2 resume "$name-parts" >parts.log
    [[ $(hash_in parts.log) == "$hash" ]] || fail "$name: a run in pieces ends in another state"
    cmp "$name-1/series.csv" "$name-parts/series.csv" || fail "$name: another series after a stop"

    # Killed there; the last checkpoint lies within the ramp as well.
    local launcher pids
    "${mpirun[@]}" -n 2 "$TAMP" run "$name.toml" --output "$name-killed" --progress none >killed.log 2>&1 &
    launcher=$!
    for _ in $(seq 1000); do
        compgen -G "$name-killed/checkpoint-*.h5" >/dev/null && break
        sleep 0.01
    done
    pids=$(pgrep -P "$launcher" -x tamp || true)
    # shellcheck disable=SC2086 # several
    [[ -z $pids ]] || kill -KILL $pids 2>/dev/null || true
    wait "$launcher" 2>/dev/null || true
    on 3 resume "$name-killed" >killed.log
    [[ $(hash_in killed.log) == "$hash" ]] || fail "$name: a killed run ends in another state"
    cmp "$name-1/series.csv" "$name-killed/series.csv" || fail "$name: another series after a kill"

    "$python" - "$name" <<'END'
import sys, h5py, numpy
name = sys.argv[1]
gravity = {s: h5py.File(f"{name}-1/stage-{n}-{s}.h5").attrs["gravity"] for n, s in enumerate(["turn", "press"], 1)}
step = h5py.File(f"{name}-1/stage-1-turn.h5").attrs["time_step"]
expected = numpy.array([6, 0, -8]) + 0.5 * (numpy.array([0, 4, -9]) - [6, 0, -8])
assert numpy.abs(gravity["turn"] - expected).max() < 1e3 * step, gravity
assert (gravity["press"] == [0, 0, -9.81]).all(), gravity
series = h5py.File(f"{name}-1/series.h5")
error = numpy.abs(series["energy_error"][:]).max()
scale = numpy.abs(series["work_of_gravity"][:]).max() + numpy.abs(series["work_of_walls"][:]).max()
limit = 1e-6 if name == "rigid" else 0.02
assert error < limit * scale, (error, scale)
END
}

case_of rigid "" "[time]
max_step = 1e-4" "until_inertial_number = 0.5" >rigid.toml
case_of soft 'normal_law = "linear"
stiffness = 200
restitution = 0.5' '[time]
max_overlap = 0.3
[soft]
steps_per_contact = 20' "until_kinetic_energy = 1e-7" >soft.toml
check rigid "the inertial number"
check soft "the kinetic energy"

# A constant gravity that a case gives itself is one that a resumed run may change; one of a stage stays.
on 1 run rigid.toml --output changed --until 0.001 >changed.log
on 1 resume changed --until 0.0015 --set 'stage.turn.gravity.value[0]=[0,0,-5]' --force >changed.log
"$python" - <<'END'
import glob, h5py
newest = sorted(glob.glob("changed/checkpoint-*.h5"))[-1]
assert (h5py.File(newest).attrs["gravity"] == [0, 0, -5]).all(), h5py.File(newest).attrs["gravity"]
END
