#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tamp/fclib/contact_block.hpp"
#include "tamp/fclib/delassus.hpp"
#include "tamp/fclib/error_measures.hpp"

/// Nonlinear Gauss-Seidel for contacts of any bodies: a sweep solves every contact once, exactly, with the
/// impulses that the others have at that moment. Momentum makes it faster. With x the impulses that a sweep
/// starts from, y = sweep(x) and f = y - x, the next sweep starts from
///   plain     y
///   ratio     y + beta (y - y_before),  beta = |f|/|f_before|, 0 where that is above 1
///   nesterov  y + beta (y - y_before),  beta = j/(j + 3) with j = 0, 1, 2, ..., 0 again when |f| grows.
/// The result is what a sweep left, y.
namespace tamp::fclib {

enum class Momentum { plain, ratio, nesterov };

struct SweepSettings {
    Momentum momentum = Momentum::ratio;
    double tolerance = 1e-8; ///< of Siconos' measure
    bool unit_free = false;  ///< the measure without units must be below the tolerance, too
    std::int64_t max_sweeps = 100'000;
};

struct SweepResult {
    std::vector<double> impulse;
    ErrorMeasures errors;
    std::int64_t sweeps = 0;
    bool converged = false;
    std::int64_t open = 0, sticking = 0, slipping = 0;
};

/// Measures impulses.
using ErrorFunction = std::function<ErrorMeasures(std::span<const double> impulse)>;

/// `errors` decides when it is enough. The measure costs as much as a sweep: it is taken in every sweep at
/// first, later in every twentieth part of the sweeps so far. `start`: empty for zero.
SweepResult solve(const BlockProblem& problem, const SweepSettings& settings, const ErrorFunction& errors,
                  std::vector<double> start = {});

} // namespace tamp::fclib
