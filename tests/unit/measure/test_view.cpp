#include "tamp/measure/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../engine/floor.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/measure/tensor.hpp"

// What observers see, against the state that made it.
namespace {

using namespace tamp;
using namespace tamp::setups;

std::size_t index_of(const View& view, std::uint64_t id) {
    return static_cast<std::size_t>(std::ranges::find(view.particles.id, id) - view.particles.id.begin());
}

TEST(View, OfTwoSpheresAtRestOnEachOther) {
    RigidSetup setup = open_space(0.2, 0.5, 1e-3);
    setup.gravity = {0, 0, -10};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    const std::vector<Grain> grains{grain(7, {0, 0, 0.01}, 0.01), grain(3, {0, 0, 0.025}, 0.005)};
    RigidRun engine(world(), setup, grains);
    for (int i = 0; i < 3; ++i)
        engine.step(for_ever);
    const View seen = view(engine);
    EXPECT_EQ(seen.step, 3);
    EXPECT_EQ(seen.time, engine.time());
    ASSERT_EQ(seen.particles.size(), 2u);
    ASSERT_EQ(seen.contacts.size(), 2u);
    const std::size_t lower = index_of(seen, 7), upper = index_of(seen, 3);
    EXPECT_EQ(seen.particles.coordination[lower], 2);
    EXPECT_EQ(seen.particles.coordination[upper], 1);
    const double w_upper = 10 * mass_of(grains[1]), w_both = w_upper + 10 * mass_of(grains[0]);
    // Force times lever over volume; the lower one is pressed from both sides.
    EXPECT_NEAR(seen.particles.stress[upper][2], w_upper * 0.005 / grain_volume(0.005, 3),
                1e-9 * w_both / 1e-6);
    EXPECT_NEAR(seen.particles.stress[lower][2], (w_upper + w_both) * 0.01 / grain_volume(0.01, 3),
                1e-9 * w_both / 1e-6);
    EXPECT_NEAR(seen.particles.pressure(upper, 3), seen.particles.stress[upper][2] / 3, 1e-6);

    const ContactView& c = seen.contacts;
    const std::size_t pair = c.with_wall(0) ? 1 : 0, floor = 1 - pair;
    EXPECT_EQ(c.first[pair], 3u);
    EXPECT_EQ(c.second[pair], 7u);
    EXPECT_NEAR(norm(c.normal[pair] - Vec3{0, 0, -1}), 0, 1e-12);
    EXPECT_NEAR(norm(c.from[pair] - Vec3{0, 0, 0.025}), 0, 1e-9);
    EXPECT_NEAR(norm(c.to[pair] - Vec3{0, 0, 0.01}), 0, 1e-9);
    EXPECT_NEAR(c.normal_force[pair], w_upper, 1e-9 * w_both);
    EXPECT_EQ(c.first[floor], 7u);
    EXPECT_EQ(c.second[floor], wall_bit);
    EXPECT_NEAR(norm(c.to[floor]), 0, 1e-9) << "the foot on the wall";
    EXPECT_NEAR(c.normal_force[floor], w_both, 1e-9 * w_both);
    EXPECT_NEAR(norm(c.force[floor] - Vec3{0, 0, -w_both}), 0, 1e-9 * w_both) << "on the wall, hence down";
    EXPECT_FALSE(c.sliding(floor));
}

TEST(View, KnowsWhichContactsSlide) {
    for (const double angle : {0.2, 0.8}) { // friction 0.5 holds up to 0.46 (a disc that may roll: more)
        ContactLaws laws{.friction = 0.5};
        laws.rolling = {TorqueScale::ratio, 10}; // a block, not a wheel
        const Floor floor(3);
        RigidRun engine = floor.engine(laws, angle, 1e-3);
        for (int i = 0; i < 20; ++i)
            engine.step(for_ever);
        const View seen = view(engine);
        ASSERT_EQ(seen.contacts.size(), 1u);
        const double weight = floor.mass() * Floor::g;
        EXPECT_NEAR(seen.contacts.normal_force[0], weight * std::cos(angle), 1e-9 * weight);
        EXPECT_EQ(seen.contacts.sliding(0), angle > 0.5);
        EXPECT_NEAR(seen.contacts.mobilisation[0], std::min(1.0, std::tan(angle) / 0.5), 1e-9);
        EXPECT_NEAR(seen.contacts.tangential_force[0],
                    weight * std::min(std::sin(angle), 0.5 * std::cos(angle)), 1e-9 * weight);
    }
}

/// Stress of all particles by volume is force times branch of all contacts; coordination counts the ends of
/// contacts.
void expect_agreement(const View& seen) {
    SymmetricTensor particles{}, contacts{};
    double scale = 0;
    std::map<std::uint64_t, int> ends;
    const ParticleView& p = seen.particles;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k)
            particles[k] += p.stress[i][k] * grain_volume(p.radius[i], seen.box.dimension);
    for (std::size_t c = 0; c < seen.contacts.size(); ++c) {
        const std::size_t i = index_of(seen, seen.contacts.first[c]);
        const Vec3 branch = seen.contacts.to[c] - seen.contacts.from[c];
        ++ends[seen.contacts.first[c]];
        if (!seen.contacts.with_wall(c)) {
            ++ends[seen.contacts.second[c]];
            const std::size_t j = index_of(seen, seen.contacts.second[c]);
            // Where the step began.
            EXPECT_NEAR(norm(branch - (p.position[j] - p.position[i] -
                                       (p.velocity[j] - p.velocity[i]) * seen.time_step)),
                        0, 1e-12);
        }
        const SymmetricTensor one = symmetric_dyad(seen.contacts.force[c], branch);
        scale += norm(seen.contacts.force[c]) * norm(branch);
        for (std::size_t k = 0; k < 6; ++k)
            contacts[k] += one[k];
    }
    for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(particles[k], contacts[k], 1e-12 * scale) << k;
    for (std::size_t i = 0; i < p.size(); ++i)
        EXPECT_EQ(p.coordination[i], ends[p.id[i]]);
}

TEST(View, ParticlesAndContactsAgree) {
    for (const int dimension : {2, 3})
        for (const std::uint64_t seed : {1, 2, 3}) {
            RigidSetup setup = open_space(0.4, 0.5, 1e-3, dimension);
            setup.solver = {};
            setup.walls = {wall({0, dimension == 3 ? -0.04 : -0.07, 0}, {0, 1, 0})};
            setup.walls[0].motion = WallMotion::driven;
            setup.walls[0].velocity = {0, 1, 0};
            RigidRun engine(world(), setup, collapsing_grains(setup.box, seed));
            std::size_t contacts = 0, with_walls = 0;
            for (int step = 0; step < 40; ++step) {
                const StepReport report = engine.step(for_ever);
                const View seen = view(engine);
                expect_agreement(seen);
                double normal = 0;
                for (const double force : seen.contacts.normal_force)
                    normal += force * seen.time_step;
                EXPECT_NEAR(report.solve.normal_impulse, normal, 1e-12 * normal);
                contacts += seen.contacts.size();
                for (std::size_t c = 0; c < seen.contacts.size(); ++c)
                    with_walls += seen.contacts.with_wall(c);
            }
            EXPECT_GT(contacts, 200u);
            EXPECT_GT(with_walls, 0u);
        }
}

TEST(View, ContactsAcrossAPeriodicFaceAreShort) {
    RigidSetup setup = open_space(0.1, 0.5, 1e-3);
    setup.box.boundary[0] = Boundary::periodic;
    const std::vector<Grain> grains{grain(1, {0.045, 0, 0}, 0.01, {1, 0, 0}),
                                    grain(2, {-0.035, 0, 0}, 0.01, {-1, 0, 0})};
    RigidRun engine(world(), setup, grains);
    for (int step = 0; step < 3 && view(engine).contacts.size() == 0; ++step)
        engine.step(for_ever);
    const View seen = view(engine);
    ASSERT_EQ(seen.contacts.size(), 1u);
    EXPECT_NEAR(norm(seen.contacts.to[0] - seen.contacts.from[0]), 0.02, 1e-5);
    EXPECT_NEAR(seen.contacts.normal[0].x, 1, 1e-12);
    EXPECT_LE(seen.contacts.from[0].x, 0.05);
    EXPECT_GE(seen.contacts.from[0].x, -0.05);
}

} // namespace
