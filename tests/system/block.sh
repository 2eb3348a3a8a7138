#!/usr/bin/env bash
# solver.scheme = "block": the same bits when run again on as many ranks, those of the phases on one rank, a floor that
# bears the weight; the hash says what it may be compared with. And report.json tells how the ranks shared
# the work.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >case.toml <<'END'
title = "Spheres fall to the floor"
seed = 3
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [0.006, 0.006, 0.02]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
count = 120
velocity = [0, 0, -0.5]
upper = [0.006, 0.006, 0.018]
size = { distribution = "uniform", min = 0.8e-3, max = 1.2e-3 }

[solver]
max_sweeps = 200
tolerance = 1e-3
force_tolerance = 1e-2

[neighbours]
tile = 2e-3
skin = 1e-4

[[stage]]
name = "settle"
duration = 0.1
END

# run NAME RANKS [OPTION...]
run() {
    local name=$1 ranks=$2
    shift 2
    timeout 120 "${mpirun[@]}" -n "$ranks" "$TAMP" run case.toml --output "$name" "$@" >"log-$name" 2>&1 ||
        { cat "log-$name"; fail "the run $name failed"; }
}
# block_hash NAME RANKS: the hash of a block run, which must say so
block_hash() {
    local text="block scheme on $2 rank"
    [[ $2 == 1 ]] || text+="s"
    sed -n "s/^state hash: \\([0-9a-f]\\{32\\}\\) ($text)\$/\\1/p" "log-$1"
}

block=(--set 'solver.scheme="block"')
run phases-1 1
run phases-3 3
run block-1 1 "${block[@]}"
run block-3 3 "${block[@]}"
run block-3-again 3 "${block[@]}"

[[ -n $(hash_in log-phases-1) && $(hash_in log-phases-1) == "$(hash_in log-phases-3)" ]] || fail "phases differ"
[[ $(block_hash block-1 1) == "$(hash_in log-phases-1)" ]] || fail "a block on one rank is not what phases are"
[[ -n $(block_hash block-3 3) ]] || { cat log-block-3; fail "the hash does not say that it is one of blocks"; }
[[ $(block_hash block-3 3) == "$(block_hash block-3-again 3)" ]] || fail "a block run cannot be repeated"
[[ $(block_hash block-3 3) != "$(hash_in log-phases-1)" ]] || fail "blocks on three ranks have the bits of phases"
grep -q "scheme  *block: one exchange a sweep" log-block-3 || fail "the summary does not tell the scheme"
grep -q "residual  *[0-9.e-]* in the mean of steps" log-block-3 || fail "the summary does not tell the residual"
grep -q "load balance  *[1-9][0-9]* times* by counted cost, imbalance [0-9.]* -> " log-block-3 ||
    { cat log-block-3; fail "the summary does not tell of balances"; }
grep -q "load balance  *[0-9]* times* by measured cost" log-phases-3 || fail "phases are not balanced by measured cost"

# Stopped and resumed on as many ranks: the same bits as without a stop.
run block-stopped 3 "${block[@]}" --until 0.02
for until in 0.031 0.04; do
    timeout 120 "${mpirun[@]}" -n 3 "$TAMP" resume block-stopped --until $until >/dev/null || fail "a block run cannot go on"
done
timeout 120 "${mpirun[@]}" -n 3 "$TAMP" resume block-stopped >log-block-stopped || fail "a block run cannot go on"
[[ $(block_hash block-stopped 3) == "$(block_hash block-3 3)" ]] || fail "a block run that was stopped has other bits"

# On others: it has other bits than any run on one number of ranks, and says both numbers, also when it is asked again.
run block-mixed 3 "${block[@]}" --until 0.02
timeout 120 "${mpirun[@]}" -n 2 "$TAMP" resume block-mixed --until 0.03 >/dev/null || fail "a block run cannot go on"
for log in log-block-mixed log-block-again; do
    timeout 120 "${mpirun[@]}" -n 2 "$TAMP" resume block-mixed >$log || fail "a block run cannot go on"
    grep -q "^state hash: [0-9a-f]\{32\} (block scheme on 3, then 2 ranks)\$" $log ||
        fail "the hash does not tell of both numbers of ranks: $(grep "state hash" $log)"
done
"$TAMP" info "$(find block-mixed -name 'checkpoint-*.h5' | sort | tail -n 1)" | grep "^scheme:  *block on 3, then 2 ranks\$" >/dev/null ||
    fail "tamp info does not tell of both numbers of ranks"
"$python" -c 'import json; assert json.load(open("block-mixed/report.json"))["block_ranks"] == [3, 2]' || fail "report.json does not tell of both numbers of ranks"

"$python" - <<'END' || fail "report.json"
import csv, json
def floor_force(name):
    """Mean of the last 20 looks: the last step, which is shorter, stops what velocities the one before it left."""
    rows = list(csv.DictReader(open(name + "/series.csv")))[-21:-1]
    return sum(float(row["force on z- [N]"]) for row in rows) / len(rows)
reports = {name: json.load(open(name + "/report.json")) for name in ("phases-1", "phases-3", "block-3")}
for name, report in reports.items():
    assert report["scheme"] == name.split("-")[0], name
    assert abs(floor_force(name) / report["weight"] - 1) < 0.02, (name, floor_force(name), report["weight"])
    assert report["capped_steps"] < 0.1 * report["steps"], name
    assert 0 < report["residual"]["mean"] <= report["residual"]["largest"], name
    for part in ("neighbours", "geometry", "solve", "sweeps", "exchange", "waiting", "residual", "reductions", "move"):
        times = report["parts"][part]
        assert 0 <= times["mean_seconds"] <= times["max_seconds"] * (1 + 1e-12) and times["calls"] > 0, (name, part)
    parts = {part: times["mean_seconds"] for part, times in report["parts"].items()}
    assert parts["waiting"] <= parts["exchange"] <= parts["solve"] <= report["seconds"], (name, parts)
    assert abs(report["waiting_seconds"] - parts["waiting"] - parts["reductions"]) < 1e-9, name
    balance = report["load_balance"]
    assert balance["busy_imbalance"] >= 1 - 1e-12, name
    if balance["count"] > 0:
        assert balance["imbalance_before"] > balance["imbalance_after"] >= 1, (name, balance)
        assert balance["first_before"] > balance["first_after"] >= 1, (name, balance)
assert reports["block-3"]["load_balance"]["cost"] == "counted" and reports["phases-3"]["load_balance"]["cost"] == "measured"
assert reports["block-3"]["load_balance"]["count"] > 0 and reports["phases-1"]["load_balance"]["count"] == 0
END
