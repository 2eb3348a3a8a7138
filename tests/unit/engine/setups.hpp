#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "../laws/random_vectors.hpp"
#include "rigid_run.hpp"
#include "tamp/particles/generate.hpp"

/// Small cases for the tests of the engine, and what is measured of them.
namespace tamp::setups {

inline constexpr double for_ever = 1e9; ///< an end time that no step is cut to

inline const Communicator& world() {
    static const Communicator communicator(MPI_COMM_WORLD);
    return communicator;
}

/// Sweeps until nothing is left but round-off: for closed forms.
inline SolverSettings exact_solver() {
    SolverSettings settings;
    settings.tolerance = 1e-13;
    settings.force_tolerance = 1e-12;
    settings.max_sweeps = 20000;
    return settings;
}

/// No walls, no gravity, fixed step, one material of density 1000; a cube around the origin that is open on
/// all sides.
inline RigidSetup open_space(double edge, double friction, double time_step, int dimension = 3) {
    RigidSetup setup;
    const double half = 0.5 * edge;
    setup.box.lower = {-half, -half, dimension == 3 ? -half : 0};
    setup.box.upper = {half, half, dimension == 3 ? half : 0};
    setup.box.dimension = dimension;
    setup.materials = MaterialTable({{"grain", 1000.0, friction}});
    setup.time.step = time_step;
    setup.solver = exact_solver();
    return setup;
}

inline Wall wall(const Vec3& point, const Vec3& normal) {
    Wall result;
    result.point = point;
    result.normal = normal * (1 / norm(normal));
    return result;
}

inline Wall piston(const Vec3& point, const Vec3& normal, double mass, double force) {
    Wall result = wall(point, normal);
    result.motion = WallMotion::piston;
    result.mass = mass;
    result.force = force;
    return result;
}

inline Grain grain(std::uint64_t id, const Vec3& position, double radius, const Vec3& velocity = {0, 0, 0},
                   const Vec3& spin = {0, 0, 0}) {
    return {.id = id, .position = position, .radius = radius, .velocity = velocity, .spin = spin};
}

inline double mass_of(const Grain& grain, int dimension = 3) {
    return 1000.0 * grain_volume(grain.radius, dimension);
}

/// The particles by id, as they are.
inline std::map<std::uint64_t, Grain> grains_of(const WorldRun& engine) {
    std::map<std::uint64_t, Grain> grains;
    for (std::size_t i = 0; i < engine.store().owned; ++i)
        grains.emplace(engine.store().id[i], engine.store().grain(i));
    return grains;
}

struct Conserved {
    Vec3 momentum{0, 0, 0};
    Vec3 angular{0, 0, 0}; ///< about the origin, spin included
    double energy = 0;     ///< kinetic
};

inline Conserved conserved(const WorldRun& engine) {
    Conserved sum;
    const int dimension = engine.store().dimension();
    for (const auto& [id, g] : grains_of(engine)) {
        const double m = mass_of(g, dimension), inertia = m * g.radius * g.radius / inertia_ratio(dimension);
        sum.momentum += m * g.velocity;
        sum.angular += cross(g.position, m * g.velocity) + inertia * g.spin;
        sum.energy += 0.5 * (m * dot(g.velocity, g.velocity) + inertia * dot(g.spin, g.spin));
    }
    return sum;
}

/// One contact between particles as the last step solved it; the geometry is that of the step's beginning.
struct SolvedContact {
    Vec3 impulse, normal;
    double gap;
};

/// `before`: the particles when the step began.
inline std::vector<SolvedContact> solved_contacts(const RigidRun& engine,
                                                  const std::map<std::uint64_t, Grain>& before) {
    std::vector<SolvedContact> contacts;
    const PairList& pairs = engine.pairs();
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        if (engine.impulses()[c] == Vec3{0, 0, 0})
            continue;
        const Grain& one = before.at(engine.store().id[static_cast<std::size_t>(pairs.first[c])]);
        const Grain& two = before.at(engine.store().id[static_cast<std::size_t>(pairs.second[c])]);
        const Vec3 branch = engine.setup().box.nearest(two.position - one.position);
        contacts.push_back(
            {engine.impulses()[c], branch * (1 / norm(branch)), norm(branch) - one.radius - two.radius});
    }
    return contacts;
}

/// Some sixty particles of different sizes that fall towards their centre, spinning.
inline std::vector<Grain> collapsing_grains(const Box& box, std::uint64_t seed) {
    GeneratorSettings settings;
    settings.size = {.kind = SizeKind::uniform, .min = 0.008, .max = 0.02};
    const double half = box.dimension == 3 ? 0.04 : 0.07;
    settings.lower = {-half, -half, box.dimension == 3 ? -half : 0};
    settings.upper = {half, half, box.dimension == 3 ? half : 0};
    settings.fraction = 0.25;
    std::vector<Grain> grains = generate(settings, box, seed, 0);
    Random random = checks::random_numbers(seed);
    for (Grain& g : grains) {
        g.velocity = -15.0 * g.position + 0.1 * checks::random_vector(random);
        g.spin = 20.0 * checks::random_vector(random);
        if (box.dimension == 2)
            g.velocity.z = g.spin.x = g.spin.y = 0;
    }
    return grains;
}

} // namespace tamp::setups
