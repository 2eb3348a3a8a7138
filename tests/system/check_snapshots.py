"""Reads snapshots.h5 and series.h5 of a folder with h5py; their numbers are those of tests/parallel/synthetic_view.hpp."""
import sys

import h5py
import numpy as np

folder = sys.argv[1]
index = h5py.File(folder + "/snapshots.h5")
assert index.attrs["format"] == "tamp-snapshots" and index.attrs["title"] == "title é", dict(index.attrs)
assert index.attrs["input"] == 'title = "title é"\n' and index.attrs["seed"] == 7
assert index.attrs["version"] and index.attrs["revision"] and index.attrs["ranks"] == int(sys.argv[2])
assert list(index["step"]) == [0, 10, 25, 40] and list(index["time"]) == [0, 2.5, 6.25, 10]
assert list(index["particle_count"]) == [50, 60, 40, 45] and list(index["contact_count"]) == [0, 90, 33, 0]


def three(a):
    return np.stack([a, 2 * a, -3 * a], axis=1)


for step, time, count, contact_count in zip(*(index[n] for n in ("step", "time", "particle_count", "contact_count"))):
    snapshot = index[f"{step:08}"]
    assert snapshot.attrs["time"] == time and snapshot.attrs["step"] == step
    assert snapshot.attrs["stage"] == ("fill" if step < 25 else "press")
    assert list(snapshot.attrs["lower"]) == [0, 0, 0] and list(snapshot.attrs["upper"]) == [1, 2, 3]
    assert list(snapshot.attrs["boundary"]) == ["periodic", "open", "wall"], snapshot.attrs["boundary"]
    assert list(snapshot["walls/name"].asstr()) == ["floor", "lid"]
    datasets = []
    snapshot.visititems(lambda name, item: datasets.append(item) if isinstance(item, h5py.Dataset) else None)
    assert len(datasets) > 25 and all(d.attrs["unit"] and d.attrs["description"] for d in datasets)

    p = snapshot["particles"]
    i = np.arange(count)
    x = (3 * i + 1) / 64
    assert np.array_equal(p["id"], 3 * i + 1) and p["id"].dtype == "<u8" and p["material"].dtype == "<i4"
    assert p["radius"].compression == "gzip" and p["radius"].shuffle
    for name, expected in {"position": three(x + time), "radius": 0.25 + x, "mass": 2 + x, "velocity": three(x - 1),
                           "angular_velocity": three(-x), "material": i % 3, "coordination": i % 7,
                           "pressure": (x + 2 * x + 3 * x) / 3, "stress": np.outer(x, np.arange(1, 7)), "vertex": i}.items():
        assert np.array_equal(p[name], expected), name
    assert np.allclose(p["speed"], np.linalg.norm(three(x - 1), axis=1), rtol=1e-15)
    assert p["position"].attrs["unit"] == "m"

    c = np.arange(contact_count)
    f = c / 8
    for name, expected in {"gap": -f / 1024, "force": three(f), "normal_force": f - 2, "tangential_force": f / 2,
                           "mobilisation": c % 4 / 4, "bond": c % 3, "first": 3 * (c // 2) + 1, "wall": np.where(c % 10 == 3, 1, -1),
                           "line": np.stack([2 * c, 2 * c + 1], axis=1)}.items():
        assert np.array_equal(snapshot["contacts"][name], expected), name
    x = (3 * (c // 2) + 1) / 64
    assert np.array_equal(snapshot["contacts/ends"][0::2], three(x + time))
    assert np.array_equal(snapshot["contacts/ends"][1::2], three(x + time + 0.5 * (1 + c % 2)))
    assert contact_count == 0 or snapshot["contacts/second"][3] == 2**63 + 1

series = h5py.File(folder + "/series.h5")
assert series.attrs["format"] == "tamp-series" and series.attrs["title"] == "title é"
rows = len(series["time"])
assert rows == 3000 or sys.argv[3:] == ["killed"], rows
time = np.arange(rows) / 8
assert np.array_equal(series["time"], time) and np.array_equal(series["kinetic_energy"][:rows], 3 * time)
assert series["kinetic_energy"].attrs["unit"] == "J" and series["kinetic_energy"].attrs["description"] == "Energy"
if rows > 0:
    profile = series["profile/time"][:]
    assert np.array_equal(profile, np.arange(len(profile)) * 1.25)
    assert series["profile/volume_fraction"].shape[1:] == (2, 3)
    assert np.array_equal(series["profile/volume_fraction"][:len(profile), 0, 1], -profile)
if sys.argv[3:] != ["killed"]:
    assert len(series["kinetic_energy"]) == rows and len(profile) == 300
print(f"h5py: {rows} rows")
