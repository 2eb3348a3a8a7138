#!/usr/bin/env bash
# ./tests/bench/hashes.sh [FILE]: writes the hashes of all cases of inputs/ (shortened, without pictures) and of
# tests/parallel to FILE (default: build/hashes.txt). Run it before and after a change that is to change no bit, on the
# same machine, and compare the files. About three minutes on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake/setup.sh tests
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
result=${1:-build/hashes.txt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME RANKS CASE OPTIONS...: one line of the result
run() {
    local name=$1 ranks=$2 case=$3
    shift 3
    sed '/^\[\[picture\]\]/,/^$/d' "$case" >"$work/$name.toml"
    mpirun --oversubscribe --bind-to none -n "$ranks" build/tamp run "$work/$name.toml" --progress none \
        --output "$work/$name-$ranks" "$@" >"$work/log" || { cat "$work/log"; exit 1; }
    echo "$name $ranks $(sed -n 's/^state hash: //p' "$work/log")" | tee -a "$result"
}

: >"$result"
short=(--set 'stage[0].duration=0.1' --set 'stage[1].duration=0.05' --set 'stage[2].duration=0.02'
    --set 'stage[3].duration=0.02')
run compaction 1 inputs/compaction.toml "${short[@]}"
run compaction 3 inputs/compaction.toml "${short[@]}"
run settle 1 inputs/settle.toml --set 'stage[0].duration=0.15'
run discs 1 inputs/discs.toml --set 'stage[0].duration=0.1' --set 'stage[1].duration=0.1' --set 'stage[2].duration=0.05'
run heap 1 inputs/heap.toml --set 'stage[0].duration=0.15'
run million 2 inputs/million.toml --set 'stage[0].steps=8'
run pour 1 inputs/slump/pour.toml --set 'stage[0].duration=0.4'
cp "$work"/pour-1/stage-1-*.h5 "$work/pile.h5" # which slump.toml starts from
run slump 1 inputs/slump/slump.toml --set 'stage[0].duration=0.1'
build/tests/bench/case_hashes | tee -a "$result"
