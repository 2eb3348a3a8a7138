#include <gtest/gtest.h>

#include <numbers>

#include "tamp/soft/batch.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/history_layout.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp::soft {
namespace {

TEST(LanesInUse, CountEveryContactOnce) {
    for (int contacts = 1; contacts <= 100; ++contacts) {
        const int batches = (contacts + lanes - 1) / lanes;
        const LanesInUse lanes_of({.begin = 3, .end = 3 + batches, .count = contacts});
        std::vector<int> last(static_cast<std::size_t>(batches), 0); // one more than the last lane of each
        for (int k = 0; k < contacts; ++k)
            last[static_cast<std::size_t>(k % batches)] = k / batches + 1;
        for (int b = 0; b < batches; ++b) {
            EXPECT_EQ(lanes_of(b), last[static_cast<std::size_t>(b)]) << contacts << " contacts, batch " << b;
            EXPECT_LE(lanes_of(b), lanes);
        }
    }
}

TEST(ForceUnit, HoldsTheLargestForceManyTimes) {
    for (const double largest : {1e-9, 0.7, 1.0, 3e12}) {
        const ForceUnit unit(largest);
        EXPECT_GE(unit.largest, largest);
        EXPECT_LE(unit.largest, 2 * largest);
        EXPECT_EQ(unit.per_newton * unit.newton, 1);
        EXPECT_LT(1000 * unit.largest * unit.per_newton, 9.2e18) << "a thousand of them fit";
        EXPECT_LT(unit.newton, 5e-16 * unit.largest);
    }
}

SoftLaws laws_with(double rolling, double torsion, double dynamic_ratio, NormalLaw normal) {
    SoftLaws laws;
    laws.normal = normal;
    laws.rolling.friction = rolling, laws.torsion.friction = torsion, laws.dynamic_ratio = dynamic_ratio;
    return laws;
}

TEST(HistoryLayout, HasWhatTheLawsNeed) {
    MaterialTable materials({{"a", 1, 0}, {"b", 1, 0}});
    const auto layout = [&](const SoftLaws& laws) {
        materials.set(0, 1, {.soft = laws});
        return HistoryLayout(materials);
    };
    EXPECT_EQ(layout(laws_with(0, 0, 1, NormalLaw::linear)).words, 6);
    const HistoryLayout all = layout(laws_with(0.1, 0.1, 0.5, NormalLaw::adhesive));
    EXPECT_EQ(all.words, 6 + 1 + 3 + 1 + 3);
    EXPECT_EQ(row_words(all.columns()), static_cast<std::size_t>(all.words));
    EXPECT_EQ(offset_of(all.columns(), "largest_overlap"), static_cast<std::size_t>(all.largest_overlap));
    EXPECT_EQ(offset_of(all.columns(), "rolling_spring"), static_cast<std::size_t>(all.rolling));
    EXPECT_EQ(offset_of(all.columns(), "torsion_spring"), static_cast<std::size_t>(all.torsion));
    EXPECT_EQ(offset_of(all.columns(), "slips"), static_cast<std::size_t>(all.slips));
    EXPECT_EQ(layout(laws_with(0, 0.1, 1, NormalLaw::hertz)).rolling, -1);
}

/// [004 table 2]: k = 1e-7 kg/s^2, a = 0.5 um and 2000 kg/m^3 make t_c = 2.27e-4 s.
TEST(ShortestTime, OfTheSeed) {
    MaterialTable materials({{"powder", 2000, 0}});
    SoftLaws laws;
    laws.stiffness = 1e-7;
    materials.set(0, 0, {.soft = laws});
    const StartSizes sizes{.smallest = 1e-6, .largest = 1e-6, .mean = 1e-6, .count = 1};
    EXPECT_NEAR(shortest_times(materials, sizes, 3).contact.time, 2.273e-4, 1e-7);
    EXPECT_EQ(shortest_times(materials, sizes, 3).contact.mode, "the normal contact of 'powder'");
    laws.sliding = {1e-7, 0, 0.5}; // stiffer than 2/7 of the normal spring: faster
    materials.set(0, 0, {.soft = laws});
    EXPECT_NEAR(shortest_times(materials, sizes, 3).contact.time, 2.273e-4 * std::sqrt(2.0 / 7), 1e-7);
    EXPECT_EQ(shortest_times(materials, sizes, 3).contact.mode, "sliding and rolling of 'powder'");
}

/// A step that is short enough at the start stays so while particles grow: no mode of any law gets faster.
TEST(ShortestTime, GrowsWithTheParticles) {
    for (const NormalLaw normal :
         {NormalLaw::linear, NormalLaw::hertz, NormalLaw::yielding, NormalLaw::latching, NormalLaw::adhesive})
        for (const int dimension : {2, 3})
            for (const double viscosity : {0.0, 1e-5, 1.0}) {
                MaterialTable materials({{"powder", 2000, 0}});
                SoftLaws laws;
                laws.normal = normal;
                laws.stiffness = 1e2, laws.unloading_stiffness = 4e2, laws.adhesion_stiffness = 1e2;
                laws.plasticity_depth = 0.05, laws.unloading_growth = 1e3;
                laws.modulus = 1e7, laws.yield_pressure = 1e5;
                laws.viscosity = viscosity;
                laws.sliding = {50, viscosity, 0.5}, laws.rolling = {50, viscosity, 0.1};
                laws.torsion = {50, viscosity, 0.1};
                materials.set(0, 0, {.soft = laws});
                double before = 0;
                for (double diameter = 1e-4; diameter < 1e-2; diameter *= 1.1) {
                    const StartSizes sizes{
                        .smallest = diameter, .largest = diameter, .mean = diameter, .count = 1};
                    const double time = shortest_times(materials, sizes, dimension).step(50);
                    EXPECT_GT(time, before) << static_cast<int>(normal) << " at " << diameter;
                    before = time;
                }
            }
}

} // namespace
} // namespace tamp::soft
