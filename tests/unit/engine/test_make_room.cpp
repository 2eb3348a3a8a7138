#include <gtest/gtest.h>

#include "soft_setups.hpp"
#include "tamp/io/world_state.hpp"

namespace {

using namespace tamp;
using namespace tamp::setups;

/// A pyramid of spheres that falls apart on a floor, observed now and then.
std::string hash_after(EngineKind kind, int steps, int make_room_every) {
    RigidSetup setup = open_space(1.0, 0.3, kind == EngineKind::soft ? 1e-4 : 1e-3);
    if (kind == EngineKind::soft) {
        SoftLaws laws = linear_laws(1e3, 0.1);
        laws.sliding = {300, 0.05, 0.3};
        setup = soft_space(laws, 1e-4);
    }
    setup.gravity = {0, 0, -9.81};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    std::vector<Grain> grains;
    for (int i = 0; i < 30; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i),
                               {0.02 * (i % 3) + 0.001 * i, 0.021 * (i / 3 % 3), 0.011 + 0.021 * (i / 9)},
                               0.01));
    EngineRun engine(world(), setup, grains);
    for (int step = 1; step <= steps; ++step) {
        engine.step(1e9);
        if (make_room_every > 0 && step % make_room_every == 0)
            engine.engine->make_room();
    }
    EXPECT_GT(measure(engine).contacts, 0);
    engine.engine->make_room(); // the lists have all that is remembered
    return state_hash(engine.world).text();
}

TEST(Engines, MakingRoomChangesNoBit) {
    for (const EngineKind kind : {EngineKind::rigid, EngineKind::soft}) {
        const int steps = kind == EngineKind::soft ? 600 : 60;
        const std::string undisturbed = hash_after(kind, steps, 0);
        EXPECT_EQ(hash_after(kind, steps, 1), undisturbed);
        EXPECT_EQ(hash_after(kind, steps, 7), undisturbed);
        EXPECT_NE(hash_after(kind, steps - 1, 0), undisturbed);
    }
}

} // namespace
