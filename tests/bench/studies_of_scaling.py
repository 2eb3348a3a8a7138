"""The scaling studies of table.py: the communication of a sweep as counted, its time as predicted for a cluster, and what
can be measured on this machine."""
import functools
import os

PER_RANK = 10_000


class Scaling:
    """Studies by name. `bench(build, *arguments, ranks=)` runs the benchmark program, `assumptions` are NAME=VALUE."""

    def __init__(self, bench, assumptions):
        self.bench = functools.cache(bench)
        self.assumptions = assumptions

    def counts(self, build, kind, particles, *more, ranks=2):
        return self.bench(build, "scaling", kind, particles, *self.speed(build), *more, *self.assumptions, ranks=ranks)

    def speed(self, build):
        """Seconds a batch against the batches of a rank: small shares stay in the cache."""
        if any(a.startswith("batch_seconds=") for a in self.assumptions):
            return ()
        points = []
        for particles in (4_000, 30_000, 250_000, 1_000_000):
            r = self.bench(build, "sweep", particles)
            batch = 8 * r["fill"]
            points.append(f"{r['particles'] * r['contacts_each'] / batch:.0f}:{1e-6 * batch / r['million_updates']:.4g}")
        return ("batch_seconds=" + ",".join(points),)

    def strong_counts(self, build):
        return self.counts(build, "strong", 1_000_000, f"csv={build}/communication-strong.csv")

    def weak_counts(self, build):
        return self.counts(build, "weak", PER_RANK, f"csv={build}/communication-weak.csv")

    def communication(self, build):
        rows, results = [], [self.strong_counts(build), self.weak_counts(build)]
        for result in results:
            for r in result["rows"]:
                ranks = r["ranks"]
                rows.append((f"sweep of {r['particles']} particles on {ranks} rank{'s' * (ranks > 1)}",
                             f"{r['messages']} messages, {r['bytes']} bytes", "",
                             f"a rank: {r['messages'] / ranks:.1f} messages (most {r['largest_messages']}), "
                             f"{1e-3 * r['bytes'] / ranks:.0f} kB (most {1e-3 * r['largest_bytes']:.0f}), "
                             f"{r['partners']:.1f} partners; {100 * r['boundary_share']:.0f} % of batches before the "
                             f"messages leave; slowest rank {r['rank_imbalance']:.2f}, slowest of each phase "
                             f"{r['phase_imbalance']:.2f} of the mean"))
        return rows, results

    def model(self, build):
        strong, weak = self.strong_counts(build), self.weak_counts(build)
        rows = [("the model assumes", "", "", assumed(strong["assumptions"]))]
        alone = strong["rows"][0]["time"]["total_us"]
        for r in strong["rows"]:
            rows.append(predicted(r, f"; {alone / r['ranks'] / r['time']['total_us']:.2f} of the ideal with what caches give"))
        rows += [predicted(r) for r in weak["rows"]]
        results = [strong, weak]
        if "extrapolated" in weak:
            rows.append(predicted(weak["extrapolated"], ", extrapolated from 512 to 4096 ranks"))
        ample = self.counts(build, "weak", 100_000, "least_ranks=256", "most_ranks=256")
        rows += [predicted(r) for r in ample["rows"]]
        results.append(ample)
        for tile in (64, 128, 256):
            r = self.counts(build, "strong", 1_000_000, "least_ranks=64", "most_ranks=64", f"tile_particles={tile}")
            results.append(r)
            rows += [predicted(row, f"; tiles of {row['particles'] / row['tiles']:.0f} particles") for row in r["rows"]]
        return rows, results

    def strong(self, build):
        # Short sweeps find quiet moments on a busy machine too; the long ones want it for themselves.
        return self.measured(build, [(40_000, ranks) for ranks in (1, 2, 4, 8, 16)] + [(200_000, 1), (200_000, 2)])

    def weak(self, build):
        return self.measured(build, [(PER_RANK * ranks, ranks) for ranks in (1, 2, 4, 8, 16)])

    def measured(self, build, runs):
        cores, rows, results = len(os.sched_getaffinity(0)), [], []
        for particles, ranks in runs:
            r = self.bench(build, "parts", particles, cores, ranks=ranks)
            results.append(r)
            m, p = r["measured"], r["predicted"]
            name = f"sweep of {r['particles']} on {ranks} rank{'s' * (ranks > 1)}"
            if r["oversubscribed"]:
                rows.append((name + ", OVERSUBSCRIBED", f"{m['computing_us']:.0f} us computing (CPU)", "",
                             f"slowest rank of each phase {m['slowest_phases_us']:.0f} us, predicted "
                             f"{p['slowest_phases_us']:.0f} (ratio {m['slowest_phases_us'] / p['slowest_phases_us']:.2f}); "
                             f"wall: exchange {m['exchange_us']:.0f}, waiting {m['waiting_us']:.0f}, all "
                             f"{m['total_us']:.0f} us on {cores} cores, which says nothing of a cluster"))
                continue
            rows.append((name, f"{m['total_us']:.0f} us", "",
                         f"computing {m['computing_us']:.0f}, exchange {m['exchange_us']:.1f}, waiting "
                         f"{m['waiting_us']:.0f}; predicted {p['total_us']:.0f} = {p['computing_us']:.0f} + "
                         f"{p['exchange_us']:.1f} + {round(p['waiting_us'])} (measured/predicted "
                         f"{m['total_us'] / p['total_us']:.2f})"))
            if ranks > 1:
                rows.append((name + ", its exchanges alone", f"{m['exchange_only_us']:.0f} us", "",
                             f"predicted {p['exchange_only_us']:.0f} (ratio {m['exchange_only_us'] / p['exchange_only_us']:.2f}): "
                             f"{r['messages']} messages of {r['message_bytes']} bytes, ping-pong {r['latency_us']:.2f} us + 2 x "
                             f"{r['overhead_us']:.2f}, {r['bandwidth_gb']:.1f} GB/s, {r['body_ns']:.1f} ns to pack a body"))
        return rows, results

    def studies(self):
        return {name: getattr(self, name) for name in ("strong", "weak", "communication", "model")}


def assumed(a):
    speeds = ", ".join(f"{1e9 * seconds:.0f} ns at {batches}" for batches, seconds in a["batch_seconds"])
    return (f"{a['ranks_a_node']} ranks a node, each as fast as a core here alone: a batch of 8 contacts takes {speeds} a rank; "
            f"between nodes {1e6 * a['latency']:.1f} us and {1e-9 * a['bandwidth']:.0f} GB/s for all of a node, inside "
            f"{1e6 * a['inner_latency']:.1f} us and {1e-9 * a['inner_bandwidth']:.0f} GB/s a rank; "
            f"{1e6 * a['message_overhead']:.1f} us of a processor a message, {1e9 * a['body_seconds']:.0f} ns a body; messages "
            f"travel in {100 * a['overlap']:.0f} % of the interior tiles' time; {a['walls']} wall, {a['pistons']} pistons, "
            f"{a['sweeps_a_look']} sweeps a look at the residual; only sweeps, not the rest of a step")


def predicted(r, more=""):
    t = r["time"]
    parts = (f"computing {t['computing_us']:.0f} + imbalance {round(t['imbalance_us'])} + exchange {t['exchange_us']:.0f}"
             if "messages" in r else f"computing {t['computing_us']:.0f} + imbalance and exchange {t['imbalance_us']:.0f}")
    return (f"predicted: {r['particles']} on {r['ranks']} rank{'s' * (r['ranks'] > 1)}",
            f"{100 * t['efficiency']:.0f} % efficiency", "",
            f"{parts} + reductions {t['reductions_us']:.0f} us a sweep; with a piston "
            f"{100 * r['with_piston']['efficiency']:.0f} %{more}")
