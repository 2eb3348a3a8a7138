#!/usr/bin/env bash
# One case file, two engines: the same grains settle and are pressed by rigid and by soft grains, with laws that both have. What
# must agree is physics: the floor bears the weight, the lid bears its load, and packings are about as dense.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >both.toml <<'END_OF_CASE'
title = "The same grains, rigid or soft"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.05, 0.05, 0.15]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.5
restitution = 0.3
restitution_speed = 0.02
rolling_ratio = 0.02
torsion_ratio = 0.02
cohesion_force = 1e-3
stiffness = 1e5
[[particles]]
generator = "random"
fraction = 0.25
upper = [0.05, 0.05, 0.14]
size = { distribution = "uniform", min = 0.009, max = 0.011 }
[[wall]]
name = "lid"
point = [0, 0, 0.145]
normal = [0, 0, -1]
mass = 0.02
damping = 2
[solver]
tolerance = 2e-3
force_tolerance = 2e-2
max_sweeps = 200
[time]
max_step = 4e-4
[soft]
steps_per_contact = 30
[[stage]]
name = "settle"
duration = 0.4
[[stage]]
name = "press"
duration = 0.2
wall = [{ name = "lid", stress = 2000 }]
END_OF_CASE

for engine in rigid soft; do
    timeout 300 "$TAMP" run both.toml --set engine=$engine --output $engine >$engine.log 2>&1 ||
        { cat $engine.log; fail "engine = $engine"; }
done
grep -q "wall\[0\].damping: has no effect with engine = \"rigid\"" rigid.log || fail "damping of the lid is not told"
grep -q "solver: has no effect with engine = \"soft\"" soft.log || fail "[solver] is not told"
grep -q "restitution_speed: has no effect with engine = \"soft\"" soft.log || fail "restitution_speed is not told"

weight=$(sed -n 's/^ *weight *\([0-9.]*\) N$/\1/p' rigid.log)
"$python" - "$weight" <<'END_OF_CHECK' || fail "the two engines do not agree"
import csv
import sys

LID, WEIGHT = 2000.0, float(sys.argv[1]) / 0.05**2  # Pa
fraction = {}
for engine in ("rigid", "soft"):
    with open(f"{engine}/stages.csv", encoding="utf-8") as table:
        pressed = list(csv.DictReader(table))[1]
    fraction[engine] = float(pressed["bed volume fraction"])
    # Forces of rigid grains are found to 2 %, and grains still move a little.
    for wall, load in (("lid", LID), ("z-", LID + WEIGHT)):
        stress = float(pressed[f"wall {wall} stress [Pa]"])
        print(f"{engine}: {wall} bears {stress:.1f} Pa of {load:.1f}")
        if abs(stress / load - 1) > 0.03:
            sys.exit("that is not its load")
    if not 0.5 < fraction[engine] < 0.64:
        sys.exit(f"{engine}: a volume fraction of {fraction[engine]} is no dense packing")
print(f"volume fraction of the bed: {fraction}")
# Random packings of so few grains differ by some 0.01.
if abs(fraction["rigid"] - fraction["soft"]) > 0.03:
    sys.exit("the packings are not alike")
END_OF_CHECK

# ---- The cases that tamp ships, with the keys that soft grains need besides ------------------------------------------
for case in settle compaction; do
    soft=(--set engine=soft --set "material[0].stiffness=1e5")
    expect 0 "a good case" "$TAMP" check "$TAMP_SOURCE_DIR/inputs/$case.toml" "${soft[@]}"
    expect 2 "needs 'stiffness'" "$TAMP" check "$TAMP_SOURCE_DIR/inputs/$case.toml" --set engine=soft
done
cp "$TAMP_SOURCE_DIR/inputs/settle.toml" .
expect 0 "state hash" "$TAMP" run settle.toml --set engine=soft --set 'material[0].stiffness=1e5' --until 0.01 --output settled

# ---- A law that one engine has not ------------------------------------------------------------------------------------
expect 2 "cohesion_range: has no counterpart in engine = \"soft\"" "$TAMP" check both.toml --set engine=soft \
    --set 'material[0].cohesion_range=1e-4'
expect 2 "viscosity: has no counterpart in engine = \"rigid\"" "$TAMP" check both.toml --set 'material[0].viscosity=1'
