#!/usr/bin/env bash
# Runs that are killed with SIGKILL at random moments, many of them while a checkpoint is being written: every one goes
# on and ends with the right state, and no file that is not good is taken for good. Once with rigid and once with soft
# grains. KILLS in the environment: how many of each (default 8; tests/system/kill.sh alone with KILLS=100 takes some
# minutes).

# shellcheck source=tests/system/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kills=${KILLS:-8}
RANDOM=${SEED:-11}
options=(--progress none --set checkpoint.every=1 --set output.series_every=3)

# leg RANKS: starts the run or goes on with it, in the background
leg() {
    if compgen -G 'run/checkpoint-*.h5' >/dev/null; then
        "${mpirun[@]}" -n "$1" "$TAMP" resume run "${options[@]}" >>run.log 2>&1 &
    else
        rm -rf run
        "${mpirun[@]}" -n "$1" "$TAMP" run "$case_file" --output run "${options[@]}" >>run.log 2>&1 &
    fi
    launcher=$!
}

# survive CASE: kills runs of it
survive() {
    case_file=$TAMP_SOURCE_DIR/tests/system/$1
    rm -rf whole run again run.log mark
    timeout 120 "$TAMP" run "$case_file" --output whole "${options[@]}" >whole.log
    local hash code launcher ranks killed=0 while_writing=0 finished=0
    hash=$(hash_in whole.log)
    while ((killed < kills)); do
        leg $((RANDOM % 3 + 1))
        # As long as it takes to get under way, and then anything up to a second.
        for _ in $(seq 300); do
            [[ run/run.log -nt mark || ! -e mark ]] && compgen -G 'run/*.partial' >/dev/null && break
            kill -0 "$launcher" 2>/dev/null || break
            sleep 0.02
        done
        sleep "0.$(printf %03d $((RANDOM % 700)))"
        ranks=$(pgrep -P "$launcher" -x tamp || true)
        if [[ -n $ranks ]]; then
            # One rank, and the launcher takes the others along; or all of them at once.
            if ((RANDOM % 2)); then
                kill -KILL "$(head -n 1 <<<"$ranks")" 2>/dev/null || true
            else
                # shellcheck disable=SC2086 # several
                kill -KILL $ranks 2>/dev/null || true
            fi
            killed=$((killed + 1))
        fi
        code=0
        wait "$launcher" 2>/dev/null || code=$?
        if compgen -G 'run/checkpoint-*.partial' >/dev/null; then
            while_writing=$((while_writing + 1))
        fi
        for file in run/checkpoint-*.h5; do
            [[ -e $file ]] || continue
            "$TAMP" info "$file" >info.log 2>&1 || fail "a bad file has the name of a good one: $(cat info.log)"
        done
        touch mark
        if [[ $code == 0 ]] && grep -q '^state hash' run.log; then
            [[ $(hash_in run.log | tail -n 1) == "$hash" ]] || fail "another state after $killed kills"
            cmp whole/series.csv run/series.csv || fail "another series after $killed kills"
            finished=$((finished + 1))
            rm -rf run run.log
        fi
    done
    timeout 300 "$TAMP" resume run "${options[@]}" >>run.log 2>&1 || timeout 300 "$TAMP" run "$case_file" --output again "${options[@]}" >>run.log 2>&1
    [[ $(hash_in run.log | tail -n 1) == "$hash" ]] || fail "another state at the end: $(tail run.log)"
    ! compgen -G 'run/*.partial' >/dev/null || fail "half-written files are left behind: $(ls run)"
    echo "$killed kills, $while_writing of them while a checkpoint was written; $((finished + 1)) runs of $1 ended with the right state"
    ((while_writing > 0)) || fail "no kill met a checkpoint being written"
}

survive stop-and-go.toml
survive stop-and-go-soft.toml
