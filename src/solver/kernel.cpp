#include "tamp/solver/kernel.hpp"

#include "bodies.hpp"
#include "law_dispatch.hpp"
#include "tamp/laws/rigid/laws.hpp"

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

// Ways through a number of batches: which one comes k-th.

struct Forward {
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return k; }
};

struct Backward {
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return count - 1 - k; }
};

struct Listed {
    const std::int32_t* list;
    std::size_t count;
    std::size_t operator[](std::size_t k) const { return static_cast<std::size_t>(list[k]); }
};

/// Bodies come from all over the tile: without this a tile's first touch waits for memory once a body.
constexpr std::size_t prefetch_distance = 6;

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
constexpr CohesionBatch no_cohesion{};
constexpr ReboundBatch no_rebound = [] {
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
    add_rows<laws, true>(problem, rows, i);
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

/// From an inverse radius; 0 where there is none.
inline Pack length(Pack inverse_radius) {
    return select(inverse_radius > Pack(0.0), Pack(1.0) / larger(inverse_radius, Pack(1e-300)), Pack(0.0));
}

/// What a look at the contacts adds up, lane by lane.
struct Tally {
    Pack residual = 0.0, normal = 0.0, loaded = 0.0, largest = 0.0;
    PackVec3 stress{0.0, 0.0, 0.0}, virial{0.0, 0.0, 0.0};
    Pack power = 0.0;

    /// `branch`: its length; what lanes without a contact have there does not matter.
    template <LawSet laws>
    void add(const Problem& contact, const KernelLaws& kernel, Pack inverse_radius, Pack branch) {
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
            magnitude = larger(contact.strength, magnitude);
        residual += size;
        normal += magnitude;
        loaded += select(magnitude > Pack(0.0), Pack(1.0), Pack(0.0));
        stress += {contact.p.x * contact.n.x, contact.p.y * contact.n.y, contact.p.z * contact.n.z};
        largest = larger(size, largest);
        add_power<laws>(contact, p_n);
        const PackVec3 along{contact.p.x * contact.n.x, contact.p.y * contact.n.y, contact.p.z * contact.n.z};
        virial += branch * along;
    }

    /// With cohesion the impulse counts from its largest tension: that is what vanishes when a contact opens.
    template <LawSet laws>
    void add_power(const Problem& contact, Pack p_n) {
        const Pack u_n = dot(contact.u, contact.n);
        PackVec3 u_t = contact.u - u_n * contact.n;
        if constexpr (laws.rebound)
            u_t += contact.shift;
        Pack pressing = p_n;
        if constexpr (laws.cohesion)
            pressing += contact.strength;
        const PackVec3 p_t = contact.p - p_n * contact.n;
        const Pack limit = contact.mu * pressing;
        const auto sticks = Pack(0.999) * limit * limit > dot(p_t, p_t);
        power += pressing * (u_n + contact.c) + select(sticks, dot(p_t, u_t), Pack(0.0));
    }

    ResidualSums sums() const {
        return {sum_lanes(residual),
                max_lanes(largest),
                sum_lanes(normal),
                sum_lanes(loaded),
                {sum_lanes(stress.x), sum_lanes(stress.y), sum_lanes(stress.z)},
                {sum_lanes(virial.x), sum_lanes(virial.y), sum_lanes(virial.z)},
                sum_lanes(power)};
    }
};

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
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        auto& now = *reinterpret_cast<Pack::Raw*>(&bodies[i]);
        auto& before = *reinterpret_cast<Pack::Raw*>(&earlier[i]);
        const Pack::Raw y = now;
        if (momentum != 0) { // masses and radii stay: their difference is zero
            const Pack::Raw way = y - before;
            now = y + momentum * way;
        }
        before = y;
    }
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

[[gnu::flatten]] ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches,
                                       const KernelLaws& laws, const LawBatches& rows) {
    return with_kernel_set(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            prefetch(bodies.data(), batches, Forward{batches.size()}, i);
            const Bodies one = gather(bodies.data(), batches[i].first);
            const Bodies two = gather(bodies.data(), batches[i].second);
            const Pack r1 = one.inverse_radius(), r2 = two.inverse_radius();
            tally.add<set>(pair_problem<set, true>(one, two, batches[i], rows, i, laws.kappa), laws,
                           Pack(0.5) * (r1 + r2), length(r1) + length(r2));
        }
        return tally.sums();
    });
}

ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws,
                            const LawBatches& rows) {
    return with_kernel_set(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            const WallState& wall = walls[static_cast<std::size_t>(batches[i].wall)];
            const Bodies body = gather(bodies.data(), batches[i].body);
            tally.add<set>(wall_problem<set>(body, batches[i], wall, rows, i, laws.kappa), laws,
                           body.inverse_radius(), length(body.inverse_radius()));
        }
        return tally.sums();
    });
}

} // namespace tamp
