#!/usr/bin/env bash
# Runs that start from what another run wrote: materials go by their names, walls may stand where they stood, cohesive bonds
# last, and a checkpoint serves as well as a state file.
#
# Needs what common.sh asks for, and h5py.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$python" -c 'import h5py' 2>/dev/null || skip "no h5py"

# run CASE FOLDER [RANKS]
run() {
    timeout 120 "${mpirun[@]}" -n "${3:-1}" "$TAMP" run "$1" --output "$2" >"$2.log" 2>&1 || { cat "$2.log" >&2; fail "$1"; }
}
said() { grep -q -F -e "$2" "$1.log" || { cat "$1.log" >&2; fail "\"$2\" is not said by $1"; }; }
not_said() { ! grep -q -F -e "$2" "$1.log" || { cat "$1.log" >&2; fail "\"$2\" is said by $1"; }; }

# ---- materials -------------------------------------------------------------------------------------------------
material() { printf '[[material]]\nname = "%s"\ndensity = %s\nfriction = 0.3\n' "$1" "$2"; }
steel=$(material steel 7800) wood=$(material wood 600)

# case_of MATERIALS PARTICLES: 30 spheres of steel and 10 of wood, unless the particles are others
case_of() {
    printf 'gravity = [0, 0, -9.81]\n[domain]\nlower = [0, 0, 0]\nupper = [0.01, 0.01, 0.01]\n'
    printf 'boundary = ["periodic", "periodic", "wall"]\n%s\n%s\n[[stage]]\nname = "fall"\nsteps = 20\n' "$1" "$2"
}
fill='[[particles]]
generator = "lattice"
material = "steel"
count = 30
upper = [0.01, 0.01, 0.004]
size = { distribution = "mono", diameter = 1e-3 }
[[particles]]
generator = "lattice"
material = "wood"
count = 10
lower = [0, 0, 0.005]
size = { distribution = "mono", diameter = 1e-3 }'
case_of "$steel
$wood" "$fill" >first.toml
run first.toml first
from_first='[[particles]]
generator = "file"
path = "first/stage-1-fall.h5"'
# counts FOLDER: how many particles of each material it ends with
counts() {
    "$python" - "$1/stage-1-fall.h5" <<'END'
import collections, sys, h5py
file = h5py.File(sys.argv[1])
names = file["materials/name"].asstr()[()]
found = collections.Counter(names[i] for i in file["particles/material"][()])
print(*sorted(f"{name} {number}" for name, number in found.items()))
END
}
[[ $(counts first) == "steel 30 wood 10" ]] || fail "the state file has $(counts first)"

case_of "$wood
$steel" "$from_first" >turned.toml
for ranks in 1 3; do
    run turned.toml "turned-$ranks" "$ranks"
    [[ $(counts "turned-$ranks") == "steel 30 wood 10" ]] || fail "in another order: $(counts "turned-$ranks")"
    not_said "turned-$ranks" "become"
done
[[ $(hash_in turned-1.log) == "$(hash_in turned-3.log)" ]] || fail "other bits on 3 ranks"

case_of "$(material brass 8500)
$steel" "$from_first" >unknown.toml
expect 2 "the case has no material 'wood'; the file has steel, wood, the case has brass, steel" "$TAMP" check unknown.toml
expect 2 "no material 'wood'" "${mpirun[@]}" -n 2 "$TAMP" run unknown.toml
case_of "$(material brass 8500)
$steel" "$from_first
material = \"brass\"" >override.toml
run override.toml override 2
said override "all of its 40 particles become 'brass'"
[[ $(counts override) == "brass 40" ]] || fail "overridden: $(counts override)"

# ---- a checkpoint serves as well -------------------------------------------------------------------------------
checkpoint=$(echo first/checkpoint-*.h5)
sed "s|first/stage-1-fall.h5|$checkpoint|" turned.toml >from-checkpoint.toml
for ranks in 1 3; do
    run from-checkpoint.toml "from-checkpoint-$ranks" "$ranks"
    [[ $(hash_in "from-checkpoint-$ranks.log") == "$(hash_in turned-1.log)" ]] ||
        fail "a checkpoint gives another run than the state file of the same moment"
done
expect 2 "no material 'wood'" "$TAMP" check unknown.toml --set "particles[0].path=\"$checkpoint\""
head -c 3000 "$checkpoint" >short.h5
expect 2 "short.h5" "$TAMP" check turned.toml --set 'particles[0].path="short.h5"'

# ---- walls stand where they stood ------------------------------------------------------------------------------
# piston PARTICLES KEYS: a lid at the top of the box, and the lower wall of the box
piston() {
    printf 'gravity = [0, 0, -9.81]\n[domain]\nlower = [0, 0, 0]\nupper = [0.01, 0.01, 0.02]\n'
    printf 'boundary = ["periodic", "periodic", "wall"]\n%s\n%s\n' "$steel" "$1"
    printf '[[wall]]\nname = "lid"\npoint = [0, 0, 0.019]\nnormal = [0, 0, -1]\n%s\n' "$2"
    printf '[[stage]]\nname = "press"\nsteps = %s\n%s\n' "$3" "${4:-}"
}
grains='[[particles]]
generator = "random"
fraction = 0.3
upper = [0.01, 0.01, 0.01]
size = { distribution = "mono", diameter = 1e-3 }'
piston "$grains" 'mass = 1e-3
force = 0.5' 150 '[[stage.wall]]
name = "z-"
velocity = [0, 0, 1e-3]' >press.toml
run press.toml press
pressed='[[particles]]
generator = "file"
path = "press/stage-1-press.h5"'
piston "$pressed" "" 1 >stay.toml
run stay.toml stay
said stay "walls that stood elsewhere than the case puts them: z- ("
said stay ", lid ("
said stay "walls = true"
piston "$pressed
walls = true" "" 1 >stand.toml
for ranks in 1 2; do
    run stand.toml "stand-$ranks" "$ranks"
done
said stand-1 "walls that stand where the file had them: z-, z+, lid; moved from where the case puts them: z- ("
said stand-1 "; not in the file: none"
timeout 60 "$TAMP" check stand.toml >check.log
grep -q "walls that stand where the file had them" check.log || fail "check does not say where walls stand"
"$python" - <<'END'
import h5py
walls = {}
for run, stage in ("press", "press"), ("stay", "press"), ("stand-1", "press"), ("stand-2", "press"):
    file = h5py.File(f"{run}/stage-1-{stage}.h5")
    walls[run] = dict(zip(file["walls/name"].asstr()[()], file["walls/point"][:, 2]))
assert 0.004 < walls["press"]["lid"] < 0.018 and 1e-6 < walls["press"]["z-"], walls
assert walls["stay"] == {"z-": 0, "z+": 0.02, "lid": 0.019}, walls
assert walls["stand-1"] == walls["stand-2"] == walls["press"], walls
END
piston "$pressed
walls = true" "" 1 | sed 's/normal = .*/normal = [0, 0, 1]/; s/point = .*/point = [0, 0, 1e-4]/' >lean.toml
expect 2 "wall 'lid' has another normal or shape there than in the case" "$TAMP" check lean.toml

# A stress acts on the area that walls leave where they stand, not where the case puts them.
shaft() {
    printf 'gravity = [0, 0, -9.81]\n[domain]\nlower = [0, 0, 0]\nupper = [0.01, 0.01, 0.02]\n'
    printf 'boundary = ["wall", "wall", "wall"]\n%s\n%s\n' "$steel" "$1"
    printf '[[wall]]\nname = "lid"\npoint = [0, 0, 0.019]\nnormal = [0, 0, -1]\n%s\n' "$2"
    printf '[[wall]]\nname = "side"\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\n%s\n' "$3"
    printf '[[stage]]\nname = "one"\nduration = %s\n[[stage]]\nname = "two"\nsteps = 1\n%s\n' "$4" "$5"
}
one_grain=$'[[particles]]\ngenerator = "lattice"\ncount = 1\nlower = [0.008, 0.008, 0.001]\nsize = { distribution = "mono", diameter = 1e-3 }'
shaft "$one_grain" "" "velocity = [0.1, 0, 0]" 0.02 "" >narrow.toml
run narrow.toml narrow
narrowed=$'[[particles]]\ngenerator = "file"\nwalls = true\npath = "narrow/stage-1-one.h5"'
shaft "$narrowed" $'mass = 1e-3\nstress = 100' "" 1e-4 "" >pushed.toml
shaft "$narrowed" "" "" 1e-4 $'[[stage.wall]]\nname = "lid"\nmass = 1e-3\nstress = 100' >pushed-later.toml
for case in pushed pushed-later; do
    run $case.toml $case 2
    said $case "0.008 N applied (100 Pa)"
done

# ---- cohesive bonds last ---------------------------------------------------------------------------------------
# Spheres that stick together are pulled apart by a lid to which they stick, but not out of range.
sticky() {
    printf 'gravity = [0, 0, 0]\n[domain]\nlower = [0, 0, 0]\nupper = [0.004, 0.004, 0.01]\n'
    printf 'boundary = ["wall", "wall", "open"]\n[time]\nstep = 1e-5\n[[material]]\nname = "clay"\ndensity = 2000\n'
    printf 'friction = 0.3\n%s\n%s\n' "${3:-$'cohesion_force = 1e-3\ncohesion_range = 1e-4'}" "$1"
    printf '[[wall]]\nname = "floor"\npoint = [0, 0, 0.001]\nnormal = [0, 0, 1]\n'
    printf '[[wall]]\nname = "lid"\npoint = [0, 0, 0.003]\nnormal = [0, 0, -1]\n%s\n[[stage]]\nname = "pull"\nsteps = %s\n' \
        "$2" "$4"
}
{
    echo "x, y, z, radius"
    for x in 1 2 3; do for y in 1 2 3; do for z in 15 25; do echo "${x}e-3, ${y}e-3, ${z}e-4, 5e-4"; done; done; done
} >touching.csv
sticky $'[[particles]]\ngenerator = "file"\npath = "touching.csv"' 'velocity = [0, 0, 5e-2]' "" 100 >pull.toml
run pull.toml pull
sticky $'[[particles]]\ngenerator = "file"\nwalls = true\npath = "pull/stage-1-pull.h5"' "" "" 1 >hold.toml
for ranks in 1 2; do
    run hold.toml "hold-$ranks" "$ranks"
done
[[ $(hash_in hold-1.log) == "$(hash_in hold-2.log)" ]] || fail "bonds give other bits on 2 ranks"
sed "s|pull/stage-1-pull.h5|$(echo pull/checkpoint-*.h5)|" hold.toml >hold-checkpoint.toml
run hold-checkpoint.toml hold-checkpoint
[[ $(hash_in hold-1.log) == "$(hash_in hold-checkpoint.log)" ]] || fail "a checkpoint gives other bonds than a state file"
"$python" - <<'END'
import h5py
def bonds(path):
    file = h5py.File(path)["contacts"]
    return {(int(a), int(b)): g for a, b, bond, g in zip(file["first"], file["second"], file["bond"], file["gap"]) if bond}
before, after = bonds("pull/stage-1-pull.h5"), bonds("hold-1/stage-1-pull.h5")
stretched = [pair for pair, gap in before.items() if gap > 1e-5]
assert len(stretched) >= 9, before
lost = [pair for pair in before if pair not in after]
assert not lost, f"{len(lost)} of {len(before)} bonds are lost"
END
bonds=$("$python" -c 'import h5py; print((h5py.File("pull/stage-1-pull.h5")["contacts/bond"][()] != 0).sum())')
said hold-1 "$bonds cohesive bonds are taken over"
sticky $'[[particles]]\ngenerator = "file"\nwalls = true\npath = "pull/stage-1-pull.h5"' "" "restitution = 0" 1 >loose.toml
run loose.toml loose
said loose "$bonds cohesive bonds are not taken over: no material of the case has cohesion"
