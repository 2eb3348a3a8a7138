#!/usr/bin/env bash
# Particles from files: a table (CSV) and a state file (HDF5) that say the same give the same run, on any number of ranks;
# what one run wrote, another starts from.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir cases && cd cases

# A case with these particles; spheres of two materials and sizes, moving and turning.
write_case() {
    cat <<END
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [6e-3, 6e-3, 6e-3]
boundary = ["periodic", "wall", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[material]]
name = "steel"
density = 7800
friction = 0.1

[[particles]]
$1

[[stage]]
name = "fall"
steps = ${2:-80}
END
}

{
    echo "# made by a test"
    echo "material, x, y, z, radius, vx, vy, vz, wx, wy, wz"
    for i in 0 1 2 3; do
        for j in 0 1 2 3; do
            # Numbers of which no bit may be lost; but simple spins: omega -> r omega -> omega does round.
            echo "$([[ $((i % 2)) == 0 ]] && echo glass || echo steel), $((i + 1)).1234567890123456e-3," \
                "$((j + 1)).0e-3, $((i + 1)).3333333333333333e-3, 0.4${j}1e-3, 0.1, -0.0$j, 0.${i}7, 1, $i, -$j.5"
        done
    done
} >grains.csv

# run RANKS CASE FOLDER: prints the hash.
run() {
    timeout 60 "${mpirun[@]}" -n "$1" "$TAMP" run "$2" --output "$3" >"$3.log" 2>&1 || { cat "$3.log" >&2; fail "$2"; }
    hash_in "$3.log"
}

write_case $'generator = "file"\npath = "grains.csv"' >csv.toml
from_csv=$(run 1 csv.toml from-csv)
[[ -n $from_csv ]] || fail "no hash"
[[ $(run 3 csv.toml from-csv-3) == "$from_csv" ]] || fail "the table gives another run on 3 ranks"

# The same start as a state file: a run that ends at once, without gravity, a contact or a step worth the name.
write_case $'generator = "file"\npath = "grains.csv"' 1 |
    sed -e 's/-9.81/0/' >start.toml
printf '\n[time]\nstep = 1e-60\n' >>start.toml
run 2 start.toml start >start.hash
write_case $'generator = "file"\npath = "start/stage-1-fall.h5"' >h5.toml
for ranks in 1 4; do
    [[ $(run "$ranks" h5.toml "from-h5-$ranks") == "$from_csv" ]] || fail "the state file gives another run than the table"
done

# From another folder: paths are relative to the case file.
(cd "$work" && timeout 60 "$TAMP" run cases/csv.toml --output elsewhere >elsewhere.log)
[[ $(hash_in "$work/elsewhere.log") == "$from_csv" ]] || fail "a path depends on where tamp is started"

# Bad files.
expect() {
    local text=$1 code=0
    shift
    timeout 60 "$@" >log 2>&1 || code=$?
    [[ $code == 2 ]] || { cat log; fail "exit code $code: $*"; }
    grep -q -F -e "$text" log || { cat log; fail "\"$text\" is not said: $*"; }
}
sed 's/steel/brass/' grains.csv >brass.csv
expect "brass" "$TAMP" check csv.toml --set 'particles[0].path="brass.csv"'
expect "grains.cvs" "${mpirun[@]}" -n 2 "$TAMP" run csv.toml --set 'particles[0].path="grains.cvs"'
head -c 3000 start/stage-1-fall.h5 >short.h5
expect "short.h5" "${mpirun[@]}" -n 2 "$TAMP" run csv.toml --set 'particles[0].path="short.h5"'
sed '/name = "steel"/,/friction/d; s/^\[\[material\]\]$/&/' h5.toml | awk '/^\[\[material\]\]$/ && seen++ { next } 1' >one.toml
expect "material" "$TAMP" check one.toml
