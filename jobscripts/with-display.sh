#!/usr/bin/env bash
# Runs a command with an X display to draw pictures on, also where nobody looks at a screen:
#
#   jobscripts/with-display.sh mpirun -n 8 build/tamp run case.toml    on one machine
#   srun jobscripts/with-display.sh build/tamp run case.toml           on several: each process has its own
#
# A display of this machine is used as it is. Else a virtual one (Xvfb) is started, for as long as the command runs.
# The command takes the place of this script: signals reach it, and its exit code is that of the script.

set -euo pipefail

say() { printf 'with-display.sh: %s\n' "$*" >&2; }

if (($# == 0)); then
    say "usage: jobscripts/with-display.sh COMMAND..."
    exit 2
fi
# Not a display at the other end of a network: pictures are not made there.
if [[ ${DISPLAY:-} == :* ]]; then
    exec "$@"
fi
if ! command -v Xvfb >/dev/null; then
    say "there is no display, and Xvfb to provide one is not installed (Debian: xvfb); going on without"
    exec "$@"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/tamp-display.XXXXXX")
authority=()
if command -v xauth >/dev/null; then # only this user may draw
    cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    xauth -q -f "$folder/of-server" add :0 . "$cookie" 2>/dev/null # for a server of any number
    authority=(-auth "$folder/of-server")
fi

# Xvfb chooses a free number and tells it. -noreset: else it starts afresh when a process leaves, and may be
# away when the next one comes. The subshell makes it nobody's child: the command knows nothing of it.
mkfifo "$folder/number"
own=$$
(
    trap '' INT # Ctrl-C is for the command
    Xvfb -displayfd 3 -screen 0 1280x720x24 -noreset -nolisten tcp "${authority[@]}" 3>"$folder/number" \
        </dev/null >"$folder/log" 2>&1 &
    server=$!
    { tail --pid="$own" -f /dev/null & wait $!; kill "$server"; rm -rf "$folder"; } </dev/null >/dev/null 2>&1 &
) &

number=""
read -r -t 30 number <"$folder/number" || true
if [[ -z $number ]]; then
    say "Xvfb did not start: $(tail -n 1 "$folder/log" 2>/dev/null); going on without a display"
    exec "$@"
fi
export DISPLAY=:$number
# Open MPI's look at the hardware asks every display of the machine, and prints what others answer.
export HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--gl}
if ((${#authority[@]} > 0)); then
    xauth -q -f "$folder/authority" add "$DISPLAY" . "$cookie" 2>/dev/null
    export XAUTHORITY=$folder/authority
fi
exec "$@"
