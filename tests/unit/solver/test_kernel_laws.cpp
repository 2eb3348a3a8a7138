#include "tamp/solver/kernel.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"

// Sweeps are compiled for three sets of laws: a law that a run does without changes no bit of it.
namespace {

using namespace tamp;
using namespace tamp::checks;
using rigid::LawSet;

TEST(KernelSet, HoldsTheLawsInUse) {
    for (const bool cohesion : {false, true})
        for (const bool rebound : {false, true})
            for (const bool torques : {false, true}) {
                const LawSet used{cohesion, rebound, torques}, set = rigid::kernel_set(used);
                EXPECT_TRUE((set.cohesion || !cohesion) && (set.rebound || !rebound));
                EXPECT_EQ(set.torques, torques) << "torques cost most: never without need";
                EXPECT_EQ(set == LawSet{}, used == LawSet{}) << "plain friction has a sweep of its own";
                EXPECT_EQ(rigid::kernel_set(set), set);
            }
}

/// Batches of sixteen bodies and a wall, with rows for all laws; every fourth number is a zero of either
/// sign.
struct Contacts {
    std::vector<Body> bodies{17};
    std::vector<ContactBatch> pairs{4};
    std::vector<WallBatch> walls{2};
    std::vector<WallState> wall_states{1};
    std::vector<CohesionBatch> cohesion{4};
    std::vector<ReboundBatch> rebound{4};
    std::vector<TorqueBatch> torque{4};

    explicit Contacts(Random& random) {
        const auto number = [&] {
            return random.below(4) > 0 ? random.normal() : random.below(2) ? 0.0 : -0.0;
        };
        const auto vector = [&] { return Vec3{number(), number(), number()}; };
        for (std::size_t i = 0; i < 16; ++i)
            bodies[i] = {vector(), random.uniform(0.2, 2.0), vector(), random.uniform(0.5, 3.0)};
        for (std::size_t b = 0; b < pairs.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                pairs[b].first[lane] = lane;
                pairs[b].second[lane] = 8 + (lane + static_cast<int>(b)) % 8;
                const Vec3 n = random.below(4) > 0 ? random_direction(random) : Vec3{1, 0, 0};
                set_lane(pairs[b].normal, lane, n);
                pairs[b].friction[lane] = 0.3;
                set_lane(pairs[b].impulse, lane, vector());
                cohesion[b].strength[lane] = random.uniform(), cohesion[b].pull[lane] = random.uniform();
                set_lane(rebound[b].shift, lane, vector());
                set_lane(rebound[b].spin_shift, lane, vector());
                set_lane(torque[b].torque, lane, 0.1 * vector());
                torque[b].rolling[lane] = torque[b].torsion[lane] = random.uniform(0, 0.3);
            }
        for (WallBatch& batch : walls)
            for (int lane = 0; lane < lanes; ++lane) {
                batch.body[lane] = lane;
                set_lane(batch.normal, lane, wall_states[0].normal);
                batch.friction[lane] = 0.3;
                set_lane(batch.impulse, lane, vector());
            }
    }

    LawBatches rows(const LawSet& set) {
        return {set.cohesion ? cohesion.data() : nullptr, set.rebound ? rebound.data() : nullptr,
                set.torques ? torque.data() : nullptr};
    }
    void sweep(const LawSet& set) {
        const KernelLaws laws(2.5, set);
        relax(bodies, pairs, laws, rows(set));
        relax_walls_backward(bodies, walls, wall_states, laws, rows(set));
    }
    ResidualSums sums(const LawSet& set) { return residual(bodies, pairs, KernelLaws(2.5, set), rows(set)); }
};

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// `used` with numbers that do nothing in the rows of the other laws, against `used` without these rows.
void check(const LawSet& used) {
    Random random = random_numbers(5);
    const LawSet wide = rigid::kernel_set(used);
    for (int repeat = 0; repeat < 200; ++repeat) {
        Contacts without(random);
        if (!used.cohesion)
            std::ranges::fill(without.cohesion, CohesionBatch{});
        if (!used.rebound)
            for (ReboundBatch& row : without.rebound)
                for (int lane = 0; lane < lanes; ++lane) { // x + -0.0 is x, also for -0.0
                    set_lane(row.shift, lane, {-0.0, -0.0, -0.0});
                    set_lane(row.spin_shift, lane, {-0.0, -0.0, -0.0});
                }
        Contacts with = without;
        for (int sweep = 0; sweep < 3; ++sweep) {
            without.sweep(used);
            with.sweep(wide);
            const ResidualSums a = without.sums(used), b = with.sums(wide);
            ASSERT_EQ(std::memcmp(&a, &b, sizeof a), 0);
        }
        ASSERT_TRUE(same(without.bodies, with.bodies));
        ASSERT_TRUE(same(without.pairs, with.pairs));
        ASSERT_TRUE(same(without.walls, with.walls));
        ASSERT_TRUE(same(without.torque, with.torque));
    }
}

TEST(KernelSet, LawsWithoutRowsChangeNothing) {
    check({.cohesion = true});
    check({.rebound = true});
    check({.torques = true});
    check({.cohesion = true, .torques = true});
    check({.rebound = true, .torques = true});
}

/// A contact that obeys its laws is not wrong, whether it presses, slips, is held by tension, has a gap that
/// tension keeps, rebounds or opens.
TEST(KernelViolation, VanishesWhereContactsObeyTheirLaws) {
    Random random = random_numbers(7);
    for (const LawSet& used : {LawSet{}, LawSet{.rebound = true}, LawSet{.cohesion = true},
                               LawSet{.cohesion = true, .rebound = true}})
        for (int repeat = 0; repeat < 200; ++repeat) {
            Contacts contacts(random);
            const std::span<ContactBatch> one(contacts.pairs.data(), 1);
            for (int lane = 0; lane < lanes; ++lane) {
                const double speed = random.uniform(-1, 1); // of a gap that closes, or of a rebound
                one[0].closing_speed[lane] = used.rebound || speed > 0 ? speed : 0.0;
                // Contacts that were pulled open stay where they are, others are closed by tension.
                contacts.cohesion[0].pull[lane] = random.below(2) && speed > 0 ? speed : 0.0;
                Vec3 shift =
                    tangential(lane_of(contacts.rebound[0].shift, lane), lane_of(one[0].normal, lane));
                set_lane(contacts.rebound[0].shift, lane, shift);
            }
            const KernelLaws laws(2.5, used);
            relax(contacts.bodies, one, laws, contacts.rows(used));
            EXPECT_NEAR(residual(contacts.bodies, one, laws, contacts.rows(used)).violation, 0, 1e-12);
        }
}

/// One loop for all orders.
TEST(KernelSet, EveryOrderHasTheSameLaws) {
    Random random = random_numbers(6);
    for (const LawSet& used : {LawSet{}, LawSet{.rebound = true}, LawSet{.cohesion = true, .torques = true}})
        for (int repeat = 0; repeat < 50; ++repeat) {
            const Contacts start(random);
            Contacts backward = start, listed = start;
            const KernelLaws laws(2.5, used);
            const std::vector<std::int32_t> order{3, 2, 1, 0};
            relax_backward(backward.bodies, backward.pairs, laws, backward.rows(used));
            relax_in_order(listed.bodies, listed.pairs, order, laws, listed.rows(used));
            ASSERT_TRUE(same(backward.bodies, listed.bodies));
            ASSERT_TRUE(same(backward.pairs, listed.pairs));
            ASSERT_TRUE(same(backward.torque, listed.torque));
            relax_backward(backward.bodies, std::span<ContactBatch>{}, laws); // no batch, no step
            ASSERT_TRUE(same(backward.bodies, listed.bodies));
        }
}

} // namespace
