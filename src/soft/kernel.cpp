#include "tamp/soft/kernel.hpp"

#include <algorithm>

#include "contact_loads.hpp"
#include "lanes.hpp"

namespace tamp::soft {
namespace {

/// Loads as integers, and whether one is too large for that.
class FixedPoint {
public:
    explicit FixedPoint(const ForceUnit& unit) : scale_(unit.per_newton), largest_(unit.largest) {}

    Integers operator()(Pack force) const { return to_integers(force * Pack(scale_)); }
    /// Torques over radii are smaller than the forces that make them.
    void check(const PackVec3& force) {
        good_ &= Pack(largest_ * largest_) > dot(force, force); // false for what is not a number
    }
    bool failed() const { return any(~good_); }
    FixedPoint opposite() const {
        FixedPoint result = *this;
        result.scale_ = -scale_;
        return result;
    }

private:
    double scale_, largest_;
    Pack::Mask good_ = Pack(1.0) > Pack(0.0);
};

/// The lanes of a batch that hold a contact of their own; the others repeat one.
Integers lanes_below(int count) {
    const Integers lane{0, 1, 2, 3, 4, 5, 6, 7};
    return lane < count;
}

/// Forces, or torques/radius, of eight contacts as integers.
struct FixedLoad {
    Integers x, y, z;

    FixedLoad(const PackVec3& v, const FixedPoint& fixed, int count)
        : x(fixed(v.x)), y(fixed(v.y)), z(fixed(v.z)) {
        if (count < lanes) {
            const Integers used = lanes_below(count);
            x &= used, y &= used, z &= used;
        }
    }
    SumPairs rows() const { return {x, y, z}; }
};

std::int64_t sum_of(const Integers& values) {
    std::int64_t sum = 0;
    for (int lane = 0; lane < lanes; ++lane)
        sum += values[lane];
    return sum;
}

/// The same pointer, but the compiler does not know: it reads the sixteen places of a batch again where they
/// are used, instead of keeping them in registers that it does not have.
const Batch* again(const Batch* batch) {
    asm("" : "+r"(batch)); // NOLINT(hicpp-no-assembler)
    return batch;
}

/// What the batches of a range have come to.
class Findings {
public:
    explicit Findings(const ForceUnit& unit) : fixed(unit) {}

    FixedPoint fixed;

    void note(Pack overlap, int count) {
        deepest_ = larger(deepest_, overlap);
        Integers ones = -(overlap > Pack(0.0));
        if (count < lanes)
            ones &= lanes_below(count);
        touching_ += ones;
    }
    KernelReport report() const { return {max_lanes(deepest_), sum_of(touching_), fixed.failed()}; }

private:
    Pack deepest_{0.0};
    Integers touching_{};
};

/// Contact by contact: a sum over lanes would depend on who shares a batch.
[[gnu::noinline]] void add_heats(HeatSums& sums, const PackHeats& heats, int count) {
    const auto add = [&](Heat which, Pack values) {
        for (int lane = 0; lane < count; ++lane)
            if (values[lane] != 0)
                sums[which].add(values[lane]);
    };
    add(elastic, heats.elastic), add(dashpots, heats.dashpots), add(hysteresis, heats.hysteresis);
    add(sliding, heats.sliding), add(rolling, heats.rolling), add(torsion, heats.torsion);
    add(growth, heats.growth);
}

/// What a radius grew by since the last step; those that are held fixed do not grow.
Pack grown_by(const Grown& grown, Pack inverse_radius, Pack inverse_mass) {
    const Pack radius = Pack(1.0) / inverse_radius;
    const Pack before = (radius - grown.addition) / Pack(grown.factor);
    return select(inverse_mass > Pack(0.0), radius - before, Pack(0.0));
}

/// Batches that go through the three passes of `pair_forces` together; what passes hand on stays in the
/// innermost cache.
constexpr int chunk = 12;

/// So many particles are in the caches anyhow, and to ask for them ahead would only cost time.
constexpr std::size_t nearby_particles = 20000;

/// Asks for the rows of both sides of a batch, which comes up a chunk later. `write`: 1 or 0.
template <int write, class Row>
[[gnu::always_inline]] inline void prefetch_rows(const Row* table, const Batch& batch) {
    for (int lane = 0; lane < lanes; ++lane) {
        __builtin_prefetch(&row_of(table, batch.first[lane]), write);
        __builtin_prefetch(&row_of(table, batch.second[lane]), write);
    }
}

/// Where the eight pairs of a batch are.
struct PairGeometry {
    PackVec3 n;
    Pack overlap, distance, radii;
};

/// From one long list of operations, each of which waits for the one before, the processor sees little more
/// than one batch at a time. In three short passes it works on several at once.
// Flattened: calls would pass packs through memory, at twice the time.
template <class Normal, LawChoice choice>
[[gnu::flatten]] KernelReport pair_forces(const KernelTask& task, const Normal& normal, const PairLaws& laws,
                                          const BatchRange& range, const Batch* batches, double* history) {
    const ContactLoads<Normal, choice> loads_of(normal, laws, task);
    const PackNearestImage nearest(task.box);
    const int words = task.layout.words;
    const Pack reach(laws.reach()), moved_for(task.moved_for);
    const bool follow = choice == LawChoice::all && task.heats;
    const Sphere* spheres = task.spheres.data();
    const Body* bodies = task.bodies.data();
    ForceSum* sums = task.sums.data();
    const LanesInUse lanes_of(range);
    Findings findings(task.unit);
    PairGeometry geometry[chunk];
    PairLoads<Pack> loads[chunk];
    const bool far = task.spheres.size() > nearby_particles;
    const auto next_of = [&](int b) {
        return far && b + chunk < range.batches() ? batches + b + chunk : nullptr;
    };
    for (int begin = 0; begin < range.batches(); begin += chunk) {
        const int count = std::min(chunk, range.batches() - begin);
        const Batch* const first = batches + begin;
        for (int b = 0; b < count; ++b) {
            if (const Batch* next = next_of(begin + b))
                prefetch_rows<0>(spheres, *next);
            const Columns apart =
                differences(centres(spheres, first[b].first), centres(spheres, first[b].second));
            PackVec3 branch = apart.vector();
            if (range.across) // a period of the box; the same in all lanes
                branch = nearest(branch);
            PairGeometry& to = geometry[b];
            to.distance = square_root(larger(dot(branch, branch), Pack(tiny)));
            to.radii = apart.w;
            to.overlap = to.radii - to.distance;
            to.n = (Pack(1.0) / to.distance) * branch;
        }
        for (int b = 0; b < count; ++b) {
            if (const Batch* next = next_of(begin + b))
                prefetch_rows<0>(bodies, *next);
            const PairGeometry& at = geometry[b];
            const Memory memory(history + lanes * words * (begin + b));
            const Pack::Mask near =
                choice == LawChoice::all ? reach * at.radii > at.distance : at.overlap > Pack(0.0);
            if (!any(near) && !follow) {
                memory.clear(words);
                loads[b] = {};
                continue;
            }
            findings.note(at.overlap, lanes_of(begin + b));
            Sides sides;
            sides.n = at.n, sides.overlap = at.overlap;
            sides.distance = at.distance, sides.radii = at.radii;
            sides.mean_radius = 0.5 * at.radii;
            const Batch* batch = first + b;
            const Columns motion = differences(velocities(bodies, again(batch)->first),
                                               velocities(bodies, again(batch)->second));
            const Columns one = columns_of(surfaces(bodies, again(batch)->first)),
                          two = columns_of(surfaces(bodies, again(batch)->second));
            sides.velocity = motion.vector(), sides.inverse_mass = motion.w;
            sides.w1 = one.vector(), sides.w2 = two.vector();
            sides.inverse1 = one.w, sides.inverse2 = two.w;
            if (follow) {
                const PackVec3 before = at.distance * at.n - moved_for * sides.velocity;
                sides.grown = grown_by(task.grown, one.w, columns_of(velocities(bodies, batch->first)).w) +
                              grown_by(task.grown, two.w, columns_of(velocities(bodies, batch->second)).w);
                sides.radii_before = at.radii - sides.grown;
                sides.distance_before = square_root(larger(dot(before, before), Pack(tiny)));
                sides.overlap_before = sides.radii_before - sides.distance_before;
            }
            PackHeats heats;
            loads[b] = loads_of(sides, memory, heats);
            memory.set(HistoryLayout::force, loads[b].force);
            if (follow)
                add_heats(*task.heats, heats, lanes_of(begin + b));
        }
        for (int b = 0; b < count; ++b) {
            if (const Batch* next = next_of(begin + b))
                prefetch_rows<1>(sums, *next);
            const int used = lanes_of(begin + b);
            findings.fixed.check(loads[b].force);
            const SumPairs force = FixedLoad(loads[b].force, findings.fixed, used).rows();
            const SumPairs turn2 = FixedLoad(loads[b].turn2, findings.fixed, used).rows();
            add_rows(force, turn2, sums, first[b].second);
            const SumPairs turn1 = FixedLoad(loads[b].turn1, findings.fixed.opposite(), used).rows();
            subtract_rows(force, turn1, sums, first[b].first);
        }
    }
    return findings.report();
}

template <class Normal, LawChoice choice>
[[gnu::flatten]] KernelReport wall_forces(const KernelTask& task, const Normal& normal, const PairLaws& laws,
                                          const Wall& wall, const BatchRange& range, const Batch* batch,
                                          double* history, ForceSum& on_wall) {
    const ContactLoads<Normal, choice> loads_of(normal, laws, task);
    const int words = task.layout.words;
    const Pack reach(laws.reach()), moved_for(task.moved_for), zero(0.0);
    const bool follow = choice == LawChoice::all && task.heats;
    const Body* bodies = task.bodies.data();
    const LanesInUse lanes_of(range);
    const Pack per_lever(1 / wall_lever(task.box, wall));
    Findings findings(task.unit);
    const int batches = range.batches();
    for (int b = 0; b < batches; ++b, ++batch, history += lanes * words) {
        const int count = lanes_of(b);
        alignas(64) double overlap[lanes], normals[3][lanes], radius[lanes], levers[3][lanes],
            speeds[3][lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            const Sphere& sphere = row_of(task.spheres.data(), batch->second[lane]);
            const auto [gap, direction] = wall.touch(sphere.centre, sphere.radius);
            overlap[lane] = -gap, radius[lane] = sphere.radius;
            const Vec3 lever = task.box.wrapped(sphere.centre) - wall.point;
            const Vec3 surface = wall.surface_velocity(sphere.centre - (sphere.radius + gap) * direction);
            for (int axis = 0; axis < 3; ++axis) {
                normals[axis][lane] = direction[axis], levers[axis][lane] = lever[axis];
                speeds[axis][lane] = surface[axis];
            }
        }
        Sides sides;
        sides.overlap = Pack::load(overlap);
        sides.mean_radius = Pack::load(radius);
        sides.radii = 2 * sides.mean_radius;
        sides.distance = sides.radii - 2 * sides.overlap;
        sides.attraction_share = 0.5;
        const Memory memory(history);
        if (!any(reach * sides.radii > sides.distance) && !follow) {
            memory.clear(words);
            continue;
        }
        findings.note(sides.overlap, count);
        sides.n = {Pack::load(normals[0]), Pack::load(normals[1]), Pack::load(normals[2])};
        const Columns motion = columns_of(velocities(bodies, batch->second));
        const Columns body = columns_of(surfaces(bodies, batch->second));
        sides.velocity =
            motion.vector() - PackVec3{Pack::load(speeds[0]), Pack::load(speeds[1]), Pack::load(speeds[2])};
        sides.w1 = {zero, zero, zero}, sides.w2 = body.vector();
        sides.inverse_mass = motion.w;
        sides.inverse1 = zero, sides.inverse2 = body.w;
        if (wall.turns()) {
            const Vec3 spin = wall.rotation.spin();
            sides.turns = true;
            sides.spin1 = {spin.x, spin.y, spin.z};
        }
        if (follow) {
            sides.grown = grown_by(task.grown, body.w, motion.w);
            sides.overlap_before = sides.overlap + moved_for * dot(sides.velocity, sides.n) - sides.grown;
            sides.radii_before = 2 * (sides.mean_radius - sides.grown);
            sides.distance_before = sides.radii_before - 2 * sides.overlap_before;
        }
        PackHeats heats;
        const PairLoads<Pack> loads = loads_of(sides, memory, heats);
        memory.set(HistoryLayout::force, loads.force);
        if (follow)
            add_heats(*task.heats, heats, count);

        findings.fixed.check(loads.force);
        const FixedLoad force(loads.force, findings.fixed, count);
        add_rows(force.rows(), FixedLoad(loads.turn2, findings.fixed, count).rows(), task.sums.data(),
                 batch->second);
        on_wall.force[0] -= sum_of(force.x);
        on_wall.force[1] -= sum_of(force.y);
        on_wall.force[2] -= sum_of(force.z);
        // About the wall's point: that of the forces at the centres, and what turns the particles about
        // these.
        const PackVec3 lever{Pack::load(levers[0]), Pack::load(levers[1]), Pack::load(levers[2])};
        const PackVec3 torque = cross(lever, loads.force) + sides.mean_radius * loads.turn2;
        const FixedLoad turn(per_lever * torque, findings.fixed, count);
        on_wall.turn[0] -= sum_of(turn.x);
        on_wall.turn[1] -= sum_of(turn.y);
        on_wall.turn[2] -= sum_of(turn.z);
    }
    return findings.report();
}

template <LawChoice value>
using Chosen = std::integral_constant<LawChoice, value>;

/// Calls `run(normal, choice)` with the types that these laws have.
template <class Run>
KernelReport composed(const PairLaws& laws, const KernelTask& task, Run&& run) {
    const bool all = laws.is_special() || task.rotate_springs || task.heats;
    return std::visit(
        [&](const auto& normal) {
            return all                  ? run(normal, Chosen<LawChoice::all>{})
                   : laws.has_torques() ? run(normal, Chosen<LawChoice::torques>{})
                                        : run(normal, Chosen<LawChoice::sliding>{});
        },
        laws.normal);
}

} // namespace

KernelReport add_pair_forces(const KernelTask& task, const PairLaws& laws, const BatchRange& range,
                             const Batch* batches, double* history) {
    return composed(laws, task, [&]<class Normal, class Choice>(const Normal& normal, Choice) {
        return pair_forces<Normal, Choice::value>(task, normal, laws, range, batches, history);
    });
}

KernelReport add_wall_forces(const KernelTask& task, const PairLaws& laws, const Wall& wall,
                             const BatchRange& range, const Batch* batches, double* history,
                             ForceSum& on_wall) {
    return composed(laws, task, [&]<class Normal, class Choice>(const Normal& normal, Choice) {
        return wall_forces<Normal, Choice::value>(task, normal, laws, wall, range, batches, history, on_wall);
    });
}

} // namespace tamp::soft
