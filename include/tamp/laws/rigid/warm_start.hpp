#pragma once

#include "tamp/base/pack.hpp"

namespace tamp::rigid {

/// The impulse of the last step as a start for this one: turned with the contact, inside its limits. `scale`
/// is the ratio of the two time steps, `strength` the largest tensile impulse.
template <class T>
Vector3<T> warm_start(const Vector3<T>& old, const Vector3<T>& normal, const T& friction, const T& scale,
                      const T& strength) {
    const T old_n = dot(old, normal);
    const T p_n = larger(old_n * scale, T(0.0) - strength);
    const Vector3<T> p_t = scale * (old - old_n * normal);
    const T size = square_root(dot(p_t, p_t)), limit = friction * (p_n + strength);
    const T share = select(size > limit, limit / size, T(1.0));
    return p_n * normal + share * p_t;
}

} // namespace tamp::rigid
