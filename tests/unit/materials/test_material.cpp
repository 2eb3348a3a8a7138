#include <gtest/gtest.h>

#include "tamp/materials/material.hpp"

namespace tamp {
namespace {

const MaterialTable table({{"glass", 2500, 0.4}, {"steel", 7800, 0.1}, {"ice", 900, 0}});

TEST(MaterialTable, FindsByName) {
    EXPECT_EQ(table.size(), 3);
    EXPECT_EQ(table.find("steel"), 1);
    EXPECT_EQ(table.find("Steel"), -1);
    EXPECT_EQ(table.find(""), -1);
    EXPECT_EQ(table[2].density, 900);
}

TEST(MaterialTable, FrictionOfAPairIsTheGeometricMeanUnlessSet) {
    EXPECT_EQ(table.friction(0, 0), 0.4);
    EXPECT_EQ(table.friction(1, 1), 0.1) << "its own coefficient, not one computed from it";
    EXPECT_DOUBLE_EQ(table.friction(0, 1), 0.2);
    EXPECT_EQ(table.friction(0, 2), 0);
}

TEST(MaterialTable, LawsAreSymmetricAndSetForOnePairOnly) {
    MaterialTable changed = table;
    changed.set(2, 0, {.friction = 0.7, .restitution = 0.3});
    changed.set(1, 1, {.friction = 0.9});
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            EXPECT_EQ(changed.laws(a, b), changed.laws(b, a));
            if (!(a + b == 2)) {
                EXPECT_EQ(changed.laws(a, b), table.laws(a, b));
            }
        }
    EXPECT_EQ(changed.friction(0, 2), 0.7);
    EXPECT_EQ(changed.laws(0, 2).restitution, 0.3);
    EXPECT_EQ(changed.friction(1, 1), 0.9);
}

TEST(MaterialTable, MayBeEmpty) {
    EXPECT_EQ(MaterialTable().size(), 0);
    EXPECT_EQ(MaterialTable().find("glass"), -1);
}

} // namespace
} // namespace tamp
