#include <cmath>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "floor.hpp"
#include "tamp/particles/generate.hpp"

// Whatever the laws of the contacts, forces and torques on two partners are opposite: nothing else is asked
// here.
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::setups;

struct LawfulCluster {
    int dimension;
    std::uint64_t seed;
    bool coupled;
    TorqueScale scale;
};

void PrintTo(const LawfulCluster& cluster, std::ostream* out) {
    *out << cluster.dimension << "-D, seed " << cluster.seed << (cluster.coupled ? ", coupled" : "")
         << (cluster.scale == TorqueScale::hertz ? ", hertz" : "");
}

ContactLaws all_laws(const LawfulCluster& cluster) {
    return {.friction = 0.5,
            .restitution = 0.4,
            .tangential_restitution = 0.3,
            .restitution_speed = 0.3,
            .rolling = {cluster.scale, 0.2, 1e4},
            .torsion = {cluster.scale, 0.1, 1e4},
            .coupled_torsion = cluster.coupled,
            .cohesion = {.scale = CohesionScale::radius, .value = 10, .range = 5e-4}};
}

RigidRun collapse(const LawfulCluster& cluster) {
    RigidSetup setup = with_laws(open_space(0.6, 0, 1e-3, cluster.dimension), all_laws(cluster));
    setup.solver = {}; // momentum does not wait for convergence
    return RigidRun(world(), setup, collapsing_grains(setup.box, cluster.seed));
}

class WithAllLaws : public testing::TestWithParam<LawfulCluster> {};

TEST_P(WithAllLaws, MomentaAreKept) {
    RigidRun engine = collapse(GetParam());
    const Conserved start = conserved(engine);
    double momentum_scale = 0, angular_scale = 0;
    for (const auto& [id, g] : grains_of(engine)) {
        const double m = mass_of(g, GetParam().dimension);
        momentum_scale += m * norm(g.velocity);
        angular_scale += m * (norm(g.position) * norm(g.velocity) + g.radius * g.radius * norm(g.spin));
    }
    Vec3 lever{0, 0, 0};
    std::size_t pushed = 0, pulled = 0, turned = 0, open_bonds = 0;
    for (int step = 1; step <= 60; ++step) {
        SCOPED_TRACE(testing::Message() << "step " << step);
        const auto before = grains_of(engine);
        engine.step(for_ever);
        const Conserved now = conserved(engine);
        ASSERT_LT(norm(now.momentum - start.momentum), 1e-13 * momentum_scale);
        // As in test_conservation.cpp: an impulse across a gap g turns the pair by g n x p. Torques have no
        // lever.
        for (const SolvedContact& contact : solved_contacts(engine, before)) {
            lever += contact.gap * cross(contact.normal, contact.impulse);
            ++(dot(contact.impulse, contact.normal) > 0 ? pushed : pulled);
            open_bonds += contact.gap > 1e-5 && dot(contact.impulse, contact.normal) < 0;
        }
        for (const Vec3& torque : engine.torques())
            turned += norm(torque) > 0;
        ASSERT_LT(norm(now.angular - start.angular - lever), 1e-12 * angular_scale);
    }
    EXPECT_GT(pushed, 300u);
    EXPECT_GT(pulled, 50u);
    EXPECT_GT(turned, 300u);
    EXPECT_GT(open_bonds, 5u);
    EXPECT_LT(conserved(engine).energy, 0.7 * start.energy);
    EXPECT_EQ(engine.totals().lost, 0);
}

TEST_P(WithAllLaws, LimitsAreKept) {
    RigidRun engine = collapse(GetParam());
    const ContactLaws laws = all_laws(GetParam());
    std::size_t contacts = 0;
    for (int step = 1; step <= 60; ++step) {
        const auto before = grains_of(engine);
        const double dt = engine.step(for_ever).time_step;
        const PairList& pairs = engine.pairs();
        for (std::size_t c = 0; c < pairs.size(); ++c) {
            const Grain& one = before.at(engine.store().id[static_cast<std::size_t>(pairs.first[c])]);
            const Grain& two = before.at(engine.store().id[static_cast<std::size_t>(pairs.second[c])]);
            const Vec3 branch = two.position - one.position, n = branch * (1 / norm(branch));
            const double r = one.radius * two.radius / (one.radius + two.radius);
            const double most = laws.cohesion.value * r * dt; // less where the range ends
            const double p_n = dot(engine.impulses()[c], n), force = p_n + most;
            ASSERT_GE(p_n, -most * (1 + 1e-12));
            ASSERT_LE(norm(tangential(engine.impulses()[c], n)), laws.friction * force * (1 + 1e-9) + 1e-14);
            if (GetParam().scale == TorqueScale::ratio) {
                const double turns = norm(tangential(engine.torques()[c], n)),
                             twists = std::abs(dot(engine.torques()[c], n));
                ASSERT_LE(turns, laws.rolling.value * r * force * (1 + 1e-9) + 1e-16);
                ASSERT_LE(twists, laws.torsion.value * r * force * (1 + 1e-9) + 1e-16);
            }
            contacts += p_n != 0;
        }
    }
    EXPECT_GT(contacts, 300u);
}

INSTANTIATE_TEST_SUITE_P(Clusters, WithAllLaws,
                         testing::Values(LawfulCluster{3, 7, false, TorqueScale::ratio},
                                         LawfulCluster{3, 2, true, TorqueScale::ratio},
                                         LawfulCluster{3, 3, false, TorqueScale::hertz},
                                         LawfulCluster{3, 4, true, TorqueScale::hertz},
                                         LawfulCluster{2, 5, false, TorqueScale::ratio},
                                         LawfulCluster{2, 6, false, TorqueScale::hertz}));

} // namespace
