// What holds for any cluster of soft grains in open space, whatever happens inside.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "soft_setups.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

struct Cluster {
    NormalLaw normal;
    int dimension;
    std::uint64_t seed;
};

void PrintTo(const Cluster& cluster, std::ostream* out) {
    *out << "law " << static_cast<int>(cluster.normal) << ", " << cluster.dimension << "-D, seed "
         << cluster.seed;
}

/// Grains of 0.008 to 0.02 m at about 1 m/s; discs have the mass of rods of 1 m.
SoftLaws laws_of(const Cluster& cluster) {
    const double k = cluster.dimension == 3 ? 1e4 : 1e6;
    SoftLaws laws = linear_laws(k);
    laws.normal = cluster.normal;
    laws.unloading_stiffness = 3 * k, laws.adhesion_stiffness = 0.5 * k, laws.plasticity_depth = 0.05;
    laws.modulus = 1e3 * k, laws.yield_pressure = 30 * k;
    return laws;
}

SoftLaws with_friction(SoftLaws laws) {
    const double k = laws.stiffness;
    laws.viscosity = 1e-5 * k;
    laws.sliding = {0.3 * k, 5e-6 * k, 0.4};
    laws.rolling = {0.2 * k, 5e-6 * k, 0.1}, laws.torsion = {0.2 * k, 5e-6 * k, 0.1};
    laws.dynamic_ratio = 0.8;
    return laws;
}

double step_of(const RigidSetup& setup, std::span<const Grain> grains, double steps_per_contact) {
    const StartSizes sizes = start_sizes(grains, setup.box.dimension);
    return soft::shortest_times(setup.materials, sizes, setup.box.dimension).step(steps_per_contact);
}

EngineRun collapse(const SoftLaws& laws, const Cluster& cluster, double steps_per_contact) {
    RigidSetup setup = soft_space(laws, 1, cluster.dimension);
    const std::vector<Grain> grains = collapsing_grains(setup.box, cluster.seed);
    setup.time.step = step_of(setup, grains, steps_per_contact);
    return EngineRun(world(), setup, grains);
}

class SoftClusters : public testing::TestWithParam<Cluster> {};

/// Forces on both grains of a contact are the same integer with opposite signs, so that only the rounding of
/// velocities changes the momentum. Torques are rounded to the unit of forces, times the radius. Rounding is
/// random: errors add up as their squares.
TEST_P(SoftClusters, KeepTheirMomenta) {
    const Cluster cluster = GetParam();
    EngineRun run = collapse(with_friction(laws_of(cluster)), cluster, 30);
    const double epsilon = std::numeric_limits<double>::epsilon();
    const soft::ForceUnit unit(
        soft::largest_force(run.setup().materials, run.world.sizes, cluster.dimension));
    const Conserved start = conserved(run);
    double momentum_error = 0, angular_error = 0; // squared
    std::int64_t contacts = 0;
    while (run.time() < 0.02) {
        const StepReport report = run.step(for_ever);
        contacts += report.contacts;
        for (const auto& [id, g] : grains_of(run)) {
            const double m = mass_of(g, cluster.dimension), momentum = m * norm(g.velocity);
            const double angular = momentum * norm(g.position) + m * g.radius * g.radius * norm(g.spin);
            momentum_error += epsilon * epsilon * momentum * momentum;
            angular_error += epsilon * epsilon * angular * angular;
        }
        const double turn = unit.newton * run.world.sizes.largest * report.time_step;
        angular_error += static_cast<double>(report.contacts) * turn * turn;
    }
    const Conserved end = conserved(run);
    EXPECT_GT(contacts, 2000);
    EXPECT_LT(norm(end.momentum - start.momentum), 3 * std::sqrt(momentum_error));
    EXPECT_LT(norm(end.angular - start.angular), 3 * std::sqrt(angular_error));
    EXPECT_EQ(run.totals().lost, 0);
}

/// Kinetic and elastic energy, both at the time of the forces: a step kicks from half a step before to half a
/// step after it.
struct Energies {
    double most_gain = 0; ///< over the start, in the whole run
    double largest_change = 0;
    double end = 0; ///< relative to the start
    double most_elastic = 0;
};

Energies energies(EngineRun& run, double duration) {
    const double start = conserved(run).energy;
    Energies seen;
    double before = start;
    while (run.time() < duration) {
        run.step(for_ever);
        const double after = conserved(run).energy;
        const double elastic = run.engine->elastic_energy().value() / start,
                     total = 0.5 * (before + after) / start + elastic;
        seen.most_gain = std::max(seen.most_gain, total - 1);
        seen.largest_change = std::max(seen.largest_change, std::abs(total - 1));
        seen.most_elastic = std::max(seen.most_elastic, elastic);
        seen.end = total;
        before = after;
    }
    return seen;
}

/// Without dashpots in friction: with them [004 eq. 24] stretches springs without work, see
/// laws/soft/friction_spring.hpp.
TEST_P(SoftClusters, NeverGainEnergy) {
    const Cluster cluster = GetParam();
    SoftLaws laws = with_friction(laws_of(cluster));
    laws.sliding.viscosity = laws.rolling.viscosity = laws.torsion.viscosity = 0;
    std::vector<Energies> seen;
    for (const double steps : {40.0, 80.0}) {
        EngineRun run = collapse(laws, cluster, steps);
        seen.push_back(energies(run, 0.02));
    }
    EXPECT_LT(seen[0].most_gain, 1e-4) << "the error of the step, as in ElasticClusters";
    EXPECT_LE(seen[1].most_gain, 0.5 * seen[0].most_gain);
    EXPECT_LT(seen[1].end, 0.97);
    EXPECT_NEAR(seen[1].end, seen[0].end, 0.02) << "what is lost hardly depends on the step";
}

INSTANTIATE_TEST_SUITE_P(Laws, SoftClusters,
                         testing::Values(Cluster{NormalLaw::linear, 3, 1}, Cluster{NormalLaw::linear, 2, 2},
                                         Cluster{NormalLaw::hertz, 3, 3}, Cluster{NormalLaw::hertz, 2, 4},
                                         Cluster{NormalLaw::yielding, 3, 5},
                                         Cluster{NormalLaw::latching, 3, 6},
                                         Cluster{NormalLaw::latching, 2, 7},
                                         Cluster{NormalLaw::adhesive, 3, 8},
                                         Cluster{NormalLaw::adhesive, 2, 9}));

class ElasticClusters : public testing::TestWithParam<Cluster> {};

/// Without dashpots, hysteresis and friction the error is that of the step, of second order.
TEST_P(ElasticClusters, KeepTheirEnergy) {
    std::vector<double> errors;
    for (const double steps : {40.0, 160.0}) {
        errors.push_back(0);
        for (std::uint64_t seed = GetParam().seed; seed < GetParam().seed + 4; ++seed) {
            const Cluster cluster{GetParam().normal, GetParam().dimension, seed};
            EngineRun run = collapse(laws_of(cluster), cluster, steps);
            const Energies seen = energies(run, 0.02);
            errors.back() += 0.25 * seen.largest_change;
            EXPECT_GT(seen.most_elastic, 0.01);
        }
    }
    EXPECT_LT(errors[0], 1e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]) / 2, 2, 0.4) << "the order";
}

INSTANTIATE_TEST_SUITE_P(Laws, ElasticClusters,
                         testing::Values(Cluster{NormalLaw::linear, 3, 11}, Cluster{NormalLaw::linear, 2, 21},
                                         Cluster{NormalLaw::hertz, 3, 31}, Cluster{NormalLaw::hertz, 2, 41}));

} // namespace
} // namespace tamp
