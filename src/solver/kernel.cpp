#include "tamp/solver/kernel.hpp"

#include "bodies.hpp"

namespace tamp {
namespace {

using rigid::LawSet;
using Problem = rigid::ContactProblem<Pack>;

/// -p on `one`, p on `two`.
inline void push(Bodies& one, Bodies& two, const PackVec3& n, const PackVec3& p, Pack kappa) {
    const Pack m1 = one.inverse_mass(), m2 = two.inverse_mass();
    const PackVec3 twist = kappa * cross(n, p);
    one.set(one.velocity() - m1 * p, one.surface() - m1 * twist);
    two.set(two.velocity() + m2 * p, two.surface() - m2 * twist);
}

/// p on `body` from a wall.
inline void push(Bodies& body, const PackVec3& n, const PackVec3& p, Pack kappa) {
    const Pack m = body.inverse_mass();
    body.set(body.velocity() + m * p, body.surface() - m * (kappa * cross(n, p)));
}

/// A torque: -t on `one`, t on `two`.
inline void turn(Bodies& one, Bodies& two, const PackVec3& t, Pack kappa) {
    one.set(one.velocity(), one.surface() - kappa * one.inverse_mass() * one.inverse_radius() * t);
    two.set(two.velocity(), two.surface() + kappa * two.inverse_mass() * two.inverse_radius() * t);
}

inline void turn(Bodies& body, const PackVec3& t, Pack kappa) {
    body.set(body.velocity(), body.surface() + kappa * body.inverse_mass() * body.inverse_radius() * t);
}

/// Bodies come from all over the tile: without this a tile's first touch waits for memory once a body.
constexpr std::size_t prefetch_distance = 6;

inline void prefetch(const Body* bodies, std::span<const ContactBatch> batches, std::size_t current) {
    if (current + prefetch_distance >= batches.size())
        return;
    const ContactBatch& batch = batches[current + prefetch_distance];
    for (int lane = 0; lane < lanes; ++lane) {
        __builtin_prefetch(bodies + batch.first[lane], 1);
        __builtin_prefetch(bodies + batch.second[lane], 1);
    }
}

/// What the law `laws` adds to a contact of batch `i`.
template <LawSet laws>
inline void add_rows(Problem& problem, const LawRows& rows, std::size_t i) {
    if constexpr (laws.cohesion) {
        problem.strength = Pack::load(rows.cohesion[i].strength);
        problem.pull = Pack::load(rows.cohesion[i].pull);
    }
    if constexpr (laws.rebound) {
        problem.shift = load(rows.rebound[i].shift);
        problem.spin_shift = load(rows.rebound[i].spin_shift);
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

template <LawSet laws>
inline Problem pair_problem(const Bodies& one, const Bodies& two, const ContactBatch& batch,
                            const LawRows& rows, std::size_t i, Pack kappa) {
    Problem problem;
    problem.n = load(batch.normal);
    problem.p = load(batch.impulse);
    problem.u = contact_velocity(one, two, problem.n);
    problem.c = Pack::load(batch.closing_speed);
    problem.mu = Pack::load(batch.friction);
    problem.m_n = Pack(1.0) / (one.inverse_mass() + two.inverse_mass());
    problem.m_t = problem.m_n * (Pack(1.0) / (Pack(1.0) + kappa));
    add_rows<laws>(problem, rows, i);
    if constexpr (laws.torques) {
        const Pack turn_one = one.inverse_mass() * one.inverse_radius();
        const Pack turn_two = two.inverse_mass() * two.inverse_radius();
        problem.omega = relative_spin(one, two);
        problem.turning = kappa * (turn_one * one.inverse_radius() + turn_two * two.inverse_radius());
        problem.mixing = kappa * (turn_two - turn_one);
    }
    return problem;
}

template <LawSet laws>
inline Problem wall_problem(const Bodies& body, const WallBatch& batch, const WallState& wall,
                            const LawRows& rows, std::size_t i, Pack kappa) {
    Problem problem;
    problem.n = broadcast(wall.normal);
    problem.p = load(batch.impulse);
    problem.u = contact_velocity(body, wall.velocity, problem.n);
    problem.c = Pack::load(batch.closing_speed);
    problem.mu = Pack::load(batch.friction);
    problem.m_n = Pack(1.0) / (body.inverse_mass() + Pack(wall.inverse_share));
    problem.m_t = Pack(1.0) / (body.inverse_mass() * (Pack(1.0) + kappa));
    add_rows<laws>(problem, rows, i);
    if constexpr (laws.torques) {
        problem.omega = body.inverse_radius() * body.surface();
        problem.mixing = kappa * body.inverse_mass() * body.inverse_radius();
        problem.turning = problem.mixing * body.inverse_radius();
    }
    return problem;
}

/// Impulse and torque by the laws. Plain friction keeps its own, shorter way.
template <LawSet laws>
inline rigid::Reaction<Pack> react(const Problem& problem, const KernelLaws& kernel) {
    if constexpr (laws == LawSet{})
        return {rigid::relaxed_impulse(problem.p, problem.n, problem.u, problem.c, problem.mu, problem.m_n,
                                       problem.m_t),
                {}};
    else
        return rigid::relaxed<laws>(problem, kernel.options);
}

/// The share of the way to the laws' reaction that a contact of batch `i` goes. The laws' limits are convex
/// (but for torques that grow with the force by Hertz), so that whatever lies on the way is allowed too. A
/// contact that would stay open if eight ranks let go of it at once does so: else its impulse would fade for
/// ever.
inline Pack damping_share(const Problem& problem, const rigid::Reaction<Pack>& goal, const LawRows& rows,
                          std::size_t i) {
    const Pack share = Pack::load(rows.damping[i].share);
    const Pack p_n = dot(problem.p, problem.n), opening = dot(problem.u, problem.n) + problem.c;
    const Pack rest = dot(goal.impulse, goal.impulse) + dot(goal.torque, goal.torque);
    return select(rest > Pack(0.0), share,
                  select(problem.m_n * opening > Pack(8.0) * larger(p_n, -p_n), Pack(1.0), share));
}

/// The reaction by the laws, or what lies `damped` on the way to it.
template <LawSet laws, bool damped>
inline rigid::Reaction<Pack> next_reaction(const Problem& problem, const LawRows& rows, std::size_t i,
                                           const KernelLaws& kernel) {
    const rigid::Reaction<Pack> goal = react<laws>(problem, kernel);
    if constexpr (damped) {
        const Pack share = damping_share(problem, goal, rows, i);
        const Pack kept = Pack(1.0) - share;
        return {share * goal.impulse + kept * problem.p, share * goal.torque + kept * problem.tau};
    } else {
        return goal;
    }
}

// Flat: a contact that goes through memory on its way to its law costs a tenth of the sweep.
template <LawSet laws, bool damped>
[[gnu::flatten]] inline void relax_batch(Body* bodies, ContactBatch& batch, const LawRows& rows,
                                         std::size_t i, const KernelLaws& kernel) {
    const Pack kappa = kernel.kappa;
    Bodies one = gather(bodies, batch.first);
    Bodies two = gather(bodies, batch.second);
    const Problem problem = pair_problem<laws>(one, two, batch, rows, i, kappa);
    const rigid::Reaction<Pack> next = next_reaction<laws, damped>(problem, rows, i, kernel);
    store(next.impulse, batch.impulse);
    push(one, two, problem.n, next.impulse - problem.p, kappa);
    if constexpr (laws.torques) {
        store(next.torque, rows.torque[i].torque);
        turn(one, two, next.torque - problem.tau, kappa);
    }
    scatter(one, bodies, batch.first);
    scatter(two, bodies, batch.second);
}

template <LawSet laws, bool damped>
[[gnu::flatten]] inline void relax_wall_batch(Body* bodies, WallBatch& batch, const WallState& wall,
                                              const LawRows& rows, std::size_t i, const KernelLaws& kernel) {
    const Pack kappa = kernel.kappa;
    Bodies body = gather(bodies, batch.body);
    const Problem problem = wall_problem<laws>(body, batch, wall, rows, i, kappa);
    const rigid::Reaction<Pack> next = next_reaction<laws, damped>(problem, rows, i, kernel);
    store(next.impulse, batch.impulse);
    push(body, problem.n, next.impulse - problem.p, kappa);
    if constexpr (laws.torques) {
        store(next.torque, rows.torque[i].torque);
        turn(body, next.torque - problem.tau, kappa);
    }
    scatter(body, bodies, batch.body);
}

/// Calls `action` with the laws as a constant.
template <class Action>
inline auto with_laws(const LawSet& laws, Action&& action) {
    switch ((laws.cohesion ? 1 : 0) + (laws.rebound ? 2 : 0) + (laws.torques ? 4 : 0)) {
    case 0:
        return action.template operator()<LawSet{}>();
    case 1:
        return action.template operator()<LawSet{true, false, false}>();
    case 2:
        return action.template operator()<LawSet{false, true, false}>();
    case 3:
        return action.template operator()<LawSet{true, true, false}>();
    case 4:
        return action.template operator()<LawSet{false, false, true}>();
    case 5:
        return action.template operator()<LawSet{true, false, true}>();
    case 6:
        return action.template operator()<LawSet{false, true, true}>();
    default:
        return action.template operator()<LawSet{true, true, true}>();
    }
}

/// Calls `action` with the laws, and whether changes are damped, as constants.
template <class Action>
inline void with_damping(const LawSet& laws, const LawRows& rows, Action&& action) {
    with_laws(laws, [&]<LawSet set> {
        if (rows.damping)
            action.template operator()<set, true>();
        else
            action.template operator()<set, false>();
    });
}

/// What a look at the contacts adds up, lane by lane.
struct Tally {
    Pack residual = 0.0, normal = 0.0, loaded = 0.0, largest = 0.0;
    PackVec3 stress{0.0, 0.0, 0.0};

    template <LawSet laws>
    void add(const Problem& contact, const KernelLaws& kernel, Pack inverse_radius) {
        const Pack p_n = dot(contact.p, contact.n);
        Pack size;
        if constexpr (laws == LawSet{}) {
            const PackVec3 map =
                rigid::natural_map(contact.p, contact.n, contact.u, contact.c, contact.mu, contact.m_n);
            size = square_root(dot(map, map));
        } else {
            size = rigid::distance<laws>(contact, kernel.options, inverse_radius);
        }
        Pack magnitude = larger(p_n, -p_n);
        if constexpr (laws.cohesion) // where nothing presses but cohesion, it is the scale
            magnitude = larger(magnitude, contact.strength);
        residual += size;
        normal += magnitude;
        loaded += select(magnitude > Pack(0.0), Pack(1.0), Pack(0.0));
        stress += {contact.p.x * contact.n.x, contact.p.y * contact.n.y, contact.p.z * contact.n.z};
        largest = larger(size, largest);
    }

    ResidualSums sums() const {
        return {sum_lanes(residual),
                max_lanes(largest),
                sum_lanes(normal),
                sum_lanes(loaded),
                {sum_lanes(stress.x), sum_lanes(stress.y), sum_lanes(stress.z)}};
    }
};

} // namespace

void relax(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
           const LawRows& rows) {
    with_damping(laws.set, rows, [&]<LawSet set, bool damped> {
        for (std::size_t i = 0; i < batches.size(); ++i) {
            prefetch(bodies.data(), batches, i);
            relax_batch<set, damped>(bodies.data(), batches[i], rows, i, laws);
        }
    });
}

void relax_backward(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
                    const LawRows& rows) {
    with_damping(laws.set, rows, [&]<LawSet set, bool damped> {
        for (std::size_t i = batches.size(); i-- > 0;)
            relax_batch<set, damped>(bodies.data(), batches[i], rows, i, laws);
    });
}

void relax_in_order(std::span<Body> bodies, std::span<ContactBatch> batches,
                    std::span<const std::int32_t> order, const KernelLaws& laws, const LawRows& rows) {
    with_damping(laws.set, rows, [&]<LawSet set, bool damped> {
        for (const std::int32_t next : order) {
            const auto i = static_cast<std::size_t>(next);
            relax_batch<set, damped>(bodies.data(), batches[i], rows, i, laws);
        }
    });
}

void relax_walls(std::span<Body> bodies, std::span<WallBatch> batches, std::span<const WallState> walls,
                 const KernelLaws& laws, const LawRows& rows) {
    with_damping(laws.set, rows, [&]<LawSet set, bool damped> {
        for (std::size_t i = 0; i < batches.size(); ++i)
            relax_wall_batch<set, damped>(bodies.data(), batches[i],
                                          walls[static_cast<std::size_t>(batches[i].wall)], rows, i, laws);
    });
}

void relax_walls_backward(std::span<Body> bodies, std::span<WallBatch> batches,
                          std::span<const WallState> walls, const KernelLaws& laws, const LawRows& rows) {
    with_damping(laws.set, rows, [&]<LawSet set, bool damped> {
        for (std::size_t i = batches.size(); i-- > 0;)
            relax_wall_batch<set, damped>(bodies.data(), batches[i],
                                          walls[static_cast<std::size_t>(batches[i].wall)], rows, i, laws);
    });
}

[[gnu::flatten]] void apply(std::span<Body> bodies, std::span<const ContactBatch> batches,
                            const KernelLaws& laws, const LawRows& rows) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const ContactBatch& batch = batches[i];
        prefetch(bodies.data(), batches, i);
        Bodies one = gather(bodies.data(), batch.first);
        Bodies two = gather(bodies.data(), batch.second);
        push(one, two, load(batch.normal), load(batch.impulse), laws.kappa);
        if (laws.set.torques)
            turn(one, two, load(rows.torque[i].torque), laws.kappa);
        scatter(one, bodies.data(), batch.first);
        scatter(two, bodies.data(), batch.second);
    }
}

void apply_walls(std::span<Body> bodies, std::span<const WallBatch> batches, std::span<const WallState> walls,
                 const KernelLaws& laws, const LawRows& rows) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const WallBatch& batch = batches[i];
        Bodies body = gather(bodies.data(), batch.body);
        push(body, broadcast(walls[static_cast<std::size_t>(batch.wall)].normal), load(batch.impulse),
             laws.kappa);
        if (laws.set.torques)
            turn(body, load(rows.torque[i].torque), laws.kappa);
        scatter(body, bodies.data(), batch.body);
    }
}

[[gnu::flatten]] ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches,
                                       const KernelLaws& laws, const LawRows& rows) {
    return with_laws(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            prefetch(bodies.data(), batches, i);
            const Bodies one = gather(bodies.data(), batches[i].first);
            const Bodies two = gather(bodies.data(), batches[i].second);
            tally.add<set>(pair_problem<set>(one, two, batches[i], rows, i, laws.kappa), laws,
                           Pack(0.5) * (one.inverse_radius() + two.inverse_radius()));
        }
        return tally.sums();
    });
}

ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws, const LawRows& rows) {
    return with_laws(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            const WallState& wall = walls[static_cast<std::size_t>(batches[i].wall)];
            const Bodies body = gather(bodies.data(), batches[i].body);
            tally.add<set>(wall_problem<set>(body, batches[i], wall, rows, i, laws.kappa), laws,
                           body.inverse_radius());
        }
        return tally.sums();
    });
}

} // namespace tamp
