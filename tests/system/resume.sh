#!/usr/bin/env bash
# A run in pieces ends as the run in one: the same state, the same series byte for byte, the same snapshots. And what
# resume refuses.

# shellcheck source=tests/system/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case_file=$TAMP_SOURCE_DIR/tests/system/stop-and-go.toml
tamp() { timeout 120 "$TAMP" "$@" --progress none; }

tamp run "$case_file" --output whole >whole.log
hash=$(hash_in whole.log)
end=$(tail -n 1 whole/series.csv | cut -d, -f1)

# ---- In pieces, each on another number of ranks -----------------------------------------------------------------
RANDOM=7
tamp run "$case_file" --output parts --until 0.0007 >parts.log
for ranks in 2 1 3 4 2; do
    share=$((RANDOM % 1000)) # of what is left
    time=$(tail -n 1 parts/series.csv | cut -d, -f1)
    until=$(awk -v t="$time" -v e="$end" -v s="$share" 'BEGIN { print t + (e - t) * s / 1500 }')
    timeout 120 "${mpirun[@]}" -n "$ranks" "$TAMP" resume parts --until "$until" --progress none >parts.log
done
[[ $(hash_in parts.log) != "$hash" ]] || fail "the pieces reached the end too early to test anything"
timeout 120 "${mpirun[@]}" -n 3 "$TAMP" resume parts --progress none >parts.log
[[ $(hash_in parts.log) == "$hash" ]] || fail "a run in pieces ends in another state"
cmp whole/series.csv parts/series.csv || fail "another series.csv"
h5diff whole/series.h5 parts/series.h5 || fail "another series.h5"
grep -q '^3,hold,balance,' whole/stages.csv || fail "the last stage did not end by balance: $(cat whole/stages.csv)"
without_seconds() { cut -d, -f1-7,9- "$1"; }
head -n 1 whole/stages.csv | cut -d, -f8 | grep -qx 'seconds \[s\]' || fail "column 8 of stages.csv is not the seconds"
diff <(without_seconds whole/stages.csv) <(without_seconds parts/stages.csv) || fail "another stages.csv"
same_snapshots whole parts
grep -q '"state_hash": "'"$hash"'"' parts/report.json || fail "report.json does not tell the state"
[[ $(find parts -name 'checkpoint-*.h5' | wc -l) == 2 ]] || fail "not two checkpoints are kept"
[[ $("$TAMP" info "$(find parts -name 'checkpoint-*.h5' | sort | tail -n 1)" | hash_in /dev/stdin) == "$hash" ]] ||
    fail "tamp info tells another state hash of a checkpoint"

# A finished run is finished, and its report stays; --until goes on as if the last stage had been longer.
cp parts/report.json before.json
expect 0 "finished already" "$TAMP" resume parts
cmp before.json parts/report.json || fail "resume touched the report of a finished run"
later=$(awk -v e="$end" 'BEGIN { print e + 0.001 }')
tamp resume parts --until "$later" >later.log
tamp run "$case_file" --output longer --until "$later" >longer.log
[[ $(hash_in later.log) == "$(hash_in longer.log)" && $(hash_in later.log) != "$hash" ]] ||
    fail "a run that is made longer after its end differs from one that was longer from the beginning"

# To the end of a stage and not a step further, and no step more when asked again.
tamp run "$case_file" --output stage --until 0.01 >stage.log
[[ -n $(hash_in stage.log) && $(tail -n 1 stage/series.csv | cut -d, -f1) == 0.01 ]] || fail "--until makes steps of the next stage"
expect 0 "has reached --until 0.01 s already: its time is 0.01 s" "$TAMP" resume stage --until 0.01
[[ $("$TAMP" info stage/stage-1-fall.h5 | hash_in /dev/stdin) == "$(hash_in stage.log)" ]] || fail "--until goes beyond a stage"
tamp resume stage >stage.log
[[ $(hash_in stage.log) == "$hash" ]] || fail "another state after a stop between stages"

# ---- Damage: the one before is taken, with a message ---------------------------------------------------------------
newest() { find "$1" -name 'checkpoint-*.h5' | sort | tail -n 1; }
for damage in "truncate -s 20000" "truncate -s 0" "truncate -s -64" "python_flip 0.3" "python_flip 0.9" "python_flip 0.02"; do
    rm -rf damaged
    cp -r whole damaged
    file=$(newest damaged)
    case $damage in
    python_flip*)
        "$python" - "$file" "${damage#* }" <<'END'
import sys
path, share = sys.argv[1], float(sys.argv[2])
with open(path, "r+b") as file:
    data = file.read()
    at = int(share * len(data))
    while data[at : at + 8] == bytes(8):
        at += 8
    file.seek(at)
    file.write(bytes([data[at] ^ 64]))
END
        ;;
    *) $damage "$file" ;;
    esac
    tamp resume damaged >damaged.log || fail "resume fails after: $damage"
    grep -q "damaged or incomplete\|not an HDF5 file" damaged.log || fail "no word about the damage: $damage"
    [[ $(hash_in damaged.log) == "$hash" ]] || fail "another state after: $damage"
    cmp -s whole/series.csv damaged/series.csv || fail "another series after: $damage"
done
rm -rf damaged
cp -r whole damaged
for file in damaged/checkpoint-*.h5; do truncate -s 1000 "$file"; done
expect 3 "no checkpoint can be used" "${mpirun[@]}" -n 3 "$TAMP" resume damaged

# ---- What is refused, on 1 and 3 ranks ---------------------------------------------------------------------------
before=$(find whole -type f -exec md5sum {} + | sort)
for ranks in 1 3; do
    run=("${mpirun[@]}" -n "$ranks" "$TAMP" resume)
    expect 2 "--set changes solver" "${run[@]}" whole --set solver.tolerance=1e-3
    expect 2 "--set changes gravity" "${run[@]}" whole --set 'gravity=[0,0,-1]'
    expect 2 "--set changes neighbours" "${run[@]}" whole --set neighbours.skin=1e-4 --force
    expect 2 "did you mean 'series_every'" "${run[@]}" whole --set output.series_evry=3
    expect 2 "there is no checkpoint in this folder" "${run[@]}" whole/snapshots
    expect 2 "no such file or folder" "${run[@]}" nowhere
    expect 3 "not a checkpoint of tamp" "${run[@]}" whole/stage-1-fall.h5
    for time in soon nan inf -inf 1e400 -1 0 "" 1s; do
        expect 2 "--until: '$time' is not a time; give a finite number of seconds above 0" "${run[@]}" whole --until "$time"
    done
    expect 2 "--until 0.01 s lies before the time of this checkpoint, $end s" "${run[@]}" whole --until 0.01
    # A run has one folder, and a folder all of its results.
    expect 2 "use --output FOLDER" "${run[@]}" whole --set output.directory=elsewhere
    expect 2 "use --output FOLDER" "${run[@]}" whole --set ' output.directory = elsewhere'
    expect 2 "use --output FOLDER" "${run[@]}" whole --set 'output={directory="elsewhere"}'
done
[[ $(find whole -type f -exec md5sum {} + | sort) == "$before" && ! -e elsewhere ]] || fail "something was written by a refused resume"

# ---- What may change ---------------------------------------------------------------------------------------------
first=$(find whole -name 'checkpoint-*.h5' | sort | head -n 1)
rm -rf changed
tamp resume "$first" --output changed --set output.series_every=1 --set checkpoint.interval=0 >changed.log
[[ $(hash_in changed.log) == "$hash" ]] || fail "output settings changed the run"
[[ $(find whole -type f -exec md5sum {} + | sort) == "$before" ]] || fail "resume --output wrote into the old folder"
rm -rf changed
cp -r whole changed
tamp resume "changed/$(basename "$first")" --set measure.energy_budget=false >changed.log
[[ $(hash_in changed.log) == "$hash" ]] || fail "measures changed the run"
ls changed/series-until-*.csv changed/series-until-*.h5 changed/checkpoint-*-set-aside.h5 >/dev/null || fail "old files are lost"
tamp resume "$first" --output forced --set solver.max_sweeps=20 --force >forced.log
grep -q "changed from here on: solver" forced.log || fail "--force does not say what it changed"
[[ $(hash_in forced.log) != "$hash" ]] || fail "--force changed nothing"

# Other physics never replaces what there is of later steps.
before=$(find whole -type f -exec md5sum {} + | sort)
expect 2 "this run is complete, and another run never replaces its results; add --output FOLDER" \
    "$TAMP" resume whole --until 1 --set solver.max_sweeps=20 --force
expect 2 "results of steps after" "$TAMP" resume "$first" --set solver.max_sweeps=20 --force
[[ $(find whole -type f -exec md5sum {} + | sort) == "$before" ]] || fail "--force replaced files of the old run"
# Where --until stopped there are no later steps: the run goes on, and the report so far gets another name.
tamp run "$case_file" --output early --until 0.005 >early.log
cp early/report.json until.json
tamp resume early --set solver.max_sweeps=20 --force >early.log
ls early/series-before-*.csv early/series-before-*.h5 >/dev/null || fail "--force kept no copy of the series"
cmp until.json early/report-before-*.json || fail "--force lost the report of the run so far"
grep -q "$(hash_in early.log)" early/report.json || fail "no report of the run that --force changed"
# The same with a report of a later state, of which no checkpoint is left.
tamp run "$case_file" --output early-2 --until 0.005 >early.log
cp whole/report.json early-2/
expect 2 "results of steps after" "$TAMP" resume early-2 --set solver.max_sweeps=20 --force

# Another stage behind the last one is run as well.
stages='stage=[{name="fall",duration=0.01},{name="press",until_fraction=0.3,steps=300},{name="hold",steps=40},{name="more",steps=7}]'
tamp resume whole --output appended --set "$stages" --force >appended.log
grep -q "more: ended by its steps .* after 7 steps" appended.log || fail "a stage that was appended is not run: $(cat appended.log)"

# ---- Files that were deleted ---------------------------------------------------------------------------------------
tamp run "$case_file" --output half --until 0.016 >half.log
cp -r half deleted
tamp resume deleted >deleted.log
if grep -q "missing" deleted.log; then fail "something is missed that is there: $(cat deleted.log)"; fi
rm -rf deleted && cp -r half deleted && rm deleted/series.csv deleted/series.h5 deleted/snapshots/00000050.h5
[[ -e half/snapshots/00000025.h5 ]] || fail "this tests nothing"
tamp resume deleted >deleted.log
for file in series.csv series.h5 snapshots/00000050.h5; do
    [[ $(grep -c "warning: deleted/$file is missing" deleted.log) == 1 ]] || fail "no word about $file: $(cat deleted.log)"
done
"$TAMP" info deleted/snapshots.h5 | grep "00000025.h5" >/dev/null || fail "a snapshot that is there is not listed"
if "$TAMP" info deleted/snapshots.h5 | grep "00000050.h5" >/dev/null; then fail "a snapshot that was deleted is listed"; fi
[[ $(hash_in deleted.log) == "$hash" ]] || fail "files that were deleted changed the run"
rm -rf deleted && cp -r half deleted && rm -r deleted/snapshots deleted/snapshots.h5
tamp resume deleted >deleted.log
grep -q "warning: deleted/snapshots.h5 is missing" deleted.log || fail "no word about the index: $(cat deleted.log)"
grep -q "warning: deleted/snapshots/00000025.h5, .* are missing" deleted.log || fail "no word about snapshots: $(cat deleted.log)"
rm -rf half

# ---- Ends that were cut short ---------------------------------------------------------------------------------------
# Killed between the last checkpoint and the report.
rm -rf cut && cp -r whole cut && rm cut/report.json
tamp resume cut >cut.log
[[ $(hash_in cut.log) == "$hash" ]] || fail "a run that was killed at its end ends in another state"
grep -q "$hash" cut/report.json || fail "no report of a run that was killed at its end"
cmp whole/series.csv cut/series.csv || fail "the report changed the series"
expect 0 "finished already" "$TAMP" resume cut
# Beyond the end of the last stage, and then no further: the file of that stage is still to be written.
[[ ! -e longer/stage-3-hold.h5 ]] || fail "this tests nothing"
tamp resume longer >longer.log
[[ $("$TAMP" info longer/stage-3-hold.h5 | hash_in /dev/stdin) == "$(hash_in longer.log)" ]] || fail "the last stage has no file"
# A file that could not be written is not forgotten.
tamp run "$case_file" --output half --until 0.02 >half.log
rm -rf cut && cp -r half cut && mkdir -p cut/stage-3-hold.h5/in-the-way
expect 3 "some of its files could not be written" "$TAMP" resume cut --progress none
expect 3 "some of its files could not be written" "$TAMP" resume cut --progress none
