#include "tamp/solver/contact_totals.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bed.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

TEST(TotalsOverRanks, AreTheSumsOverAllContacts) {
    Bed bed;
    Profile profile;
    TotalsOverRanks sums(self(), profile);
    const SolveTask task = bed.task();
    const std::vector<WallState> walls = bed.wall_states();
    const std::span<const int> order = task.exchange.tile_order();
    const ContactTotals& totals = sums.collect(task, walls);

    Vec3 stress{0, 0, 0};
    double normal = 0, loaded = 0;
    std::vector<double> of_wall(walls.size(), 0.0);
    const auto add = [&](const Vec3& p, const Vec3& n) {
        normal += std::abs(dot(p, n));
        loaded += dot(p, n) != 0 ? 1 : 0;
        stress += {p.x * n.x, p.y * n.y, p.z * n.z};
    };
    for (const ContactBatch& batch : task.contacts.batches(order))
        for (int lane = 0; lane < lanes; ++lane)
            add(lane_of(batch.impulse, lane), lane_of(batch.normal, lane));
    for (const WallBatch& batch : task.wall_batches())
        for (int lane = 0; lane < lanes; ++lane) {
            const auto w = static_cast<std::size_t>(batch.wall);
            add(lane_of(batch.impulse, lane), walls[w].normal);
            of_wall[w] += dot(lane_of(batch.impulse, lane), walls[w].normal);
        }
    const double small = 1e-12 * normal;
    EXPECT_NEAR(totals.normal, normal, small);
    EXPECT_EQ(totals.loaded, loaded);
    EXPECT_EQ(totals.loaded, static_cast<double>(task.contacts.pair_count() + task.contacts.wall_count()));
    ASSERT_EQ(totals.forces.size(), 5u);
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(totals.forces[static_cast<std::size_t>(axis)], stress[axis], small);
    EXPECT_NEAR(totals.forces[3], of_wall[0], small);
    EXPECT_NEAR(totals.forces[4], of_wall[1], small);
    EXPECT_NEAR(totals.normal_impulse(), stress.x + stress.y + stress.z, small);

    const ResidualSums pairs = residual(task.bodies, task.contacts.batches(order), task.laws);
    const ResidualSums others = residual_walls(task.bodies, task.wall_batches(), walls, task.laws);
    EXPECT_NEAR(totals.residual, pairs.residual + others.residual, 1e-12 * totals.residual);
    EXPECT_EQ(totals.largest, std::max(pairs.largest, others.largest));
}

TEST(TotalsOverRanks, StartAnewAtEveryLook) {
    Bed bed, other(ExchangeRhythm::phase, 2);
    Profile profile;
    TotalsOverRanks sums(self(), profile);
    const ContactTotals first = sums.collect(bed.task(), bed.wall_states());
    sums.collect(other.task(), other.wall_states());
    const ContactTotals& again = sums.collect(bed.task(), bed.wall_states());
    EXPECT_EQ(again.residual, first.residual);
    EXPECT_EQ(again.normal, first.normal);
    EXPECT_EQ(again.largest, first.largest);
    EXPECT_EQ(again.forces, first.forces);
}

} // namespace
