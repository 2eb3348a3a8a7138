#!/usr/bin/env bash
# What `tamp check` says before a run: a box that is nearly empty costs no more than its grains, cases whose first step
# would fail are refused, and what has no effect is said.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Ten discs of a centimetre in a field, or grains of 20 micrometres in a box of 2 centimetres.
write_case() {
    cat <<END
dimension = $1
[domain]
lower = [$2]
upper = [$3]
boundary = [$4]

[[material]]
name = "glass"
density = 2500
friction = 0.5

[[particles]]
$5

[[stage]]
name = "fall"
steps = 10

[measure]
every = 5
END
}
write_case 2 "0, 0" "300, 300" '"wall", "wall"' \
    $'generator = "random"\ncount = 10\nsize = {distribution = "mono", diameter = 0.01}' >field.toml
write_case 3 "0, 0, 0" "0.02, 0.02, 0.02" '"wall", "periodic", "open"' $'generator = "file"\npath = "tiny.csv"' >tiny.toml
printf 'x, y, z, radius\n0.01, 0.01, 0.01, 1e-5\n0.01, 0.01, 0.01002, 1e-5\n' >tiny.csv

# Address space of 1.5 GB: the program and its libraries take most of one.
bounded() (
    ulimit -v 1500000
    timeout 60 "$@"
)
for case in field tiny; do
    seconds=$(date +%s%N)
    bounded "$TAMP" check $case.toml >log 2>&1 || { cat log; fail "$case cannot be checked in 1.5 GB"; }
    seconds=$((($(date +%s%N) - seconds) / 1000000000))
    ((seconds < 15)) || fail "checking $case takes $seconds s" # a second, but other tests may run beside it
    grep -q "a good case" log || { cat log; fail "$case is not good"; }
    bounded "$TAMP" run $case.toml --output $case-1 >log-1 2>&1 || { cat log-1; fail "$case cannot be run in 1.5 GB"; }
    timeout 60 "${mpirun[@]}" -n 3 "$TAMP" run $case.toml --output $case-3 >log-3 2>&1 || { cat log-3; fail "$case on 3 ranks"; }
    [[ -n $(hash_in log-1) && $(hash_in log-1) == "$(hash_in log-3)" ]] || fail "$case has other bits on 3 ranks"
done

# ---- What has no effect is said by check and in the log of the run -------------------------------------------------
zero=(--set 'material[0].cohesion_force=0' --set 'material[0].cohesion_range=1e-4')
warning="material[0].cohesion_range: has no effect, since cohesion_force is 0"
expect 0 "$warning" "$TAMP" check field.toml "${zero[@]}"
expect 0 "$warning" "$TAMP" run field.toml "${zero[@]}" --output zero
grep -q -F -e "$warning" zero/run.log || fail "the log of the run does not say what has no effect"

# ---- The case of the README is a good one ------------------------------------------------------------------------
# shellcheck disable=SC2016 # the quotes are those of Markdown
sed -n '/^```toml$/,/^```$/{/^```/d;p}' "$TAMP_SOURCE_DIR/README.md" >readme.toml
expect 0 "a good case" "$TAMP" check readme.toml
