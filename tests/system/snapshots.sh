#!/usr/bin/env bash
# What other programs make of the result files: h5py reads snapshots.h5 (through its links) and series.h5, also after
# the run was killed while it wrote; ParaView opens snapshots.xmf with each of its XDMF readers, with times and blocks.
#
# Needs TAMP (the executable, beside which parallel_tests writes the files) and MPIRUN.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

here=$TAMP_SOURCE_DIR/tests/system
writer=$(dirname "$TAMP")/tests/parallel_tests

[ -x "$writer" ] || skip "no $writer (built where GoogleTest is found)"
mkdir "$work/three"
TAMP_TEST_FOLDER=$work/three "${mpirun[@]}" -n 3 "$writer" --gtest_filter='FilesForOthers.*' >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "the files were not written"; }

# ---- tamp info ----------------------------------------------------------------------------------------------------
says() { "$TAMP" info "$1" | grep -F -- "$2" >/dev/null || fail "tamp info $(basename "$1") does not say: $2"; }
says "$work/three/snapshots.h5" "snapshots/00000010.h5: 2.5 s, 60 particles, 90 contacts"
says "$work/three/snapshots/00000025.h5" "particles:   40"
says "$work/three/snapshots/00000025.h5" "title:       title é"
says "$work/three/snapshots/00000025.h5" "  particles/radius 40 [m]"
says "$work/three/series.h5" "3000 rows, 0 to 374.875 s"

has_rows() { [ -e "$1" ] && "$TAMP" info "$1" 2>/dev/null | grep -E '^/: .* rows?, ' >/dev/null; }

# ---- h5py ---------------------------------------------------------------------------------------------------------
"$python" -c 'import h5py' 2>/dev/null || python=""
missing=""
if [ -n "$python" ]; then
    (cd / && "$python" "$here/check_snapshots.py" "$work/three" 3) || fail "h5py reads something else"
    # The output folder may be moved: links and XDMF are relative.
    mv "$work/three" "$work/moved"
    "$python" "$here/check_snapshots.py" "$work/moved" 3 || fail "h5py loses a folder that was moved"
    mv "$work/moved" "$work/three"
    # Killed while it does nothing but flush its series; read while it does.
    for i in 1 2 3 4 5; do
        folder=$work/killed-$i
        mkdir "$folder"
        TAMP_TEST_ENDLESS=1 TAMP_TEST_FOLDER=$folder "$writer" --gtest_filter='FilesForOthers.*' >"$folder/log" 2>&1 &
        job=$!
        # MPI may take long to start where much else runs.
        deadline=$((SECONDS + 60))
        until has_rows "$folder/series.h5"; do
            if [ "$SECONDS" -ge "$deadline" ] || ! kill -0 "$job" 2>/dev/null; then
                kill -KILL "$job" 2>/dev/null || true
                cat "$folder/log"
                fail "the writer ended, or wrote no row of its series within 60 s"
            fi
            sleep 0.05
        done
        sleep "0.$((i * 13))"
        kill -KILL "$job" || fail "the writer ended by itself"
        wait "$job" 2>/dev/null || true
        "$python" "$here/check_snapshots.py" "$folder" 1 killed || fail "a killed run left a file that cannot be read"
    done
else
    missing="python3 with h5py"
fi

# ---- ParaView -----------------------------------------------------------------------------------------------------
if command -v pvpython >/dev/null; then
    # Reading needs no display. Its readers report errors and go on.
    env -u DISPLAY pvpython "$here/check_paraview.py" "$work/three/snapshots.xmf" >"$work/paraview.log" 2>&1 ||
        { cat "$work/paraview.log"; fail "ParaView reads something else"; }
    grep '^ParaView:' "$work/paraview.log"
    if grep -qiE 'error|ERR\|' "$work/paraview.log"; then
        fail "a reader of ParaView complains"
    fi
else
    missing="${missing:+$missing and }pvpython"
fi

[ -z "$missing" ] || skip "no $missing; all else is well"
