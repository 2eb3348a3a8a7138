#!/usr/bin/env bash
# The memory that `tamp check` foretells is what a run takes: apart from what the program takes with 27 grains, within a
# third, for grains that hardly touch and for a dense packing.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A sanitizer has its own books about every byte.
if ldd "$TAMP" | grep -q -E 'lib(a|t|ub)san'; then
    skip "a build with sanitizers takes more"
fi

# write_case SIDE SPACING LAWS: SIDE^3 spheres of 1 mm on a lattice.
write_case() {
    cat <<END
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [$1e-3, $1e-3, $1.1e-3]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "grain"
density = 2500
friction = 0.3
$3

[[particles]]
generator = "lattice"
spacing = 1e-3
upper = [$1e-3, $1e-3, $1e-3]
size = {distribution = "mono", diameter = $2}

[solver]
max_sweeps = 5

[[stage]]
name = "touch"
steps = 12
END
}
sticky=$'cohesion_force = 1e-6\ncohesion_range = 1e-6' # so that all that touch at the start stay in contact
write_case 3 1e-3 "$sticky" >few.toml
write_case 40 1e-3 "$sticky" >packed.toml
write_case 40 0.97e-3 "" | sed "/^gravity/d" >apart.toml

# foretold CASE PATTERN: MB by check; taken CASE: MB and contacts a particle of a run.
foretold() { "$TAMP" check "$1.toml" | sed -n "s/.*memory on 1 rank: $2.*/\1/p"; }
taken() {
    timeout 120 "$TAMP" run "$1.toml" --output "$1" >"$1.log" 2>&1 || { cat "$1.log" >&2; fail "$1 cannot be run"; }
    sed -n 's/.*"memory_bytes": \([0-9.e+]*\).*/\1/p' "$1/report.json"
    sed -n 's/^ *packing *\([0-9]*\) particles, \([0-9]*\) contacts.*/\2 \1/p' "$1.log"
}
packed_text='about \([0-9]*\) MB in a dense packing' apart_text='.*, \([0-9]*\) MB while hardly any'

compare() {
    local label=$1 estimate=$2 bytes=$3 contacts=$4 particles=$5
    awk -v label="$label" -v estimate="$estimate" -v bytes="$bytes" -v few="$few" -v c="$contacts" -v n="$particles" 'BEGIN {
        ratio = (1e6 * estimate - few) / (bytes - few)
        printf "%s: %.2f contacts a particle, %.0f bytes a particle, foretold over taken %.2f\n", label, c / n, (bytes - few) / n, ratio
        exit !(ratio > 0.75 && ratio < 1.33)
    }' || fail "$label: the memory that check foretells is not what the run takes"
}

read -r -d '' few few_contacts few_particles < <(taken few) || true
awk -v estimate="$(foretold few "$packed_text")" -v bytes="$few" 'BEGIN { ratio = 1e6 * estimate / bytes; exit !(ratio > 0.67 && ratio < 1.5) }' ||
    fail "the program takes $few bytes with $few_particles grains ($few_contacts contacts)"
read -r -d '' bytes contacts particles < <(taken packed) || true
((2 * contacts > 5 * particles)) || fail "the packing is not dense: $contacts contacts of $particles"
compare packed "$(foretold packed "$packed_text")" "$bytes" "$contacts" "$particles"
read -r -d '' bytes contacts particles < <(taken apart) || true
((10 * contacts < particles)) || fail "the grains touch: $contacts contacts of $particles"
compare apart "$(foretold apart "$apart_text")" "$bytes" "$contacts" "$particles"
