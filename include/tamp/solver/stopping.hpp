#pragma once

#include "tamp/solver/contact_totals.hpp"
#include "tamp/solver/force_error.hpp"
#include "tamp/solver/momentum.hpp"
#include "tamp/solver/settings.hpp"
#include "tamp/world/step_report.hpp"

namespace tamp {

/// When a solve looks at its contacts, and when it ends: residual and estimated force error within their
/// tolerances, or as many sweeps as are allowed.
class StoppingRule {
public:
    explicit StoppingRule(const SolverSettings& settings)
        : settings_(settings), with_momentum_(chosen_method(settings) != SweepMethod::plain) {}

    /// A new solve.
    void begin(const SolveLimits& limits = {});
    /// Whether to look after so many sweeps: a look costs about as much as a sweep.
    bool looks_after(int sweeps) const { return sweeps >= next_look_ || sweeps >= cap_; }
    /// The same where |change|^2 of the last sweep is known. It falls as the residual does, so a look is
    /// worth its time when the residual of the last look, scaled by it, is within the tolerance.
    bool looks_after(int sweeps, double squared_change);
    void note(const Momentum& momentum);
    /// A look. Returns whether the solve ends here.
    bool ends(int sweeps, const ContactTotals& totals);
    /// Of the last look.
    const SolveReport& report() const { return report_; }

    /// Of the solve before: decides when the next one looks first, hence belongs to the state of a run.
    int last_sweeps() const { return last_sweeps_; }
    void set_last_sweeps(int sweeps) { last_sweeps_ = sweeps; }

private:
    bool converged(const ContactTotals& totals);

    SolverSettings settings_;
    bool with_momentum_;
    ForceErrorEstimate force_error_;
    Look look_;
    SolveLimits limits_;
    int cap_ = 0; ///< sweeps
    int next_look_ = 0;
    double change_ = 0,
           looked_change_ = 0; ///< |change|^2 of the last sweep, and of the one before the last look
    int solved_after_ = 0; ///< so many sweeps residual and force error were small enough; 0: not yet
    SolveReport report_;
    int last_sweeps_ = 0;
};

} // namespace tamp
