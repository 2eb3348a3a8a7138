#pragma once

#include <array>

#include "tamp/measure/view.hpp"

namespace tamp {

/// In the order of SymmetricTensor.
inline constexpr std::array<const char*, 6> tensor_components{"xx", "yy", "zz", "xy", "yz", "xz"};

/// The symmetric part of the dyad a b.
inline SymmetricTensor symmetric_dyad(const Vec3& a, const Vec3& b) {
    return {a.x * b.x,
            a.y * b.y,
            a.z * b.z,
            0.5 * (a.x * b.y + a.y * b.x),
            0.5 * (a.y * b.z + a.z * b.y),
            0.5 * (a.x * b.z + a.z * b.x)};
}

/// Mean of the normal components.
inline double mean_of(const SymmetricTensor& t, int dimension) { return (t[0] + t[1] + t[2]) / dimension; }

/// sqrt(3/2 s:s) with s the deviator: the difference of the principal values where two of them are equal, as
/// in a triaxial test. In two dimensions half the difference of the principal values.
double deviator_of(const SymmetricTensor& t, int dimension);

inline const char* stress_unit(int dimension) { return dimension == 3 ? "Pa" : "N/m"; }

} // namespace tamp
