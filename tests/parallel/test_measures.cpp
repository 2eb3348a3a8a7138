// What observers measure is the same bits on any number of ranks: scalars, distributions, profiles, pair
// correlations and fields of all ranks against those of rank 0 alone.

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "tamp/base/state_hash.hpp"
#include "tamp/measure/distributions.hpp"
#include "tamp/measure/packing_quantities.hpp"

namespace tamp::test {
namespace {

/// All that is measured on the way, with names.
std::vector<Quantity> measured(const Communicator& communicator, const RankCase& settings, int steps) {
    MeasureSettings what;
    what.profile_bins = 13;
    what.pair_bins = 20;
    what.pair_samples = 100;
    what.grid_cells = {3, 4, 5};
    Distributions distributions(what);
    std::vector<Quantity> all;
    RigidRun engine(communicator, settings.setup, settings.grains);
    distributions.follow(engine, view(engine));
    for (int step = 1; step <= steps; ++step) {
        if (settings.before_step)
            settings.before_step(step - 1, engine.walls());
        engine.step(1e9);
        if (step % 10 == 0)
            distributions.follow(engine, view(engine));
        if (step % 30 != 0)
            continue;
        const View now = view(engine);
        std::vector<Quantity> list = packing_quantities(engine, now);
        std::ranges::move(distributions.measure(engine, now), std::back_inserter(list));
        const Fields fields = distributions.fields(engine, now);
        list.push_back({"grid",
                        "m",
                        "corners",
                        {fields.grid.lower.x, fields.grid.lower.y, fields.grid.lower.z, fields.grid.upper.x,
                         fields.grid.upper.y, fields.grid.upper.z}});
        std::ranges::copy(fields.values, std::back_inserter(list));
        for (Quantity& quantity : list)
            quantity.name += " at step " + std::to_string(step);
        std::ranges::move(list, std::back_inserter(all));
    }
    return all;
}

class MeasuresOnRanks : public testing::TestWithParam<NamedCase> {};

TEST_P(MeasuresOnRanks, AreTheSameBits) {
    const Communicator world(MPI_COMM_WORLD);
    const RankCase settings = GetParam().make();
    constexpr int steps = 90;
    const std::vector<Quantity> found = measured(world, settings, steps);

    std::vector<double> expected, values;
    for (const Quantity& quantity : found)
        values.insert(values.end(), quantity.values.begin(), quantity.values.end());
    expected.resize(values.size());
    if (world.rank() == 0) {
        std::vector<double> alone;
        for (const Quantity& quantity : measured(Communicator(MPI_COMM_SELF), settings, steps))
            alone.insert(alone.end(), quantity.values.begin(), quantity.values.end());
        ASSERT_EQ(alone.size(), expected.size());
        expected = alone;
    }
    world.broadcast(std::span<double>(expected));

    std::size_t at = 0;
    bool moved = false, bore = false;
    for (const Quantity& quantity : found)
        for (std::size_t k = 0; k < quantity.values.size(); ++k, ++at) {
            EXPECT_EQ(StateHash::bits(quantity.values[k]), StateHash::bits(expected[at]))
                << quantity.name << " " << k << ": " << quantity.values[k] << " and " << expected[at];
            moved |= quantity.name.starts_with("displacement") && quantity.values[k] != 0;
            bore |= quantity.name.starts_with("contact_stress ") && quantity.values[k] != 0;
        }
    EXPECT_TRUE(moved && bore) << "nothing happened";
}

/// Those that differ to the eye of a measure: walls, dimensions, periodicity, laws, ranks without particles.
std::vector<NamedCase> chosen() {
    std::vector<NamedCase> cases;
    for (const NamedCase& one : rank_cases())
        for (const char* name : {"discs", "open_box", "two_tiles_a_side", "slanted_wall", "few",
                                 "all_laws_of_spheres", "all_laws_of_discs", "stages"})
            if (std::string_view(one.name) == name)
                cases.push_back(one);
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Cases, MeasuresOnRanks, testing::ValuesIn(chosen()),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tamp::test
