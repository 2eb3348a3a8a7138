#!/usr/bin/env bash
# What `tamp run` writes and where: nothing is overwritten, files are what they promise, logs are plain text, and every
# failure has its exit code (2: input, 3: file) and a message.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >drop.toml <<'END'
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [5e-3, 5e-3, 8e-3]
boundary = ["wall", "wall", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
material = "glass"
count = 40
size = { distribution = "mono", diameter = 1e-3 }

[[wall]]
name = "plate"
point = [0, 0, 0]
normal = [0.6, 0, 0.8]
material = "glass"

[output]
series_every = 7

[[stage]]
name = "fall"
steps = 30

[[stage]]
name = "rest"
duration = 0.01
END

# ---- A run and its files ----------------------------------------------------------------------------------------
timeout 60 "${mpirun[@]}" -n 2 "$TAMP" run drop.toml --output out/put/here >run.log 2>&1 || { cat run.log; fail "run"; }
for file in series.csv series-columns.txt series.h5 stages.csv report.json run.log stage-1-fall.h5 stage-2-rest.h5; do
    [[ -s out/put/here/$file ]] || fail "$file is missing or empty"
done
[[ $(find out/put/here -type f | wc -l) == 11 && -f out/put/here/run.lock ]] || fail "unexpected files: $(ls out/put/here)"
if LC_ALL=C grep -q -P '[\r\x1b]' run.log out/put/here/run.log; then
    fail "the log has carriage returns or escapes"
fi
grep -q "state hash:" out/put/here/run.log || fail "run.log has no state hash"

columns='time [s],step,stage,particles,contacts,coordination,volume fraction,kinetic energy [J],mean overlap [m]'
columns+=',largest overlap [m],time step [s],sweeps,residual,largest residual,force error,momentum resets'
for wall in x- x+ y- y+ z- z+ plate; do
    columns+=",force on $wall [N]"
done
columns+=',bed height [m],bed strain,bed volume fraction'
[[ $(head -n 1 out/put/here/series.csv) == "$columns,contact stress xx [Pa],"* ]] ||
    fail "series.csv has the columns $(head -n 1 out/put/here/series.csv)"
for column in 'unbalanced force' 'unbalanced load' 'wall plate position [m]' 'wall plate velocity z [m/s]' \
    'wall plate stress [Pa]' 'wall plate applied stress [Pa]'; do
    head -n 1 out/put/here/series.csv | tr , '\n' | grep -qxF "$column" || fail "series.csv has no column $column"
done
awk -F, '
    NR == 1 { count = NF }
    NF != count { print "line " NR " has " NF " columns"; bad = 1 }
    NR > 2 && ($1 <= time || $2 <= step || $3 < stage) { print "line " NR " does not come after the one before"; bad = 1 }
    NR > 1 { time = $1 + 0; step = $2 + 0; stage = $3 + 0; steps[$2] }
    NR > 1 && $4 != 40 { print "line " NR ": particles are lost"; bad = 1 }
    END {
        if (!(1 in steps && 7 in steps && 28 in steps && 30 in steps && 31 in steps && stage == 2)) {
            print "a promised line is missing: first and last of a stage, every 7 steps"; bad = 1
        }
        exit bad
    }' out/put/here/series.csv || fail "series.csv is not in order"
# Every column is explained, in the order of the columns: its title, two spaces or more, a sentence.
awk 'NR > 3 { if (!match($0, /  +[A-Z].+$/)) exit 1; print substr($0, 1, RSTART - 1) }' out/put/here/series-columns.txt |
    diff - <(head -n 1 out/put/here/series.csv | tr , '\n') || fail "series-columns.txt does not explain series.csv"

"$python" - out/put/here/report.json <<'END' || fail "report.json"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["ranks"] == 2 and report["particles"] == 40 and report["lost"] == 0, report
assert report["steps"] > 30 and report["sweeps"] > 0 and report["seconds"] > 0, report
assert len(report["state_hash"]) == 32 and report["parts"]["sweeps"]["calls"] > 0, report
END

# ---- Nothing is ever overwritten --------------------------------------------------------------------------------
fingerprint() {
    find . -mindepth 2 -type f -exec stat -c '%n %Y %s' {} + -exec sha256sum {} + | sort
}
before=$(fingerprint)
expect 2 "results are never overwritten" "$TAMP" run drop.toml --output out/put/here
expect 2 "results are never overwritten" "${mpirun[@]}" -n 3 "$TAMP" run drop.toml --output out/put/here
expect 2 "results are never overwritten" "$TAMP" run drop.toml --set 'output.directory="out/put"'
[[ $(fingerprint) == "$before" ]] || fail "a refused run changed files"

mkdir empty # an empty folder is as good as none
expect 0 "results in empty" "$TAMP" run drop.toml --output empty --set 'stage[1].duration=1e-4'
for folder in output/drop output/drop-2 output/drop-3; do
    before=$(fingerprint)
    expect 0 "results in $folder" "$TAMP" run drop.toml --set 'stage[1].duration=1e-4'
    [[ -s $folder/report.json ]] || fail "$folder has no report"
    [[ $(comm -23 <(printf '%s\n' "$before") <(fingerprint)) == "" ]] || fail "$folder: an earlier result changed"
done

# ---- Failures ---------------------------------------------------------------------------------------------------
: >file
ln -s loop loop
expect 3 "cannot write to this output folder: Not a directory" "$TAMP" run drop.toml --output /dev/null/x
expect 3 "cannot write to this output folder" "${mpirun[@]}" -n 2 "$TAMP" run drop.toml --output file/below
expect 3 "cannot write to this output folder" "$TAMP" run drop.toml --output loop/x
expect 3 "cannot write to this output folder" "$TAMP" run drop.toml --output "$(printf 'x%.0s' {1..300})"
for command in run resume; do
    expect 2 "--output: must not be empty" "$TAMP" $command drop.toml --output ""
done
expect 2 "--output: must not be empty" "$TAMP" report out/put/here --output ""
expect 2 "file: this is a file, not a folder" "$TAMP" run drop.toml --output file
expect 2 "file: this is a file, not a folder" "${mpirun[@]}" -n 2 "$TAMP" resume out/put/here --output file --until 1
expect 3 "not an HDF5 file" "$TAMP" info drop.toml
head -c 2000 out/put/here/stage-2-rest.h5 >short.h5
expect 3 "short.h5" "$TAMP" info short.h5
# What the user names and cannot be opened is a mistake in the input, whatever the command.
long=$(printf 'x%.0s' {1..300})
for command in run check resume info report; do
    for path in missing file/below loop "$long" ""; do
        code=0
        timeout 60 "$TAMP" $command "$path" >log 2>&1 </dev/null || code=$?
        [[ $code == 2 ]] || { cat log; fail "tamp $command '$path' ends with $code"; }
        [[ $(grep -c "^tamp: .*$path" log) == 1 ]] || { cat log; fail "tamp $command '$path' does not say what is wrong"; }
    done
done
expect 2 "cannot read this case file: Is a directory" "$TAMP" check .
expect 2 "cannot read .: it is a folder" "${mpirun[@]}" -n 2 "$TAMP" info .
expect 2 "there is no checkpoint in this folder" "$TAMP" resume out
expect 2 "this is not a folder of tamp run" "$TAMP" report out
expect 2 "cannot read this case file: it is empty" "$TAMP" check file
expect 2 "cannot read this case file: Is a directory" "$TAMP" run .
expect 2 "cannot read this case file: No such file" "${mpirun[@]}" -n 2 "$TAMP" run missing.toml
expect 2 "see tamp --help" "$TAMP" bogus
expect 2 "did you mean: tamp run drop.toml" "$TAMP" drop.toml
expect 2 "see tamp --help" "$TAMP"
expect 2 "see tamp --help" "$TAMP" run drop.toml --progress loud
expect 2 "unknown section" "$TAMP" keys bogus

# ---- Help -------------------------------------------------------------------------------------------------------
for command in run check info keys; do
    expect 0 "  $command " "$TAMP" --help
done
expect 0 "--output" "$TAMP" run --help
expect 0 "max_sweeps" "$TAMP" keys solver
expect 0 "a good case" "$TAMP" check drop.toml
"$TAMP" keys >keys.txt
for section in domain material particles wall solver time neighbours output stage; do
    grep -q "$section" keys.txt || fail "tamp keys does not list $section"
done
