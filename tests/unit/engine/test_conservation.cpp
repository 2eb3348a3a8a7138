#include <cmath>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "setups.hpp"
#include "tamp/particles/generate.hpp"

// What holds for any cluster of particles in open space, whatever happens inside.
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::setups;

struct Cluster {
    int dimension;
    std::uint64_t seed;
    double friction;
};

void PrintTo(const Cluster& cluster, std::ostream* out) {
    *out << cluster.dimension << "-D, seed " << cluster.seed << ", friction " << cluster.friction;
}

RigidRun collapse(const Cluster& cluster) {
    const RigidSetup setup = open_space(0.6, cluster.friction, 1e-3, cluster.dimension);
    return RigidRun(world(), setup, collapsing_grains(setup.box, cluster.seed));
}

class InOpenSpace : public testing::TestWithParam<Cluster> {};

TEST_P(InOpenSpace, MomentaAreKeptAndEnergyFalls) {
    RigidRun engine = collapse(GetParam());
    const Conserved start = conserved(engine);
    double momentum_scale = 0, angular_scale = 0;
    for (const auto& [id, g] : grains_of(engine)) {
        const double m = mass_of(g, GetParam().dimension);
        momentum_scale += m * norm(g.velocity);
        angular_scale += m * (norm(g.position) * norm(g.velocity) + g.radius * g.radius * norm(g.spin));
    }
    Conserved last = start;
    Vec3 lever{0, 0, 0};
    double drift = 0;
    std::size_t contacts = 0;
    for (int step = 1; step <= 40; ++step) {
        SCOPED_TRACE(testing::Message() << "step " << step);
        const auto before = grains_of(engine);
        const StepReport report = engine.step(for_ever);
        ASSERT_FALSE(report.solve.capped);
        const Conserved now = conserved(engine);
        ASSERT_LT(norm(now.momentum - start.momentum), 1e-13 * momentum_scale);

        // The points at which a contact pushes its two partners are a gap apart, n g; the friction of a
        // contact that has yet to close turns the pair by that lever. Moving by v dt changes no x cross m v.
        // So the change is known:
        for (const SolvedContact& contact : solved_contacts(engine, before)) {
            lever += contact.gap * cross(contact.normal, contact.impulse);
            ++contacts;
        }
        ASSERT_LT(norm(now.angular - start.angular - lever), 1e-12 * angular_scale);
        drift = std::max(drift, norm(now.angular - start.angular));

        // Kinetic energy changes by sum p.u - |dv|^2 m/2, and p.u <= 0 for a contact that obeys the law.
        ASSERT_LE(now.energy, last.energy * (1 + 1e-12));
        last = now;
    }
    EXPECT_GT(contacts, 300u);
    EXPECT_LT(last.energy, 0.7 * start.energy);
    EXPECT_LT(drift, 0.05 * angular_scale);
    EXPECT_EQ(engine.totals().lost, 0);
}

TEST_P(InOpenSpace, ContactsObeyTheLaw) {
    RigidRun engine = collapse(GetParam());
    std::size_t slipping = 0, sticking = 0;
    for (int step = 1; step <= 40; ++step) {
        const auto before = grains_of(engine);
        engine.step(for_ever);
        double largest = 0;
        const std::vector<SolvedContact> contacts = solved_contacts(engine, before);
        for (const SolvedContact& c : contacts)
            largest = std::max(largest, norm(c.impulse));
        for (const SolvedContact& c : contacts) {
            const double p_n = dot(c.impulse, c.normal), p_t = norm(tangential(c.impulse, c.normal));
            ASSERT_GE(p_n, 0);
            // The normal is computed once more here: its round-off turns the impulse by 1e-16.
            ASSERT_LE(p_t, GetParam().friction * p_n * (1 + 1e-12) + 1e-15 * largest);
            ++(p_t > 0.999 * GetParam().friction * p_n ? slipping : sticking);
        }
    }
    EXPECT_GT(slipping, 0u);
    EXPECT_TRUE(GetParam().friction == 0 || sticking > 0);
    // The new distance is never below the linearised one, so that only the solver's error overlaps.
    EXPECT_LT(engine.totals().largest_overlap, 1e-10 * engine.world.sizes.mean);
}

INSTANTIATE_TEST_SUITE_P(Clusters, InOpenSpace,
                         testing::Values(Cluster{3, 1, 0.5}, Cluster{3, 2, 0.1}, Cluster{3, 3, 0.0},
                                         Cluster{3, 4, 1.5}, Cluster{2, 5, 0.4}, Cluster{2, 6, 0.0}));

TEST(OpenSpace, TouchingPairKeepsAngularMomentumExactly) {
    // No gap, no lever: two touching spheres, one spinning.
    const RigidSetup setup = open_space(0.5, 0.3, 1e-3);
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {0, 0, 0}, 0.01, {0.5, 0.1, 0}, {0, 30, 60}),
                                       grain(1, {0.025, 0, 0}, 0.015, {-0.2, 0, 0.1})});
    const Conserved before = conserved(engine);
    engine.step(for_ever);
    const Conserved after = conserved(engine);
    EXPECT_GT(norm(grains_of(engine).at(1).spin), 1.0);
    EXPECT_LT(norm(after.angular - before.angular), 1e-15 * norm(before.angular) + 1e-18);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-17);
}

TEST(OpenSpace, ParticlesThatLeaveAreCounted) {
    const RigidSetup setup = open_space(0.2, 0.3, 1e-3);
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(7, {0.05, 0, 0}, 0.01, {2, 0, 0}), grain(8, {0, 0, 0}, 0.01),
                                       grain(9, {0, -0.06, 0}, 0.01, {0, -2, 0})});
    EXPECT_EQ(engine.totals().lost, 0);
    for (int step = 0; step < 60; ++step)
        engine.step(for_ever);
    EXPECT_EQ(engine.totals().lost, 2);
    const auto left = grains_of(engine);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left.at(8).position, (Vec3{0, 0, 0}));
}

} // namespace
