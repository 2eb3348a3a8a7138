#!/usr/bin/env bash
# Whatever goes wrong with pictures is said clearly, and the run ends as it would without them.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

printf '# script-version: 2.0\nthis is no Python\n' >"$work/syntax.py"
cat >"$work/raises.py" <<'END'
# script-version: 2.0
from paraview.simple import *
from paraview import catalyst
options = catalyst.Options()
def catalyst_execute(info):
    raise ValueError("the moon is not full")
END
cat >"$work/lazy.py" <<'END'
# script-version: 2.0
from paraview.simple import *
from paraview import catalyst
options = catalyst.Options()
def catalyst_execute(info):
    print("a script may print")
END

cat >"$work/late.py" <<'END'
# script-version: 2.0
from paraview.simple import *
import tamp_picture
options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("particles")
def catalyst_execute(info):
    picture = tamp_picture.Picture(info)
    tamp_picture.Scene(picture).save(picture)
    raise ValueError("saved, and then this")
END
# The last rank only: when the script is read, and when it is asked for its data.
cat >"$work/last.py" <<'END'
from paraview.vtk.vtkParallelCore import vtkMultiProcessController
ranks = vtkMultiProcessController.GetGlobalController()
def is_last():
    return ranks.GetLocalProcessId() == ranks.GetNumberOfProcesses() - 1
END
cat >"$work/unread.py" <<'END'
# script-version: 2.0
import last, tamp_picture
if last.is_last():
    raise ValueError("the last rank cannot read")
from particles import *
END
cat >"$work/unasked.py" <<'END'
# script-version: 2.0
import last, tamp_picture
from particles import options, catalyst_execute
def RequestDataDescription(description):
    if last.is_last():
        raise ValueError("the last rank wants nothing")
    tamp_picture.wants("particles")(description)
END

for ranks in 1 2; do
    echo "-- $ranks ranks: some scripts fail, one does not"
    draw "$ranks" "$work/images$ranks" lattice frames:4 missing="$work/nowhere.py" syntax="$work/syntax.py" \
        raises="$work/raises.py" lazy="$work/lazy.py" odd=particles:odour late="$work/late.py" \
        unread="$work/unread.py" unasked="$work/unasked.py" no/such/folder=particles good=particles \
        >"$work/said" 2>"$work/errors" || check "0 > 1" "the run ends with 0"
    contains "$work/said" "picture 'missing' was not drawn; the run goes on. $work/nowhere.py: there is no such file"
    contains "$work/said" "SyntaxError: invalid syntax"
    contains "$work/said" "ValueError: the moon is not full"
    contains "$work/said" "picture 'raises' failed 3 times in a row and is not tried again"
    contains "$work/said" "lazy-00000000.png was not written"
    contains "$work/said" "there is no quantity 'odour' here; there are: radius, diameter, speed"
    contains "$work/said" "ValueError: saved, and then this"
    contains "$work/said" "ValueError: the last rank cannot read"
    contains "$work/said" "ValueError: the last rank wants nothing"
    contains "$work/said" "no/such/folder-00000000.png"
    check "$(grep -c 'was not drawn' "$work/said") == 9" "each failure is told once"
    check "$(grep -c 'is not tried again' "$work/said") == 9" "each is given up once"
    check "$(find "$work/images$ranks" -type f | wc -l) == 4" "the good one was drawn all along"
    check "$(grep -cv '^warning\|^[0-9]* pictures\|^ *[A-Za-z^]' "$work/said") == 0" "nothing else is among the output"
done

echo "-- a folder that cannot be made"
draw 2 "$work/lazy.py/images" lattice good=particles >"$work/said" 2>&1 || check "0 > 1" "the run ends with 0"
contains "$work/said" "no pictures: the folder $work/lazy.py/images cannot be made: Not a directory"

echo "-- no display"
env -u DISPLAY "${mpirun[@]}" -n 2 "$DRAW" "$work/blind" lattice good=particles >"$work/said" 2>&1 ||
    check "0 > 1" "the run ends with 0"
contains "$work/said" "no pictures: there is no X display (DISPLAY is not set): start the run with jobscripts/with-display.sh"
check "$(grep -c 'no pictures' "$work/said") == 1" "it is said once"
DISPLAY=:98765 "${mpirun[@]}" -n 2 "$DRAW" "$work/blind" lattice good=particles >"$work/said" 2>&1 ||
    check "0 > 1" "the run ends with 0"
contains "$work/said" "the X display ':98765' does not answer"
DISPLAY=localhost:10.0 "${mpirun[@]}" -n 2 "$DRAW" "$work/blind" lattice good=particles >"$work/said" 2>&1 ||
    check "0 > 1" "the run ends with 0"
contains "$work/said" "the X display 'localhost:10.0' is not one of this machine"

echo "-- a display without a graphics driver"
# The display has none, then the run.
LIBGL_DRIVERS_PATH=$work draw 2 "$work/blind" lattice good=particles >"$work/said" 2>&1 ||
    check "0 > 1" "the run ends with 0"
contains "$work/said" "cannot draw in three dimensions (no GLX)"
"$TAMP_SOURCE_DIR/jobscripts/with-display.sh" env LIBGL_DRIVERS_PATH="$work" "${mpirun[@]}" -n 2 "$DRAW" "$work/blind" \
    lattice good=particles >"$work/said" 2>&1 || check "0 > 1" "the run ends with 0"
contains "$work/said" "gives no OpenGL 3.2 to draw with"

echo "-- a foreign Python"
PYTHONHOME=$work draw 2 "$work/foreign" lattice good=particles >"$work/said" 2>&1 ||
    check "0 > 1" "the run ends with 0"
check "$(find "$work/foreign" -name '*.png' | wc -l) == 1" "it is not in the way"
exit "$failed"
