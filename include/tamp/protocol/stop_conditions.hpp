#pragma once

#include <cstdint>
#include <optional>

#include "tamp/protocol/stage.hpp"
#include "tamp/world/contact_forces.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// What the limits of a stage remember from step to step.
struct StageMemory {
    /// The solid volume, as long as nobody leaves: found once, not in every step. m^3 (m^2); 0: not needed
    /// yet
    double solid_volume = 0;
    std::int64_t solid_volume_lost = 0; ///< particles that had left when it was found
    /// Step of the stage since which every look found the forces balanced; 0: the last one did not. Not a
    /// count: a run that goes on looks at the step of its checkpoint once more.
    std::int64_t balanced_since = 0;
    // The same of other limits that have to hold for a while.
    std::int64_t calm_since = 0;    ///< kinetic energy
    std::int64_t slow_since = 0;    ///< inertial number
    std::int64_t pressed_since = 0; ///< stress on a wall
    double height = 0; ///< m; what until_strain compares with, when the stage began; 0: not known
};

/// When a stage ends.
struct StopConditions {
    const Stage& stage;
    double begin = 0;                       ///< s; when the stage began
    std::optional<double> extended_until{}; ///< s; the last stage may be told to go on until then
    std::int64_t steps_between_looks = 10;  ///< at forces and energies, as the engine wants it

    /// Forces are looked at in every so many steps, and must be balanced in so many looks in a row: a packing
    /// that is about to give way may be balanced for a moment. So must be a kinetic energy and an inertial
    /// number.
    static constexpr std::int64_t wanted_looks = 3;

    /// The time at which the last step of the stage ends, s.
    double end_time() const;

    /// How much of the stage is done at least, from 0 to 1, by its duration and its steps.
    double share_done(double time, std::int64_t steps) const;
    /// The same, and by how far radii have grown towards its volume fraction.
    double share_done(const World& world, std::int64_t steps) const;

    /// What a stage that begins now remembers.
    StageMemory memory_at_begin(const World& world) const;

    /// Whether forces are looked at after so many steps of the stage.
    bool look_at_forces(std::int64_t steps) const {
        return (stage.until_balance || stage.looks_at_state()) && steps % steps_between_looks == 0;
    }

    /// Why the stage ends after so many of its steps; none while it goes on. `forces` and `spring_energy`: of
    /// the last step; only needed where they are looked at. Does not depend on what is written and how
    /// often. Collective.
    StageEnd reason_to_end(const World& world, const ContactForces& forces, std::int64_t steps,
                           StageMemory& memory, std::optional<double> spring_energy = {}) const;
};

} // namespace tamp
