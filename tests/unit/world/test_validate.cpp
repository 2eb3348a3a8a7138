// The validators of debug builds find what they look for: each test damages one thing in a sound world.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "../../parallel/cases.hpp"

namespace tamp {
namespace {

/// Nothing if the world is sound.
std::string problem_after(const std::function<void(World&)>& damage) {
    static const Communicator self(MPI_COMM_SELF);
    const test::RankCase settings = test::slanted_wall();
    RigidRun run(self, settings.setup, settings.grains);
    World& world = run.world;
    world.search_neighbours({.margin = 0.3 * test::diameter});
    damage(world);
    try {
        world.validate();
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return {};
}

#define EXPECT_FOUND(part, ...)                                                                              \
    EXPECT_NE(problem_after([](World& world) { __VA_ARGS__; }).find(part), std::string::npos)                \
        << problem_after([](World& world) { __VA_ARGS__; })

TEST(Validate, ASoundWorldIsSound) {
    EXPECT_EQ(problem_after([](World&) {}), "");
}

TEST(Validate, FindsWrongParticles) {
    EXPECT_FOUND("mass of particle", world.particles.body[3].inverse_mass *= 1 + 1e-12);
    EXPECT_FOUND("radius of particle", world.particles.sphere[3].radius *= 1 + 1e-12);
    EXPECT_FOUND("the rest body moves", world.particles.body.back().velocity.x = 1e-300);
    EXPECT_FOUND("held twice", world.particles.id[3] = world.particles.id[4]);
    EXPECT_FOUND("moved since the search", world.particles.sphere[3].centre.x += 1e-9);
    EXPECT_FOUND("differ in length", world.particles.attributes.resize(7));
    EXPECT_FOUND("differ in length", world.particles.material.pop_back());
}

TEST(Validate, FindsParticlesThatAreNotWhereTheyAreSorted) {
    EXPECT_FOUND("wrong cell", world.particles.sphere[3].centre = world.particles.reference[3] =
                                   world.particles.sphere.back().centre);
    const std::string problem = problem_after([](World& world) { // two of one cell
        const LocalTiles& tiles = world.neighbours.tiles();
        for (int slot = 0; slot < tiles.owned(); ++slot)
            for (int cell = 0; cell < world.neighbours.grid().cell_count(); ++cell)
                if (const std::int32_t begin = tiles.begin(slot, cell); tiles.end(slot, cell) - begin > 1) {
                    const auto i = static_cast<std::size_t>(begin);
                    std::swap(world.particles.id[i], world.particles.id[i + 1]);
                    return;
                }
    });
    EXPECT_NE(problem.find("ids in a cell do not grow"), std::string::npos) << problem;
}

TEST(Validate, FindsWrongLists) {
    EXPECT_FOUND("sides of a pair", std::swap(world.lists().pairs.first[0], world.lists().pairs.second[0]));
    EXPECT_FOUND("listed twice", world.lists().pairs.first[1] = world.lists().pairs.first[0];
                 world.lists().pairs.second[1] = world.lists().pairs.second[0]);
    EXPECT_FOUND("rows of history", world.lists().pair_history.resize(1));
    EXPECT_FOUND("rows of history", world.lists().wall_history.resize(0));
    EXPECT_FOUND("does not fit its tiles", world.lists().pairs.tile_begin.back() -= 1);
    EXPECT_FOUND("list of another tile", world.lists().walls.wall[0] = 99);
}

} // namespace
} // namespace tamp
