#include <cmath>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "floor.hpp"

// Particles of a material that is held fixed, and walls that are taken away.
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::setups;

constexpr double g = 9.81, radius = 0.01, dt = 1e-3;

enum { loose, held }; // materials

RigidSetup with_held(const ContactLaws& laws, int dimension = 3) {
    RigidSetup setup = open_space(0.4, 0, dt, dimension);
    setup.materials = MaterialTable({{"loose", 1000.0, 0.0}, {"held", 1000.0, 0.0, true}});
    for (const int a : {loose, held})
        for (const int b : {loose, held})
            setup.materials.set(a, b, laws);
    return setup;
}

Grain held_grain(std::uint64_t id, const Vec3& position, double r = radius) {
    Grain result = grain(id, position, r);
    result.material = held;
    return result;
}

const ContactLaws all_laws{.friction = 0.5,
                           .restitution = 0.5,
                           .tangential_restitution = 0.3,
                           .rolling = {TorqueScale::ratio, 0.1, 0},
                           .torsion = {TorqueScale::ratio, 0.1, 0},
                           .cohesion = {.value = 0.01, .range = 1e-4}};

TEST(FixedParticles, NeverMoveUnderImpacts) {
    for (const int dimension : {3, 2}) {
        RigidSetup setup = with_held(all_laws, dimension);
        setup.gravity = dimension == 3 ? Vec3{0, 0, -g} : Vec3{0, -g, 0};
        const auto at = [&](double x, double y) {
            return dimension == 3 ? Vec3{x, 0.003, y} : Vec3{x, y, 0};
        };
        std::vector<Grain> grains;
        for (int i = 0; i < 8; ++i) // a rough floor, some of which overlap
            grains.push_back(held_grain(static_cast<std::uint64_t>(i), at(0.018 * i - 0.063, 0.0)));
        Random random = random_numbers(81);
        for (int i = 0; i < 8; ++i) {
            const auto id = static_cast<std::uint64_t>(8 + i);
            grains.push_back(grain(id, at(0.021 * i - 0.06, 0.03), radius, at(0.2 * random.normal(), -1),
                                   {0, 0, 20 * random.normal()}));
        }
        RigidRun engine(world(), setup, grains);
        double fastest = 0;
        for (int n = 1; n <= 150; ++n) {
            engine.step(for_ever);
            const auto now = grains_of(engine);
            for (std::uint64_t id = 0; id < 8; ++id) {
                ASSERT_EQ(now.at(id).position, grains[id].position);
                ASSERT_EQ(now.at(id).velocity, (Vec3{0, 0, 0}));
                ASSERT_EQ(now.at(id).spin, (Vec3{0, 0, 0}));
            }
            for (const auto& [id, now_of] : now)
                fastest = std::max(fastest, norm(now_of.velocity));
        }
        EXPECT_LT(engine.totals().largest_overlap, 1e-3 * radius); // of those that do count
        EXPECT_GT(fastest, 1);
        EXPECT_LT(fastest, 10);
    }
}

TEST(FixedParticles, AreWallsForThoseThatHitThem) {
    // A rebound from a held sphere is a rebound from a wall: v -> -e v.
    RigidSetup setup = with_held({.restitution = 0.6});
    RigidRun engine(world(), setup,
                    std::vector<Grain>{held_grain(0, {0, 0, 0}),
                                       grain(1, {2 * radius + 0.0004, 0, 0}, radius, {-0.5, 0, 0})});
    engine.step(for_ever);
    EXPECT_NEAR(grains_of(engine).at(1).velocity.x, 0.3, 1e-14);
    EXPECT_EQ(grains_of(engine).at(0).velocity, (Vec3{0, 0, 0}));
}

TEST(FixedParticles, TwoOfThemAreNoContact) {
    RigidSetup setup = with_held(all_laws);
    RigidRun engine(world(), setup,
                    std::vector<Grain>{held_grain(0, {0, 0, 0}), held_grain(1, {1.2 * radius, 0, 0}),
                                       held_grain(2, {-2 * radius, 0, 0})});
    for (int n = 1; n <= 5; ++n) {
        const StepReport report = engine.step(for_ever);
        EXPECT_EQ(report.contacts, 0);
        EXPECT_EQ(report.overlap, 0);
    }
    EXPECT_EQ(engine.pairs().size(), 0u);
}

TEST(FixedParticles, DoNotFallAndDoNotPushPistons) {
    // Neither gravity nor a wall moves them, and what does not move gives no finite impulse.
    RigidSetup setup = with_held(all_laws);
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0, 0, -radius + 1e-5}, {0, 0, 1})};
    RigidRun engine(world(), setup,
                    std::vector<Grain>{held_grain(0, {0, 0, 0}), grain(1, {0.1, 0, 0.1}, radius)});
    for (int n = 1; n <= 20; ++n)
        engine.step(for_ever);
    EXPECT_EQ(grains_of(engine).at(0).position, (Vec3{0, 0, 0}));
    EXPECT_EQ(engine.walls()[0].reaction, (Vec3{0, 0, 0}));
    EXPECT_TRUE(std::isfinite(norm(grains_of(engine).at(1).position)));
}

TEST(FixedParticles, VelocitiesOfAFileAreDropped) {
    // As when particles that were free are read from a state and held from then on.
    RigidSetup setup = with_held({.friction = 0.5});
    Grain mover = held_grain(0, {0, 0, 0});
    mover.velocity = {0.1, 0, 0};
    mover.spin = {0, 0, 3};
    RigidRun engine(world(), setup, std::vector<Grain>{mover, grain(1, {2 * radius + 1e-3, 0, 0}, radius)});
    for (int n = 1; n <= 100; ++n)
        engine.step(for_ever);
    EXPECT_EQ(grains_of(engine).at(0).position, (Vec3{0, 0, 0}));
    EXPECT_EQ(grains_of(engine).at(0).spin, (Vec3{0, 0, 0}));
    EXPECT_EQ(grains_of(engine).at(1).velocity, (Vec3{0, 0, 0}));
}

TEST(RemovedWall, LetsParticlesThrough) {
    for (const int dimension : {3, 2}) {
        const Floor floor(dimension);
        for (const ContactLaws& laws : {ContactLaws{.friction = 0.5}, all_laws}) {
            RigidRun engine = floor.engine(laws, 0, dt);
            for (int n = 1; n <= 50; ++n)
                engine.step(for_ever);
            ASSERT_NEAR(dot(grains_of(engine).at(0).position, floor.up), radius, 1e-13);
            engine.walls()[0].motion = WallMotion::removed;
            for (int n = 1; n <= 100; ++n) {
                const StepReport report = engine.step(for_ever);
                ASSERT_EQ(report.contacts, 0);
                ASSERT_NEAR(dot(grains_of(engine).at(0).velocity, floor.up), -g * n * dt, 1e-11);
                ASSERT_EQ(engine.walls()[0].reaction, (Vec3{0, 0, 0}));
            }
            EXPECT_LT(dot(grains_of(engine).at(0).position, floor.up), -radius);
        }
    }
}

} // namespace
