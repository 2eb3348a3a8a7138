#pragma once

#include "tamp/base/random.hpp"
#include "tamp/base/vec3.hpp"

/// Random vectors for tests of laws, kernels and engines.
namespace tamp::checks {

inline Random random_numbers(std::uint64_t seed) { return Random(seed, 0, Purpose::test); }

/// Every component normally distributed.
inline Vec3 random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }

inline Vec3 random_direction(Random& random) {
    const Vec3 v = random_vector(random);
    return v * (1 / norm(v));
}

inline Vec3 tangential(const Vec3& v, const Vec3& n) { return v - dot(v, n) * n; }

} // namespace tamp::checks
