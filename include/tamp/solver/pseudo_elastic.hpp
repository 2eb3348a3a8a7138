#pragma once

#include "tamp/solver/settings.hpp"

namespace tamp {

/// How soft a packing is whose steps end before forces have travelled through it [000 sec. 1.6].
///
/// N sweeps move forces by about sqrt(N) grains, so that steps of h carry waves of speed sqrt(q E) d/h, as if
/// grains had springs of
///   k = q E m/h^2   [N/m],   hence an overlap of P d/k diameters under a pressure P.
///   q   0.57 was measured for plain sweeps (0.47 to 0.87 in packings of 14 to 68 layers)
///   E   what the sweeps are worth in plain ones: N; with momentum the sum of e_s = 1 + beta e_(s-1)
///   m   mass of a grain, d its diameter
double pseudo_stiffness(double mass, int sweeps, double time_step, SweepMethod method);

} // namespace tamp
