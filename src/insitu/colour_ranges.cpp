#include "tamp/insitu/colour_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamp/base/exact_sum.hpp"

namespace tamp {
namespace {

constexpr std::size_t bins = 1024;
constexpr double tail = 0.01;

std::size_t bin_of(double value, const ColourRange& range) {
    const double share = (value - range.lowest) / (range.highest - range.lowest);
    return std::min(bins - 1, static_cast<std::size_t>(share * bins));
}

/// Upper edge of the bin that the first `share` of the values end in.
double quantile(std::span<const std::int64_t> counts, std::int64_t total, double share,
                const ColourRange& range, bool upper) {
    const auto wanted = static_cast<std::int64_t>(share * static_cast<double>(total));
    std::int64_t seen = 0;
    std::size_t bin = 0;
    while (bin + 1 < bins && seen + counts[bin] <= wanted)
        seen += counts[bin++];
    const double edge = static_cast<double>(bin + (upper ? 1 : 0)) / bins;
    return range.lowest + edge * (range.highest - range.lowest);
}

} // namespace

std::vector<ColourRange> colour_ranges(const Communicator& communicator,
                                       std::span<const ColourColumn> columns) {
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<double> extremes(2 * columns.size(), -none); // highest, and minus the lowest
    std::vector<ExactSum> sums(columns.size());
    std::vector<std::int64_t> counts(columns.size(), 0);
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (const double value : columns[c].values)
            if (std::isfinite(value)) {
                extremes[2 * c] = std::max(extremes[2 * c], value);
                extremes[2 * c + 1] = std::max(extremes[2 * c + 1], -value);
                sums[c].add(std::fabs(value));
                ++counts[c];
            }
    communicator.max(extremes);
    communicator.sum(sums);
    communicator.sum(std::span<std::int64_t>(counts));

    std::vector<ColourRange> ranges(columns.size());
    std::vector<std::int64_t> histogram(bins * columns.size(), 0);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        ranges[c].name = columns[c].name;
        if (counts[c] == 0)
            continue;
        ranges[c].highest = extremes[2 * c];
        ranges[c].lowest = -extremes[2 * c + 1];
        ranges[c].mean = sums[c].value() / static_cast<double>(counts[c]);
        if (ranges[c].highest > ranges[c].lowest)
            for (const double value : columns[c].values)
                if (std::isfinite(value))
                    ++histogram[bins * c + bin_of(value, ranges[c])];
    }
    communicator.sum(std::span<std::int64_t>(histogram));
    for (std::size_t c = 0; c < columns.size(); ++c) {
        ranges[c].low = ranges[c].lowest;
        ranges[c].high = ranges[c].highest;
        if (ranges[c].highest > ranges[c].lowest) {
            const std::span<const std::int64_t> mine(histogram.data() + bins * c, bins);
            ranges[c].low = quantile(mine, counts[c], tail, ranges[c], false);
            ranges[c].high = quantile(mine, counts[c], 1 - tail, ranges[c], true);
        }
    }
    return ranges;
}

} // namespace tamp
