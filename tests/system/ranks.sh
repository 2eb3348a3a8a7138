#!/usr/bin/env bash
# `tamp run` gives the same bits on 1, 2, 3 and 4 ranks: the hash that it prints, the hash that `tamp info` computes from
# the file, every number in the files, and every line of the series.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >case.toml <<'END'
title = "A piston on falling spheres"
seed = 3
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [0.008, 0.008, 0.016]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
material = "glass"
count = 300
speed = 0.3
upper = [0.008, 0.008, 0.014]
size = { distribution = "uniform", min = 0.8e-3, max = 1.2e-3 }

[[wall]]
name = "piston"
point = [0, 0, 0.015]
normal = [0, 0, -1]
material = "glass"

[solver]
max_sweeps = 40

[neighbours]
tile = 2.5e-3

[output]
series_every = 5

[[stage]]
name = "fall"
steps = 60

[[stage]]
name = "press"
steps = 60
[[stage.wall]]
name = "piston"
stress = 2000
mass = 0.005
END

command -v h5diff >/dev/null || fail "h5diff is missing (Debian: hdf5-tools); cmake/setup.sh installs it"
for ranks in 1 2 3 4; do
    timeout 60 "${mpirun[@]}" -n "$ranks" "$TAMP" run case.toml --output "out-$ranks" >"log-$ranks" 2>&1 ||
        { cat "log-$ranks"; fail "the run on $ranks ranks failed"; }
    hash=$(hash_in "log-$ranks")
    [[ -n $hash ]] || { cat "log-$ranks"; fail "no state hash on $ranks ranks"; }
    : "${first_hash:=$hash}"
    [[ $hash == "$first_hash" ]] || fail "state hash $hash on $ranks ranks, $first_hash on one"
    "$TAMP" info "out-$ranks/stage-2-press.h5" >"info-$ranks"
    [[ $(hash_in "info-$ranks") == "$hash" ]] || fail "tamp info tells another hash than the run on $ranks ranks"
    grep -q "\"state_hash\": \"$hash\"" "out-$ranks/report.json" || fail "report.json has another hash on $ranks ranks"
    cmp -s out-1/series.csv "out-$ranks/series.csv" || fail "series.csv differs between 1 and $ranks ranks"
    for stage in 1-fall 2-press; do
        for group in particles contacts walls; do
            h5diff "out-1/stage-$stage.h5" "out-$ranks/stage-$stage.h5" "/$group" "/$group" ||
                fail "/$group of stage $stage differs between 1 and $ranks ranks"
        done
    done
done

[[ $(hash_in <("$TAMP" info out-1/stage-1-fall.h5)) != "$first_hash" ]] || fail "two states have the same hash"
timeout 60 "$TAMP" run case.toml --set seed=4 --output other-seed >log-seed
[[ $(hash_in log-seed) != "$first_hash" ]] || fail "two seeds give the same hash"
