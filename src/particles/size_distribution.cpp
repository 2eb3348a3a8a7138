#include "tamp/particles/size_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamp {

namespace {

template <class Draw>
double draw_within(double min, double max, Draw draw) {
    constexpr int largest_try_count = 1000;
    double diameter = draw();
    for (int tries = 1; tries < largest_try_count && !(diameter >= min && diameter <= max); ++tries)
        diameter = draw();
    return std::clamp(diameter, min, max);
}

double draw_from_mixture(const SizeDistribution& size, Random& random) {
    const double total = std::accumulate(size.weights.begin(), size.weights.end(), 0.0);
    double target = random.uniform() * total;
    std::size_t last = 0;
    for (std::size_t k = 0; k < size.diameters.size(); ++k) {
        if (size.weights[k] <= 0)
            continue;
        if (target < size.weights[k])
            return size.diameters[k];
        target -= size.weights[k];
        last = k;
    }
    return size.diameters[last]; // rounding left a rest of the last share
}

} // namespace

double sample_diameter(const SizeDistribution& size, Random& random) {
    switch (size.kind) {
    case SizeKind::mono:
        return size.diameter;
    case SizeKind::uniform:
        return std::min(random.uniform(size.min, size.max), size.max);
    case SizeKind::normal:
        return draw_within(size.min, size.max, [&] { return size.mean + size.deviation * random.normal(); });
    case SizeKind::lognormal: {
        // Mean and deviation of the logarithm that give the diameter itself the mean and deviation asked for.
        const double ratio = size.deviation / size.mean;
        const double log_variance = std::log1p(ratio * ratio);
        const double log_mean = std::log(size.mean) - log_variance / 2;
        const double log_deviation = std::sqrt(log_variance);
        return draw_within(size.min, size.max,
                           [&] { return std::exp(log_mean + log_deviation * random.normal()); });
    }
    case SizeKind::mixture:
        return draw_from_mixture(size, random);
    }
    return 0; // no such kind
}

double smallest_diameter(const SizeDistribution& size) {
    if (size.kind == SizeKind::mono)
        return size.diameter;
    if (size.kind == SizeKind::mixture)
        return *std::min_element(size.diameters.begin(), size.diameters.end());
    return size.min;
}

double largest_diameter(const SizeDistribution& size) {
    if (size.kind == SizeKind::mono)
        return size.diameter;
    if (size.kind == SizeKind::mixture)
        return *std::max_element(size.diameters.begin(), size.diameters.end());
    return size.max;
}

} // namespace tamp
