#include "tamp/io/world_state.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <optional>

#include "../engine/setups.hpp"
#include "state_records.hpp"
#include "tamp/measure/cell_grid.hpp"
#include "tamp/measure/packing_quantities.hpp"
#include "tamp/measure/tensor.hpp"

// What files say of a state, against the state itself.
namespace {

using namespace tamp;
using namespace tamp::setups;

/// A contact as a file shows it; of impulses or of forces.
struct Shown {
    std::uint64_t first, second;
    Vec3 normal;
    double gap;
    Vec3 impulse; ///< on the second, N s
};

std::vector<Shown> in_state_file(const RigidRun& run) {
    const WordTable table = state_of(run.world).contacts;
    std::vector<Shown> shown;
    for (std::size_t r = 0; r < table.rows(); ++r) {
        const auto row = table.row(r);
        const auto number = [&](std::size_t k) { return std::bit_cast<double>(row[k]); };
        const auto vector = [&](std::size_t k) { return Vec3{number(k), number(k + 1), number(k + 2)}; };
        shown.push_back({row[0], row[1], vector(2), number(5), vector(6)});
    }
    return shown;
}

std::vector<Shown> in_snapshot(const RigidRun& run) {
    const View seen = view(run);
    const ContactView& c = seen.contacts;
    std::vector<Shown> shown;
    for (std::size_t k = 0; k < c.size(); ++k)
        shown.push_back({c.first[k], c.second[k], c.normal[k], c.gap[k], c.force[k] * seen.time_step});
    return shown;
}

/// Grains that collapse on a wall which moves towards them, without gravity.
class Collapse {
public:
    Collapse(int dimension, std::uint64_t seed) : setup_(open_space(0.4, 0.5, 1e-3, dimension)) {
        setup_.solver = {};
        setup_.walls = {wall({0, dimension == 3 ? -0.04 : -0.07, 0}, {0, 1, 0})};
        setup_.walls[0].motion = WallMotion::driven;
        setup_.walls[0].velocity = {0, 1, 0};
        run.emplace(world(), setup_, collapsing_grains(setup_.box, seed));
    }

    std::optional<RigidRun> run;

private:
    RigidSetup setup_;
};

/// What the contacts of a file do to each particle is what changed its momentum and its spin, to round-off:
/// as the forces were found, not as the particles lie after they have moved on.
void expect_balance(const std::vector<Shown>& contacts, const std::map<std::uint64_t, Grain>& before,
                    const std::map<std::uint64_t, Grain>& after, int dimension) {
    std::map<std::uint64_t, Vec3> momentum, spin;
    double scale = 0, lever_scale = 0;
    const auto act = [&](std::uint64_t id, const Vec3& impulse, const Vec3& direction) {
        const double radius = before.at(id).radius;
        momentum[id] += impulse;
        spin[id] += cross(direction * radius, impulse);
        scale = std::max(scale, norm(impulse));
        lever_scale = std::max(lever_scale, norm(impulse) * radius);
    };
    for (const Shown& contact : contacts) {
        act(contact.first, -contact.impulse, contact.normal);
        if (!is_wall(contact.second))
            act(contact.second, contact.impulse, -contact.normal);
    }
    for (const auto& [id, old] : before) {
        const Grain& now = after.at(id);
        const double mass = mass_of(old, dimension),
                     inertia = mass * old.radius * old.radius / inertia_ratio(dimension);
        // What opened in a solve leaves a rounding in the velocity.
        const double rounding = 1e-15 * mass * norm(old.velocity);
        EXPECT_LE(norm(momentum[id] - mass * (now.velocity - old.velocity)), 1e-10 * scale + rounding) << id;
        EXPECT_LE(norm(spin[id] - inertia * (now.spin - old.spin)), 1e-10 * lever_scale) << id;
    }
}

TEST(WorldState, ContactsInFilesBalanceForcesAndTorquesOfEachParticle) {
    for (const int dimension : {2, 3})
        for (const std::uint64_t seed : {1, 2}) {
            Collapse collapse(dimension, seed);
            std::size_t contacts = 0;
            for (int step = 0; step < 30; ++step) {
                const auto before = setups::grains_of(*collapse.run);
                collapse.run->step(for_ever);
                const auto after = setups::grains_of(*collapse.run);
                expect_balance(in_state_file(*collapse.run), before, after, dimension);
                expect_balance(in_snapshot(*collapse.run), before, after, dimension);
                contacts += in_state_file(*collapse.run).size();
            }
            EXPECT_GT(contacts, 200u);
        }
}

/// Force times branch, from the numbers of a file alone, is the stress that the series have; and so is the
/// stress of the particles, weighted by their volumes.
TEST(WorldState, StressOfFilesIsThatOfTheSeries) {
    for (const int dimension : {2, 3}) {
        Collapse collapse(dimension, 1);
        RigidRun& run = *collapse.run;
        for (int step = 0; step < 30; ++step)
            run.step(for_ever);
        const View seen = view(run);
        const auto grains = setups::grains_of(run);
        const double volume = region_of(seen.box, run.world.walls).volume();
        SymmetricTensor of_particles{};
        for (std::size_t i = 0; i < seen.particles.size(); ++i)
            for (std::size_t k = 0; k < 6; ++k)
                of_particles[k] +=
                    seen.particles.stress[i][k] * grain_volume(seen.particles.radius[i], dimension) / volume;
        for (const auto& contacts : {in_state_file(run), in_snapshot(run)}) {
            SymmetricTensor stress{};
            double scale = 0;
            for (const Shown& contact : contacts) {
                double length = grains.at(contact.first).radius + contact.gap;
                if (!is_wall(contact.second))
                    length += grains.at(contact.second).radius;
                const SymmetricTensor one =
                    symmetric_dyad(contact.impulse * (1 / seen.time_step), contact.normal * length);
                for (std::size_t k = 0; k < 6; ++k)
                    stress[k] += one[k] / volume;
                scale += norm(contact.impulse) / seen.time_step * length / volume;
            }
            ASSERT_GT(scale, 0);
            std::size_t compared = 0;
            for (const Quantity& quantity : packing_quantities(run.world, seen))
                for (std::size_t k = 0; k < 6; ++k)
                    if (quantity.name == std::string("contact_stress_") + tensor_components[k]) {
                        EXPECT_NEAR(quantity.values[0], stress[k], 1e-12 * scale) << quantity.name;
                        EXPECT_NEAR(of_particles[k], stress[k], 1e-12 * scale) << quantity.name;
                        ++compared;
                    }
            EXPECT_EQ(compared, dimension == 3 ? 6u : 3u);
        }
    }
}

/// Particles that nothing touches move alike whatever the piston above them does.
TEST(WorldState, HashTellsPistonsApart) {
    const auto hash_with = [](double force, double mass) {
        RigidSetup setup = open_space(1.0, 0.3, 1e-3);
        setup.walls = {piston({0, 0, 0.4}, {0, 0, -1}, mass, force)};
        RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0}, 0.01)});
        for (int step = 0; step < 3; ++step)
            run.step(for_ever);
        return state_hash(run.world).text();
    };
    EXPECT_EQ(hash_with(1, 2), hash_with(1, 2));
    EXPECT_NE(hash_with(1, 2), hash_with(2, 2)) << "another force, another way";
    EXPECT_NE(hash_with(1, 2), hash_with(2, 4)) << "the same way, another piston";
}

TEST(WorldState, HashOfAnEmptyBoxIsNotNothing) {
    RigidSetup setup = open_space(1.0, 0.3, 1e-3);
    RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0.49}, 0.01, {0, 0, 2})});
    while (run.totals().lost == 0 && run.totals().steps < 100)
        run.step(for_ever);
    ASSERT_EQ(run.totals().lost, 1);
    const StateHash last = state_hash(run.world);
    EXPECT_NE(last, StateHash());
    run.step(for_ever);
    EXPECT_NE(state_hash(run.world), last) << "time goes on";
}

} // namespace
