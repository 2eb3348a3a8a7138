#!/usr/bin/env bash
# An installed tamp draws with what is installed beside it.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

prefix=$work/prefix
"$CMAKE" --install "$TAMP_BUILD_DIR" --prefix "$prefix" >"$work/said" 2>&1 || {
    cat "$work/said"
    exit 1
}
cat >"$work/case.toml" <<'END'
[domain]
lower = [0, 0, 0]
upper = [8e-3, 8e-3, 8e-3]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
count = 20
size = { distribution = "uniform", min = 0.9e-3, max = 1.3e-3 }

[[stage]]
name = "fall"
steps = 2

[[picture]]
name = "grains"
pipeline = "particles"
width = 320
height = 240
END
# The script of the prefix tells that it was used.
echo "open('$work/used', 'w').close()" >>"$prefix/share/tamp/catalyst/particles.py"

# run LABEL: a run of the case, on two ranks
run() {
    "$prefix/share/tamp/with-display.sh" "${mpirun[@]}" -n 2 "$prefix/bin/tamp" run "$work/case.toml" \
        --output "$work/$1" >"$work/$1.log" 2>&1 </dev/null || {
        cat "$work/$1.log"
        check "0 > 1" "$1: the run ends with 0"
    }
}
run whole
check "$(find "$work/whole" -name 'grains-*.png' | wc -l) > 0" "pictures by an installed tamp"
check "$(find "$work" -maxdepth 1 -name used | wc -l) == 1" "the installed script drew them"
check "$(find "$prefix" -name '*.pyc' | wc -l) == 0" "compiled scripts left in the installation"

# Nothing is taken from the build tree instead.
rm "$prefix/lib/tamp/libtamp_catalyst.so"
run part
contains "$work/part.log" "the library that draws is missing, looked for $prefix/bin/lib/tamp/libtamp_catalyst.so and"
env -u DISPLAY "$prefix/bin/tamp" run "$work/case.toml" --output "$work/blind" >"$work/blind.log" 2>&1 ||
    check "0 > 1" "the run ends with 0"
contains "$work/blind.log" "start the run with $prefix/share/tamp/with-display.sh"
exit "$failed"
