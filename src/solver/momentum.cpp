#include "tamp/solver/momentum.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {
namespace {

// A fallback must be rare where momentum works: |f| wanders for some tens of sweeps even then.
constexpr int least_patience = 40, plain_sweeps = 20;
// Without it tight solves seemed to stall: 106 and 107 instead of 79 and 86 sweeps a step in two compactions
// to 1e-4, by an earlier rule for the force error. Versions of the stop differ by as much.
constexpr double largest_ratio = 0.95;
// Chosen on compactions to 1e-4, two seeds, mostly their first 0.2 s. The ratio itself, reset wherever |f|
// grows, took 77 sweeps a step, its powers 0.8 and 0.7 took 74 and 71 (0.5 and 1.5 were worse in whole runs).
// With 0.7, resets only where |f|^2 grows by more than 5 % saved 3 more; 8 % saved nothing, 20 % took 139.
constexpr double power = 0.7, largest_growth = 1.05;
// Short solves want every reset: inputs/settle.toml took 18 sweeps a step without, and 13 with it.
constexpr int short_solve = 40;

} // namespace

void Momentum::note(double squared_change) {
    ++sweeps_;
    const double before = last_;
    last_ = squared_change;
    if (least_ < 0 || squared_change < least_) {
        least_ = squared_change;
        since_least_ = 0;
    } else if (++since_least_ > std::max(least_patience, sweeps_ / 3)) {
        ++fallbacks_;
        plain_left_ = plain_sweeps + 1;
        since_least_ = 0;
        least_ = squared_change;
        reset();
    }
    if (plain_left_ > 0) {
        --plain_left_;
        return;
    }
    const bool with_ratio = method_ == SweepMethod::ratio;
    const double may_grow = with_ratio && sweeps_ > short_solve ? largest_growth : 1.0;
    const bool grew = sweeps_ > 1 && squared_change > may_grow * before;
    if (with_ratio)
        factor_ = sweeps_ > 1 && before > 0 && !grew
                      ? std::min(largest_ratio, std::pow(squared_change / before, 0.5 * power))
                      : 0.0;
    else
        factor_ = grew ? 0.0 : static_cast<double>(run_) / (run_ + 3);
    if (grew)
        ++resets_;
    run_ = grew ? 0 : run_ + 1;
}

void Momentum::reset() {
    factor_ = 0;
    run_ = 0;
}

SweepMethod chosen_method(const SolverSettings& settings) {
    if (settings.method != SweepMethod::automatic)
        return settings.method;
    if (settings.order == SweepOrder::symmetric)
        return SweepMethod::plain; // momentum does not last from a sweep forward to one backward
    return SweepMethod::ratio;     // as fast as nesterov at 1e-3, faster at 1e-4
}

const char* method_name(SweepMethod method) {
    switch (method) {
    case SweepMethod::plain:
        return "plain";
    case SweepMethod::ratio:
        return "ratio";
    case SweepMethod::nesterov:
        return "nesterov";
    case SweepMethod::automatic:
        break;
    }
    return "auto";
}

} // namespace tamp
