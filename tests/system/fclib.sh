#!/usr/bin/env bash
# `tamp export` and `tamp solve`: the same bytes on 1, 2, 3 and 4 ranks, forces on walls as the run has them, methods that
# converge, and mistakes.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

data=$TAMP_SOURCE_DIR/tests/data
tile=(--set neighbours.tile=0.013) # several tiles, so that all ranks have some

for ranks in 1 2 3 4; do
    timeout 60 "${mpirun[@]}" -n "$ranks" "$TAMP" export "$data/spheres.toml" --fclib "spheres-$ranks.hdf5" --step 220 \
        "${tile[@]}" --progress none >"log-$ranks" 2>&1 || { cat "log-$ranks"; fail "no export on $ranks ranks"; }
    timeout 60 "${mpirun[@]}" -n "$ranks" "$TAMP" export "$data/discs.toml" --fclib "discs-$ranks.hdf5" --step 500 \
        --set neighbours.tile=0.02 --progress none >"log-$ranks" 2>&1 || { cat "log-$ranks"; fail "no export on $ranks ranks"; }
    cmp spheres-1.hdf5 "spheres-$ranks.hdf5" || fail "other bytes of spheres on $ranks ranks"
    cmp discs-1.hdf5 "discs-$ranks.hdf5" || fail "other bytes of discs on $ranks ranks"
done

# The series of a run has the forces on walls of the same step; M v = H r + f holds in the file.
"$TAMP" run "$data/spheres.toml" "${tile[@]}" --output run --progress none >log 2>&1 || { cat log; fail "the run failed"; }
"$python" - spheres-1.hdf5 run/series.csv 220 <<'END_OF_CHECK' || fail "the file does not agree with the run"
import csv
import sys

import h5py
import numpy

path, series, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
row = next(row for row in csv.DictReader(open(series)) if int(row["step"]) == step)
dt = float(row["time step [s]"])
with h5py.File(path) as file:
    problem, solution = file["fclib_global"], file["solution"]

    def matrix(name):
        group = problem[name]
        assert group["nz"][0] == group["nzmax"][0], "not triplets"
        dense = numpy.zeros((group["m"][0], group["n"][0]))
        numpy.add.at(dense, (group["i"][:], group["p"][:]), group["x"][:])
        return dense

    m, h, f, w = matrix("M"), matrix("H"), problem["vectors/f"][:], problem["vectors/w"][:]
    v, u, r = (solution[name][:] for name in "vur")
    local = file["fclib_local"]
    q = local["vectors/q"][:]
    delassus = numpy.zeros((len(u), len(u)))
    for line in range(len(u)):
        begin, end = local["W/p"][line], local["W/p"][line + 1]
        delassus[line, local["W/i"][begin:end]] = local["W/x"][begin:end]


def near(name, one, other, tolerance):
    error = numpy.max(numpy.abs(one - other)) / max(numpy.max(numpy.abs(other)), 1e-30)
    print(f"{name}: {error:.1e}")
    assert error < tolerance, name


near("M v = H r + f", m @ v, h @ r + f, 1e-11)
near("u = H^T v + w", u, h.T @ v + w, 1e-12)
near("W = H^T M^-1 H", delassus, h.T @ numpy.linalg.solve(m, h), 1e-12)
near("q = H^T M^-1 f + w", q, h.T @ numpy.linalg.solve(m, f) + w, 1e-12)
piston = -(h @ r)[-1] / dt
near("piston", piston, float(row["force on piston [N]"]), 1e-9)
# Columns of the floor: one body, pushed up.
floor = sum(r[c] for c in range(0, len(r), 3) if numpy.count_nonzero(h[:, c]) == 1 and h[:, c].max() == 1
            and numpy.argmax(h[:, c]) % 6 == 2) / dt
near("floor", floor, float(row["force on z- [N]"]), 1e-9)
END_OF_CHECK

# All methods solve all problems, in either form; a solution that is written is one.
for problem in spheres discs tower; do
    cp "$data/$problem.hdf5" "$problem.hdf5"
    for method in plain ratio nesterov; do
        expect 0 "converged              yes" "$TAMP" solve "$problem.hdf5" --method "$method" --unit-free
    done
    expect 0 "converged              yes" "$TAMP" solve "$problem.hdf5" --tolerance 1e-11 --unit-free --write-solution
    expect 0 "error of its solution" "$TAMP" solve "$problem.hdf5"
    error=$(sed -n 's/^ *error of its solution *\([^ ]*\).*/\1/p' log)
    "$python" -c "import sys; sys.exit(float('$error') > 1e-11)" || fail "$problem: the solution written has an error of $error"
done
expect 0 "form                   local, 46 contacts in 3-D" "$TAMP" solve spheres.hdf5 --form local --write-solution
expect 0 "error of its solution" "$TAMP" solve spheres.hdf5 # velocities of bodies are there as well
cmp -s "$data/spheres.hdf5" spheres.hdf5 && fail "no solution was written"
expect 4 "not converged to 1e-08 after 3 sweeps" "$TAMP" solve spheres.hdf5 --max-sweeps 3

# Mistakes.
expect 2 "cannot read nowhere.hdf5" "$TAMP" solve nowhere.hdf5
expect 2 "the file has no local form" "$TAMP" solve tower.hdf5 --form local
expect 2 "tamp solve works on one rank" "${mpirun[@]}" -n 2 "$TAMP" solve tower.hdf5
expect 3 "it is not an HDF5 file" "$TAMP" solve "$data/spheres.toml"
expect 3 "neither a group /fclib_local nor a group /fclib_global" "$TAMP" solve run/stage-1-fall.h5
head -c 20000 spheres.hdf5 >cut.hdf5
expect 3 "damaged or cut off" "$TAMP" solve cut.hdf5
"$python" - <<'END_OF_DAMAGE'
import shutil

import h5py

for name in ("indefinite", "weightless", "massless", "nan"):
    shutil.copy("spheres-1.hdf5", f"{name}.hdf5")
with h5py.File("indefinite.hdf5", "a") as file:
    w = file["fclib_local/W"]
    diagonal = next(k for k in range(w["p"][1], w["p"][2]) if w["i"][k] == 1)
    w["x"][diagonal] = -1.0
with h5py.File("weightless.hdf5", "a") as file:
    file["fclib_local/W/x"][:] = 0
with h5py.File("massless.hdf5", "a") as file:
    file["fclib_global/M/x"][7] = 0
with h5py.File("nan.hdf5", "a") as file:
    file["fclib_global/vectors/w"][3] = float("nan")
END_OF_DAMAGE
expect 3 "the block of W of contact 0 is indefinite" "$TAMP" solve indefinite.hdf5 --form local
expect 3 "contact 0 has no mass along its normal" "$TAMP" solve weightless.hdf5 --form local
expect 3 "M is not positive definite: row 7 has no mass" "$TAMP" solve massless.hdf5
expect 3 "/fclib_global/vectors/w has a number that is not finite, nan at 3" "$TAMP" solve nan.hdf5

expect 2 "the case ends after" "$TAMP" export "$data/spheres.toml" --fclib x.hdf5 --step 100000
expect 2 "no particle touches anything in step 1" "$TAMP" export "$data/spheres.toml" --fclib x.hdf5 --step 1
expect 2 "--step" "$TAMP" export "$data/spheres.toml" --fclib x.hdf5 --step 0
expect 2 "the case has cohesion, of which FCLIB has no counterpart" "$TAMP" export "$data/spheres.toml" --fclib x.hdf5 \
    --step 9 --set material.glass.cohesion_force=1e-3 --set material.glass.cohesion_range=1e-4
expect 2 "the case has rolling and torsion friction" "$TAMP" export "$data/spheres.toml" --fclib x.hdf5 --step 9 \
    --set material.glass.rolling_ratio=0.1
expect 3 "cannot write nowhere/x.hdf5" "$TAMP" export "$data/spheres.toml" --fclib nowhere/x.hdf5 --step 220
[[ ! -e x.hdf5 && ! -e x.hdf5.partial ]] || fail "a failed export left a file"
