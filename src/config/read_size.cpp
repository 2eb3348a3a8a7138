#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

SizeKind kind_of(const std::string& word) {
    return word == "uniform"     ? SizeKind::uniform
           : word == "normal"    ? SizeKind::normal
           : word == "lognormal" ? SizeKind::lognormal
           : word == "mixture"   ? SizeKind::mixture
                                 : SizeKind::mono;
}

void check_cut(const Section& section, const SizeDistribution& size) {
    const auto min = section.number("min");
    const auto max = section.number("max");
    if (!min || !max)
        return;
    if (*min >= *max)
        section.problem(
            "max",
            fmt::format("{} is not above min, {}; swap them, or use distribution = \"mono\"", *max, *min));
    else if (const auto mean = section.number("mean"); mean && (*mean < *min || *mean > *max))
        section.problem("mean", fmt::format("{} does not lie between min, {}, and max, {}; move one of them",
                                            size.mean, *min, *max));
}

} // namespace

SizeDistribution read_size(const Section& section) {
    SizeDistribution size;
    if (const std::optional<std::string> distribution = section.string("distribution"))
        size.kind = kind_of(*distribution);
    assign(size.diameter, section.number("diameter"));
    assign(size.mean, section.number("mean"));
    assign(size.deviation, section.number("deviation"));
    assign(size.min, section.number("min"));
    assign(size.max, section.number("max"));
    assign(size.diameters, section.numbers("diameters"));
    assign(size.weights, section.numbers("weights"));
    if (size.kind == SizeKind::mixture) {
        if (!size.diameters.empty() && !size.weights.empty() && size.diameters.size() != size.weights.size())
            section.problem("weights", fmt::format("{} weights for {} diameters; give one for each",
                                                   size.weights.size(), size.diameters.size()));
    } else if (size.kind != SizeKind::mono) {
        check_cut(section, size);
    }
    return size;
}

} // namespace tamp
