#pragma once

#include <span>

#include "tamp/fclib/delassus.hpp"
#include "tamp/fclib/problem.hpp"

/// How far impulses are from a solution. N is the natural map of all contacts, zero for a solution,
///   N(rho) = r - P_C(r - rho (u + mu |u_T| e_N)),   P_C: projection on the cones.
///
/// Siconos measures
///   local form    |N(1)| / max(|q|, |r|, |u|),      u = W r + q
///   global form   |N(1)| / max(|r|, |u|) + |M v - H r - f| / max(|f|, |M v|, |H r|),   u = H^T v + w.
/// Both put impulses and velocities together as numbers, which depends on the units: where impulses are small
/// numbers beside velocities, as for light bodies, impulses may be quite wrong and hardly count. So there is
/// a measure without units beside it, |N(rho)| / |r|, where rho of a contact is its mass, one over the mean
/// diagonal entry of its block of W.
namespace tamp::fclib {

struct ErrorMeasures {
    double siconos = 0;
    double unit_free = 0;
};

ErrorMeasures local_errors(const BlockProblem& problem, std::span<const double> impulse);
/// `blocks`: the masses of the contacts.
ErrorMeasures global_errors(const GlobalProblem& problem, const BlockProblem& blocks,
                            const Solution& solution);

/// u = W r + q
std::vector<double> contact_velocities(const BlockProblem& problem, std::span<const double> impulse);

} // namespace tamp::fclib
