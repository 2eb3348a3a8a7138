#!/usr/bin/env bash
# Forces and contacts in state files and snapshots belong to one moment: recomputed from a file alone, each particle of a
# packing at rest is in balance, and the stress is that of the series.
#
# Needs what common.sh asks for, and h5py.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$python" -c 'import h5py' 2>/dev/null || skip "no h5py"

cat >press.toml <<'END'
gravity = [0, 0, -9.81]
[domain]
lower = [0, 0, 0]
upper = [0.006, 0.006, 0.01]
boundary = ["periodic", "wall", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "random"
fraction = 0.3
size = { distribution = "uniform", min = 0.8e-3, max = 1.2e-3 }
upper = [0.006, 0.006, 0.0095]
[[wall]]
name = "lid"
point = [0, 0, 0.0098]
normal = [0, 0, -1]
mass = 1e-3
force = 0.05
[solver]
method = "plain"
tolerance = 1e-7
force_tolerance = 1e-4
max_sweeps = 2000
[time]
max_step = 2e-4
[snapshots]
[measure]
[[stage]]
name = "press"
steps = 60
[[stage]]
name = "rest"
steps = 500
[output]
series_every = 1
END
timeout 300 "$TAMP" run press.toml --output out >log 2>&1 || { cat log; fail "no run"; }

"$python" - <<'END'
import glob, h5py, numpy as np

WALL = 2**63

def balance(path, moving):
    """Worst force and torque on a particle in mean normal forces (times mean radius), and the virial stress."""
    with h5py.File(path) as file:
        p, c, dt = file["particles"], file["contacts"], file.attrs["time_step"]
        index = {int(i): k for k, i in enumerate(p["id"])}
        radius = p["radius"][()]
        on_second = c["force"][()] if "force" in c else c["impulse"][()] / dt
        normal, gap = c["normal"][()], c["gap"][()]
        first = np.array([index[int(i)] for i in c["first"]])
        second = np.array([index[int(i)] if i < WALL else -1 for i in c["second"]])
        z = dict(zip(file["walls/name"].asstr()[()], file["walls/point"][:, 2]))
        volume = 0.006**2 * (z["lid"] - z["z-"])
        stresses = p["stress"][()] if "stress" in p else None
    pairs = second >= 0
    force = np.zeros((len(radius), 3))
    force[:, 2] = -9.81 * 2500 * 4 / 3 * np.pi * radius**3
    torque = np.zeros((len(radius), 3))
    np.add.at(force, first, -on_second)
    np.add.at(force, second[pairs], on_second[pairs])
    np.add.at(torque, first, np.cross(normal * radius[first, None], -on_second))
    np.add.at(torque, second[pairs], np.cross(-normal[pairs] * radius[second[pairs], None], on_second[pairs]))
    mean = np.einsum("ij,ij->i", on_second, normal).mean()
    branch = normal * (radius[first] + gap + np.where(pairs, radius[second], 0))[:, None]
    stress = sum(f * b for f, b in zip(on_second[:, 2], branch[:, 2])) / volume
    worst_force, worst_torque = np.abs(force).max() / mean, np.abs(torque).max() / (mean * radius.mean())
    print(f"{path}: {len(first)} contacts, force {worst_force:.2g}, torque {worst_torque:.2g}, stress {stress:.6g} Pa")
    assert len(first) > 100
    if not moving: # to what the solver leaves
        assert worst_force < 1e-5 and worst_torque < 1e-5
    if stresses is not None: # of the particles, weighted by their volumes
        of_particles = (stresses[:, 2] * 4 / 3 * np.pi * radius**3).sum() / volume
        assert abs(of_particles / stress - 1) < 1e-11, (of_particles, stress)
    return stress

with h5py.File("out/series.h5") as file:
    step, stress = file["step"][()], file["contact_stress_zz"][()]
snapshots = sorted(glob.glob("out/snapshots/*.h5"))
assert len(snapshots) == 2 and len(step) == 560
for state, snapshot, at in zip(["out/stage-1-press.h5", "out/stage-2-rest.h5"], snapshots, [60, 560]):
    in_series = stress[list(step).index(at)]
    for path in state, snapshot:
        found = balance(path, moving=at == 60)
        assert abs(found / in_series - 1) < 1e-11, (found, in_series)
END
