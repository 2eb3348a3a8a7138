#include "tamp/app/engine_cost.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tamp {

ExpectedCost expected_rigid(std::span<const TrialStep> steps, const TrialSeconds& seconds,
                            const RigidBounds& bounds, const Enlargement& enlargement, double growth) {
    const double more_sweeps = std::pow(enlargement.particles, growth);
    double trial_sweeps = 0;
    for (const TrialStep& step : steps)
        trial_sweeps += step.sweeps;
    double time = 0, count = 0, sweeps = 0;
    for (const TrialStep& step : steps) {
        // The same part of the whole run: it lasts longer, and what is faster makes shorter steps.
        const double part = step.time_step * enlargement.speed;
        const double way = step.speed * enlargement.speed * step.time_step;
        const double shorter =
            bounds.displacement > 0 && way > bounds.displacement ? bounds.displacement / way : 1.0;
        const double number = part / (step.time_step * shorter);
        // A step that was solved at once is solved at once in a larger packing, too.
        const double needed =
            step.sweeps > bounds.min_sweeps
                ? std::min(more_sweeps * step.sweeps, static_cast<double>(bounds.max_sweeps))
                : static_cast<double>(step.sweeps);
        time += part;
        count += number;
        sweeps += number * needed;
    }
    if (count == 0)
        return {};
    const double a_sweep = trial_sweeps > 0 ? seconds.sweeps / trial_sweeps : 0.0;
    const double other = seconds.other / static_cast<double>(steps.size());
    return {.time_step = time / count,
            .sweeps = sweeps / count,
            .seconds = enlargement.particles * (sweeps * a_sweep + count * other) / time};
}

ExpectedCost expected_soft(double seconds_a_step, double time_step, const Enlargement& enlargement) {
    return {.time_step = time_step, .seconds = enlargement.particles * seconds_a_step / time_step};
}

Comparison compare(const EngineCosts& costs, double particles, int dimension) {
    const double ratio = costs.rigid_from_scratch.seconds / costs.soft.seconds;
    return {.ratio = costs.rigid.seconds / costs.soft.seconds,
            .ratio_from_scratch = ratio,
            .stiffness_factor = ratio * ratio,
            .particles = particles * std::pow(ratio, -0.5 * dimension)};
}

std::string advice(const EngineCosts& costs) {
    constexpr double clear = 2; // pieces and trials are hardly better than that
    const double low = costs.rigid.seconds / costs.soft.seconds;
    const double high = std::max(low, costs.rigid_from_scratch.seconds / costs.soft.seconds);
    const double longer = costs.rigid.time_step / costs.soft.time_step;
    if (low < 1 / clear && high < 1)
        return fmt::format(
            "take engine = \"rigid\": it costs {:.2g} times less, because its steps are {:.3g} "
            "times as long, which is more than its {:.3g} sweeps a step take",
            1 / low, longer, costs.rigid.sweeps);
    if (low > 1 && high > clear)
        return fmt::format("take engine = \"soft\": it costs {:.2g} times less, because rigid grains need "
                           "{:.3g} sweeps a step, which is more than steps {:.3g} times as long save",
                           low, costs.rigid.sweeps, longer);
    const std::string range =
        high > low ? fmt::format("{:.2g} to {:.2g}", low, high) : fmt::format("{:.2g}", low);
    return fmt::format("take engine = \"rigid\" if nothing is to depend on a stiffness, else \"soft\": rigid "
                       "grains cost {} times as much, which does not decide",
                       range);
}

} // namespace tamp
