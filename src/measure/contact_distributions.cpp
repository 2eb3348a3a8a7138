#include "tamp/measure/contact_distributions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tamp/base/fixed_sum.hpp"

namespace tamp {
namespace {

/// Counts in bins of equal width; one count more at the end, of what lies outside.
class Histogram {
public:
    Histogram(double lower, double upper, int bins)
        : lower_(lower), width_((upper - lower) / bins), per_width_(bins / (upper - lower)),
          counts_(static_cast<std::size_t>(bins) + 1, 0) {}

    void add(double x) {
        const double bin = std::floor((x - lower_) * per_width_);
        const std::size_t bins = counts_.size() - 1;
        // What is on the upper end belongs inside; NaN is outside.
        if (bin >= 0 && bin < static_cast<double>(bins))
            ++counts_[static_cast<std::size_t>(bin)];
        else
            ++counts_[x >= lower_ && x <= lower_ + width_ * static_cast<double>(bins) ? bins - 1 : bins];
    }

    std::span<std::int64_t> words() { return counts_; }
    double share_outside() const { return share(counts_.back(), all()); }
    std::vector<double> densities() const {
        std::vector<double> result;
        const std::int64_t total = all();
        for (std::size_t k = 0; k + 1 < counts_.size(); ++k)
            result.push_back(share(counts_[k], total) / width_);
        return result;
    }
    std::vector<double> centres() const {
        std::vector<double> result;
        for (std::size_t k = 0; k + 1 < counts_.size(); ++k)
            result.push_back(lower_ + (static_cast<double>(k) + 0.5) * width_);
        return result;
    }

private:
    std::int64_t all() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }
    static double share(std::int64_t count, std::int64_t all) {
        return all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0.0;
    }

    double lower_, width_, per_width_;
    std::vector<std::int64_t> counts_;
};

} // namespace

std::vector<Quantity> contact_distributions(const World& world, const View& view, const Extremes& extremes,
                                            const MeasureSettings& settings) {
    const ContactView& contacts = view.contacts;
    const std::array<double, 2> largest{extremes.force, extremes.force};
    FixedSums sums(1, largest, extremes.pairs);
    for (std::size_t c = 0; c < contacts.size(); ++c)
        if (!contacts.with_wall(c)) {
            sums.add(0, 0, std::abs(contacts.normal_force[c]));
            sums.add(1, 0, contacts.tangential_force[c]);
        }
    world.communicator.sum(sums.words());
    const auto per_mean = [&](std::size_t column) {
        return sums.value(column) > 0 ? static_cast<double>(extremes.pairs) / sums.value(column) : 0.0;
    };
    const double per_normal = per_mean(0), per_tangential = per_mean(1);

    const double lowest = world.setup.materials.has_cohesion() ? -settings.largest_force : 0.0;
    Histogram normal(lowest, settings.largest_force, settings.force_bins);
    Histogram tangential(lowest, settings.largest_force, settings.force_bins);
    Histogram mobilisation(0, 1, settings.mobilisation_bins);
    Histogram overlap(0, extremes.overlap > 0 ? extremes.overlap : 1.0, settings.overlap_bins);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (contacts.with_wall(c))
            continue;
        normal.add(contacts.normal_force[c] * per_normal);
        tangential.add(contacts.tangential_force[c] * per_tangential);
        mobilisation.add(std::min(contacts.mobilisation[c], 1.0)); // a little more in half-solved steps
        if (contacts.gap[c] < 0)
            overlap.add(-contacts.gap[c]);
    }
    for (Histogram* histogram : {&normal, &tangential, &mobilisation, &overlap})
        world.communicator.sum(histogram->words());

    std::vector<Quantity> list;
    const auto add = [&](const char* name, const char* unit, const char* description,
                         std::vector<double> values) {
        const std::size_t size = values.size();
        list.push_back({name, unit, description, std::move(values), {size}});
    };
    add("force_distribution/force", "1", "middle of the bins, in mean forces (mean magnitudes with cohesion)",
        normal.centres());
    add("force_distribution/normal", "1", "probability density of normal forces between particles",
        normal.densities());
    add("force_distribution/tangential", "1", "probability density of tangential forces between particles",
        tangential.densities());
    list.push_back({"force_distribution/normal_outside",
                    "1",
                    "share of normal forces outside of the bins",
                    {normal.share_outside()}});
    list.push_back({"force_distribution/tangential_outside",
                    "1",
                    "share of tangential forces outside of the bins",
                    {tangential.share_outside()}});
    add("mobilisation_distribution/mobilisation", "1", "middle of the bins; tangential force over its limit",
        mobilisation.centres());
    add("mobilisation_distribution/density", "1", "probability density over contacts between particles",
        mobilisation.densities());
    add("overlap_distribution/overlap", "m", "middle of the bins, which end at the largest overlap",
        overlap.centres());
    add("overlap_distribution/density", "1/m",
        "probability density over contacts between particles that overlap", overlap.densities());
    return list;
}

} // namespace tamp
