#include "tamp/solver/pseudo_elastic.hpp"

namespace tamp {

double pseudo_stiffness(double mass, int sweeps, double time_step, SweepMethod method) {
    constexpr double q = 0.57;
    // Typical of sweeps that do not converge: 16 of them are worth about 50.
    const double momentum = method == SweepMethod::plain ? 0.0 : 0.75;
    double worth = 0, one = 0;
    for (int s = 0; s < sweeps; ++s) {
        one = 1 + momentum * one;
        worth += one;
    }
    return q * worth * mass / (time_step * time_step);
}

} // namespace tamp
