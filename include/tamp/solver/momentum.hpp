#pragma once

#include "tamp/solver/settings.hpp"

namespace tamp {

/// How much momentum the next sweep gets. Let x be the impulses that a sweep starts from, y = sweep(x) and
/// f = y - x its change. With momentum the next sweep starts from
///   x_next = y + beta (y - y_before).
///
///   ratio      beta = (|f|/|f_before|)^0.7, 0.95 at most, and none if |f| grows; after 40 sweeps, if
///              |f|^2 grows by more than 5 %
///   nesterov   beta = j/(j + 3), j = 1, 2, ...; from j = 0 again when |f| grows
///
/// Where |f| has found no new minimum for long, momentum does not help: some plain sweeps follow.
class Momentum {
public:
    explicit Momentum(SweepMethod method) : method_(method) {}

    /// After a sweep with this |f|^2.
    void note(double squared_change);
    /// beta of the next sweep; 0 before the first one.
    double factor() const { return plain_left_ > 0 ? 0.0 : factor_; }

    int resets() const { return resets_; }
    /// How often plain sweeps had to help out.
    int fallbacks() const { return fallbacks_; }

private:
    void reset();

    SweepMethod method_;
    double factor_ = 0;
    double last_ = 0;   ///< |f|^2
    double least_ = -1; ///< the least so far; negative: none yet
    int sweeps_ = 0, since_least_ = 0, plain_left_ = 0;
    int run_ = 0; ///< j
    int resets_ = 0, fallbacks_ = 0;
};

/// The method that a run uses.
SweepMethod chosen_method(const SolverSettings& settings);
const char* method_name(SweepMethod method);

} // namespace tamp
