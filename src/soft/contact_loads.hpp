#pragma once

#include "tamp/base/pack.hpp"
#include "tamp/laws/soft/kinematics.hpp"
#include "tamp/soft/history_layout.hpp"
#include "tamp/soft/kernel.hpp"
#include "tamp/soft/pair_laws.hpp"

// The laws of a pair of materials, composed for eight contacts at a time.
namespace tamp::soft {

/// Both sides of eight contacts; side 1 may be a wall.
struct Sides {
    PackVec3 n;              ///< from 1 to 2
    Pack overlap;            ///< m
    Pack mean_radius;        ///< m
    PackVec3 velocity;       ///< v2 - v1
    PackVec3 w1, w2;         ///< surface velocities
    Pack inverse_mass;       ///< 1/m1 + 1/m2
    Pack inverse1, inverse2; ///< 1/radius
    // For attraction only.
    Pack distance, radii;          ///< between the centres, and the sum of radii
    bool turns = false;            ///< side 1 is a wall that turns,
    PackVec3 spin1{0.0, 0.0, 0.0}; ///< so fast, rad/s
    double attraction_share = 1; ///< of the energy of such a pair: a wall is a mirror, to which half belongs
    // For the energy budget only: a step ago.
    Pack overlap_before, distance_before, radii_before;
    Pack grown; ///< what radii added to the overlap since then
};

/// What the contacts of one batch remember, by the words of HistoryLayout.
class Memory {
public:
    explicit Memory(double* first) : first_(first) {}

    Pack number(int word) const { return Pack::load(first_ + lanes * word); }
    PackVec3 vector(int word) const { return {number(word), number(word + 1), number(word + 2)}; }
    void set(int word, Pack value) const { value.store(first_ + lanes * word); }
    void set(int word, const PackVec3& value) const {
        set(word, value.x), set(word + 1, value.y), set(word + 2, value.z);
    }
    void clear(int words) const {
        for (int word = 0; word < words; ++word)
            set(word, Pack(0.0));
    }

private:
    double* first_;
};

/// Energy that went where in one step, by lane, J: see `Heat`.
struct PackHeats {
    Pack elastic{0.0}, dashpots{0.0}, hysteresis{0.0}, sliding{0.0}, rolling{0.0}, torsion{0.0}, growth{0.0};
};

/// How much of the laws is compiled in: sliding alone; rolling and torsion too; all, with laws and options
/// that are chosen while it runs.
enum class LawChoice { sliding, torques, all };

/// A spring and its dashpot over one step: trapezoids, as the leapfrog step adds up forces.
template <class V>
void follow(const FrictionStep<V, Pack>& step, const SpringConstants<Pack>& constants, const V& spring,
            const V& velocity, const V& dashpot_before, const V& dashpot, Pack dt, PackHeats& heats,
            Pack& slip) {
    heats.dashpots += 0.5 * dt * inner(dashpot_before + dashpot, velocity);
    heats.elastic += 0.5 * constants.stiffness * (inner(step.spring, step.spring) - inner(spring, spring));
    slip += step.slip_heat;
}

/// Works on the contacts of one batch.
template <class Normal, LawChoice choice>
class ContactLoads {
public:
    ContactLoads(const Normal& normal, const PairLaws& laws, const KernelTask& task)
        : normal_(normal), laws_(laws), layout_(task.layout), rotate_(task.rotate_springs),
          follow_(task.heats), grows_(task.grown != Grown{}), moved_for_(task.moved_for),
          uses_mass_(normal.uses_mass() || laws.cohesion.per_mass > 0),
          uses_radius_(normal.uses_radius() || laws.cohesion.per_radius > 0 ||
                       laws.mindlin.shear_modulus > 0) {}

    /// Lanes that neither touch nor attract each other have no force, and remember nothing.
    PairLoads<Pack> operator()(const Sides& sides, const Memory& memory, PackHeats& heats) const {
        Touch<Pack> touch{sides.overlap, -dot(sides.velocity, sides.n), Pack(0.0), Pack(0.0),
                          sides.mean_radius};
        if (uses_mass_) // quotients are slow
            touch.reduced_mass = Pack(1.0) / sides.inverse_mass;
        if (uses_radius_)
            touch.reduced_radius = Pack(1.0) / (sides.inverse1 + sides.inverse2);
        Pack largest = Normal::has_memory ? memory.number(layout_.largest_overlap) : Pack(0.0);
        const Pack largest_before = largest;
        NormalForce<Pack> push = normal_.force(touch, largest);
        if (laws_.cohesion.acts()) // the same in all lanes
            push = laws_.cohesion.added_to(push, touch);
        if constexpr (Normal::has_memory)
            memory.set(layout_.largest_overlap, largest);
        if constexpr (choice == LawChoice::all)
            if (follow_)
                follow_normal(sides, touch, push, largest_before, largest, memory, heats);
        const Pack load = push.load();
        const Arms<Pack> arms = arms_of(sides.overlap, sides.inverse1, sides.inverse2);
        const PackVec3 slide = sliding(sides, touch, arms, load, memory, heats);
        Pack total = push.total();
        if constexpr (choice == LawChoice::all)
            if (laws_.attraction.acts())
                total += attraction(sides, heats);
        if constexpr (choice == LawChoice::sliding)
            return pair_loads(sides.n, total, slide, arms);
        else
            return with_torques(sides, arms, total, slide, load, memory, heats);
    }

private:
    PackVec3 turned(const PackVec3& spring, const PackVec3& n) const {
        if constexpr (choice == LawChoice::all)
            if (rotate_)
                return rotate(spring, n);
        return project(spring, n);
    }
    Pack slips(const Memory& memory, int which) const {
        return layout_.slips >= 0 ? memory.number(layout_.slips + which) : Pack(0.0);
    }
    void set_slips(const Memory& memory, int which, Pack value) const {
        if (layout_.slips >= 0)
            memory.set(layout_.slips + which, value);
    }

    PackVec3 sliding(const Sides& sides, const Touch<Pack>& touch, const Arms<Pack>& arms, Pack load,
                     const Memory& memory, PackHeats& heats) const {
        const PackVec3 velocity = sliding_velocity(sides.n, sides.velocity, sides.w1, sides.w2, arms);
        if constexpr (choice == LawChoice::all)
            if (laws_.sliding_law == SlidingLaw::walton)
                return walton(sides.n, touch, velocity, load, memory, heats);
        const PackVec3 spring = turned(memory.vector(HistoryLayout::spring), sides.n);
        SpringConstants<Pack> constants = laws_.sliding.template constants<Pack>();
        if constexpr (choice == LawChoice::all)
            if (laws_.sliding_law == SlidingLaw::mindlin)
                constants = laws_.mindlin.constants(touch);
        const auto step = friction_step(constants, laws_.sliding.limits, spring, velocity, load,
                                        slips(memory, 0), Pack(moved_for_));
        memory.set(HistoryLayout::spring, step.spring);
        set_slips(memory, 0, step.slips);
        if constexpr (choice == LawChoice::all)
            if (follow_)
                follow_vector(step, constants, spring, velocity, layout_.dashpots + 1, memory, heats,
                              heats.sliding);
        return step.force;
    }

    PackVec3 walton(const PackVec3& n, const Touch<Pack>& touch, const PackVec3& velocity, Pack load,
                    const Memory& memory, PackHeats& heats) const {
        const Pack stiffness = laws_.mindlin.shear_modulus > 0 ? laws_.mindlin.constants(touch).stiffness
                                                               : Pack(laws_.sliding.stiffness);
        const PackVec3 before = turned(memory.vector(layout_.sliding_force), n);
        const PackVec3 shift = Pack(moved_for_) * velocity;
        const auto step = laws_.walton.step(before, memory.number(layout_.turning), stiffness, shift, load);
        memory.set(layout_.sliding_force, step.force);
        memory.set(layout_.turning, step.turning);
        if (follow_) {
            const Pack compliance = select(stiffness > Pack(0.0), 1.0 / larger(stiffness, Pack(tiny)), 0.0);
            const Pack stored = 0.5 * compliance * (dot(step.force, step.force) - dot(before, before));
            heats.elastic += stored;
            heats.sliding += -0.5 * dot(before + step.force, shift) - stored;
        }
        return step.force;
    }

    PairLoads<Pack> with_torques(const Sides& sides, const Arms<Pack>& arms, Pack total,
                                 const PackVec3& slide, Pack load, const Memory& memory,
                                 PackHeats& heats) const {
        PackVec3 spin = relative_spin(sides.w1, sides.w2, arms);
        if (sides.turns)
            spin -= sides.spin1;
        PackVec3 rolling_force{Pack(0.0), Pack(0.0), Pack(0.0)};
        Pack torsion_force(0.0);
        if (layout_.rolling >= 0) {
            const PackVec3 velocity = rolling_velocity(sides.n, spin, arms);
            const PackVec3 spring = turned(memory.vector(layout_.rolling), sides.n);
            const SpringConstants<Pack> constants = laws_.rolling.template constants<Pack>();
            const auto step = friction_step(constants, laws_.rolling.limits, spring, velocity, load,
                                            slips(memory, 1), Pack(moved_for_));
            memory.set(layout_.rolling, step.spring);
            set_slips(memory, 1, step.slips);
            rolling_force = step.force;
            if constexpr (choice == LawChoice::all)
                if (follow_)
                    follow_vector(step, constants, spring, velocity, layout_.dashpots + 4, memory, heats,
                                  heats.rolling);
        }
        if (layout_.torsion >= 0) {
            const Pack velocity = torsion_velocity(sides.n, spin, arms);
            const Pack spring = memory.number(layout_.torsion);
            const SpringConstants<Pack> constants = laws_.torsion.template constants<Pack>();
            const auto step = friction_step(constants, laws_.torsion.limits, spring, velocity, load,
                                            slips(memory, 2), Pack(moved_for_));
            memory.set(layout_.torsion, step.spring);
            set_slips(memory, 2, step.slips);
            torsion_force = step.force;
            if constexpr (choice == LawChoice::all)
                if (follow_) {
                    const Pack dashpot = -step.force - constants.stiffness * step.spring;
                    follow(step, constants, spring, velocity, memory.number(layout_.dashpots + 7), dashpot,
                           Pack(moved_for_), heats, heats.torsion);
                    memory.set(layout_.dashpots + 7, dashpot);
                }
        }
        return pair_loads(sides.n, total, slide, rolling_force, torsion_force, arms);
    }

    void follow_vector(const FrictionStep<PackVec3, Pack>& step, const SpringConstants<Pack>& constants,
                       const PackVec3& spring, const PackVec3& velocity, int word, const Memory& memory,
                       PackHeats& heats, Pack& slip) const {
        const PackVec3 dashpot = -step.force - constants.stiffness * step.spring;
        follow(step, constants, spring, velocity, memory.vector(word), dashpot, Pack(moved_for_), heats,
               slip);
        memory.set(word, dashpot);
    }

    /// What the spring lost is what was put in less what it stores more than before. A law without memory
    /// loses nothing.
    void follow_normal(const Sides& sides, const Touch<Pack>& touch, const NormalForce<Pack>& push,
                       Pack largest_before, Pack largest, const Memory& memory, PackHeats& heats) const {
        Touch<Pack> before = touch;
        before.overlap = sides.overlap_before;
        Pack memory_before = largest_before;
        NormalForce<Pack> push_before = normal_.force(before, memory_before);
        Pack stored = normal_.energy(touch, largest) - normal_.energy(before, largest_before);
        if (laws_.cohesion.acts()) {
            push_before = laws_.cohesion.added_to(push_before, before);
            stored += laws_.cohesion.energy(touch) - laws_.cohesion.energy(before);
        }
        Pack by_growth(0.0); // laws depend on radii, too
        if (grows_) {
            Touch<Pack> smaller = before;
            smaller.mean_radius = 0.5 * sides.radii_before;
            smaller.reduced_radius = touch.reduced_radius * sides.radii_before / sides.radii;
            by_growth = normal_.energy(before, largest_before) - normal_.energy(smaller, largest_before);
        }
        const Pack change = sides.overlap - sides.overlap_before;
        const Pack mean = 0.5 * (push_before.elastic + push.elastic);
        heats.elastic += stored + by_growth;
        heats.growth += mean * sides.grown + by_growth;
        if (Normal::has_memory || laws_.cohesion.acts())
            heats.hysteresis += mean * change - stored;
        heats.dashpots += 0.5 * (memory.number(layout_.dashpots) + push.viscous) * (change - sides.grown);
        memory.set(layout_.dashpots, push.viscous);
    }

    Pack attraction(const Sides& sides, PackHeats& heats) const {
        const Pack force = laws_.attraction.force(sides.distance, sides.radii);
        if (follow_) {
            const VanDerWaals& law = laws_.attraction;
            const Pack before = law.energy(sides.distance_before, sides.radii_before);
            const Pack grown = law.energy(sides.distance_before, sides.radii);
            heats.elastic += sides.attraction_share * (law.energy(sides.distance, sides.radii) - before);
            heats.growth += sides.attraction_share * (grown - before);
        }
        return force;
    }

    // Copies: what is reached through a pointer would be read again after each number that is stored.
    const Normal normal_;
    const PairLaws laws_;
    const HistoryLayout layout_;
    const bool rotate_, follow_, grows_;
    const double moved_for_;
    const bool uses_mass_, uses_radius_;
};

} // namespace tamp::soft
