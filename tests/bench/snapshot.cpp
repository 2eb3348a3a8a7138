#include "snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "packing.hpp"
#include "tamp/io/snapshot_file.hpp"

namespace tamp {
namespace {

/// Seconds of a collective action.
template <class Action>
double seconds_of(const Communicator& world, Action&& action) {
    using clock = std::chrono::steady_clock;
    world.barrier();
    const auto begin = clock::now();
    action();
    world.barrier();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

} // namespace

void bench_snapshot(const Communicator& world, std::int64_t particles) {
    namespace fs = std::filesystem;
    DensePacking packing = dense_packing(particles);
    packing.setup.solver.min_sweeps = packing.setup.solver.max_sweeps = 10;
    RigidRun engine(world, packing.setup, packing.grains);
    std::vector<Grain>().swap(packing.grains);
    double step = 0; // of 10 sweeps; the last one is measured
    for (int i = 0; i < 40; ++i)
        step = seconds_of(world, [&] { engine.step(1e9); });
    View look;
    const double view_seconds = seconds_of(world, [&] { look = view(engine); });
    const auto contacts = world.sum(static_cast<std::int64_t>(look.contacts.size()));
    const auto count = world.sum(static_cast<std::int64_t>(look.particles.size()));
    const double memory_before = peak_memory();

    std::string folder = (fs::temp_directory_path() / "tamp-bench-XXXXXX").string();
    if (world.rank() == 0 && !mkdtemp(folder.data()))
        throw std::runtime_error("no temporary folder");
    world.broadcast(folder);
    std::string rows;
    for (const bool with_contacts : {false, true})
        for (const int compression : {0, 1, 4, 9}) {
            SnapshotFile snapshots(world, folder, {}, {with_contacts, compression});
            double seconds = 1e300, work = 1e300;
            for (int repeat = compression == 9; repeat < 2; ++repeat) { // once is enough for the slowest
                const double begin = cpu_seconds();
                seconds = std::min(
                    seconds, seconds_of(world, [&] { snapshots.write(look, engine.walls(), "bench"); }));
                work = std::min(work, world.max(cpu_seconds() - begin));
            }
            if (world.rank() == 0) {
                const auto path = folder + "/" + snapshot_path(look.step);
                rows += fmt::format("{}{{\"contacts\": {}, \"compression\": {}, \"seconds\": {:.3f}, "
                                    "\"cpu_seconds\": {:.3f}, \"megabytes\": {:.1f}}}",
                                    rows.empty() ? "" : ", ", with_contacts, compression, seconds, work,
                                    1e-6 * static_cast<double>(fs::file_size(path)));
                fs::remove(path);
            }
            world.barrier();
        }
    const double more = world.max(peak_memory() - memory_before);
    if (world.rank() == 0) {
        fs::remove_all(folder);
        fmt::print("{{\"particles\": {}, \"contact_count\": {}, \"ranks\": {}, \"step_seconds\": {:.3f}, "
                   "\"view_seconds\": {:.3f}, \"extra_memory_mb\": {:.0f}, \"snapshots\": [{}]}}\n",
                   count, contacts, world.size(), step, view_seconds, 1e-6 * more, rows);
    }
}

} // namespace tamp
