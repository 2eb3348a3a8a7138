#pragma once

#include "bodies.hpp"
#include "tamp/laws/rigid/laws.hpp"
#include "tamp/solver/kernel.hpp"

// What sweeps and looks make of the batches: contacts as the laws see them, eight at a time.
namespace tamp {
inline namespace TAMP_PACKS {

using rigid::LawSet;
using Problem = rigid::ContactProblem<Pack>;

/// A way through a number of batches: which one comes k-th.
struct Forward {
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return k; }
};

/// Bodies come from all over the tile: without this a tile's first touch waits for memory once a body.
inline constexpr std::size_t prefetch_distance = 6;

// Always inlined: left as a call, it looks to the compiler as if it had no effect, and is dropped.
template <class Path>
[[gnu::always_inline]] inline void prefetch(const Body* bodies, std::span<const ContactBatch> batches,
                                            const Path& path, std::size_t current) {
    if (current + prefetch_distance >= path.count)
        return;
    const ContactBatch& batch = batches[path[current + prefetch_distance]];
    for (int lane = 0; lane < lanes; ++lane) {
        __builtin_prefetch(bodies + batch.first[lane], 1);
        __builtin_prefetch(bodies + batch.second[lane], 1);
    }
}

// Rows that a run does without, beside every batch: with these numbers the laws change no bit. Adding 0.0
// would make -0.0 positive; adding -0.0 leaves everything as it is.
inline constexpr CohesionBatch no_cohesion{};
inline constexpr ReboundBatch no_rebound = [] {
    ReboundBatch row{};
    for (int axis = 0; axis < 3; ++axis)
        for (int lane = 0; lane < lanes; ++lane)
            row.shift[axis][lane] = row.spin_shift[axis][lane] = -0.0;
    return row;
}();

/// What the laws add to a contact of batch `i`. `may_lack`: a run may do without some of them, and have no
/// rows of those. Where that cannot be, the question would cost a tenth of the sweep.
template <LawSet laws, bool may_lack>
inline void add_rows(Problem& problem, const LawBatches& rows, std::size_t i) {
    if constexpr (laws.cohesion) {
        const CohesionBatch& cohesion = may_lack && !rows.cohesion ? no_cohesion : rows.cohesion[i];
        problem.strength = Pack::load(cohesion.strength);
        problem.pull = Pack::load(cohesion.pull);
    }
    if constexpr (laws.rebound) {
        const ReboundBatch& rebound = may_lack && !rows.rebound ? no_rebound : rows.rebound[i];
        problem.shift = load(rebound.shift);
        problem.spin_shift = load(rebound.spin_shift);
    }
    if constexpr (laws.torques) {
        const TorqueBatch& torque = rows.torque[i];
        problem.tau = load(torque.torque);
        problem.rolling = Pack::load(torque.rolling), problem.torsion = Pack::load(torque.torsion);
        problem.rolling_growth = Pack::load(torque.rolling_growth);
        problem.torsion_growth = Pack::load(torque.torsion_growth);
        problem.coupled = Pack::load(torque.coupled);
    }
}

template <LawSet laws, bool may_lack>
inline Problem pair_problem(const Bodies& one, const Bodies& two, const ContactBatch& batch,
                            const LawBatches& rows, std::size_t i, Pack kappa) {
    Problem problem;
    problem.n = load(batch.normal);
    problem.p = load(batch.impulse);
    problem.u = contact_velocity(one, two, problem.n);
    problem.c = Pack::load(batch.closing_speed);
    problem.mu = Pack::load(batch.friction);
    problem.m_n = Pack(1.0) / (one.inverse_mass() + two.inverse_mass());
    problem.m_t = problem.m_n * (Pack(1.0) / (Pack(1.0) + kappa));
    add_rows<laws, may_lack>(problem, rows, i);
    if constexpr (laws.torques) {
        const Pack turn_one = one.inverse_mass() * one.inverse_radius();
        const Pack turn_two = two.inverse_mass() * two.inverse_radius();
        problem.omega = relative_spin(one, two);
        problem.turning = kappa * (turn_one * one.inverse_radius() + turn_two * two.inverse_radius());
        problem.mixing = kappa * (turn_two - turn_one);
    }
    return problem;
}

/// The velocity of the contact relative to a wall that turns, or whose normal is not the same everywhere; and
/// what the wall gives way by, per impulse. Of walls that are driven nothing gives way.
inline void add_turning(Problem& problem, const Bodies& body, const WallBatch& batch, const WallState& wall,
                        Pack kappa) {
    const PackVec3 arm = load(batch.arm), d = broadcast(wall.normal);
    if (wall.turns)
        problem.u -= Pack(wall.turn_speed) * arm;
    const Pack along = dot(problem.n, d), turning = dot(problem.n, arm);
    const Pack move(wall.inverse_share), turn(wall.turns ? wall.inverse_turn_share : 0.0);
    const Pack normal_give = move * along * along + turn * turning * turning;
    const Pack all = move + turn * dot(arm, arm);
    const Pack tangential_give = larger(all - normal_give, Pack(0.0));
    problem.m_n = Pack(1.0) / (body.inverse_mass() + normal_give);
    problem.m_t = Pack(1.0) / (body.inverse_mass() * (Pack(1.0) + kappa) + tangential_give);
}

template <LawSet laws>
inline Problem wall_problem(const Bodies& body, const WallBatch& batch, const WallState& wall,
                            const LawBatches& rows, std::size_t i, Pack kappa) {
    Problem problem;
    problem.n = load(batch.normal);
    problem.p = load(batch.impulse);
    problem.u = contact_velocity(body, wall.velocity, problem.n);
    problem.c = Pack::load(batch.closing_speed);
    problem.mu = Pack::load(batch.friction);
    problem.m_n = Pack(1.0) / (body.inverse_mass() + Pack(wall.inverse_share));
    problem.m_t = Pack(1.0) / (body.inverse_mass() * (Pack(1.0) + kappa));
    if (wall.turns || !wall.flat)
        add_turning(problem, body, batch, wall, kappa);
    add_rows<laws, true>(problem, rows, i);
    if constexpr (laws.torques) {
        problem.omega = body.inverse_radius() * body.surface();
        if (wall.turns)
            problem.omega -= broadcast(wall.spin());
        problem.mixing = kappa * body.inverse_mass() * body.inverse_radius();
        problem.turning = problem.mixing * body.inverse_radius();
        if (wall.turns) // torques turn the wall as well
            problem.turning += Pack(wall.inverse_turn_share);
    }
    return problem;
}

} // namespace TAMP_PACKS
} // namespace tamp
