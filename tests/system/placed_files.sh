#!/usr/bin/env bash
# Packings of files that are copied, turned and shifted: copies touch as the packing did across its periodic borders, bonds last in all
# of them, velocities and spins turn, materials get other names; the same bits on any number of ranks.
#
# Needs what common.sh asks for, and h5py.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$python" -c 'import h5py' 2>/dev/null || skip "no h5py"

# run CASE FOLDER [RANKS]
run() {
    timeout 120 "${mpirun[@]}" -n "${3:-1}" "$TAMP" run "$1" --output "$2" --progress none >"$2.log" 2>&1 || { cat "$2.log" >&2; fail "$1"; }
}
said() { grep -q -F -e "$2" "$1.log" || { cat "$1.log" >&2; fail "\"$2\" is not said by $1"; }; }

# case_of LENGTHS BOUNDARY MATERIALS PARTICLES STEPS
case_of() {
    printf 'gravity = [0, 0, -9.81]\n[time]\nstep = 1e-5\n[domain]\nlower = [0, 0, 0]\nupper = [%s]\nboundary = [%s]\n' "$1" "$2"
    printf '%s\n%s\n[[stage]]\nname = "go"\nsteps = %s\n' "$3" "$4" "$5"
}
material() { printf '[[material]]\nname = "%s"\ndensity = %s\nfriction = 0.3\n%s\n' "$1" "$2" "${3:-}"; }
sticky=$'cohesion_force = 1e-4\ncohesion_range = 5e-5'
slab='"periodic", "periodic", "wall"'

# ---- copies ----------------------------------------------------------------------------------------------------
case_of "0.005, 0.005, 0.01" "$slab" "$(material clay 2000 "$sticky")" '[[particles]]
generator = "random"
fraction = 0.25
speed = 0.5
upper = [0.005, 0.005, 0.005]
size = { distribution = "mono", diameter = 1e-3 }' 1500 >first.toml
run first.toml first
from_file='[[particles]]
generator = "file"
path = "first/stage-1-go.h5"'
case_of "0.01, 0.015, 0.01" "$slab" "$(material clay 2000 "$sticky")" "$from_file
replicate = [2, 3, 1]" 1 >copies.toml
for ranks in 1 2 3; do
    run copies.toml "copies-$ranks" "$ranks"
    [[ $(hash_in "copies-$ranks.log") == "$(hash_in copies-1.log)" ]] || fail "copies have other bits on $ranks ranks"
done
said copies-1 "particles are copied 2 x 3 x 1 times"
sed "s|first/stage-1-go.h5|$(echo first/checkpoint-*.h5)|" copies.toml >copies-checkpoint.toml
run copies-checkpoint.toml copies-checkpoint
[[ $(hash_in copies-checkpoint.log) == "$(hash_in copies-1.log)" ]] || fail "a checkpoint gives other copies than a state file"
"$python" - <<'END'
import h5py, numpy
def pairs(path, lengths):
    x = h5py.File(path)["particles/position"][:]
    d = x[:, None, :] - x[None, :, :]
    for axis, length in enumerate(lengths):
        d[..., axis] -= length * numpy.round(d[..., axis] / length)
    near = numpy.linalg.norm(d, axis=2) < 1e-3 + 2e-6
    return (near.sum() - len(x)) // 2, len(x)
def bonds(path):
    contacts = h5py.File(path)["contacts"]
    return int(((contacts["bond"][()] != 0) & (contacts["wall"][()] < 0)).sum())
before, count = pairs("first/stage-1-go.h5", [0.005, 0.005])
after, copied = pairs("copies-1/stage-1-go.h5", [0.01, 0.015])
assert copied == 6 * count and before > count / 2, (count, copied, before)
assert after == 6 * before, (before, after)
held, now = bonds("first/stage-1-go.h5"), bonds("copies-1/stage-1-go.h5")
assert held > count / 2 and 0.98 * 6 * held <= now <= 1.02 * 6 * held, (held, now)
END
grep -q 'cohesive bonds with walls are not taken over: the packing is moved' copies-1.log || fail "the bonds with the floor are not told"
bonds=$(sed -n 's/.*: \([0-9]*\) cohesive bonds are taken over.*/\1/p' copies-1.log)
((bonds % 6 == 0 && bonds > 0)) || fail "$bonds bonds of six copies"

# Copies that are closer than the packing's period overlap, and say so; so do those that a periodic side cuts.
expect 2 "copies must not be closer than the period of the packing" "$TAMP" check copies.toml --set 'particles[0].period=[0.004, 0.005, 0.01]'
expect 2 "must fill a periodic side exactly" "$TAMP" check copies.toml --set 'domain.upper=[0.0095, 0.015, 0.01]'
expect 2 "outside the domain, which reaches from 0 to" "$TAMP" check copies.toml --set 'domain.boundary=["wall","wall","wall"]' --set 'particles[0].replicate=[3, 3, 1]'

# ---- turns, shifts and names -------------------------------------------------------------------------------------
{
    echo "x, y, z, radius, vx, vy, vz, wx, wy, wz, material"
    echo "0.002, 0.003, 0.004, 5e-4, 0.1, 0.2, 0.3, 10, 20, 30, sand"
    echo "0.004, 0.003, 0.004, 5e-4, 0, 0, 0, 0, 0, 0, gravel"
} >two.csv
case_of "0.01, 0.01, 0.02" "$slab" "$(material rock 2600)
$(material gravel 2500)" '[[particles]]
generator = "file"
path = "two.csv"
turn = { axis = [0, 1, 0], angle = 90, point = [0, 0, 0] }
shift = [0, 0, 0.01]
materials = { sand = "rock" }' 1 | sed 's/gravity = .*/gravity = [0, 0, 0]/' >turned.toml
for ranks in 1 2; do
    run turned.toml "turned-$ranks" "$ranks"
done
[[ $(hash_in turned-2.log) == "$(hash_in turned-1.log)" ]] || fail "a turned packing has other bits on 2 ranks"
said turned-1 "its 2 particles are turned by 90 degrees, then shifted by (0, 0, 0.01) m"
"$python" - <<'END'
import h5py, numpy
file = h5py.File("turned-1/stage-1-go.h5")
p = file["particles"]
step = file.attrs["time_step"]
names = file["materials/name"].asstr()[()]
close = lambda a, b: numpy.abs(numpy.array(a) - b).max() < 1e-12
assert close(p["velocity"][0], [0.3, 0.2, -0.1]), p["velocity"][0]
assert close(p["angular_velocity"][0], [30, 20, -10])
assert close(p["position"][0], numpy.array([0.004, 0.003, 0.008]) + step * p["velocity"][0]), p["position"][0]
assert close(p["position"][1], [0.004, 0.003, 0.006]), p["position"][1]
assert [names[i] for i in p["material"][:]] == ["rock", "gravel"]
END
# The packing of a file, with another material; its own names are checked.
case_of "0.005, 0.005, 0.01" "$slab" "$(material stone 2600)" "$from_file
materials = { clay = \"stone\" }" 1 >renamed.toml
run renamed.toml renamed 2
expect 2 "materials: the file has no particles of 'cley'; did you mean 'clay'?" "$TAMP" check renamed.toml --set 'particles[0].materials={ cley = "stone" }'
