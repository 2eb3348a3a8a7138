#!/usr/bin/env bash
# The virtual display outlives signals that are for the command, goes when the command ends, and is not needed for the
# command to start.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
if ! command -v Xvfb >/dev/null; then
    echo "skipped: there is no Xvfb"
    exit 77
fi
with_display=$TAMP_SOURCE_DIR/jobscripts/with-display.sh
export TMPDIR=$work
unset DISPLAY

echo "-- signals to the whole group"
# A group of its own, as a terminal gives: the command heeds the signals and stays, and so must the display.
# shellcheck disable=SC2016 # the words are for the inner shell
setsid --wait "$with_display" bash -c '
    trap "signals+=i" INT; trap "signals+=t" TERM; trap "signals+=u" USR1
    for signal in INT TERM USR1; do kill -"$signal" 0; sleep 0.5; done
    echo "$signals"
    "$1" && echo "draws on $DISPLAY"' inner "$TAMP_BUILD_DIR/lib/tamp/tamp_try_display" >"$work/said" 2>&1 || true
contains "$work/said" "itu"
contains "$work/said" "draws on :"
for _ in {1..50}; do
    left=$(find "$work" -maxdepth 1 -name 'tamp-display.*' | wc -l)
    if ((left == 0)); then break; fi
    sleep 0.2
done
check "$left == 0" "folders left when the command is over"

echo "-- what the display needs fails"
# shellcheck disable=SC2016 # the words are for the inner shell
for tool in mktemp mkfifo xauth Xvfb; do
    mkdir -p "$work/without-$tool"
    printf '#!/bin/sh\nexit 1\n' >"$work/without-$tool/$tool"
    chmod +x "$work/without-$tool/$tool"
    code=0
    PATH=$work/without-$tool:$PATH "$with_display" sh -c 'echo "started:$DISPLAY"; exit 3' >"$work/said" 2>&1 || code=$?
    check "$code == 3" "$tool: the exit code is that of the command"
    contains "$work/said" "going on without a display"
    contains "$work/said" "$tool"
    grep -qx "started:" "$work/said" || check "0 > 1" "$tool: started without a display"
done
exit "$failed"
