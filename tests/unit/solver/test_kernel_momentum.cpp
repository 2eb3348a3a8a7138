#include "tamp/solver/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"

// Passes that start beyond the last one, in its direction. Numbers are of order one, so that differences are
// those of rounding where they are below 1e-12.
namespace {

using namespace tamp;
using namespace tamp::checks;
using rigid::LawSet;

constexpr double kappa = 2.5, rounding = 1e-12;
constexpr std::size_t body_count = 16;

/// All that is kept beside a number of batches.
struct Rows {
    std::vector<CohesionBatch> cohesion;
    std::vector<ReboundBatch> rebound;
    std::vector<TorqueBatch> torque;
    std::vector<DampingBatch> damping;
    std::vector<EarlierBatch> earlier, earlier_torque;

    Rows(Random& random, std::size_t count)
        : cohesion(count), rebound(count), torque(count), damping(count), earlier(count),
          earlier_torque(count) {
        for (std::size_t b = 0; b < count; ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                cohesion[b].strength[lane] = random.uniform(), cohesion[b].pull[lane] = random.uniform();
                set_lane(rebound[b].shift, lane, random_vector(random));
                set_lane(rebound[b].spin_shift, lane, random_vector(random));
                set_lane(torque[b].torque, lane, 0.1 * random_vector(random));
                torque[b].rolling[lane] = random.uniform(0, 0.3);
                torque[b].torsion[lane] = random.uniform(0, 0.3);
                damping[b].share[lane] = random.uniform(0.1, 1.0);
                set_lane(earlier[b].values, lane, random_vector(random));
                set_lane(earlier_torque[b].values, lane, 0.1 * random_vector(random));
            }
    }

    LawBatches of(const LawSet& set, bool damped, bool with_momentum) {
        LawBatches rows{set.cohesion ? cohesion.data() : nullptr, set.rebound ? rebound.data() : nullptr,
                        set.torques ? torque.data() : nullptr};
        rows.damping = damped ? damping.data() : nullptr;
        if (with_momentum)
            rows.earlier = earlier.data(), rows.earlier_torque = earlier_torque.data();
        return rows;
    }
};

enum class Way { forward, backward, listed };

/// Four batches of pairs of sixteen bodies, and two with a wall that moves.
struct Contacts {
    std::vector<Body> bodies{body_count + 1}, earlier_bodies;
    std::vector<ContactBatch> pairs{4};
    std::vector<WallBatch> walls{2};
    std::vector<WallState> wall_states{{.normal = {0, 0.6, 0.8}, .velocity = {0.1, 0, -0.2}}};
    Rows pair_rows, wall_rows;

    explicit Contacts(Random& random) : pair_rows(random, 4), wall_rows(random, 2) {
        const auto contact = [&](auto& batch, int lane, const Vec3& normal) {
            set_lane(batch.normal, lane, normal);
            batch.friction[lane] = random.uniform();
            batch.closing_speed[lane] = random.uniform();
            set_lane(batch.impulse, lane, random_vector(random));
        };
        for (std::size_t i = 0; i < body_count; ++i)
            bodies[i] = {random_vector(random), random.uniform(0.2, 2.0), random_vector(random),
                         random.uniform(0.5, 3.0)};
        earlier_bodies = bodies;
        for (Body& body : earlier_bodies)
            body.velocity = random_vector(random), body.surface = random_vector(random);
        for (std::size_t b = 0; b < pairs.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                pairs[b].first[lane] = lane;
                pairs[b].second[lane] = 8 + (lane + static_cast<int>(b)) % 8;
                contact(pairs[b], lane, random_direction(random));
            }
        for (std::size_t b = 0; b < walls.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                walls[b].body[lane] = lane + 8 * static_cast<int>(b);
                contact(walls[b], lane, wall_states[0].normal);
            }
    }

    double pass(const LawSet& set, bool damped, Way way, bool with_momentum, double momentum = 0) {
        KernelLaws laws(kappa, set);
        laws.momentum = momentum;
        const LawBatches rows = pair_rows.of(set, damped, with_momentum);
        const LawBatches beside_walls = wall_rows.of(set, damped, with_momentum);
        const std::vector<std::int32_t> order{2, 0, 3, 1};
        if (way == Way::backward)
            return relax_walls_backward(bodies, walls, wall_states, laws, beside_walls) +
                   relax_backward(bodies, pairs, laws, rows);
        const double change = way == Way::listed ? relax_in_order(bodies, pairs, order, laws, rows)
                                                 : relax(bodies, pairs, laws, rows);
        return change + relax_walls(bodies, walls, wall_states, laws, beside_walls);
    }

    /// What `advance` and the rows of earlier impulses are to do.
    void prolong_by_hand(double momentum) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Body &now = bodies[i], &before = earlier_bodies[i];
            const Body y = now;
            now.velocity += momentum * (y.velocity - before.velocity);
            now.surface += momentum * (y.surface - before.surface);
        }
        const auto prolong = [&](auto& values, const EarlierBatch& before) {
            for (int lane = 0; lane < lanes; ++lane) {
                const Vec3 y = lane_of(values, lane);
                set_lane(values, lane, y + momentum * (y - lane_of(before.values, lane)));
            }
        };
        for_all_rows([&](auto& batch, Rows& rows, std::size_t b) {
            prolong(batch.impulse, rows.earlier[b]);
            prolong(rows.torque[b].torque, rows.earlier_torque[b]);
        });
    }

    template <class Action>
    void for_all_rows(Action&& action) {
        for (std::size_t b = 0; b < pairs.size(); ++b)
            action(pairs[b], pair_rows, b);
        for (std::size_t b = 0; b < walls.size(); ++b)
            action(walls[b], wall_rows, b);
    }

    double inverse_radius(const ContactBatch& batch, int lane) const {
        return 0.5 * (inverse_radius(batch.first[lane]) + inverse_radius(batch.second[lane]));
    }
    double inverse_radius(const WallBatch& batch, int lane) const { return inverse_radius(batch.body[lane]); }
    double inverse_radius(int body) const { return bodies[static_cast<std::size_t>(body)].inverse_radius; }
};

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The numbers of two states, which differ by rounding at most.
void expect_near(Contacts& got, Contacts& expected, const LawSet& set) {
    for (std::size_t i = 0; i < body_count; ++i) {
        EXPECT_LT(norm(got.bodies[i].velocity - expected.bodies[i].velocity), rounding);
        EXPECT_LT(norm(got.bodies[i].surface - expected.bodies[i].surface), rounding);
        EXPECT_EQ(got.bodies[i].inverse_mass, expected.bodies[i].inverse_mass);
        EXPECT_EQ(got.bodies[i].inverse_radius, expected.bodies[i].inverse_radius);
    }
    const auto impulses = [&](Contacts& contacts) {
        std::vector<Vec3> all;
        contacts.for_all_rows([&](auto& batch, Rows& rows, std::size_t b) {
            for (int lane = 0; lane < lanes; ++lane) {
                all.push_back(lane_of(batch.impulse, lane));
                if (set.torques)
                    all.push_back(lane_of(rows.torque[b].torque, lane));
            }
        });
        return all;
    };
    const std::vector<Vec3> a = impulses(got), b = impulses(expected);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_LT(norm(a[i] - b[i]), rounding) << i;
}

template <class Check>
void for_all_laws_and_ways(Check&& check) {
    for (const bool cohesion : {false, true})
        for (const bool rebound : {false, true})
            for (const bool torques : {false, true})
                for (const bool damped : {false, true})
                    for (const Way way : {Way::forward, Way::backward, Way::listed}) {
                        SCOPED_TRACE(testing::Message() << cohesion << rebound << torques << " damped "
                                                        << damped << " way " << static_cast<int>(way));
                        check(LawSet{cohesion, rebound, torques}, damped, way);
                    }
}

TEST(KernelMomentum, IsThePlainPassFromImpulsesThatWereProlonged) {
    Random random = random_numbers(11);
    for_all_laws_and_ways([&](const LawSet& set, bool damped, Way way) {
        for (const double momentum : {0.0, 0.3, 0.95}) {
            Contacts start(random), got = start, expected = start;
            advance(got.bodies, got.earlier_bodies, momentum);
            EXPECT_TRUE(same(got.earlier_bodies, start.bodies)) << "the earlier velocities of the next sweep";
            const double change = got.pass(set, damped, way, true, momentum);
            expected.prolong_by_hand(momentum);
            Contacts prolonged = expected;
            EXPECT_EQ(expected.pass(set, damped, way, false), 0.0) << "no momentum, no sum";
            expect_near(got, expected, set);

            // The earlier impulses of the next sweep, and how far this one went.
            double by_hand = 0;
            const auto beside = [&](auto&& each, auto& got_batches, auto& y, auto& x, Rows& now, Rows& before,
                                    Rows& from) {
                for (std::size_t b = 0; b < got_batches.size(); ++b)
                    for (int lane = 0; lane < lanes; ++lane) {
                        each(now.earlier[b], y[b].impulse, lane);
                        const Vec3 way_made =
                            lane_of(got_batches[b].impulse, lane) - lane_of(x[b].impulse, lane);
                        by_hand += dot(way_made, way_made);
                        if (!set.torques)
                            continue;
                        each(now.earlier_torque[b], before.torque[b].torque, lane);
                        const Vec3 turned =
                            start.inverse_radius(y[b], lane) *
                            (lane_of(now.torque[b].torque, lane) - lane_of(from.torque[b].torque, lane));
                        by_hand += dot(turned, turned);
                    }
            };
            const auto expect_same_bits = [](const EarlierBatch& kept, const auto& y, int lane) {
                EXPECT_EQ(lane_of(kept.values, lane), lane_of(y, lane));
            };
            beside(expect_same_bits, got.pairs, start.pairs, prolonged.pairs, got.pair_rows, start.pair_rows,
                   prolonged.pair_rows);
            beside(expect_same_bits, got.walls, start.walls, prolonged.walls, got.wall_rows, start.wall_rows,
                   prolonged.wall_rows);
            EXPECT_NEAR(change, by_hand, rounding * by_hand);
            EXPECT_GT(by_hand, 1.0);
        }
    });
}

TEST(KernelMomentum, VelocitiesOfBodiesThatNobodyPushesStay) {
    Random random = random_numbers(13);
    Contacts all(random), some = all;
    const std::vector<Body> start = all.bodies;
    advance(all.bodies, all.earlier_bodies, 0.5);
    const std::vector<std::int32_t> pushed{0, 2, 3};
    advance(some.bodies, some.earlier_bodies, pushed, 0.5);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const bool is_pushed = std::ranges::count(pushed, static_cast<std::int32_t>(i)) > 0;
        EXPECT_EQ(some.bodies[i].velocity, (is_pushed ? all.bodies : start)[i].velocity) << i;
    }
}

/// What a first sweep finds in the rows of earlier impulses is whatever was in memory.
TEST(KernelMomentum, WithoutMomentumEarlierImpulsesDoNotCount) {
    Random random = random_numbers(12);
    for_all_laws_and_ways([&](const LawSet& set, bool damped, Way way) {
        Contacts zeros(random), garbage = zeros, plain = zeros;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto fill = [&](Contacts& contacts, double value) {
            for (Rows* rows : {&contacts.pair_rows, &contacts.wall_rows})
                for (auto* earlier : {&rows->earlier, &rows->earlier_torque})
                    for (EarlierBatch& batch : *earlier)
                        std::fill_n(&batch.values[0][0], 3 * lanes, value);
            for (Body& body : contacts.earlier_bodies)
                body = {{value, value, value}, value, {value, value, value}, value};
        };
        fill(zeros, 0.0);
        fill(garbage, nan);
        for (Contacts* contacts : {&zeros, &garbage})
            advance(contacts->bodies, contacts->earlier_bodies, 0.0);
        EXPECT_TRUE(same(garbage.bodies, plain.bodies)) << "velocities stay";
        const double change = zeros.pass(set, damped, way, true);
        EXPECT_EQ(garbage.pass(set, damped, way, true), change);
        EXPECT_TRUE(same(garbage.bodies, zeros.bodies));
        EXPECT_TRUE(same(garbage.earlier_bodies, zeros.earlier_bodies));
        EXPECT_TRUE(same(garbage.pairs, zeros.pairs));
        EXPECT_TRUE(same(garbage.walls, zeros.walls));
        EXPECT_TRUE(same(garbage.pair_rows.torque, zeros.pair_rows.torque));
        EXPECT_TRUE(same(garbage.pair_rows.earlier, zeros.pair_rows.earlier));
        plain.pass(set, damped, way, false);
        expect_near(garbage, plain, set); // the compiler may fuse other operations
    });
}

/// Where the plain pass has nothing left to do, neither has one with momentum: velocities and impulses of two
/// sweeps ago are those of the last one.
TEST(KernelMomentum, SolvedContactsStaySolved) {
    Random random = random_numbers(13);
    for (int repeat = 0; repeat < 20; ++repeat) {
        Contacts contacts(random);
        for (int sweep = 0; sweep < 20000; ++sweep)
            contacts.pass({}, false, Way::forward, false);
        contacts.earlier_bodies = contacts.bodies;
        contacts.for_all_rows([](auto& batch, Rows& rows, std::size_t b) {
            std::memcpy(rows.earlier[b].values, batch.impulse, sizeof batch.impulse);
        });
        Contacts solved = contacts;
        for (int sweep = 0; sweep < 10; ++sweep) {
            advance(contacts.bodies, contacts.earlier_bodies, 0.9);
            EXPECT_LT(contacts.pass({}, false, Way::forward, true, 0.9), 1e-20);
        }
        expect_near(contacts, solved, {});
    }
}

} // namespace
