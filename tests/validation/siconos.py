#!/usr/bin/python3
"""Solves contact problems by `tamp solve` and by Siconos (Debian: python3-siconos), which nobody here wrote, and compares.

    ./tests/validation/siconos.py [--tamp build/tamp] [--tolerance 1e-8] [FILE…]

Without files: the problems of tests/data and that of a pressed packing, exported for this. Siconos solves the local form
by its nonlinear Gauss-Seidel, NSGS. Errors of both results are measured here by the same formulas, which are written
anew in this file. Impulses of a packing need not be unique; what they do to the bodies, H r (W r in files without the
global form), must be the same.

Exits with 77 where Siconos, SciPy or h5py is not installed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
DATA = Path(__file__).resolve().parent.parent / "data"
MOST_SWEEPS = 100_000
# Of impulses of bodies, relative to what they would be without cancelling. Slow modes of a packing make the error of a
# solution many times as large as that of its equations.
LARGEST_DIFFERENCE = 1e-4

PACKING = """
title = "A piston presses 300 spheres"
seed = 3
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.08, 0.08, 0.2]
boundary = ["periodic", "periodic", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "random"
count = 300
upper = [0.08, 0.08, 0.18]
size = { distribution = "uniform", min = 0.008, max = 0.012 }
[[wall]]
name = "piston"
point = [0, 0, 0.19]
normal = [0, 0, -1]
[[stage]]
name = "fall"
duration = 0.2
[[stage]]
name = "press"
steps = 1000
wall = [{ name = "piston", stress = 1000, mass = 0.2 }]
"""


def sparse(group):
    rows, columns, code = group["m"][0], group["n"][0], group["nz"][0]
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    if code == -1:
        return scipy.sparse.csc_matrix((x, i, p), shape=(rows, columns)).tocsr()
    if code == -2:
        return scipy.sparse.csr_matrix((x, i, p), shape=(rows, columns))
    return scipy.sparse.coo_matrix((x[:code], (i, p)), shape=(rows, columns)).tocsr()


class Problem:
    """u = W r + q; `push` turns impulses of contacts into those of bodies."""

    def __init__(self, path):
        with h5py.File(path) as file:
            form = file.get("fclib_global", file.get("fclib_local"))
            self.dimension = int(form["spacedim"][0])
            self.mu = form["vectors/mu"][:]
            if form.name == "/fclib_local":
                self.w, self.q = sparse(form["W"]), form["vectors/q"][:]
                self.push = self.w
            else:
                h, inverse = sparse(form["H"]), scipy.sparse.linalg.splu(sparse(form["M"]).tocsc())
                self.w = (h.T @ scipy.sparse.csr_matrix(inverse.solve(h.toarray()))).tocsr()
                self.q = h.T @ inverse.solve(form["vectors/f"][:]) + form["vectors/w"][:]
                self.push = h

    def natural_map(self, r, rho):
        """r - P_C(r - rho (u + mu |u_T| e_N)) of all contacts."""
        d = self.dimension
        u = (self.w @ r + self.q).reshape(-1, d)
        r = r.reshape(-1, d)
        z = r - rho[:, None] * u
        z[:, 0] -= rho * self.mu * numpy.linalg.norm(u[:, 1:], axis=1)
        size = numpy.linalg.norm(z[:, 1:], axis=1)
        normal = numpy.where(size <= self.mu * z[:, 0], z[:, 0], (z[:, 0] + self.mu * size) / (1 + self.mu**2))
        normal[self.mu * size <= -z[:, 0]] = 0
        scale = numpy.where(size <= self.mu * z[:, 0], 1, self.mu * normal / numpy.maximum(size, 1e-300))
        return r - numpy.column_stack([normal, scale[:, None] * z[:, 1:]])

    def errors(self, r):
        """By Siconos' measure of the local form, and without units."""
        norm = numpy.linalg.norm
        mass = 1 / self.w.diagonal().reshape(-1, self.dimension).mean(axis=1)
        scale = max(norm(self.q), norm(r), norm(self.w @ r + self.q))
        return norm(self.natural_map(r, numpy.ones(len(mass)))) / scale, norm(self.natural_map(r, mass)) / norm(r)


def solve_by_tamp(tamp, path, method, tolerance, folder):
    copy = Path(folder) / "copy.hdf5"
    shutil.copy(path, copy)
    command = [tamp, "solve", copy, "--method", method, "--tolerance", str(tolerance), "--unit-free",
               "--max-sweeps", str(MOST_SWEEPS), "--write-solution"]
    output = subprocess.run(command, capture_output=True, text=True)
    sweeps = re.search(r"sweeps +(\d+) in (\S+) s", output.stdout)
    if not sweeps:
        sys.exit(f"{path}: {output.stderr}")
    with h5py.File(copy) as file:
        return file["solution/r"][:], int(sweeps[1]), float(sweeps[2])


def solve_by_siconos(problem, tolerance):
    """Siconos stops by its own measure alone: it is asked for less until the error without units is small, too."""
    sweeps = seconds = 0
    while True:
        plane = problem.dimension == 2
        options = numerics.SolverOptions(numerics.SICONOS_FRICTION_2D_NSGS if plane else numerics.SICONOS_FRICTION_3D_NSGS)
        options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = MOST_SWEEPS
        # In the plane Siconos takes dense matrices only.
        matrix = problem.w.toarray() if plane else scipy.sparse.csc_matrix(problem.w)
        task = numerics.FrictionContactProblem(problem.dimension, len(problem.mu), matrix, problem.q, problem.mu)
        r, u = numpy.zeros(len(problem.q)), numpy.zeros(len(problem.q))
        begin = time.perf_counter()
        (numerics.fc2d_driver if plane else numerics.fc3d_driver)(task, r, u, options)
        seconds = time.perf_counter() - begin
        sweeps = int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE])
        yield r, sweeps, seconds
        if sweeps >= MOST_SWEEPS:
            return
        tolerance *= 0.1


def compare(tamp, path, tolerance, folder):
    problem = Problem(path)
    print(f"{path.name}: {len(problem.mu)} contacts in {problem.dimension}-D")
    print(f"  {'':<16} {'sweeps':>8} {'seconds':>9} {'error':>10} {'no units':>10}")
    results = {}
    for method in ("plain", "ratio", "nesterov"):
        results[f"tamp {method}"] = solve_by_tamp(tamp, path, method, tolerance, folder)
    for result in solve_by_siconos(problem, tolerance):
        results["Siconos NSGS"] = result
        if max(problem.errors(result[0])) <= tolerance:
            break
    good = True
    for name, (r, sweeps, seconds) in results.items():
        error, without_units = problem.errors(r)
        print(f"  {name:<16} {sweeps:>8} {seconds:>9.2g} {error:>10.1e} {without_units:>10.1e}")
        converged = max(error, without_units) <= 1.01 * tolerance
        good &= converged or name.startswith("Siconos")  # theirs is not ours to judge
    theirs = results["Siconos NSGS"][0]
    done, gross = problem.push @ theirs, abs(problem.push) @ abs(theirs)
    for name, (r, _, _) in results.items():
        if name != "Siconos NSGS":
            balance = numpy.linalg.norm(problem.push @ r - done) / numpy.linalg.norm(gross)
            apart = numpy.linalg.norm(r - theirs) / numpy.linalg.norm(theirs)
            print(f"  {name} and Siconos: impulses of bodies differ by {balance:.1e}, of contacts by {apart:.1e}")
            good &= balance < LARGEST_DIFFERENCE or max(problem.errors(theirs)) > tolerance
    return good


def main():
    parser = argparse.ArgumentParser(description="Contact problems by tamp and by Siconos.")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("files", nargs="*", metavar="FILE", type=Path)
    options = parser.parse_args()
    tamp = Path(options.tamp).resolve()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        files = options.files
        if not files:
            case, packing = Path(folder) / "packing.toml", Path(folder) / "packing.hdf5"
            case.write_text(PACKING)
            subprocess.run([tamp, "export", case, "--fclib", packing, "--step", "600", "--progress", "none"], check=True,
                           stdout=subprocess.DEVNULL)
            files = [*sorted(DATA.glob("*.hdf5")), packing]
        for file in files:
            if not compare(tamp, file, options.tolerance, folder):
                print(f"{file.name}: FAILED")
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # about integers of 32 bits, which Siconos converts
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.path.remove(str(Path(__file__).resolve().parent))  # else this file would be the module of its name
    try:
        import h5py
        import numpy
        import scipy.sparse
        import scipy.sparse.linalg
        from siconos import numerics
    except ImportError as error:
        print(f"skipped: {error} (Debian: python3-siconos, python3-scipy, python3-h5py)")
        sys.exit(77)
    sys.exit(main())
