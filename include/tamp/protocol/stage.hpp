#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"

namespace tamp {

/// What a stage changes about one wall.
struct WallCommand {
    std::string wall;
    WallMotion motion = WallMotion::fixed;
    Vec3 velocity{0, 0, 0};
    double mass = 0;
    double force = 0;
    std::optional<double> stress{}; ///< Pa (2-D: N/m); the force is then that of the area as the walls stand
};

/// Why a stage ended.
enum class StageEnd { none, duration, steps, fraction, balance, rest };

/// For people.
constexpr const char* text_of(StageEnd end) {
    switch (end) {
    case StageEnd::none:
        break;
    case StageEnd::duration:
        return "its duration";
    case StageEnd::steps:
        return "its steps";
    case StageEnd::fraction:
        return "the volume fraction";
    case StageEnd::balance:
        return "balance";
    case StageEnd::rest:
        return "rest";
    }
    return "";
}

/// One `[[stage]]`: runs until the first of its limits is reached.
struct Stage {
    std::string name;
    std::optional<double> duration{}; ///< s
    std::optional<std::int64_t> steps{};
    std::optional<double> until_balance{};  ///< ends when forces are balanced to this, see ForceBalance
    std::optional<double> until_speed{};    ///< m/s; ends when the fastest particle is slower
    std::optional<double> until_fraction{}; ///< ends when the volume fraction is reached
    std::vector<WallCommand> walls{};

    /// Whether it may end before its time.
    bool may_end_sooner() const { return until_balance || until_speed || until_fraction; }
};

/// What a stage waited for in vain, because its time or its steps ran out; empty if it did not.
inline const char* missed(const Stage& stage, StageEnd end) {
    const bool ran_out = end == StageEnd::duration || end == StageEnd::steps;
    return !ran_out               ? ""
           : stage.until_balance  ? "before forces were balanced (until_balance)"
           : stage.until_speed    ? "before rest (until_speed)"
           : stage.until_fraction ? "before its volume fraction was reached (until_fraction)"
                                  : "";
}

/// Why this stage ended, and what it missed.
inline std::string end_text(const Stage& stage, StageEnd end) {
    const std::string what = missed(stage, end);
    return text_of(end) + (what.empty() ? what : ", " + what);
}

} // namespace tamp
