#include "schemes.hpp"

#include <algorithm>
#include <map>

#include "packing.hpp"
#include "result.hpp"
#include "tamp/io/world_state.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

constexpr double for_ever = 1e9;
constexpr int warm_steps = 10, timed_steps = 25, timed_sweeps = 40;

/// The grains of all ranks, on every rank.
std::vector<Grain> all_grains(const RigidRun& engine) {
    std::map<int, std::vector<Grain>> to;
    for (int rank = 0; rank < engine.communicator().size(); ++rank)
        to[rank] = owned_grains(engine);
    std::vector<Grain> all;
    for (const auto& [rank, grains] : sparse_exchange(engine.communicator(), to))
        all.insert(all.end(), grains.begin(), grains.end());
    std::ranges::sort(all, {}, &Grain::id);
    return all;
}

/// Seconds of a sweep, exchange included: the fastest of some steps of a fixed number of sweeps.
double sweep_seconds(const Communicator& world, RigidSetup setup, const std::vector<Grain>& grains) {
    setup.solver.min_sweeps = setup.solver.max_sweeps = timed_sweeps;
    RigidRun engine(world, setup, grains);
    const auto solve = engine.world.profile.part("solve");
    engine.step(for_ever);
    double best = 1e300;
    for (int i = 0; i < timed_steps; ++i) {
        world.barrier();
        const double before = engine.world.profile.seconds(solve);
        engine.step(for_ever);
        best = std::min(best, world.max(engine.world.profile.seconds(solve) - before) / timed_sweeps);
    }
    return best;
}

Json of_scheme(const Communicator& world, RigidSetup setup, const std::vector<Grain>& grains,
               SweepScheme scheme) {
    setup.solver.scheme = scheme;
    RigidRun engine(world, setup, grains);
    const SolveReport cold = engine.step(for_ever).solve;
    int warm = 0;
    for (int i = 0; i < warm_steps; ++i)
        warm += engine.step(for_ever).solve.sweeps;
    const std::int64_t messages = world.max(engine.engine.exchange().messages()),
                       bytes = world.max(engine.engine.exchange().bytes()),
                       all_messages = world.sum(engine.engine.exchange().messages());
    const BlockExchange* block = engine.engine.exchange().block();
    const std::int64_t sharers = world.max(std::int64_t{block ? block->most_sharers() : 1});
    return {{"cold_sweeps", cold.sweeps},
            {"residual", cold.residual},
            {"capped", cold.capped},
            {"warm_sweeps", static_cast<double>(warm) / warm_steps},
            {"sweep_ms", 1e3 * sweep_seconds(world, setup, grains)},
            {"messages", messages},
            {"kilobytes", 1e-3 * static_cast<double>(bytes)},
            {"all_messages", all_messages},
            {"most_sharers", sharers}};
}

} // namespace

void bench_schemes(const Communicator& world, std::int64_t particles) {
    DensePacking packing = dense_packing(particles);
    packing.setup.solver.max_sweeps = 100;
    std::vector<Grain> grains;
    {
        RigidRun engine(world, packing.setup, packing.grains);
        while (engine.time() < 0.05)
            engine.step(for_ever);
        grains = all_grains(engine);
    }
    packing.setup.solver.max_sweeps = 2000;
    const Json phases = of_scheme(world, packing.setup, grains, SweepScheme::phases);
    const Json block = of_scheme(world, packing.setup, grains, SweepScheme::block);
    if (world.rank() == 0)
        print_result(
            {{"particles", grains.size()}, {"ranks", world.size()}, {"phases", phases}, {"block", block}});
}

} // namespace tamp
