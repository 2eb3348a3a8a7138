#!/usr/bin/env bash
# Checkpoints that cannot be written: a full disk, a limit on file sizes (as a quota has it) and a folder that may no
# longer be written to. The run goes on, the old checkpoint stays, there is one warning, and it is tried again.

# shellcheck source=tests/system/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case_file=$TAMP_SOURCE_DIR/tests/system/stop-and-go.toml
# Without snapshots and measures: what is written between checkpoints is little. Its first stage goes on for very long:
# the file of a stage that ended meanwhile would be missed for good.
sed '/^\[measure\]/,/^$/d; /^\[snapshots\]/,/^$/d; s/^duration = .*/duration = 1000/' "$case_file" >case.toml
options=(--progress none --set checkpoint.every=2 --set output.series_every=50)
newest() { find "$1" -name 'checkpoint-*.h5' | sort | tail -n 1; }

wait_for() { # TEXT LOG
    for _ in $(seq 600); do
        grep -q "$1" "$2" && return
        sleep 0.1
    done
    fail "it never says \"$1\": $(cat "$2")"
}
wait_for_checkpoint() { # FOLDER
    for _ in $(seq 600); do
        compgen -G "$1/checkpoint-*.h5" >/dev/null && return
        sleep 0.1
    done
    fail "no checkpoint in $1"
}
# ends_well FOLDER LOG: the run, which was told to stop, left a good checkpoint and goes on from it with the same bits
# as one that met no trouble.
ends_well() {
    local code=0 later
    wait "$run" || code=$?
    [[ $code == 75 ]] || fail "$1: exit code $code: $(cat "$2")"
    # One warning for every time of trouble. (A disk can be full twice: removing an old checkpoint makes room.)
    [[ $(grep -c 'warning: no checkpoint of step .* The run goes on, and .* stays' "$2") == \
        $(grep -c 'checkpoints can be written again' "$2") ]] || fail "not one warning: $(cat "$2")"
    ! compgen -G "$1/checkpoint-*.partial" >/dev/null || fail "$1: half a checkpoint is left behind"
    later=$("$TAMP" info "$(newest "$1")" | awk '/^time:/ { print $2 + 0.0005 }')
    timeout 120 "$TAMP" resume "$1" --until "$later" "${options[@]}" >again.log || fail "$1: cannot go on"
    timeout 120 "$TAMP" run case.toml --until "$later" --output plain "${options[@]}" >plain.log
    [[ -n $(hash_in plain.log) && $(hash_in again.log) == "$(hash_in plain.log)" ]] || fail "$1: another state"
    rm -rf plain
}

# ---- A limit on the size of files, as a quota has it --------------------------------------------------------------
"${mpirun[@]}" -n 3 "$TAMP" run case.toml --output limited "${options[@]}" >limited.log 2>&1 &
run=$!
wait_for_checkpoint limited
ranks=$(pgrep -P $run -x tamp)
for rank in $ranks; do prlimit --pid "$rank" --fsize=40000:unlimited; done
# HDF5 does not say why if the limit came after the room was reserved.
wait_for "warning: no checkpoint of step .*\(File too large\|file write failed\)" limited.log
"$TAMP" info "$(newest limited)" >/dev/null || fail "the old checkpoint is damaged"
for rank in $ranks; do prlimit --pid "$rank" --fsize=unlimited:unlimited; done
wait_for "checkpoints can be written again" limited.log
kill -USR1 "$(head -n 1 <<<"$ranks")"
ends_well limited limited.log

[[ $(id -u) == 0 ]] || skip "the rest needs root"

# ---- A disk that gets full while the run goes on, and has room again ------------------------------------------------
mkdir disk
mount -t tmpfs -o size=4m tmpfs disk || skip "a small disk cannot be mounted here"
trap 'cd /; umount -l "$work/disk"; rm -rf "$work"' EXIT
"${mpirun[@]}" -n 2 "$TAMP" run case.toml --output disk/run "${options[@]}" >disk.log 2>&1 &
run=$!
wait_for_checkpoint disk/run
dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || true
wait_for "warning: no checkpoint of step .*No space left" disk.log
"$TAMP" info "$(newest disk/run)" >/dev/null || fail "the old checkpoint is damaged"
rm disk/filler
wait_for "checkpoints can be written again" disk.log
kill -USR1 "$(pgrep -P $run -x tamp | head -n 1)"
ends_well disk/run disk.log

# ---- A folder that becomes read-only: as somebody to whom that matters ----------------------------------------------
setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$TAMP" 2>/dev/null ||
    skip "another user cannot run $TAMP: read-only folders are not tested"
mkdir home nobody
chown 65534:65534 home nobody
chmod a+rx "$work"
# A user who has no say here, and no part in root's shared memory.
HOME=$work/home TMPDIR=$work/home setpriv --reuid=65534 --regid=65534 --clear-groups \
    "$TAMP" run case.toml --output nobody/run "${options[@]}" >nobody.log 2>&1 &
run=$!
wait_for_checkpoint nobody/run
chmod a-w nobody/run
wait_for "warning: no checkpoint of step .*Permission denied" nobody.log
chmod u+w nobody/run
wait_for "checkpoints can be written again" nobody.log
kill -TERM $run
ends_well nobody/run nobody.log
