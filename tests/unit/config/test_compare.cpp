#include "tamp/config/compare.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp::test {
namespace {

using Names = std::vector<std::string>;

CaseChanges changes_by(const std::vector<std::string>& overrides) {
    return compare_cases(parse_with({}).source, parse_with(overrides).source);
}

TEST(CompareCases, TheSameCaseHasNoChanges) {
    const CaseChanges none = changes_by({});
    EXPECT_TRUE(none.observing.empty() && none.physics.empty() && none.structure.empty());
    EXPECT_FALSE(none.measures);
    EXPECT_TRUE(changes_by({"material.glass.density=2500.0"}).physics.empty())
        << "2500 and 2500.0 are one number";
}

TEST(CompareCases, TellsWhatAChangeMeans) {
    EXPECT_EQ(changes_by({"output.series_every=1", "checkpoint.every=3"}).observing,
              (Names{"checkpoint", "output"}));
    EXPECT_TRUE(changes_by({"measure.every=1"}).measures);
    EXPECT_FALSE(changes_by({"snapshots.every=1"}).measures);
    EXPECT_EQ(changes_by({"solver.tolerance=1e-5"}).physics, Names{"solver"});
    EXPECT_EQ(changes_by({"material.glass.friction=0.4"}).physics, Names{"material"});
    EXPECT_EQ(changes_by({"stage.settle.steps=11"}).physics, Names{"stage"});
    EXPECT_EQ(changes_by({"seed=2"}).physics, Names{"seed"});
    EXPECT_EQ(changes_by({"particles[0].count=11"}).structure, Names{"particles"});
    EXPECT_EQ(changes_by({"neighbours.tile=0.3"}).structure, Names{"neighbours"});
    EXPECT_EQ(changes_by({"domain.upper=[1,1,2]"}).structure, Names{"domain"});
    EXPECT_TRUE(changes_by({"title=\"other\""}).physics.empty());
}

} // namespace
} // namespace tamp::test
