#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tamp {

/// A number that has to rise to `above`, or to fall to `below`.
struct Bound {
    std::optional<double> above{}, below{};

    bool holds(double value) const { return (above && value >= *above) || (below && value <= *below); }
};

/// How far what lies between a wall and the opposite side has been compressed since the stage began.
struct StrainLimit {
    std::string wall;
    double value = 0; ///< positive: at least so far compressed; negative: at least so far stretched

    bool holds(double strain) const { return value > 0 ? strain >= value : strain <= value; }
};

/// The stress of the particles on a wall, Pa (2-D: N/m), positive when they push.
struct StressLimit {
    std::string wall;
    Bound bound{};
    std::int64_t steps = 1; ///< in a row
};

} // namespace tamp
