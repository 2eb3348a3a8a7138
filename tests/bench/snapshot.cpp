#include "snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "packing.hpp"
#include "result.hpp"
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
    Json rows = Json::array();
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
                rows.push_back({{"contacts", with_contacts},
                                {"compression", compression},
                                {"seconds", seconds},
                                {"cpu_seconds", work},
                                {"megabytes", 1e-6 * static_cast<double>(fs::file_size(path))}});
                fs::remove(path);
            }
            world.barrier();
        }
    const double more = world.max(peak_memory() - memory_before);
    if (world.rank() == 0) {
        fs::remove_all(folder);
        print_result({{"particles", count},
                      {"contact_count", contacts},
                      {"ranks", world.size()},
                      {"step_seconds", step},
                      {"view_seconds", view_seconds},
                      {"extra_memory_mb", 1e-6 * more},
                      {"snapshots", rows}});
    }
}

} // namespace tamp
