#!/usr/bin/env bash
# SIGUSR1, SIGTERM and SIGINT, to a rank and to the launcher: the step is finished, a checkpoint written, and resume goes
# on with the same bits. A second SIGINT ends the run at once.

# shellcheck source=tests/system/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Long enough for a signal to come in between, however slow the machine is; never run to its end.
sed 's/^steps = 300/steps = 1000000/; s/^until_fraction = .*//; s/0, 0, -0.2/0, 0, 0/' \
    "$TAMP_SOURCE_DIR/tests/system/stop-and-go.toml" >case.toml
# What the launcher does when it is told to end: it tells the ranks and kills them so many seconds later.
patience=4

# start FOLDER [VARIABLE=VALUE]: on two ranks in the background; returns when the run is under way
start() {
    env ${2:+"$2"} "${mpirun[@]}" -n 2 "$TAMP" run case.toml --output "$1" --progress none \
        --set output.series_every=1 >"$1.log" 2>&1 &
    launcher=$!
    for _ in $(seq 600); do
        [[ -e $1/series.csv && $(wc -l <"$1/series.csv") -gt 10 ]] && return
        sleep 0.1
    done
    fail "the run does not get under way: $(cat "$1.log")"
}
# A rank: a child of the launcher.
a_rank() { pgrep -P "$launcher" -x tamp | shuf -n 1 --random-source=<(yes "$RANDOM"); }

for signal in USR1 TERM INT; do
    for to in rank launcher; do
        folder=$signal-$to
        if [[ $to == rank ]]; then
            start "$folder"
            kill "-$signal" "$(a_rank)"
        else
            start "$folder" "OMPI_MCA_odls_base_sigkill_timeout=$([[ $signal == USR1 ]] && echo 1 || echo "$patience")"
            kill "-$signal" "$launcher"
        fi
        code=0
        wait "$launcher" || code=$?
        # The launcher reports its own code for signals that it takes for itself; SIGUSR1 it passes on.
        if [[ $to == rank || $signal == USR1 ]]; then
            [[ $code == 75 ]] || fail "$folder: exit code $code instead of 75: $(cat "$folder.log")"
        else
            [[ $code != 0 ]] || fail "$folder: a run that was stopped ends with 0"
        fi
        grep -q "stopped by SIG.*; go on with: tamp resume $folder/checkpoint-" "$folder.log" ||
            fail "$folder: not told how to go on: $(cat "$folder.log")"
        step=$(find "$folder" -name 'checkpoint-*.h5' | sort | tail -n 1)
        "$TAMP" info "$step" >/dev/null || fail "$folder: a bad checkpoint"
    done
done

# The same bits: one of them goes on to a later time, and so does a run that nothing stopped.
time=$(tail -n 1 USR1-rank/series.csv | cut -d, -f1)
later=$(awk -v t="$time" 'BEGIN { print t + 0.003 }')
timeout 120 "$TAMP" resume USR1-rank --until "$later" --progress none >parts.log
timeout 120 "$TAMP" run case.toml --until "$later" --output whole --progress none >whole.log
[[ -n $(hash_in whole.log) && $(hash_in parts.log) == "$(hash_in whole.log)" ]] || fail "another state after a signal"

# Twice is at once. In a step that takes hours: nothing else could end it.
sed 's/^max_sweeps = .*/max_sweeps = 1000000000\nmin_sweeps = 1000000000/; s/^max_step = .*/max_step = 1e-3/' case.toml >endless.toml
"$TAMP" run endless.toml --output twice --progress none >twice.log 2>&1 &
run=$!
for _ in $(seq 600); do
    [[ -e twice/series.csv ]] && break
    sleep 0.1
done
sleep 1
kill -INT $run
sleep 1
kill -0 $run 2>/dev/null || fail "one interrupt ended a run in the middle of a step: $(cat twice.log)"
kill -INT $run
code=0
wait $run || code=$?
[[ $code == 130 ]] || fail "after two interrupts the exit code is $code: $(cat twice.log)"
