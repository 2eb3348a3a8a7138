// bench NAME [PARTICLES]: measures one thing and prints it as one line of JSON. run.sh makes the table.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "laws.hpp"
#include "packing.hpp"
#include "result.hpp"
#include "scaling.hpp"
#include "schemes.hpp"
#include "snapshot.hpp"
#include "sweep_parts.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/mpi/session.hpp"
#include "tamp/solver/kernel.hpp"

namespace {

using namespace tamp;

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// STREAM triad on one core, GB/s.
double triad() {
    constexpr std::size_t count = 20'000'000;
    std::vector<double> a(count, 1.0), b(count, 2.0), c(count, 3.0);
    double best = 1e300;
    for (int repeat = 0; repeat < 8; ++repeat) {
        const double begin = cpu_seconds();
        for (std::size_t i = 0; i < count; ++i)
            a[i] = b[i] + 1.5 * c[i];
        best = std::min(best, cpu_seconds() - begin);
        b[static_cast<std::size_t>(repeat)] = a[count - 1]; // so that the loop is not optimised away
    }
    return 24e-9 * count / best;
}

/// The packing falls together for some steps of few sweeps: contacts as in a real bed.
void prepare(RigidRun& engine, int steps) {
    for (int i = 0; i < steps; ++i)
        engine.step(1e9);
}

/// One sweep of the contacts of a run at a standstill; with rows of earlier impulses a sweep with momentum.
void sweep_once(PhaseExchange& exchange, ContactSet& contacts, std::vector<Body>& bodies,
                std::vector<EarlierBatch>& earlier, std::vector<Body>& earlier_bodies) {
    KernelLaws laws(inertia_ratio(3));
    if (!earlier.empty()) {
        laws.momentum = 0.5;
        advance(bodies, earlier_bodies, laws.momentum);
    }
    const ContactBatch* all = contacts.batches(exchange.tile_order()).data();
    for (int phase = 0; phase < exchange.phases(); ++phase) {
        const std::span<ContactBatch> batches = contacts.batches(exchange.interior_tiles(phase));
        LawBatches rows;
        if (!earlier.empty())
            rows.earlier = earlier.data() + (batches.data() - all);
        relax(bodies, batches, laws, rows);
    }
}

/// Million contact updates a second of the sweep itself, one core, best of several, and what momentum adds.
void sweep(const Communicator& world, std::int64_t particles) {
    DensePacking packing = dense_packing(particles);
    packing.setup.solver.max_sweeps = 10;
    RigidRun engine(world, packing.setup, packing.grains);
    prepare(engine, particles > 300'000 ? 12 : 40);
    ContactSet contacts = engine.engine.contacts();
    std::vector<Body> bodies = engine.store().body;
    const auto count = static_cast<double>(contacts.pair_count());
    const int sweeps = std::max(2, static_cast<int>(5e6 / count));
    std::vector<EarlierBatch> none, earlier(static_cast<std::size_t>(contacts.batch_count()));
    std::vector<Body> earlier_bodies = bodies;
    const auto time_of = [&](std::vector<EarlierBatch>& rows) {
        const double begin = cpu_seconds();
        for (int k = 0; k < sweeps; ++k)
            sweep_once(engine.engine.exchange(), contacts, bodies, rows, earlier_bodies);
        return (cpu_seconds() - begin) / sweeps;
    };
    double best = 1e300, with_momentum = 1e300;
    for (int repeat = 0; repeat < 12; ++repeat) {
        best = std::min(best, time_of(none));
        with_momentum = std::min(with_momentum, time_of(earlier));
    }
    const double bandwidth = triad();
    // Streamed a contact: a batch of 576 bytes is read and its impulses (192) written for eight contacts;
    // bodies: each comes and goes about 1.3 times a sweep, counted for the contacts of a particle.
    const double contacts_each = count / static_cast<double>(packing.grains.size());
    const double bytes = 96.0 + 2 * 64 * 1.3 / contacts_each;
    print_result(
        {{"particles", packing.grains.size()},
         {"contacts_each", contacts_each},
         {"fill", count / (static_cast<double>(lanes) * static_cast<double>(contacts.batch_count()))},
         {"million_updates", 1e-6 * count / best},
         {"momentum_over_plain", with_momentum / best},
         {"triad", bandwidth},
         {"roofline_million_updates", 1e3 * bandwidth / bytes}});
}

/// Cost of everything in a step that is not a sweep, in sweeps.
void step(const Communicator& world, std::int64_t particles) {
    DensePacking packing = dense_packing(particles);
    packing.setup.solver.tolerance = 2e-3; // as in inputs/settle.toml
    packing.setup.solver.force_tolerance = 5e-2;
    packing.setup.solver.max_sweeps = 60;
    RigidRun engine(world, packing.setup, packing.grains);
    prepare(engine, 5);
    const auto seconds = [&](const char* part) {
        return engine.world.profile.seconds(engine.world.profile.part(part));
    };
    const double sweeps_before = seconds("sweeps"), exchange_before = seconds("exchange");
    const Totals before = engine.totals();
    const double begin = wall_seconds();
    prepare(engine, 60);
    const double total = wall_seconds() - begin;
    const auto steps = static_cast<double>(engine.totals().steps - before.steps);
    const auto sweeps = static_cast<double>(engine.totals().sweeps - before.sweeps);
    const double in_sweeps = seconds("sweeps") - sweeps_before;
    const double one =
        in_sweeps / (sweeps + steps); // the impulses to start from are applied in one sweep more
    const double other = (total - in_sweeps - (seconds("exchange") - exchange_before)) / steps + one;
    print_result({{"particles", packing.grains.size()},
                  {"steps", engine.totals().steps - before.steps},
                  {"sweeps_a_step", sweeps / steps},
                  {"searches", engine.totals().searches - before.searches},
                  {"other_in_sweeps", other / one},
                  {"sweep_ms", 1e3 * one}});
}

/// Seconds a sweep, exchange included, on the ranks at hand; and memory.
void ranks(const Communicator& world, std::int64_t particles, int steps) {
    DensePacking packing = dense_packing(particles);
    packing.setup.solver.min_sweeps = packing.setup.solver.max_sweeps = 40;
    const std::size_t particle_count = packing.grains.size();
    const auto count = static_cast<double>(particle_count);
    RigidRun engine(world, packing.setup, packing.grains);
    std::vector<Grain>().swap(packing.grains);
    prepare(engine, 5);
    const auto solve = engine.world.profile.part("solve");
    double best = 1e300;
    const double begin = wall_seconds();
    for (int i = 0; i < steps; ++i) {
        world.barrier();
        const double before = engine.world.profile.seconds(solve);
        engine.step(1e9);
        best = std::min(best, world.max(engine.world.profile.seconds(solve) - before) / 40);
    }
    const double a_step = (wall_seconds() - begin) / steps;
    const auto memory = static_cast<double>(world.sum(static_cast<std::int64_t>(peak_memory())));
    const double imbalance = engine.world.imbalance();
    if (world.rank() == 0)
        print_result({{"particles", particle_count},
                      {"ranks", world.size()},
                      {"steps", steps},
                      {"sweep_ms", 1e3 * best},
                      {"step_ms", 1e3 * a_step},
                      {"memory_a_particle", memory / count},
                      {"memory_mb", 1e-6 * memory},
                      {"imbalance", imbalance},
                      {"contacts_each", static_cast<double>(engine.totals().contact_updates) /
                                            static_cast<double>(engine.totals().sweeps) / count}});
}

} // namespace

int main(int argc, char** argv) {
    const Session session(argc, argv);
    const std::string name = argc > 1 ? argv[1] : "";
    const std::int64_t particles = argc > 2 ? std::atoll(argv[2]) : 100'000;
    if (name == "sweep")
        sweep(session.world(), particles);
    else if (name == "step")
        step(session.world(), particles);
    else if (name == "ranks")
        ranks(session.world(), particles, argc > 3 ? std::atoi(argv[3]) : 12);
    else if (name == "laws")
        bench_laws(session.world(), particles);
    else if (name == "snapshot")
        bench_snapshot(session.world(), particles);
    else if (name == "schemes")
        bench_schemes(session.world(), particles);
    else if (name == "parts")
        bench_sweep_parts(session.world(), particles, argc > 3 ? std::atoi(argv[3]) : 2);
    else if (name == "scaling")
        try {
            bench_scaling(session.world(), std::vector<std::string>(argv + 2, argv + argc));
        } catch (const InputError& error) {
            if (session.world().rank() == 0)
                fmt::print(stderr, "{}\n", error.what());
            return 2;
        }
    else {
        fmt::print(stderr, "bench sweep|step|ranks|laws|snapshot|schemes [PARTICLES [STEPS]]\n"
                           "bench parts PARTICLES CORES\n"
                           "bench scaling strong|weak PARTICLES [NAME=VALUE …]\n");
        return 2;
    }
    return 0;
}
