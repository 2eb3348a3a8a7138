#!/usr/bin/env bash
# Whatever a run writes about itself, its trajectory stays the same, bit by bit, and nothing that goes wrong with it ends
# the run: energy budget, distributions, snapshots, pictures.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$python" -c 'import h5py' 2>/dev/null || skip "$python has no h5py"

# run RANKS LABEL OPTIONS...: a run of case.toml in folder LABEL, its output in LABEL.log
run() {
    local ranks=$1 label=$2
    shift 2
    "$TAMP_SOURCE_DIR/jobscripts/with-display.sh" timeout 120 "${mpirun[@]}" -n "$ranks" "$TAMP" run case.toml \
        --output "$label" "$@" >"$label.log" 2>&1 </dev/null || { cat "$label.log"; fail "run $label"; }
}

cat >plain.toml <<'END'
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [8e-3, 8e-3, 16e-3]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
count = 150
size = { distribution = "uniform", min = 0.9e-3, max = 1.3e-3 }

[output]
series_every = 7

[[stage]]
name = "fall"
steps = 60

[[stage]]
name = "settle"
steps = 40
END
cp plain.toml case.toml
run 1 plain
plain=$(hash_in plain.log)
[[ -n $plain ]] || fail "no hash"

# ---- All observers, on several ranks ----------------------------------------------------------------------------
cat >>case.toml <<'END'

[measure]
energy_budget = true
every = 30
cells = [2, 2, 4]

[snapshots]
every = 25
END
run 1 one
run 3 three
for label in one three; do
    [[ $(hash_in $label.log) == "$plain" ]] || fail "$label: observing changed the trajectory"
    grep -q "^  energy .*closes to" $label.log || fail "$label: no energy in the summary"
    grep -q "^  snapshots        5 in snapshots.h5" $label.log || fail "$label: snapshots $(grep snapshots $label.log)"
done
cmp one/series.csv three/series.csv || fail "series.csv depends on the number of ranks"
"$python" - one three <<'END' || fail "files depend on the number of ranks"
import glob, os, sys, h5py, numpy
one, three = sys.argv[1:]

def content(path):
    """All datasets, and all attributes but the number of ranks, by name."""
    found = {}
    def add(name, item):
        if isinstance(item, h5py.Dataset):
            value = item[()]
            found[name] = value.tolist() if value.dtype == object else value.tobytes()
        found.update({f"{name}@{key}": str(value) for key, value in item.attrs.items() if key != "ranks"})
    with h5py.File(path) as f:
        f.visititems(add)
        add("", f)
    return found

files = [os.path.relpath(p, one) for p in glob.glob(one + "/snapshots/*.h5")] + ["series.h5"]
assert len(files) == 6, files
for name in files:
    first, second = content(f"{one}/{name}"), content(f"{three}/{name}")
    assert first.keys() == second.keys() and len(first) > 20, name
    differing = [key for key in first if first[key] != second[key]]
    assert not differing, (name, differing)
END
"$python" - one <<'END' || fail "series.h5 is not as promised"
import sys, csv, h5py, numpy
folder = sys.argv[1]
rows = list(csv.DictReader(open(folder + "/series.csv")))
with h5py.File(folder + "/series.h5") as f:
    assert numpy.array_equal(f["time"], [float(r["time [s]"]) for r in rows])
    assert numpy.array_equal(f["contact_stress_zz"], [float(r["contact stress zz [Pa]"]) for r in rows])
    assert f["kinetic_energy"].attrs["unit"] == "J"
    assert len(f["profile/time"]) == 4, f["profile/time"][:]   # steps 30, 60 (the end of a stage too), 90 and 100
    assert f["field/velocity"].shape == (4, 4, 2, 2, 3), f["field/velocity"].shape
    # The budget: kinetic energy is what gravity and walls did, less what was dissipated.
    expected = f["work_of_gravity"][:] - f["lost_by_integration"][:] + f["work_of_walls"][:] \
        - f["dissipated_by_collisions"][:] - f["dissipated_by_friction"][:] - f["energy_of_leavers"][:]
    assert numpy.allclose(f["kinetic_energy"], expected, rtol=1e-9, atol=1e-15)
    assert numpy.all(numpy.abs(f["energy_error"]) < 1e-12)
with h5py.File(folder + "/snapshots.h5") as f:
    assert sorted(k for k in f if k.isdigit()) == ["00000025", "00000050", "00000060", "00000075", "00000100"]
    assert f["00000100/particles/position"].shape == (150, 3)
END

# ---- Pictures ---------------------------------------------------------------------------------------------------
picture() { printf '\n[[picture]]\nname = "%s"\npipeline = "%s"\nwidth = 320\nheight = 240\n' "$1" "$2"; }
cp plain.toml case.toml
{
    picture grains particles
    picture spoilt spoilt.py
    picture change slice
    printf 'stress_change = 0.5\npause = 15\n'
} >>case.toml
printf '# script-version: 2.0\nthis is no Python\n' >spoilt.py
run 2 pictures --set 'picture[0].every=40'
[[ $(hash_in pictures.log) == "$plain" ]] || fail "drawing changed the trajectory"
if grep -q "without ParaView" pictures.log; then
    [[ ! -e pictures/images ]] || fail "a build without ParaView drew pictures"
    echo "no ParaView in this build: pictures were not tested"
else
    # On the way to rest the stress changes by half many times, and a pause is kept (stage ends apart).
    changes=$(cd pictures/images && echo change-*)
    [[ $(wc -w <<<"$changes") -ge 5 ]] || fail "a change of stress draws only $changes"
    last=0
    for file in $changes; do
        step=$((10#${file:7:8}))
        ((step - last >= 15 || step == 60 || step == 100)) || fail "no pause of 15 steps before $file"
        last=$step
    done
    [[ $(cd pictures/images && echo grains*) == "grains-00000040.png grains-00000060.png grains-00000080.png grains-00000100.png" ]] ||
        fail "pictures: $(ls pictures/images)"
    grep -q "warning: .*spoilt" pictures.log || { cat pictures.log; fail "the spoilt script is not reported"; }
    [[ $(find pictures/images -type f | wc -l) == $(($(wc -w <<<"$changes") + 4)) ]] || fail "unexpected pictures"
    grep -q "^  pictures         $(($(wc -w <<<"$changes") + 4)) in images/" pictures.log || fail "pictures are not in the summary"
    if LC_ALL=C grep -q -P '[\r\x1b]' pictures.log; then
        fail "the log has carriage returns or escapes"
    fi

    # No display: said once, and the run goes on.
    env -u DISPLAY timeout 60 "$TAMP" run case.toml --output dark >dark.log 2>&1 || { cat dark.log; fail "dark"; }
    [[ $(hash_in dark.log) == "$plain" ]] || fail "dark: another trajectory"
    [[ $(grep -c "warning: .*display" dark.log) == 1 ]] || { cat dark.log; fail "no word about the display"; }
fi

# ---- A full disk ------------------------------------------------------------------------------------------------
if [[ $(id -u) == 0 ]] && mkdir small && mount -t tmpfs -o size=300k tmpfs small 2>/dev/null; then
    trap 'umount "$work/small"; rm -rf "$work"' EXIT
    cp plain.toml case.toml
    printf '\n[snapshots]\nevery = 5\ncompression = 0\n' >>case.toml
    code=0
    timeout 120 "${mpirun[@]}" -n 2 "$TAMP" run case.toml --output small/out >full.log 2>&1 || code=$?
    [[ $code == 3 ]] || { cat full.log; fail "full disk: exit code $code instead of 3"; }
    [[ $(hash_in full.log) == "$plain" ]] || fail "full disk: the run did not go on"
    grep -q "warning: the snapshot of step" full.log || { cat full.log; fail "full disk: no warning"; }
    for file in small/out/snapshots/*.h5; do
        "$python" -c 'import sys, h5py; h5py.File(sys.argv[1])["particles/position"][:]' "$file" || fail "full disk: $file is damaged"
    done
else
    echo "full disk not tested: needs root to mount a small tmpfs"
fi
