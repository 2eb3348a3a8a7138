// The energy budget of soft grains closes to the integration error, whatever happens in the cluster.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "soft_setups.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

struct Budget {
    NormalLaw normal;
    int dimension;
    std::uint64_t seed;
    SlidingLaw sliding = SlidingLaw::spring;
    bool attracts = false, grows = false, moves_walls = false;
};

void PrintTo(const Budget& budget, std::ostream* out) {
    *out << "law " << static_cast<int>(budget.normal) << ", " << budget.dimension << "-D, sliding "
         << static_cast<int>(budget.sliding) << (budget.attracts ? ", attraction" : "")
         << (budget.grows ? ", growth" : "") << (budget.moves_walls ? ", walls" : "");
}

/// All laws at once. Dashpots are kept after a slip: see laws/soft/friction_spring.hpp for what [004 eq. 24]
/// does to the energy.
RigidSetup setup_of(const Budget& budget) {
    const double k = budget.dimension == 3 ? 1e4 : 1e6;
    SoftLaws laws = linear_laws(k, budget.normal == NormalLaw::hertz ? 1e-3 * k : 1e-5 * k);
    laws.normal = budget.normal;
    laws.unloading_stiffness = 3 * k, laws.adhesion_stiffness = 0.5 * k, laws.plasticity_depth = 0.05;
    laws.modulus = 1e3 * k, laws.yield_pressure = 30 * k;
    laws.sliding = {0.3 * k, 3e-6 * k, 0.4};
    laws.rolling = {0.2 * k, 3e-6 * k, 0.1}, laws.torsion = {0.2 * k, 3e-6 * k, 0.1};
    laws.sliding_law = budget.sliding;
    if (budget.attracts) {
        laws.attraction_energy = 3e-7 * k;
        laws.attraction_cutoff = 1.2;
    }
    RigidSetup setup = soft_space(laws, 1, budget.dimension);
    setup.energy_budget = true;
    setup.soft.dashpot_after_slip = true;
    setup.soft.background_viscosity = 1e-7 * k, setup.soft.background_rotation_viscosity = 1e-7 * k;
    setup.gravity = {0, -3, 0};
    if (budget.moves_walls) {
        setup.walls.push_back(
            {.name = "floor", .point = {0, -0.04, 0}, .normal = {0, 1, 0}, .velocity = {0.1, 1, 0}});
        setup.walls.push_back({.name = "side",
                               .point = {-0.05, 0, 0},
                               .normal = {1, 0, 0},
                               .motion = WallMotion::piston,
                               .mass = budget.dimension == 3 ? 0.01 : 1.0,
                               .force = budget.dimension == 3 ? 1.0 : 100.0,
                               .damping = 0.1});
    }
    return setup;
}

struct Closure {
    double error = 0;  ///< largest in the run, over the largest kinetic energy
    double stored = 0; ///< what the budget says springs store less what they do, in the same unit
    EnergyFlows flows{};
    double scale = 0;
};

Closure closure(const Budget& budget, double steps_per_contact) {
    RigidSetup setup = setup_of(budget);
    const std::vector<Grain> grains = collapsing_grains(setup.box, budget.seed);
    setup.time.step =
        soft::shortest_times(setup.materials, start_sizes(grains, budget.dimension), budget.dimension)
            .step(steps_per_contact);
    EngineRun run(world(), setup, grains);
    if (budget.grows)
        run.world.set_growth({.rate = 0.02});
    const double start = conserved(run).energy;
    Closure result;
    result.scale = start;
    std::optional<double> stored_at_start; // some grains are within reach of others, or overlap a wall
    while (run.time() < 0.02) {
        run.step(for_ever);
        const double kinetic = conserved(run).energy;
        result.flows = run.engine->energy_flows().value();
        result.scale = std::max(result.scale, kinetic);
        result.error = std::max(result.error, std::abs(kinetic - start - result.flows.expected_change()));
        const double stored = run.engine->elastic_energy().value() - result.flows.elastic;
        if (!stored_at_start)
            stored_at_start = stored;
        result.stored = std::max(result.stored, std::abs(stored - *stored_at_start));
    }
    result.error /= result.scale, result.stored /= result.scale;
    return result;
}

class SoftBudgets : public testing::TestWithParam<Budget> {};

TEST_P(SoftBudgets, CloseToTheIntegrationError) {
    const Budget budget = GetParam();
    const Closure coarse = closure(budget, 50), fine = closure(budget, 200);
    EXPECT_LT(coarse.error, 3e-3);
    EXPECT_LT(fine.error, 0.4 * coarse.error) << "first order at least: it would be a quarter";
    // Springs lose a little when their contact turns, which no flow counts: less with a shorter step.
    EXPECT_LT(fine.stored, std::max(0.5 * coarse.stored, 1e-9));
    EXPECT_LT(fine.stored, 3e-3);
    const EnergyFlows& flows = fine.flows;
    EXPECT_GT(flows.dashpots, 1e-2 * fine.scale);
    EXPECT_GT(flows.friction, 1e-3 * fine.scale);
    EXPECT_GT(flows.rolling, 1e-4 * fine.scale);
    EXPECT_GT(flows.background, 1e-5 * fine.scale);
    EXPECT_EQ(flows.torsion > 0, budget.dimension == 3);
    EXPECT_EQ(flows.growth > 0, budget.grows);
    const bool plastic = budget.normal != NormalLaw::linear && budget.normal != NormalLaw::hertz;
    EXPECT_EQ(flows.hysteresis != 0, plastic);
    if (plastic) {
        EXPECT_GT(flows.hysteresis, 1e-3 * fine.scale);
    }
    EXPECT_EQ(flows.walls.size(), budget.moves_walls ? 2U : 0U);
    if (budget.moves_walls) {
        EXPECT_GT(std::abs(flows.work_of_walls()), 1e-3 * fine.scale);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, SoftBudgets,
    testing::Values(Budget{NormalLaw::linear, 3, 1}, Budget{NormalLaw::linear, 2, 2},
                    Budget{NormalLaw::hertz, 3, 3}, Budget{NormalLaw::yielding, 3, 4},
                    Budget{NormalLaw::latching, 3, 5}, Budget{NormalLaw::adhesive, 3, 6},
                    Budget{NormalLaw::adhesive, 2, 7}, Budget{NormalLaw::linear, 3, 8, SlidingLaw::walton},
                    Budget{NormalLaw::linear, 3, 9, SlidingLaw::spring, true},
                    Budget{NormalLaw::linear, 3, 10, SlidingLaw::spring, false, true},
                    Budget{NormalLaw::adhesive, 3, 11, SlidingLaw::spring, true, true, true},
                    Budget{NormalLaw::linear, 2, 12, SlidingLaw::spring, false, false, true}));

} // namespace
} // namespace tamp
