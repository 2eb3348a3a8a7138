#!/usr/bin/env bash
# Runs a command with an X display to draw pictures on, also where nobody looks at a screen:
#
#   jobscripts/with-display.sh mpirun -n 8 build/tamp run case.toml    on one machine
#   srun jobscripts/with-display.sh build/tamp run case.toml           on several: each process has its own
#
# A display of this machine is used as it is. Else a virtual one (Xvfb) is started, for as long as the command runs.
# The command takes the place of this script: signals reach it, and its exit code is that of the script. Whatever goes
# wrong with the display, the command starts.

set -euo pipefail

say() { printf 'with-display.sh: %s\n' "$*" >&2; }

if (($# == 0)); then
    say "usage: $0 COMMAND..."
    exit 2
fi
# Not a display at the other end of a network: pictures are not made there.
if [[ ${DISPLAY:-} == :* ]]; then
    exec "$@"
fi

command=("$@")
folder=""
server=""
# go_on_without REASON: the command takes the place of this script, without a display
go_on_without() {
    say "$1; going on without a display"
    if [[ -n $folder && -z $server ]]; then
        rm -rf "$folder" || true
    fi
    exec "${command[@]}"
}

command -v Xvfb >/dev/null || go_on_without "Xvfb, which provides a display, is not installed (Debian: xvfb)"
folder=$(mktemp -d "${TMPDIR:-/tmp}/tamp-display.XXXXXX") || go_on_without "mktemp could not make a folder"
authority=()
if command -v xauth >/dev/null; then # only this user may draw
    cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n') || go_on_without "there are no random numbers for xauth"
    xauth -q -f "$folder/of-server" add :0 . "$cookie" 2>/dev/null || # for a server of any number
        go_on_without "xauth could not write $folder/of-server"
    authority=(-auth "$folder/of-server")
fi
mkfifo "$folder/number" || go_on_without "mkfifo could not make $folder/number"

# Xvfb chooses a free number and tells it. -noreset: else it starts afresh when a process leaves, and may be
# away when the next one comes. The subshell makes it nobody's child: the command knows nothing of it. A session
# of its own: signals to the group of the command, such as Ctrl-C, are not for the display.
own=$$
server=started
(
    setsid Xvfb -displayfd 3 -screen 0 1280x720x24 -noreset -nolisten tcp "${authority[@]}" 3>"$folder/number" \
        </dev/null >"$folder/log" 2>&1 &
    # shellcheck disable=SC2016 # the words are for the inner shell
    setsid bash -c 'tail --pid="$1" -f /dev/null; kill "$2"; rm -rf "$3"' watcher "$own" "$!" "$folder" \
        </dev/null >/dev/null 2>&1 &
) &

number=""
read -r -t 30 number <"$folder/number" || true
if [[ -z $number ]]; then
    go_on_without "Xvfb did not start: $(tail -n 1 "$folder/log" 2>/dev/null || true)"
fi
if ((${#authority[@]} > 0)); then
    xauth -q -f "$folder/authority" add ":$number" . "$cookie" 2>/dev/null ||
        go_on_without "xauth could not write $folder/authority"
    export XAUTHORITY=$folder/authority
fi
export DISPLAY=:$number
# For mpirun (tamp itself does the same): its look at the hardware asks every display of the machine, and prints what
# others answer.
export HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--gl}
exec "$@"
