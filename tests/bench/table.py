"""Runs the benchmarks by name and prints them as one table; see run.sh."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) # grain_files
from soft.settle_engines import settle_engines  # noqa: E402
from soft.study import soft, soft_million  # noqa: E402
from studies_of_scaling import Scaling  # noqa: E402

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def bench(build, *arguments, ranks=1):
    launcher, environment = ["mpirun", "-n", str(ranks)] if ranks > 1 else [], ENVIRONMENT
    if ranks > len(os.sched_getaffinity(0)): # they take turns, and must not spin
        launcher += ["--oversubscribe", "--bind-to", "none"]
        environment = dict(ENVIRONMENT, OMPI_MCA_mpi_yield_when_idle="1")
    command = launcher + [os.path.join(build, "tests/bench/bench"), *map(str, arguments)]
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with exit code {result.returncode}")
    return json.loads(result.stdout)


def sweep(build):
    rows, results = [], []
    for particles, goal in ((100_000, 90), (1_000_000, 50)):
        r = bench(build, "sweep", particles)
        results.append(r)
        rows.append((f"sweep, {r['particles']} spheres, one core", f"{r['million_updates']:.0f} M contact updates/s",
                     f"{min(goal, 0.6 * r['roofline_million_updates']):.0f} or more",
                     f"{r['contacts_each']:.2f} contacts a particle, batches {100 * r['fill']:.0f} % full, "
                     f"triad {r['triad']:.1f} GB/s"))
    for particles, goal in ((10_000, 1.2), (30_000, 1.2), (64_000, 1.4), (1_000_000, 1.4)):
        r = bench(build, "sweep", particles)
        results.append(r)
        rows.append((f"sweep with momentum, {r['particles']} spheres", f"{r['momentum_over_plain']:.2f} of a plain one",
                     f"at most {goal}", "48 bytes more a contact, and a pass over the bodies"))
    return rows, results


def step(build):
    r = bench(build, "step", 100_000)
    return [("step without its sweeps, 100 k", f"{r['other_in_sweeps']:.1f} sweeps", "below 15",
             f"{r['sweeps_a_step']:.0f} sweeps a step, {r['searches']} searches in {r['steps']} steps")], r


def ranks(build):
    # One after the other, several times: what else the machine does must not favour one of them.
    pairs = [(bench(build, "ranks", 200_000), bench(build, "ranks", 200_000, ranks=2)) for _ in range(3)]
    one = min(p[0]["sweep_ms"] for p in pairs)
    two = min(p[1]["sweep_ms"] for p in pairs)
    return [("2 ranks against 1, 200 k", f"{one / two:.2f} x", "1.8 x or more",
             f"{one:.2f} ms and {two:.2f} ms a sweep")], pairs


def memory(build):
    r = bench(build, "ranks", 1_000_000, 20)
    return [("memory, 10^6 spheres, one rank", f"{r['memory_a_particle']:.0f} bytes a particle", "at most 1000",
             f"{r['contacts_each']:.2f} contacts a particle")], r


def settle(build):
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([os.path.join(build, "tamp"), "run", "inputs/settle.toml", "--output", folder + "/out",
                        "--progress", "none"], env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        report = json.load(open(folder + "/out/report.json"))
    overlap = report["largest_overlap"] / 0.01
    floor = report["wall_forces"]["z-"] / report["weight"]
    return [("settling 10 k grains for 1 s, one core", f"{seconds:.1f} CPU-seconds", "below 20",
             f"largest overlap {100 * overlap:.2f} % of a diameter, floor {100 * floor:.2f} % of the weight, {report['sweeps'] / report['steps']:.0f} sweeps a "
             "step")], {"cpu_seconds": seconds, "overlap": overlap, "floor": floor}


def million(build):
    begin = time.time()
    r = bench(build, "ranks", 1_000_000, 100, ranks=2)
    return [("10^6 spheres, 100 steps on 2 ranks", f"{r['step_ms'] / 1000:.2f} s a step", "",
             f"40 sweeps a step, {r['memory_mb'] / 1000:.2f} GB in all, {time.time() - begin:.0f} s")], r


def laws(build):
    r = bench(build, "laws", 100_000)
    return [(f"contact update: {law['name']}", f"{law['ratio']:.2f} x plain friction", "",
             f"{law['nanoseconds']:.1f} ns") for law in r["laws"]], r


def snapshot(build):
    rows, results = [], []
    for count in (1, 2):
        r = bench(build, "snapshot", 1_000_000, ranks=count)
        results.append(r)
        for s in r["snapshots"]:
            what = "with" if s["contacts"] else "without"
            raw = next(o["megabytes"] for o in r["snapshots"] if o["contacts"] == s["contacts"])
            rows.append((f"snapshot, {r['particles']} spheres, {count} rank{'s' * (count > 1)}, {what} contacts, "
                         f"level {s['compression']}", f"{s['seconds']:.2f} s", "",
                         f"{s['megabytes']:.0f} MB, {raw / s['seconds']:.0f} MB/s of data, "
                         f"{s['seconds'] / r['step_seconds']:.1f} steps of 10 sweeps, {s['cpu_seconds']:.2f} CPU-seconds a rank"))
    return rows, results


STUDIES = {f.__name__: f for f in (sweep, step, ranks, memory, settle, million, laws, snapshot, soft)}
ONLY_BY_NAME = {f.__name__: f for f in (soft_million, settle_engines)}


def main():
    build, names = sys.argv[1], [a for a in sys.argv[2:] if "=" not in a]
    studies = STUDIES | Scaling(bench, tuple(a for a in sys.argv[2:] if "=" in a)).studies()
    names = names or list(studies)
    studies |= ONLY_BY_NAME
    unknown = [n for n in names if n not in studies]
    if unknown:
        sys.exit(f"bench: no study named {', '.join(unknown)}; there are: {' '.join(studies)}")
    table, everything = [], {}
    for name in names:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows, everything[name] = studies[name](build)
        table += rows
    widths = [max(len(row[i]) for row in table + [("what", "measured", "goal", "")]) for i in range(3)]
    for row in [("what", "measured", "goal", "how"), *table]:
        print("  ".join(row[i].ljust(widths[i]) for i in range(3)) + "  " + row[3])
    with open(os.path.join(build, "bench.json"), "w") as file:
        json.dump(everything, file, indent=1)


main()
