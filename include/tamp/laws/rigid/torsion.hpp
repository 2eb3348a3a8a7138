#pragma once

#include "tamp/base/pack.hpp"

/// Torsion friction [000 eq. 1.40]: a torque along the normal against Omega_n, up to a limit. It is coupled
/// to nothing else: its reduced mass is a number, 1/b with b = kappa (1/(m1 r1^2) + 1/(m2 r2^2)).
namespace tamp::rigid {

template <class T>
T twist(const T& tau_n, const T& omega_n, const T& b, const T& limit) {
    return smaller(larger(tau_n - omega_n / b, -limit), limit);
}

} // namespace tamp::rigid
