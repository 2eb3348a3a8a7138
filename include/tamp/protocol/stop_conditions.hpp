#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tamp/protocol/stage.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// The solid volume, as long as nobody leaves: found once, not in every step.
struct SolidVolume {
    double volume = 0;     ///< m^3 (m^2); 0: not needed yet
    std::int64_t lost = 0; ///< particles that had left when it was found
};

/// When a stage ends.
struct StopConditions {
    const Stage& stage;
    double begin = 0;                     ///< s; when the stage began
    std::optional<double> extended_until; ///< s; the last stage may be told to go on until then

    /// The time at which the last step of the stage ends, s.
    double end_time() const;

    /// Why the stage ends after so many of its steps; empty while it goes on. Does not depend on what is
    /// written and how often. Collective.
    std::string reason_to_end(const World& world, std::int64_t steps, SolidVolume& solid) const;
};

} // namespace tamp
