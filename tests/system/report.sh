#!/usr/bin/env bash
# `tamp report`: one page of a run, looked at in a browser. Every curve and picture is drawn, nothing is fetched, nothing
# foreign is overwritten; runs that are not finished have a page too; every failure has its exit code and a message.
#
# Needs TAMP (the executable in its build tree); TAMP_SOURCE_DIR and MPIRUN have defaults. Skipped without Python's
# Matplotlib; without Chromium (Debian: chromium chromium-driver) only the last part is, and the test counts as skipped.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tests=$TAMP_SOURCE_DIR/tests/report
export PYTHONDONTWRITEBYTECODE=1

# The Python that has what the tests need; `tamp report` itself finds it alone.
"$python" -c 'import matplotlib, h5py, PIL' 2>/dev/null || skip "needs python3-matplotlib and python3-h5py"
folder=$(dirname "$TAMP")/share/tamp/report
[[ -f $folder/main.py ]] || fail "the build tree has no share/tamp/report"
report=("$python" "$folder/main.py") # without the start of MPI: its messages and exit codes are those of tamp report

"$python" "$tests/test_report.py" "$folder" >log 2>&1 || { cat log; fail "test_report.py"; }

# ---- A run that measures, its page, and a page with more -------------------------------------------------------------
cat >drop.toml <<'TOML'
title = "Drop <script>alert(1)</script> & \"more\""
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [5e-3, 5e-3, 8e-3]
boundary = ["wall", "wall", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "random"
material = "glass"
count = 40
size = { distribution = "mono", diameter = 1e-3 }
[solver]
method = "plain" # so that some steps stop at the cap
tolerance = 1e-4
force_tolerance = 1e-2
max_sweeps = 60
[output]
series_every = 2
[measure]
energy_budget = true
every = 20
[snapshots]
every = 40
[[stage]]
name = "fall"
steps = 30
[[stage]]
name = "rest"
duration = 0.03
TOML
timeout 60 "${mpirun[@]}" -n 2 "$TAMP" run drop.toml --output plain --progress none >log 2>&1 || { cat log; fail "run"; }
cp -r plain rich
"$python" "$tests/enrich.py" rich pictures columns

expect 0 "report in plain/report.html" "$TAMP" report plain
expect 0 "report in rich/report.html" "$TAMP" report rich
for text in 'Drop &lt;script&gt;' "$(sed -n 's/^state hash: //p' plain/run.log)" 'max_sweeps = 60' 'finished' 'stopped at solver.max_sweeps'; do
    grep -q -F -e "$text" plain/report.html || fail "the page does not show: $text"
done
for text in 'Pictures, seconds' 'Temperament' 'Absurd' 'flow of something [m³/s]' 'novelty' 'a, &lt;b&gt;'; do
    grep -q -F -e "$text" rich/report.html || fail "the rich page does not show: $text"
done
"$python" "$tests/check_figures.py" plain/report.html plain/series.csv || fail "figures of a run that measures"

# ---- Where nothing rubs, tangential forces are round-off and not shown ---------------------------------------------
expect 0 "results in smooth" "$TAMP" run drop.toml --output smooth --progress none --set 'material[0].friction=0'
expect 0 "report in smooth/report.html" "${report[@]}" smooth
for text in 'Mobilisation' 'obability density of tangential' 'issipated by friction'; do
    grep -q -F -e "$text" plain/report.html || fail "the page with friction does not show: $text"
    if grep -q -F -e "$text" smooth/report.html; then fail "the page without friction shows: $text"; fi
done

# ---- Runs that are not finished ----------------------------------------------------------------------------------
cp -r plain open
rm -r open/report.json open/report.html open/stage-*.h5 open/snapshots* # killed in its first stage: series.h5 tells the input
head -c -30 plain/series.csv >open/series.csv
head -n 2 plain/run.log >open/run.log
expect 0 "warning: The last line of series.csv is incomplete" "$TAMP" report open
for text in 'run not finished' 'max_sweeps = 60' 'tolerance (1.0·10⁻⁴)' 'cap (60)' 'Drop &lt;script&gt;' '<dt>Seed</dt>' 'Pair correlation'; do
    grep -q -F -e "$text" open/report.html || fail "the page of a run that is not finished does not show: $text"
done
mkdir young
head -n 1 plain/run.log >young/run.log
head -n 1 plain/series.csv >young/series.csv
expect 0 "report in young/report.html" "${mpirun[@]}" -n 2 "$TAMP" report young
grep -q 'no rows yet' young/report.html || fail "the page does not say that there are no rows yet"
if grep -q 'class="player"' open/report.html young/report.html; then
    fail "a player without pictures"
fi

# ---- Lacking or damaged parts ------------------------------------------------------------------------------------
cp -r rich torn
rm torn/report.html torn/images/speed-*
head -c 3000 rich/series.h5 >torn/series.h5
picture=$(find torn/images -name '*.png' | sort | head -n 1)
head -c 300 "$picture" >short && mv short "$picture"
expect 0 "warning: Picture left out: $(basename "$picture")" "${report[@]}" torn --output torn.html
grep -q -F 'series.h5 cannot be read' torn.html || fail "the page does not say that series.h5 is damaged"
mkdir without
echo 'raise ImportError("no")' >without/h5py.py
PYTHONPATH=$work/without expect 0 "python3-h5py" "${report[@]}" rich --output no-h5py.html
grep -q 'python3-h5py' no-h5py.html || fail "the page does not say that h5py is missing"

# ---- Movies ------------------------------------------------------------------------------------------------------
expect 2 "no pictures in images/" "${report[@]}" young --movie film.gif
cp -r rich/images young/images
expect 0 "movie in film-speed.gif" "$TAMP" report young --movie film.gif --output film.html --frames 3
"$python" -c 'import sys, PIL.Image; sys.exit(PIL.Image.open("film-force-chains.gif").n_frames != 14)' || fail "frames of the movie"
expect 0 "movie in film-speed.gif" "${report[@]}" young --movie film.gif --output film.html --frames 3 # ours: made anew
grep -q '3 of 14 pictures' film.html || fail "the page does not say how many pictures it holds"
expect 2 "a .gif or an .mp4 file" "${report[@]}" young --movie film.avi
echo mine >other-speed.gif
expect 2 "not made by tamp report" "${report[@]}" young --movie other.gif --output other.html
[[ $(echo other*) == other-speed.gif && $(cat other-speed.gif) == mine ]] || fail "files appear beside a refused one: $(echo other*)"
if command -v ffmpeg >/dev/null; then
    expect 0 "movie in film-speed.mp4" "${report[@]}" young --movie film.mp4 --output film.html
    expect 0 "movie in film-speed.mp4" "${report[@]}" young --movie film.mp4 --output film.html
else
    expect 2 "Debian package ffmpeg" "${report[@]}" young --movie film.mp4 --output film.html
fi
rm other-speed.gif
for picture in young/images/speed-*; do
    echo torn >"$picture"
done
expect 2 "no movie without pictures that can be read" "${report[@]}" young --movie other.gif --output other.html
[[ -z $(find . -name 'other*') ]] || fail "files appear beside a movie that cannot be made"
rm -r young/images

# ---- Refusals ----------------------------------------------------------------------------------------------------
echo precious >notes.html
expect 2 "not made by tamp report and is not overwritten" "$TAMP" report plain --output notes.html
[[ $(cat notes.html) == precious ]] || fail "a foreign file was overwritten"
expect 2 "this is a folder" "${report[@]}" plain --output rich
mkdir foreign
echo '{"a": 1}' >foreign/report.json
echo 'a,b' >foreign/series.csv
expect 2 "not a folder of tamp run" "${report[@]}" foreign
expect 2 "not a folder of tamp run" "${mpirun[@]}" -n 3 "$TAMP" report without
expect 2 "this is not a folder" "${report[@]}" drop.toml
expect 2 "it does not exist" "$TAMP" report nowhere
expect 3 "cannot write this file: nowhere is not a folder" "$TAMP" report plain --output nowhere/page.html
expect 3 "cannot write this file: drop.toml is not a folder" "${report[@]}" plain --output drop.toml/page.html
expect 2 "see tamp --help" "$TAMP" report plain --frames 0
expect 2 "see tamp --help" "$TAMP" report
cp -r plain damaged
head -c 100 plain/report.json >damaged/report.json
expect 3 "report.json: damaged" "${report[@]}" damaged
cp plain/report.json damaged/
sed '4s/,1,/,one,/' plain/series.csv >damaged/series.csv
expect 3 "series.csv: line 4" "${report[@]}" damaged
find . -name '*.part' | grep . && fail "files are left beside the pages"

# ---- Where the program is found ----------------------------------------------------------------------------------
cmake --install "$(dirname "$TAMP")" --prefix "$work/prefix" >log 2>&1 || { cat log; fail "cmake --install"; }
expect 0 "report in installed.html" prefix/bin/tamp report young --output installed.html
mkdir alone
cp "$TAMP" alone/tamp
expect 3 "share/tamp/report/main.py" alone/tamp report plain
mkdir path
# Open MPI looks for ssh in the path before anything else.
expect 3 "cannot start python3" env PATH="$work/path" OMPI_MCA_plm_rsh_agent=/bin/true "$TAMP" report plain
printf '#!/bin/sh\nexec %s -S "$@"\n' "$(command -v "$python")" >path/python3
chmod +x path/python3
expect 3 "install the Debian package python3-matplotlib" env PATH="$work/path:$PATH" TAMP_SECOND_PYTHON=1 "$TAMP" report plain

# ---- In a browser ------------------------------------------------------------------------------------------------
for tool in chromium chromedriver; do
    command -v "$tool" >/dev/null || skip "$tool is missing (Debian: chromium chromium-driver); all but the browser was tested"
done
# Columns that are not zero all the time have a curve each; what series.h5 adds was looked at above.
curves() { awk -F, 'NR > 1 { for (i = 4; i <= NF; ++i) if ($i + 0 != 0) seen[i] } END { print length(seen) }' "$1/series.csv"; }
timeout 120 "$python" "$tests/check_page.py" torn.html "$(curves rich)" 1 13 rich/report.html "$(curves rich)" 2 14 plain/report.html "$(curves plain)" 0 0 \
    open/report.html "$(curves plain)" 0 0 young/report.html 0 0 0 >log 2>&1 || { cat log; fail "the pages in a browser"; }
cat log
