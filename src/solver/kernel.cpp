#include "tamp/solver/kernel.hpp"

#include "contact_problems.hpp"
#include "law_dispatch.hpp"

namespace tamp {
namespace {

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

// Other ways through a number of batches.

struct Backward {
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return count - 1 - k; }
};

struct Listed {
    const std::int32_t* list;
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return static_cast<std::size_t>(list[k]); }
};

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
inline Pack damping_share(const Problem& problem, const rigid::Reaction<Pack>& goal, const LawBatches& rows,
                          std::size_t i) {
    const Pack share = Pack::load(rows.damping[i].share);
    const Pack p_n = dot(problem.p, problem.n), opening = dot(problem.u, problem.n) + problem.c;
    const Pack rest = dot(goal.impulse, goal.impulse) + dot(goal.torque, goal.torque);
    return select(rest > Pack(0.0), share,
                  select(problem.m_n * opening > Pack(8.0) * larger(p_n, -p_n), Pack(1.0), share));
}

/// The reaction by the laws, or what lies `damped` on the way to it.
template <LawSet laws, bool damped>
inline rigid::Reaction<Pack> next_reaction(const Problem& problem, const LawBatches& rows, std::size_t i,
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

/// How a pass relaxes, as the compiler knows it.
struct Manner {
    bool damped = false, with_momentum = false;
};

/// The way from y_before to y, prolonged. `earlier` becomes y.
inline PackVec3 prolonged(const PackVec3& y, EarlierBatch& earlier, double momentum) {
    PackVec3 x = y;
    if (momentum != 0) // what a first sweep finds in `earlier` is no number to reckon with
        x += Pack(momentum) * (y - load(earlier.values));
    store(y, earlier.values);
    return x;
}

/// From the impulses after the last sweep to those that the contact starts from.
template <LawSet laws>
inline void add_momentum(Problem& problem, const LawBatches& rows, std::size_t i, double momentum) {
    problem.p = prolonged(problem.p, rows.earlier[i], momentum);
    if constexpr (laws.torques)
        problem.tau = prolonged(problem.tau, rows.earlier_torque[i], momentum);
}

template <LawSet laws>
inline Pack squared_change(const Problem& problem, const rigid::Reaction<Pack>& next, Pack inverse_radius) {
    const PackVec3 change = next.impulse - problem.p;
    Pack square = dot(change, change);
    if constexpr (laws.torques) {
        const PackVec3 torque = inverse_radius * (next.torque - problem.tau);
        square += dot(torque, torque);
    }
    return square;
}

// Flat: a contact that goes through memory on its way to its law costs a tenth of the sweep. And a function
// of its own, not a part of the loops: so that all orders share one copy of the laws, and the loop takes no
// registers from it.
template <LawSet laws, Manner manner>
[[gnu::flatten, gnu::noinline]] Pack relax_batch(Body* bodies, ContactBatch& batch, const LawBatches& rows,
                                                 std::size_t i, const KernelLaws& kernel) {
    const Pack kappa = kernel.kappa;
    Bodies one = gather(bodies, batch.first);
    Bodies two = gather(bodies, batch.second);
    Problem problem = pair_problem<laws, manner.damped>(one, two, batch, rows, i, kappa);
    if constexpr (manner.with_momentum)
        add_momentum<laws>(problem, rows, i, kernel.momentum);
    const rigid::Reaction<Pack> next = next_reaction<laws, manner.damped>(problem, rows, i, kernel);
    store(next.impulse, batch.impulse);
    Pack change(0.0);
    if constexpr (manner.with_momentum)
        change =
            squared_change<laws>(problem, next, Pack(0.5) * (one.inverse_radius() + two.inverse_radius()));
    push(one, two, problem.n, next.impulse - problem.p, kappa);
    if constexpr (laws.torques) {
        store(next.torque, rows.torque[i].torque);
        turn(one, two, next.torque - problem.tau, kappa);
    }
    scatter(one, bodies, batch.first);
    scatter(two, bodies, batch.second);
    return change;
}

template <LawSet laws, Manner manner>
[[gnu::flatten, gnu::noinline]] Pack relax_wall_batch(Body* bodies, WallBatch& batch, const WallState& wall,
                                                      const LawBatches& rows, std::size_t i,
                                                      const KernelLaws& kernel) {
    const Pack kappa = kernel.kappa;
    Bodies body = gather(bodies, batch.body);
    Problem problem = wall_problem<laws>(body, batch, wall, rows, i, kappa);
    if constexpr (manner.with_momentum)
        add_momentum<laws>(problem, rows, i, kernel.momentum);
    const rigid::Reaction<Pack> next = next_reaction<laws, manner.damped>(problem, rows, i, kernel);
    store(next.impulse, batch.impulse);
    Pack change(0.0);
    if constexpr (manner.with_momentum)
        change = squared_change<laws>(problem, next, body.inverse_radius());
    push(body, problem.n, next.impulse - problem.p, kappa);
    if constexpr (laws.torques) {
        store(next.torque, rows.torque[i].torque);
        turn(body, next.torque - problem.tau, kappa);
    }
    scatter(body, bodies, batch.body);
    return change;
}

/// The same of a body, in one line of memory. `earlier` becomes the body as it was.
inline void prolong(Body& body, Body& earlier, double momentum) {
    auto& now = *reinterpret_cast<Pack::Raw*>(&body);
    auto& before = *reinterpret_cast<Pack::Raw*>(&earlier);
    const Pack::Raw y = now;
    if (momentum != 0) { // masses and radii stay: their difference is zero
        const Pack::Raw way = y - before;
        now = y + momentum * way;
    }
    before = y;
}

/// Calls `action` with the manner of these rows as a constant.
template <class Action>
double in_manner_of(const LawBatches& rows, Action&& action) {
    if (rows.earlier)
        return rows.damping ? action.template operator()<Manner{true, true}>()
                            : action.template operator()<Manner{false, true}>();
    return rows.damping ? action.template operator()<Manner{true, false}>()
                        : action.template operator()<Manner{false, false}>();
}

template <class Path>
double relax_along(const Path& path, std::span<Body> bodies, std::span<ContactBatch> batches,
                   const KernelLaws& laws, const LawBatches& rows) {
    return in_manner_of(rows, [&]<Manner manner> {
        const auto relax_all = [&]<LawSet set> {
            Pack change(0.0);
            for (std::size_t k = 0; k < path.count; ++k) {
                prefetch(bodies.data(), batches, path, k);
                const std::size_t i = path[k];
                change += relax_batch<set, manner>(bodies.data(), batches[i], rows, i, laws);
            }
            return sum_lanes(change);
        };
        if constexpr (manner.damped) // seldom, hence in the sets that may lack rows
            return with_kernel_set(laws.set, relax_all);
        else
            return with_laws(laws.set, relax_all);
    });
}

template <class Path>
double relax_walls_along(const Path& path, std::span<Body> bodies, std::span<WallBatch> batches,
                         std::span<const WallState> walls, const KernelLaws& laws, const LawBatches& rows) {
    return in_manner_of(rows, [&]<Manner manner> {
        return with_kernel_set(laws.set, [&]<LawSet set> {
            Pack change(0.0);
            for (std::size_t k = 0; k < path.count; ++k) {
                const std::size_t i = path[k];
                const WallState& wall = walls[static_cast<std::size_t>(batches[i].wall)];
                change += relax_wall_batch<set, manner>(bodies.data(), batches[i], wall, rows, i, laws);
            }
            return sum_lanes(change);
        });
    });
}

} // namespace

double relax(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
             const LawBatches& rows) {
    return relax_along(Forward{batches.size()}, bodies, batches, laws, rows);
}

double relax_backward(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
                      const LawBatches& rows) {
    return relax_along(Backward{batches.size()}, bodies, batches, laws, rows);
}

double relax_in_order(std::span<Body> bodies, std::span<ContactBatch> batches,
                      std::span<const std::int32_t> order, const KernelLaws& laws, const LawBatches& rows) {
    return relax_along(Listed{order.data(), order.size()}, bodies, batches, laws, rows);
}

double relax_walls(std::span<Body> bodies, std::span<WallBatch> batches, std::span<const WallState> walls,
                   const KernelLaws& laws, const LawBatches& rows) {
    return relax_walls_along(Forward{batches.size()}, bodies, batches, walls, laws, rows);
}

double relax_walls_backward(std::span<Body> bodies, std::span<WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws,
                            const LawBatches& rows) {
    return relax_walls_along(Backward{batches.size()}, bodies, batches, walls, laws, rows);
}

void advance(std::span<Body> bodies, std::span<Body> earlier, double momentum) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        prolong(bodies[i], earlier[i], momentum);
}

void advance(std::span<Body> bodies, std::span<Body> earlier, std::span<const std::int32_t> pushed,
             double momentum) {
    for (const std::int32_t i : pushed)
        prolong(bodies[static_cast<std::size_t>(i)], earlier[static_cast<std::size_t>(i)], momentum);
}

[[gnu::flatten]] void apply(std::span<Body> bodies, std::span<const ContactBatch> batches,
                            const KernelLaws& laws, const LawBatches& rows) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const ContactBatch& batch = batches[i];
        prefetch(bodies.data(), batches, Forward{batches.size()}, i);
        Bodies one = gather(bodies.data(), batch.first);
        Bodies two = gather(bodies.data(), batch.second);
        push(one, two, load(batch.normal), load(batch.impulse), laws.kappa);
        if (laws.set.torques)
            turn(one, two, load(rows.torque[i].torque), laws.kappa);
        scatter(one, bodies.data(), batch.first);
        scatter(two, bodies.data(), batch.second);
    }
}

void apply_walls(std::span<Body> bodies, std::span<const WallBatch> batches, const KernelLaws& laws,
                 const LawBatches& rows) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const WallBatch& batch = batches[i];
        Bodies body = gather(bodies.data(), batch.body);
        push(body, load(batch.normal), load(batch.impulse), laws.kappa);
        if (laws.set.torques)
            turn(body, load(rows.torque[i].torque), laws.kappa);
        scatter(body, bodies.data(), batch.body);
    }
}
} // namespace tamp
