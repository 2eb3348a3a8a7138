// A few of the cases of tests/parallel, in a build with assertions in which every search checks the whole
// world (particles, tiles, lists, history, copies). Whatever they find ends the run.

#include <gtest/gtest.h>

#include <string>

#include "../parallel/cases.hpp"

#ifdef NDEBUG
#error "these runs are worth nothing without assertions"
#endif

namespace tamp::test {
namespace {

class ValidatedRuns : public testing::TestWithParam<const char*> {};

TEST_P(ValidatedRuns, AreSoundAfterEverySearch) {
    const Communicator world(MPI_COMM_WORLD);
    for (const NamedCase& named : rank_cases())
        if (named.name == std::string_view(GetParam())) {
            RankCase settings = named.make();
            settings.setup.energy_budget = true;
            RigidRun run(world, settings.setup, settings.grains);
            for (int step = 0; step < std::min(settings.steps, 80); ++step) {
                if (settings.before_step)
                    settings.before_step(step, run.walls());
                run.step(1e9);
            }
            EXPECT_GT(run.totals().searches, 2);
            const RigidRun again(world, settings.setup, run.world.save(), run.engine.save());
            EXPECT_EQ(again.totals().searches, run.totals().searches);
            return;
        }
    FAIL() << "no case " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Cases, ValidatedRuns,
                         testing::Values("polydisperse", "discs_in_random_order", "symmetric_order",
                                         "open_box", "two_tiles_a_side", "stages", "two_tiles",
                                         "all_laws_of_spheres", "falling"),
                         [](const auto& one) { return std::string(one.param); });

} // namespace
} // namespace tamp::test
