#include "tamp/solver/stopping.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {
namespace {

/// Of all contacts, so many may approach each other faster than the limit, up to a multiple of it: the
/// fastest of millions would else keep all others waiting.
constexpr double fast_share = 1e-4, fastest = 4;
/// An approach that is only wished for may take so many sweeps, or an eighth more than all else took: in
/// large packings under a new load it would treble the sweeps, and overlaps are hardly smaller for it.
constexpr int cheap_sweeps = 28;
/// Sweeps with momentum overshoot. The missing force then passes through zero in some slabs before it does in
/// the walls: from one look to the next its error does not fall by more than this.
constexpr double least_fall = 0.3;

} // namespace

void StoppingRule::begin(const SolveLimits& limits) {
    limits_ = limits;
    cap_ = limits.sweeps > 0 ? std::min(limits.sweeps, settings_.max_sweeps) : settings_.max_sweeps;
    force_error_ = {};
    report_ = {};
    // Where the last solve took many sweeps, looking at the first few is wasted.
    look_ = {.sweeps = std::min(last_sweeps_ / 8, 6)};
    next_look_ = with_momentum_
                     ? std::max(std::min(settings_.min_sweeps, cap_), std::clamp(last_sweeps_ / 2, 2, 32))
                     : tamp::next_look(look_, {});
    if (with_momentum_ && limits.sweeps > 0 && last_sweeps_ >= cap_)
        next_look_ = cap_; // the last one was cut short, and so will be this one
    last_sweeps_ = 0;
    change_ = looked_change_ = 0;
    solved_after_ = 0;
}

void StoppingRule::note(const Momentum& momentum) {
    report_.resets = momentum.resets();
    report_.fallbacks = momentum.fallbacks();
}

bool StoppingRule::looks_after(int sweeps, double squared_change) {
    change_ = squared_change;
    if (sweeps >= cap_)
        return true;
    if (sweeps < next_look_)
        return false;
    if (looked_change_ == 0)
        return true; // the first one
    return report_.residual * std::sqrt(squared_change / looked_change_) <= settings_.tolerance ||
           sweeps >= look_.sweeps + std::max(2, look_.sweeps / 2);
}

bool StoppingRule::ends(int sweeps, const ContactTotals& totals) {
    looked_change_ = change_;
    report_.sweeps = last_sweeps_ = sweeps;
    if (converged(totals) && sweeps >= std::min(settings_.min_sweeps, cap_)) {
        if (with_momentum_)
            last_sweeps_ = std::min(sweeps, cap_ - 1); // it was not cut short
        return true;
    }
    const double force_error = force_error_.known() ? report_.force_error / settings_.force_tolerance : 0.0;
    const Look before = look_;
    look_ = {sweeps, std::max(report_.residual / settings_.tolerance, force_error)};
    next_look_ = with_momentum_ ? sweeps + std::max(1, sweeps / 16) : tamp::next_look(look_, before);
    report_.capped = sweeps >= settings_.max_sweeps;
    report_.shortened = !report_.capped && sweeps >= cap_;
    return sweeps >= cap_;
}

bool StoppingRule::converged(const ContactTotals& totals) {
    const auto& [residual, normal, loaded, largest, approach, fast, forces, missing, pressing] = totals;
    report_.pressing = pressing;
    report_.normal_impulse = totals.normal_impulse();
    force_error_.record(report_.sweeps, forces);
    const double before = report_.force_error;
    // Tension and pressure may cancel in the sums; without tension they are at least a third of `normal`.
    report_.force_error = force_error_.error(0.1 * normal);
    if (with_momentum_ && missing) // relative to what is there: round-off, where cohesion alone is the scale
        report_.force_error = std::max(
            least_fall * before,
            *missing * std::min(1.0, normal > 0 ? std::abs(totals.normal_impulse()) / (0.1 * normal) : 1.0));
    report_.residual = normal > 0 ? residual / normal : residual > 0 ? 1.0 : 0.0;
    report_.largest = normal > 0 ? largest * loaded / normal : report_.residual;
    if (normal == 0 && residual == 0)
        return true; // nothing touches
    if (report_.residual > settings_.tolerance || report_.force_error > settings_.force_tolerance)
        return false;
    if (!with_momentum_ || limits_.approach <= 0)
        return true;
    if (solved_after_ == 0)
        solved_after_ = report_.sweeps;
    if (!limits_.insists && report_.sweeps >= std::max(cheap_sweeps, solved_after_ + solved_after_ / 8))
        return true;
    return fast <= fast_share * loaded && approach <= fastest * limits_.approach;
}

} // namespace tamp
