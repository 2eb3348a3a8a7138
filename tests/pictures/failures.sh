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

for ranks in 1 2; do
    echo "-- $ranks ranks: some scripts fail, one does not"
    draw "$ranks" "$work/images$ranks" lattice frames:4 missing="$work/nowhere.py" syntax="$work/syntax.py" \
        raises="$work/raises.py" lazy="$work/lazy.py" odd=particles:odour no/such/folder=particles good=particles \
        >"$work/said" 2>"$work/errors" || check "0 > 1" "the run ends with 0"
    contains "$work/said" "picture 'missing' was not drawn; the run goes on. $work/nowhere.py: there is no such file"
    contains "$work/said" "SyntaxError: invalid syntax"
    contains "$work/said" "ValueError: the moon is not full"
    contains "$work/said" "picture 'raises' failed 3 times in a row and is not tried again"
    contains "$work/said" "lazy-00000000.png was not written"
    contains "$work/said" "there is no quantity 'odour' here; there are: radius, diameter, speed"
    contains "$work/said" "no/such/folder-00000000.png"
    check "$(grep -c 'was not drawn' "$work/said") == 6" "each failure is told once"
    check "$(grep -c 'is not tried again' "$work/said") == 6" "each is given up once"
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
exit "$failed"
