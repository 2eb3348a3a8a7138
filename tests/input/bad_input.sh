#!/usr/bin/env bash
# Every case in tests/input/bad must stop `tamp check` and `tamp run`, on one rank and on three, with exit code 2 and
# with the message that the case's first lines ask for, printed once, and leave no output folder behind.
#
# Needs TAMP (the executable); MPIRUN and TAMP_SOURCE_DIR have defaults. Arguments: names of cases, all by default.
#
# First lines of a case: "# expect: REGEX" and "# line: N" (0: none). Two more are for the unit test alone:
# "# problems: N" (else one) and "# found-by: run", where the mistake is not in the case itself.

set -uo pipefail

: "${TAMP:?set TAMP to the executable}"
source_dir=${TAMP_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
read -r -a mpirun <<<"${MPIRUN:-mpirun --oversubscribe}"
bad=$source_dir/tests/input/bad
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# header FILE KEY DEFAULT
header() {
    local value
    value=$(LC_ALL=C sed -n -e '/^#/!q' -e "s/^# $2: //p" "$1")
    printf '%s' "${value:-$3}"
}

# expect_failure FILE LABEL FOLDER COMMAND...: prints what is wrong, nothing if all is well.
expect_failure() {
    local file=$1 label=$2 folder=$3 name log line code count
    shift 3
    name=$(basename "$file" .toml)
    log=$work/$name.$label.log
    # A rank that waits for one that has stopped would wait for ever.
    timeout 60 "$@" >"$log" 2>&1 </dev/null
    code=$?
    # mpirun adds its own report of the exit code; it does not count as the message.
    count=$(LC_ALL=C grep -a -c -E -e "$(header "$file" expect '')" "$log")
    line=$(header "$file" line 0)
    if ((code != 2)); then
        printf '%s (%s): exit code %s\n' "$name" "$label" "$code"
    elif ((count != 1)); then
        printf '%s (%s): message printed %s times\n' "$name" "$label" "$count"
    elif ((line > 0)) && ! LC_ALL=C grep -a -q -F -e "$name.toml:$line:" "$log"; then
        printf '%s (%s): line %s is not named\n' "$name" "$label" "$line"
    elif [[ -n $folder && -e $folder ]]; then
        printf '%s (%s): made its output folder\n' "$name" "$label"
    else
        return
    fi
    sed 's/^/    /' "$log"
}

check_file() {
    local file=$1 name
    name=$(basename "$file" .toml)
    expect_failure "$file" check "" "$TAMP" check "$file"
    expect_failure "$file" run "$work/$name.1" "$TAMP" run "$file" --output "$work/$name.1"
    expect_failure "$file" run3 "$work/$name.3" "${mpirun[@]}" -n 3 "$TAMP" run "$file" --output "$work/$name.3"
}

# Mistakes on the command line, on a case that is good; told like those in files.
check_overrides() {
    local good=$source_dir/tests/input/good.toml log=$work/override.log code
    if ! "$TAMP" check "$good" >"$log" 2>&1; then
        printf 'good.toml: rejected\n'
        sed 's/^/    /' "$log"
    fi
    "$TAMP" check "$good" --set solver.tolerence=1e-5 >"$log" 2>&1
    code=$?
    if ((code != 2)) || ! grep -q -F -e "--set solver.tolerence=1e-5: solver.tolerence: unknown key" "$log"; then
        printf 'override: exit code %s\n' "$code"
        sed 's/^/    /' "$log"
    fi
}

files=("$bad"/*.toml)
if (($# > 0)); then
    files=()
    for name in "$@"; do files+=("$bad/${name%.toml}.toml"); done
fi

# Several at a time: a start mostly waits.
check_overrides >"$work/overrides.result"
for file in "${files[@]}"; do
    while (($(jobs -r -p | wc -l) >= 5)); do wait -n; done
    check_file "$file" >"$work/$(basename "$file" .toml).result" &
done
wait

failed=0
for result in "$work"/*.result; do
    [[ -s $result ]] || continue
    cat "$result"
    failed=$((failed + 1))
done
printf '%d bad cases, %d failed\n' "${#files[@]}" "$failed"
exit $((failed > 0))
