#include "tamp/soft/time_scales.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tamp/geometry/grain_volume.hpp"
#include "tamp/laws/soft/contact_modes.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp::soft {
namespace {

/// gamma of the dashpot that acts along the normal, at the overlap that counts for the time step.
double normal_viscosity(const PairLaws& laws, const Touch<double>& touch) {
    return std::visit(
        [&](const auto& normal) {
            Touch<double> closing = touch;
            closing.closing_speed = 1;
            double largest = touch.overlap;
            return normal.force(closing, largest).viscous;
        },
        laws.normal);
}

} // namespace

ShortestTimes shortest_times(const MaterialTable& materials, const StartSizes& sizes, int dimension) {
    ShortestTimes shortest;
    const double radius = 0.5 * sizes.smallest;
    const auto look = [&](ShortestTime& known, double time, const char* mode, int a, int b) {
        if (time < known.time)
            known = {time, a == b ? fmt::format("{} of '{}'", mode, materials[a].name)
                                  : fmt::format("{} between '{}' and '{}'", mode, materials[a].name,
                                                materials[b].name)};
    };
    for (int a = 0; a < materials.size(); ++a)
        for (int b = a; b < materials.size(); ++b) {
            const PairLaws laws = pair_laws(materials.laws(a, b).soft);
            const auto inverse_mass = [&](int m) {
                return 1 / grain_mass(materials[m].density, radius, dimension);
            };
            const PairInertia pair{inverse_mass(a), inverse_mass(b), 1 / radius, 1 / radius,
                                   inertia_ratio(dimension)};
            const double overlap = overlap_share * sizes.smallest;
            const Touch<double> touch{overlap, 0, 1 / pair.normal(), pair.reduced_radius(), radius};
            const double stiffness = std::visit(
                [&](const auto& normal) { return normal.stiffness(pair.reduced_radius(), overlap); },
                laws.normal);
            const auto used = [](const FrictionSpring& spring, double value) {
                return spring.limits.friction > 0 ? value : 0.0;
            };
            const double sliding = laws.mindlin.shear_modulus > 0
                                       ? laws.mindlin.stiffness(pair.reduced_radius(), overlap)
                                       : laws.sliding.stiffness;
            const double attraction =
                laws.attraction.acts() ? laws.attraction.stiffness(2 * radius, overlap) : 0.0;
            const ContactPeriods periods =
                contact_periods(pair, {stiffness + attraction, used(laws.sliding, sliding),
                                       used(laws.rolling, laws.rolling.stiffness),
                                       used(laws.torsion, laws.torsion.stiffness)});
            look(shortest.contact, 0.5 * periods.normal, "the normal contact", a, b);
            look(shortest.contact, 0.5 * periods.sliding_and_rolling, "sliding and rolling", a, b);
            look(shortest.contact, 0.5 * periods.torsion, "torsion", a, b);
            look(shortest.dashpot,
                 shortest_viscous_time(pair, {normal_viscosity(laws, touch),
                                              used(laws.sliding, laws.sliding.viscosity),
                                              used(laws.rolling, laws.rolling.viscosity),
                                              used(laws.torsion, laws.torsion.viscosity)}),
                 "the dashpot", a, b);
        }
    return shortest;
}

double largest_force(const MaterialTable& materials, const StartSizes& sizes, int dimension) {
    double most = 0;
    for (int a = 0; a < materials.size(); ++a)
        for (int b = a; b < materials.size(); ++b) {
            const PairLaws laws = pair_laws(materials.laws(a, b).soft);
            const double mass = grain_mass(materials[a].density, 0.5 * sizes.largest, dimension);
            const Touch<double> touch{sizes.largest, 0, mass, 0.5 * sizes.largest, 0.5 * sizes.largest};
            const double normal = std::visit(
                [&](const auto& law) {
                    double largest = sizes.largest;
                    return law.force(touch, largest).elastic;
                },
                laws.normal);
            most = std::max(most, normal * (1 + laws.sliding.limits.friction + laws.rolling.limits.friction +
                                            laws.torsion.limits.friction));
        }
    return most;
}

} // namespace tamp::soft
