#!/usr/bin/env bash
# `tamp advise` from the outside: its numbers are consistent, it writes nothing, and its mistakes are told as those of run.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >column.toml <<'END_OF_CASE'
title = "A column"
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.1, 0.1, 0.3]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "grain"
density = 2500
friction = 0.5
restitution = 0.3
[[particles]]
generator = "random"
count = 1000
upper = [0.1, 0.1, 0.25]
size = { distribution = "uniform", min = 0.009, max = 0.011 }
[solver]
tolerance = 1e-2
force_tolerance = 0.2
max_sweeps = 100
[[stage]]
name = "settle"
duration = 0.4
END_OF_CASE

# check_numbers LOG RATIO: what the table and the line below it say must agree; RATIO: of the time steps, at least.
check_numbers() {
    "$python" - "$1" "$2" <<'END_OF_CHECK' || { cat "$1"; fail "the numbers do not agree"; }
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
def row(name):
    return [float(x) for x in re.search(rf"^  {name} +(\S+) +(\S+)$", text, re.M).groups()]
def same(a, b, digits):
    return abs(a / b - 1) < 2 * 10.0 ** (1 - digits)

step, cost, scratch = row(r"expected time step \[s\]"), row(r"CPU time of a simulated second \[s\]"), row(r"the same if .*\]")
assert step[0] > float(sys.argv[2]) * step[1] > 0, step
assert cost[0] > 0 and cost[1] > 0 and scratch[0] >= cost[0] * 0.999 and scratch[1] == cost[1], (cost, scratch)
low, high, stiffness, particles = map(float, re.search(
    r"rigid over soft: (\S+) to (\S+); .* grains (\S+) times as stiff, or with (\S+) particles", text).groups())
assert same(low, cost[0] / cost[1], 4) and same(high, scratch[0] / scratch[1], 4), (low, high)
assert same(stiffness, high**2, 3), stiffness
count = int(re.search(r": (\d+) particles$", text, re.M).group(1))
assert same(particles, count * high**-1.5, 3), particles
advice = [line for line in text.splitlines() if line.startswith("take engine = ")]
assert len(advice) == 1, advice
if high < 0.5:
    assert advice[0].startswith('take engine = "rigid": '), advice
elif low > 2:
    assert advice[0].startswith('take engine = "soft": '), advice
END_OF_CHECK
}

mkdir empty
cd empty
expect 0 "an overlap of 0.001 mean diameters under" "$TAMP" advise ../column.toml --seconds 4
check_numbers log 10
grep -q "1000 particles$" log || fail "it does not say how many particles there are"
grep -q "of a piece of [0-9]* particles" log || fail "a large case is not cut"
# Ten thousand times as stiff: a hundred times as many steps, and the other engine.
expect 0 "column.toml: 1000 particles" "$TAMP" advise ../column.toml --seconds 4 --set 'material[0].stiffness=1e9'
check_numbers log 1000
grep -q "gives no stiffness" log && fail "the stiffness of the case is not taken"
expect 0 "take engine = \"rigid\": it costs" "$TAMP" advise ../column.toml --seconds 4 --set 'material[0].stiffness=1e9'
# Hardly stiff at all, by a case that asks for soft grains.
expect 0 "take engine = \"soft\": it costs" "$TAMP" advise ../column.toml --seconds 4 --set engine=soft \
    --set 'material[0].stiffness=50' --set soft.steps_per_contact=20 --set solver.tolerance=1e-4
[[ -f log && $(find . -type f | wc -l) == 1 && ! -e output ]] || fail "it wrote: $(find .)"
cd ..

# ---- What one engine cannot run ---------------------------------------------------------------------------------------
expect 0 "take engine = \"rigid\": the other one cannot run this case, since --set material[0].cohesion_range=1e-5" \
    "$TAMP" advise column.toml --seconds 1 --set 'material[0].cohesion_force=1e-3' --set 'material[0].cohesion_range=1e-5'
grep -q "gives no stiffness" log && fail "it tells of soft grains that it has not tried"
expect 0 "take engine = \"soft\": the other one cannot run this case, since" "$TAMP" advise column.toml --seconds 1 \
    --set engine=soft --set 'material[0].stiffness=1e4' --set soft.background_viscosity=1e-3

# ---- Mistakes -------------------------------------------------------------------------------------------------------------
expect 2 "no-such.toml: cannot read this case file" "$TAMP" advise no-such.toml
expect 2 "material[0].frction: unknown key" "$TAMP" advise column.toml --set 'material[0].frction=1'
expect 2 "needs 'stiffness'" "$TAMP" advise column.toml --set engine=soft
expect 2 "tamp advise measures on one rank, but was started on 2" "${mpirun[@]}" -n 2 "$TAMP" advise column.toml
expect 2 "--seconds" "$TAMP" advise column.toml --seconds 0
expect 0 "measure what a case costs with either engine" "$TAMP" --help
