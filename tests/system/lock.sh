#!/usr/bin/env bash
# A folder belongs to one run at a time: resume on a run that is alive is refused with host and process, and disturbs
# nothing; a run that was killed leaves no lock behind; a file system without locks does not stop a run.

# shellcheck source=tests/system/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case_file=$TAMP_SOURCE_DIR/tests/system/stop-and-go.toml
options=(--progress none --set checkpoint.every=20)
host=$(uname -n)
unset SLURM_JOB_ID PBS_JOBID LSB_JOBID # a job would be named, too
ranks=""
# A run that is halted does not end by itself.
# shellcheck disable=SC2086 # several
trap 'kill -KILL $ranks 2>/dev/null || true; rm -rf "$work"' EXIT

# start FOLDER: on two ranks in the background; returns when there is a checkpoint, with all ranks halted, so that the run
# is alive however long the test takes
start() {
    "${mpirun[@]}" -n 2 "$TAMP" run "$case_file" --output "$1" "${options[@]}" >"$1.log" 2>&1 &
    launcher=$!
    for _ in $(seq 600); do
        compgen -G "$1/checkpoint-*.h5" >/dev/null && break
        sleep 0.05
    done
    ranks=$(pgrep -P "$launcher" -x tamp) || fail "the run has ended too early to test anything: $(cat "$1.log")"
    to_ranks -STOP
}
to_ranks() { # SIGNAL
    # shellcheck disable=SC2086 # several
    kill "$1" $ranks
}
state_of_files() { find "$1" -type f -exec stat -c '%n %y %s' {} + -exec md5sum {} + | sort; }
ends_as_whole() { # LOG FOLDER
    [[ $(hash_in "$1") == "$hash" ]] || fail "$2 ends in another state: $(cat "$1")"
    cmp whole/series.csv "$2/series.csv" || fail "$2: another series.csv"
    same_snapshots whole "$2"
    [[ -e $2/run.lock && ! -s $2/run.lock ]] || fail "$2/run.lock names a run that has ended"
}

timeout 120 "$TAMP" run "$case_file" --output whole "${options[@]}" >whole.log
hash=$(hash_in whole.log)

# ---- A run that is alive ----------------------------------------------------------------------------------------
start live
holder=$(sed -n "s/^process \\([0-9]*\\) on host $host, since .* UTC\$/\\1/p" live/run.lock)
grep -q -x -F "$holder" <<<"$ranks" || fail "run.lock does not name a process of the run: $(cat live/run.lock)"
ln -s live alias
before=$(state_of_files live)
refused="a run is at work in this folder: process $holder on host $host, since "
expect 2 "$refused" "$TAMP" resume live
expect 2 "alias: $refused" "${mpirun[@]}" -n 3 "$TAMP" resume alias
expect 2 "$refused" "$TAMP" resume "$(find live -name 'checkpoint-*.h5' | head -n 1)" --until 1
expect 2 "results are never overwritten" "$TAMP" run "$case_file" --output live
# Looking is allowed, and so is going on elsewhere.
expect 0 "  particles/position" "$TAMP" info "$(find live -name 'checkpoint-*.h5' | sort | tail -n 1)"
expect 0 "state hash" "$TAMP" resume live --output elsewhere --progress none
[[ $(hash_in log) == "$hash" ]] || fail "another state elsewhere"
if "$python" -c 'import h5py, matplotlib' 2>/dev/null; then
    expect 0 "report in page.html" "$TAMP" report live --output page.html
fi
[[ $(state_of_files live) == "$before" ]] || fail "somebody wrote into the folder of a run that is alive"
to_ranks -CONT
wait "$launcher" || fail "the run that was alive fails: $(cat live.log)"
ranks=""
ends_as_whole live.log live
expect 0 "finished already" "$TAMP" resume live

# ---- A run that was killed --------------------------------------------------------------------------------------
start killed
to_ranks -KILL
wait "$launcher" && fail "a run that was killed ends with 0"
ranks=""
[[ -s killed/run.lock ]] || fail "this tests nothing: there is no old text in run.lock"
"${mpirun[@]}" -n 3 "$TAMP" resume killed "${options[@]}" >again.log 2>&1 || fail "no resume after a kill: $(cat again.log)"
ends_as_whole again.log killed

# ---- Two runs that start together -------------------------------------------------------------------------------
mkdir together
runs=()
for number in 1 2; do
    timeout 120 "$TAMP" run "$case_file" --output together "${options[@]}" >"together-$number.log" 2>&1 &
    runs+=($!)
done
codes=""
for run in "${runs[@]}"; do
    code=0
    wait "$run" || code=$?
    codes+="$code "
done
[[ $codes == "0 2 " || $codes == "2 0 " ]] || fail "two runs in one folder end with $codes: $(cat together-*.log)"
cat together-*.log >together.log
ends_as_whole together.log together

# ---- A file system without locks --------------------------------------------------------------------------------
command -v cc >/dev/null || skip "no C compiler: what a file system without locks does is not tested; all else is"
cat >no_locks.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static int without_locks(const char* name, int file, int command, void* argument) {
    if (command == F_OFD_SETLK) {
        errno = ENOLCK;
        return -1;
    }
    return ((int (*)(int, int, void*))dlsym(RTLD_NEXT, name))(file, command, argument);
}
#define REPLACE(name) \
    int name(int file, int command, ...) { \
        va_list rest; \
        va_start(rest, command); \
        void* argument = va_arg(rest, void*); \
        va_end(rest); \
        return without_locks(#name, file, command, argument); \
    }
REPLACE(fcntl)
REPLACE(fcntl64)
END
cc -shared -fPIC -o no_locks.so no_locks.c -ldl || fail "no library that refuses locks"
expect 0 "warning: without/run.lock cannot be locked: No locks available. The run goes on" \
    env LD_PRELOAD="$work/no_locks.so" "$TAMP" run "$case_file" --output without "${options[@]}"
ends_as_whole log without
