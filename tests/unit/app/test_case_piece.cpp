// A piece of a case is a case: whole grains, nothing overlaps, and all lengths have shrunk alike.

#include <cmath>

#include <gtest/gtest.h>

#include "tamp/app/case_piece.hpp"

namespace tamp {
namespace {

constexpr double diameter = 0.01;

/// 20 x 20 x 40 grains on a lattice, from 5 diameters above the floor of a column up to a piston.
class PieceOfAColumn : public testing::Test {
protected:
    PieceOfAColumn() {
        settings_.box = {.lower = {-0.1, 0, 0},
                         .upper = {0.1, 0.2, 0.6},
                         .boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall}};
        settings_.materials = MaterialTable({{"glass", 2500.0, 0.5}});
        settings_.walls = {{.name = "z-", .normal = {0, 0, 1}},
                           {.name = "lid",
                            .point = {0, 0, 0.46},
                            .normal = {0, 0, -1},
                            .motion = WallMotion::piston,
                            .mass = 2,
                            .force = 40,
                            .damping = 8}};
        settings_.stages = {
            {.name = "fall", .duration = 0.4},
            {.name = "press",
             .steps = 1000,
             .walls = {{.wall = "lid", .motion = WallMotion::driven, .velocity = {0, 0, -1}}}}};
        start_.walls = settings_.walls;
        for (int x = 0; x < 20; ++x)
            for (int y = 0; y < 20; ++y)
                for (int z = 0; z < 40; ++z)
                    start_.grains.push_back({.id = start_.grains.size(),
                                             .position = {-0.1 + (x + 0.5) * diameter, (y + 0.5) * diameter,
                                                          0.05 + (z + 0.5) * diameter},
                                             .radius = 0.499 * diameter,
                                             .velocity = {0, 0, -1}});
    }

    Case settings_;
    Start start_;
};

TEST_F(PieceOfAColumn, AllOfASmallCase) {
    const CasePiece piece = piece_of(settings_, start_, 16000);
    EXPECT_EQ(piece.start.grains, start_.grains);
    EXPECT_EQ(piece.enlargement.particles, 1);
    EXPECT_EQ(piece.enlargement.speed, 1);
    EXPECT_EQ(piece.settings.box.upper, settings_.box.upper);
}

TEST_F(PieceOfAColumn, ACornerOfALargeOne) {
    const CasePiece piece = piece_of(settings_, start_, 2000);
    const auto count = static_cast<double>(piece.start.grains.size());
    EXPECT_GE(count, 1600);
    EXPECT_LE(count, 3200);
    EXPECT_DOUBLE_EQ(piece.enlargement.particles, 16000 / count);

    const Box &whole = settings_.box, &box = piece.settings.box;
    const double factor = box.length(0) / whole.length(0);
    EXPECT_GT(factor, 0.45);
    EXPECT_LT(factor, 0.6);
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(box.length(axis), factor * whole.length(axis), 1e-12);
    const Wall &floor = piece.start.walls[0], &lid = piece.start.walls[1];
    EXPECT_NEAR(lid.point.z - floor.point.z, factor * 0.46, 1e-12);
    // As much on each square metre as before.
    EXPECT_NEAR(lid.force, factor * factor * 40, 1e-12);
    EXPECT_NEAR(lid.mass, factor * factor * 2, 1e-12);
    EXPECT_NEAR(lid.damping, factor * factor * 8, 1e-12);
    EXPECT_EQ(piece.settings.walls[1].point, lid.point);

    std::vector<bool> seen(piece.start.grains.size());
    for (const Grain& grain : piece.start.grains) {
        ASSERT_LT(grain.id, seen.size());
        EXPECT_FALSE(seen[grain.id]);
        seen[grain.id] = true;
        EXPECT_EQ(grain.radius, 0.499 * diameter);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(grain.position[axis] - grain.radius, box.lower[axis]);
            EXPECT_LE(grain.position[axis] + grain.radius, box.upper[axis]);
        }
        for (const Wall& wall : piece.start.walls)
            EXPECT_GE(wall.gap(grain.position, grain.radius), 0);
    }
}

/// Under gravity and loads, times and speeds go as the root of lengths.
TEST_F(PieceOfAColumn, TimesAndSpeedsShrinkAsTheRootOfLengths) {
    const CasePiece piece = piece_of(settings_, start_, 2000);
    const double factor = piece.settings.box.length(0) / settings_.box.length(0), root = std::sqrt(factor);
    EXPECT_NEAR(piece.enlargement.speed, 1 / root, 1e-12);
    EXPECT_NEAR(*piece.settings.stages[0].duration, 0.4 * root, 1e-12);
    EXPECT_EQ(*piece.settings.stages[1].steps, std::llround(1000 * factor));
    EXPECT_NEAR(piece.settings.stages[1].walls[0].velocity.z, -root, 1e-12);
    EXPECT_NEAR(piece.start.grains[0].velocity.z, -root, 1e-12);
}

/// In the shorter time radii grow as much as in the whole.
TEST_F(PieceOfAColumn, GrainsGrowAsMuch) {
    settings_.stages[0].growth.rate = 1e-3;
    settings_.stages[1].growth.relative_rate = 0.1;
    const CasePiece piece = piece_of(settings_, start_, 2000);
    const Stage& stage = piece.settings.stages[0];
    EXPECT_NEAR(stage.growth.rate * *stage.duration, 1e-3 * 0.4, 1e-15);
    EXPECT_NEAR(piece.settings.stages[1].growth.relative_rate, 0.1 * piece.enlargement.speed, 1e-12);
}

TEST_F(PieceOfAColumn, ThinBoxesStayAsThickAsGrainsNeed) {
    std::erase_if(start_.grains, [](const Grain& grain) { return grain.position.y > 0.06; });
    settings_.box.upper.y = 0.06;
    const CasePiece piece = piece_of(settings_, start_, 200);
    EXPECT_GE(piece.settings.box.length(1), 5 * 0.998 * diameter);
    EXPECT_LT(piece.settings.box.length(2), 0.5 * settings_.box.length(2));
    EXPECT_GE(piece.start.grains.size(), 160u);
}

} // namespace
} // namespace tamp
