#include "tamp/soft/kernel.hpp"

#include "lanes.hpp"
#include "tamp/laws/soft/kinematics.hpp"

namespace tamp::soft {
namespace {

/// Both sides of eight contacts; side 1 may be a wall.
struct Sides {
    PackVec3 n;              ///< from 1 to 2
    Pack overlap;            ///< m
    Pack mean_radius;        ///< m
    PackVec3 velocity;       ///< v2 - v1
    PackVec3 w1, w2;         ///< surface velocities
    Pack inverse_mass;       ///< 1/m1 + 1/m2
    Pack inverse1, inverse2; ///< 1/radius
};

/// What the contacts of one batch remember, by the words of HistoryLayout.
class Memory {
public:
    Memory(const HistoryLayout& layout, PackColumns& columns, std::size_t first)
        : layout_(layout), columns_(columns), first_(first) {}

    Pack number(int word) const { return Pack::load(row(word)); }
    PackVec3 vector(int word) const { return {number(word), number(word + 1), number(word + 2)}; }
    // Zeros get a plus sign: a contact that has opened then remembers no bit.
    void set(int word, Pack value) { (value + Pack(0.0)).store(row(word)); }
    void set(int word, const PackVec3& value) {
        set(word, value.x), set(word + 1, value.y), set(word + 2, value.z);
    }
    void clear() {
        for (int word = 0; word < layout_.words; ++word)
            Pack(0.0).store(row(word));
    }
    Pack slips(int which) const { return layout_.slips >= 0 ? number(layout_.slips + which) : Pack(0.0); }
    void set_slips(int which, Pack value) {
        if (layout_.slips >= 0)
            set(layout_.slips + which, value);
    }
    const HistoryLayout& layout() const { return layout_; }

private:
    double* row(int word) const { return columns_.row(first_ + static_cast<std::size_t>(word)); }

    const HistoryLayout& layout_;
    PackColumns& columns_;
    std::size_t first_;
};

/// The laws of a pair, composed: normal force, sliding, and, where there are torques, rolling and torsion.
template <class Normal, bool torques>
PairLoads<Pack> loads_of(const Normal& normal, const PairLaws& laws, const Sides& sides, Memory& memory,
                         Pack moved_for) {
    const HistoryLayout& layout = memory.layout();
    Pack largest = Normal::has_memory ? memory.number(layout.largest_overlap) : Pack(0.0);
    const Touch<Pack> touch{sides.overlap, -dot(sides.velocity, sides.n), Pack(1.0) / sides.inverse_mass,
                            Pack(1.0) / (sides.inverse1 + sides.inverse2), sides.mean_radius};
    NormalForce<Pack> push = normal.force(touch, largest);
    if (laws.cohesion.acts()) // the same in all lanes
        push = laws.cohesion.added_to(push, touch);
    if constexpr (Normal::has_memory)
        memory.set(layout.largest_overlap, largest);
    const Pack load = push.load();
    const Arms<Pack> arms = arms_of(sides.overlap, sides.inverse1, sides.inverse2);

    const auto slide = laws.sliding.step(project(memory.vector(HistoryLayout::spring), sides.n),
                                         sliding_velocity(sides.n, sides.velocity, sides.w1, sides.w2, arms),
                                         load, memory.slips(0), moved_for);
    memory.set(HistoryLayout::spring, slide.spring);
    memory.set_slips(0, slide.slips);
    if constexpr (!torques)
        return pair_loads(sides.n, push.total(), slide.force, arms);

    const PackVec3 spin = relative_spin(sides.w1, sides.w2, arms);
    PackVec3 rolling_force{Pack(0.0), Pack(0.0), Pack(0.0)};
    Pack torsion_force(0.0);
    if (layout.rolling >= 0) {
        const auto roll =
            laws.rolling.step(project(memory.vector(layout.rolling), sides.n),
                              rolling_velocity(sides.n, spin, arms), load, memory.slips(1), moved_for);
        memory.set(layout.rolling, roll.spring);
        memory.set_slips(1, roll.slips);
        rolling_force = roll.force;
    }
    if (layout.torsion >= 0) {
        const auto twist =
            laws.torsion.step(memory.number(layout.torsion), torsion_velocity(sides.n, spin, arms), load,
                              memory.slips(2), moved_for);
        memory.set(layout.torsion, twist.spring);
        memory.set_slips(2, twist.slips);
        torsion_force = twist.force;
    }
    return pair_loads(sides.n, push.total(), slide.force, rolling_force, torsion_force, arms);
}

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

private:
    double scale_, largest_;
    Pack::Mask good_ = Pack(1.0) > Pack(0.0);
};

/// One number after the other of a load, or of its opposite.
struct FixedLoad {
    Integers force[3], turn[3];

    FixedLoad(const PackVec3& f, const PackVec3& t, FixedPoint& fixed)
        : force{fixed(f.x), fixed(f.y), fixed(f.z)}, turn{fixed(t.x), fixed(t.y), fixed(t.z)} {
        fixed.check(f);
    }
    void reverse_force() {
        for (Integers& f : force)
            f = -f;
    }
    void set_turn(const PackVec3& t, FixedPoint& fixed) {
        turn[0] = fixed(t.x), turn[1] = fixed(t.y), turn[2] = fixed(t.z);
    }
    void add_to(ForceSum* sums, const std::int32_t* index, int count) const {
        const Integers zero{};
        Integers rows[8] = {force[0], force[1], force[2], zero, turn[0], turn[1], turn[2], zero};
        transpose(rows);
        if (count == lanes) {
#pragma GCC unroll 8
            for (int lane = 0; lane < lanes; ++lane)
                add(sums[index[lane]], rows[lane]);
        } else {
            for (int lane = 0; lane < count; ++lane)
                add(sums[index[lane]], rows[lane]);
        }
    }

private:
    static void add(ForceSum& sum, Integers row) { *reinterpret_cast<Integers*>(&sum) += row; }
};

/// 1 for each lane in use that touches.
Integers touches(Pack overlap, int count) {
    Integers ones = -(overlap > Pack(0.0));
    for (int lane = count; lane < lanes; ++lane)
        ones[lane] = 0;
    return ones;
}

std::int64_t sum_of(const Integers& values) {
    std::int64_t sum = 0;
    for (int lane = 0; lane < lanes; ++lane)
        sum += values[lane];
    return sum;
}

// Flattened: calls would pass packs through memory, at twice the time.
template <class Normal, bool torques>
[[gnu::flatten]] KernelReport pair_forces(const KernelTask& task, const Normal& normal, const PairLaws& laws,
                                          std::span<const Batch> batches, int contacts, PackColumns& history,
                                          std::size_t row) {
    const PackNearestImage nearest(task.box);
    const Pack moved_for(task.moved_for);
    const LanesInUse lanes_of(contacts, batches.size());
    FixedPoint fixed(task.unit);
    Pack deepest(0.0);
    Integers touching{};
    for (std::size_t b = 0; b < batches.size(); ++b, row += static_cast<std::size_t>(task.layout.words)) {
        const Batch& batch = batches[b];
        const int count = lanes_of(b);
        const auto [between, radii] = differences(task.spheres.data(), batch.first, batch.second);
        const PackVec3 branch = nearest(between);
        const Pack distance = square_root(larger(dot(branch, branch), Pack(tiny)));
        Sides sides;
        sides.overlap = radii - distance;
        Memory memory(task.layout, history, row);
        if (!any(sides.overlap > Pack(0.0))) {
            memory.clear();
            continue;
        }
        deepest = larger(deepest, sides.overlap);
        touching += touches(sides.overlap, count);
        sides.n = (Pack(1.0) / distance) * branch;
        sides.mean_radius = Pack(0.5) * radii;
        const Bodies one = gather(task.bodies.data(), batch.first),
                     two = gather(task.bodies.data(), batch.second);
        sides.velocity = two.velocity() - one.velocity();
        sides.w1 = one.surface(), sides.w2 = two.surface();
        sides.inverse_mass = one.inverse_mass() + two.inverse_mass();
        sides.inverse1 = one.inverse_radius(), sides.inverse2 = two.inverse_radius();
        const PairLoads<Pack> loads = loads_of<Normal, torques>(normal, laws, sides, memory, moved_for);
        memory.set(HistoryLayout::force, loads.force);

        FixedLoad load(loads.force, loads.turn2, fixed);
        load.add_to(task.sums.data(), batch.second, count);
        load.reverse_force();
        load.set_turn(loads.turn1, fixed);
        load.add_to(task.sums.data(), batch.first, count);
    }
    return {max_lanes(deepest), sum_of(touching), fixed.failed()};
}

template <class Normal, bool torques>
[[gnu::flatten]] KernelReport wall_forces(const KernelTask& task, const Normal& normal, const PairLaws& laws,
                                          const Wall& wall, std::span<const Batch> batches, int contacts,
                                          PackColumns& history, std::size_t row, ForceSum& on_wall) {
    const Pack moved_for(task.moved_for);
    const LanesInUse lanes_of(contacts, batches.size());
    FixedPoint fixed(task.unit);
    Pack deepest(0.0);
    Integers touching{};
    for (std::size_t b = 0; b < batches.size(); ++b, row += static_cast<std::size_t>(task.layout.words)) {
        const Batch& batch = batches[b];
        const int count = lanes_of(b);
        alignas(64) double overlap[lanes], normals[3][lanes], radius[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            const Sphere& sphere = task.spheres[static_cast<std::size_t>(batch.second[lane])];
            const auto [gap, direction] = wall.touch(sphere.centre, sphere.radius);
            overlap[lane] = -gap, radius[lane] = sphere.radius;
            normals[0][lane] = direction.x, normals[1][lane] = direction.y, normals[2][lane] = direction.z;
        }
        Sides sides;
        sides.overlap = Pack::load(overlap);
        Memory memory(task.layout, history, row);
        if (!any(sides.overlap > Pack(0.0))) {
            memory.clear();
            continue;
        }
        deepest = larger(deepest, sides.overlap);
        touching += touches(sides.overlap, count);
        sides.n = {Pack::load(normals[0]), Pack::load(normals[1]), Pack::load(normals[2])};
        sides.mean_radius = Pack::load(radius);
        const Bodies body = gather(task.bodies.data(), batch.second);
        const Pack zero(0.0);
        sides.velocity = body.velocity() - PackVec3{wall.velocity.x, wall.velocity.y, wall.velocity.z};
        sides.w1 = {zero, zero, zero}, sides.w2 = body.surface();
        sides.inverse_mass = body.inverse_mass();
        sides.inverse1 = zero, sides.inverse2 = body.inverse_radius();
        const PairLoads<Pack> loads = loads_of<Normal, torques>(normal, laws, sides, memory, moved_for);
        memory.set(HistoryLayout::force, loads.force);

        FixedLoad load(loads.force, loads.turn2, fixed);
        load.add_to(task.sums.data(), batch.second, count);
        for (int axis = 0; axis < 3; ++axis)
            for (int lane = 0; lane < count; ++lane)
                on_wall.force[axis] -= load.force[axis][lane];
    }
    return {max_lanes(deepest), sum_of(touching), fixed.failed()};
}

/// Calls `run(normal, torques)` with the types that these laws have.
template <class Run>
KernelReport composed(const PairLaws& laws, Run&& run) {
    return std::visit(
        [&](const auto& normal) {
            return laws.has_torques() ? run(normal, std::true_type{}) : run(normal, std::false_type{});
        },
        laws.normal);
}

} // namespace

KernelReport add_pair_forces(const KernelTask& task, const PairLaws& laws, std::span<const Batch> batches,
                             int contacts, PackColumns& history, std::size_t first_row) {
    return composed(laws, [&]<class Normal, class Torques>(const Normal& normal, Torques) {
        return pair_forces<Normal, Torques::value>(task, normal, laws, batches, contacts, history, first_row);
    });
}

KernelReport add_wall_forces(const KernelTask& task, const PairLaws& laws, const Wall& wall,
                             std::span<const Batch> batches, int contacts, PackColumns& history,
                             std::size_t first_row, ForceSum& on_wall) {
    return composed(laws, [&]<class Normal, class Torques>(const Normal& normal, Torques) {
        return wall_forces<Normal, Torques::value>(task, normal, laws, wall, batches, contacts, history,
                                                   first_row, on_wall);
    });
}

} // namespace tamp::soft
