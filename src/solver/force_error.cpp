#include "tamp/solver/force_error.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {

void ForceErrorEstimate::record(int sweeps, std::span<const double> forces) {
    if (looks_.size() == 3)
        looks_.erase(looks_.begin());
    looks_.push_back({sweeps, {forces.begin(), forces.end()}});
}

double ForceErrorEstimate::error(double least_scale) const {
    if (looks_.size() < 3)
        return 1.0;
    const auto& [k0, s0] = looks_[0];
    const auto& [k1, s1] = looks_[1];
    const auto& [k2, s2] = looks_[2];
    double scale = least_scale;
    for (const double force : s2)
        scale = std::max(scale, std::abs(force));
    if (scale == 0)
        return 0.0;

    const double first_middle = 0.5 * (k0 + k1), second_middle = 0.5 * (k1 + k2);
    double worst = 0;
    for (std::size_t i = 0; i < s2.size(); ++i) {
        const double before = std::abs(s1[i] - s0[i]) / (k1 - k0);
        const double now = std::abs(s2[i] - s1[i]) / (k2 - k1);
        if (now == 0)
            continue;
        if ((s1[i] - s0[i]) * (s2[i] - s1[i]) < 0) { // up and down: no drift, but jitter of this size
            worst = std::max(worst, std::abs(s2[i] - s1[i]));
            continue;
        }
        double decay = 10.0 * k2;
        if (now < before)
            decay = std::min(decay, (second_middle - first_middle) / std::log(before / now));
        worst = std::max(worst, decay * now * std::exp(-(k2 - second_middle) / decay));
    }
    return worst / scale;
}

int next_look(const Look& last, const Look& before) {
    if (last.sweeps < 7)
        return std::max(2, last.sweeps + (last.sweeps + 1) / 2);
    const int least = last.sweeps + last.sweeps / 4, most = 2 * last.sweeps;
    if (last.distance <= 1)
        return least;                                              // only the force error is not known yet
    if (!(before.distance > last.distance && last.distance <= 10)) // nor if one is not a number
        return most;
    const double to_go =
        (last.sweeps - before.sweeps) * std::log(last.distance) / std::log(before.distance / last.distance);
    return std::clamp(last.sweeps + static_cast<int>(std::min<double>(to_go, most)), least, most);
}

} // namespace tamp
