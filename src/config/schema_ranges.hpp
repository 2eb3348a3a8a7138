#pragma once

#include <limits>

#include "tamp/config/schema.hpp"

// Ranges of values that keys share.
namespace tamp {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range any{};
inline constexpr Range positive{0, infinity, true, true};
inline constexpr Range non_negative{0, infinity, false, true};
inline constexpr Range at_least_one{1, infinity, false, true};
inline constexpr Range between_zero_and_one{0, 1, true, true};
inline constexpr Range strains{-1000, 1, false, true};
inline constexpr Range share{0, 1, false, false};
inline constexpr Range exponents{0, 4, false, false};
inline constexpr Range bins{1, 10000, false, false};
inline constexpr Range pixels{16, 8192, false, false};
inline constexpr Range zooms{0.1, 1000, false, false};
inline constexpr Range substep_count{1, 1000, false, false};
inline constexpr Range sweeps{1, std::numeric_limits<int>::max(), false, false};

} // namespace tamp
