// Prints hashes of every case of tests/parallel/cases.hpp: state, walls, measures, view, energy, reports. See
// hashes.sh.

#include <cstdio>

#include "../parallel/look.hpp"
#include "tamp/mpi/session.hpp"

namespace tamp::test {
namespace {

void print_hashes(const Communicator& world) {
    for (const NamedCase& named : rank_cases()) {
        RankCase settings = named.make();
        settings.setup.energy_budget = true;
        EngineRun run(world, settings.setup, settings.grains);
        StateHash reports;
        for (int step = 0; step < settings.steps; ++step)
            make_step(run, settings, step, reports);
        const Look look = look_at(run, reports);
        if (world.rank() == 0)
            std::printf("%s %s %s %s %s %s %s\n", named.name, look.state.text().c_str(),
                        look.walls.text().c_str(), look.measures.text().c_str(), look.view.text().c_str(),
                        look.energy.text().c_str(), look.reports.text().c_str());
    }
}

} // namespace
} // namespace tamp::test

int main(int argc, char** argv) {
    const tamp::Session session(argc, argv);
    const tamp::Communicator world = session.world(); // runs refer to it
    tamp::test::print_hashes(world);
    return 0;
}
