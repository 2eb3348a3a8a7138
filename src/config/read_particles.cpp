#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "read_placement.hpp"
#include "tamp/config/readers.hpp"
#include "tamp/particles/limits.hpp"
#include "tamp/particles/size_distribution.hpp"

namespace tamp {

void SizeRange::include(double least, double most) {
    smallest = known() ? std::min(smallest, least) : least;
    largest = std::max(largest, most);
}

namespace {

/// Whether all that the kind of distribution needs was given and is valid.
bool has_sizes(const SizeDistribution& size) {
    switch (size.kind) {
    case SizeKind::mono:
        return size.diameter > 0;
    case SizeKind::mixture:
        return !size.diameters.empty();
    default:
        return size.min > 0 && size.max > size.min;
    }
}

double region_volume(const GeneratorSettings& generator, int dimension) {
    double volume = 1;
    for (int axis = 0; axis < dimension; ++axis)
        volume *= generator.upper[axis] - generator.lower[axis];
    return volume;
}

/// False if nothing can be put there.
bool check_region(const Section& section, const GeneratorSettings& generator, const Box& box) {
    bool usable = true;
    const bool whole_box = !section.has("lower") && !section.has("upper"); // too thin a box is reported there
    for (int axis = 0; axis < box.dimension; ++axis) {
        const char name = "xyz"[axis];
        const double lower = generator.lower[axis], upper = generator.upper[axis];
        usable = usable && lower < upper;
        if (lower < box.lower[axis])
            section.problem("lower",
                            fmt::format("{} along {} lies outside the domain, which begins at {}; move it in",
                                        lower, name, box.lower[axis]));
        else if (upper > box.upper[axis])
            section.problem("upper",
                            fmt::format("{} along {} lies outside the domain, which ends at {}; move it in",
                                        upper, name, box.upper[axis]));
        else if (!(lower < upper))
            section.problem(
                section.has("upper") ? "upper" : "lower",
                fmt::format("the region ends at {1} along {0}, not above its lower corner, {2}; correct "
                            "the corners",
                            name, upper, lower));
        else if (const double largest = largest_diameter(generator.size);
                 !whole_box && upper - lower < largest)
            section.problem(
                section.has("upper") ? "upper" : "lower",
                fmt::format(
                    "the region is {:.6g} wide along {}, too thin for a particle of diameter {}; widen "
                    "it",
                    upper - lower, name, largest));
    }
    return usable;
}

void check_random_fraction(const Section& section, const GeneratorSettings& generator, int dimension) {
    const double limit = random_placement_limits(dimension).allowed;
    const double least_volume = grain_volume(smallest_diameter(generator.size) / 2, dimension);
    const double fraction = generator.count > 0 ? static_cast<double>(generator.count) * least_volume /
                                                      region_volume(generator, dimension)
                                                : generator.fraction;
    if (fraction > limit)
        section.problem(
            generator.count > 0 ? "count" : "fraction",
            fmt::format("asks for a volume fraction of {:.4g}, but random placement ends at {}; use less, "
                        "or generator = \"lattice\"",
                        fraction, limit));
}

void check_lattice(const Section& section, const GeneratorSettings& generator, int dimension) {
    const double largest = largest_diameter(generator.size);
    if (generator.spacing > 0 && generator.spacing < largest) {
        section.problem("spacing",
                        fmt::format("{} is less than the largest diameter, {}: particles would overlap; "
                                    "make it larger",
                                    generator.spacing, largest));
        return;
    }
    const double spacing = generator.spacing > 0 ? generator.spacing : 1.02 * largest;
    double sites = 1;
    for (int axis = 0; axis < dimension; ++axis)
        sites *= std::max(
            1.0, std::floor((generator.upper[axis] - generator.lower[axis]) / spacing * (1 + 1e-14)));
    const double limit = sites * grain_volume(largest / 2, dimension) / region_volume(generator, dimension);
    if (static_cast<double>(generator.count) > sites)
        section.problem("count",
                        fmt::format("{} particles, but the region has {:.0f} lattice sites {:.6g} apart; use "
                                    "fewer, or a larger region",
                                    generator.count, sites, spacing));
    if (generator.fraction > limit)
        section.problem(
            "fraction",
            fmt::format("{} is more than the {:.4g} that the region's {:.0f} sites hold (touching "
                        "particles on a {} lattice: {:.4f}); use less",
                        generator.fraction, limit, sites, dimension == 3 ? "simple cubic" : "square",
                        grain_volume(0.5, dimension))); // a diameter of one site spacing
}

void check_amount(const Section& section, const GeneratorSettings& generator) {
    const bool both = section.has("count") && section.has("fraction");
    const bool none = !section.has("count") && !section.has("fraction");
    if (both)
        section.problem("fraction",
                        "says with 'count' twice how many particles there are; keep one of the two");
    if (none && generator.kind == GeneratorKind::random)
        section.problem("", "does not say how many particles there are; add 'count' or 'fraction'");
}

void check_path(const Section& section, const std::string& path) {
    if (section.string("path") && !path.ends_with(".csv") && !path.ends_with(".h5"))
        section.problem("path",
                        fmt::format("'{}' is neither .csv nor .h5; give a file of one of these kinds", path));
}

/// Only one file can say where walls stand.
void check_taken_walls(const Section& section, const GeneratorSettings& generator,
                       std::span<const GeneratorSettings> before) {
    if (!generator.take_walls)
        return;
    if (generator.path.ends_with(".csv"))
        section.problem("walls", "a table of particles has no walls; give an .h5 file, or leave this out");
    if (std::ranges::any_of(before, &GeneratorSettings::take_walls))
        section.problem("walls", "another entry says already where walls stand; keep one of the two");
}

/// Reports the entry that makes the ratio too large, and no later ones.
void include_sizes(const Section& section, const SizeDistribution& size, SizeRange& sizes) {
    const bool was_too_wide = sizes.largest > largest_size_ratio * sizes.smallest;
    sizes.include(smallest_diameter(size), largest_diameter(size));
    if (!was_too_wide && sizes.largest > largest_size_ratio * sizes.smallest)
        section.problem(
            "size",
            fmt::format("the largest diameter of the case, {}, is {:.3g} times the smallest, {}, but "
                        "at most {} times is possible; bring them closer",
                        sizes.largest, sizes.largest / sizes.smallest, sizes.smallest, largest_size_ratio));
}

GeneratorSettings read_generator(const Section& section, const std::optional<Box>& box,
                                 const MaterialTable& materials) {
    GeneratorSettings generator;
    const std::optional<std::string> kind = section.string("generator");
    generator.kind = kind == "lattice" ? GeneratorKind::lattice
                     : kind == "file"  ? GeneratorKind::file
                                       : GeneratorKind::random;
    generator.material = read_material(section, "material", materials);
    generator.material_given = section.has("material");
    assign(generator.take_walls, section.boolean("walls"));
    if (box) {
        generator.lower = box->lower;
        generator.upper = box->upper;
    }
    assign(generator.lower, section.vector("lower"));
    assign(generator.upper, section.vector("upper"));
    assign(generator.count, section.integer("count"));
    assign(generator.fraction, section.number("fraction"));
    assign(generator.spacing, section.number("spacing"));
    assign(generator.jitter, section.number("jitter"));
    assign(generator.velocity, section.vector("velocity"));
    assign(generator.speed, section.number("speed"));
    assign(generator.path, section.string("path"));
    generator.size = read_size(section.inner("size"));
    return generator;
}

} // namespace

std::vector<GeneratorSettings> read_generators(const Section& top, const std::optional<Box>& box,
                                               const MaterialTable& materials, SizeRange& sizes) {
    std::vector<GeneratorSettings> generators;
    for (const Section& section : top.entries("particles")) {
        const GeneratorSettings& generator = generators.emplace_back(read_generator(section, box, materials));
        if (!section.string("generator"))
            continue; // nobody knows what the other keys should be
        if (generator.kind == GeneratorKind::file) {
            check_path(section, generator.path);
            check_taken_walls(section, generator, std::span(generators).first(generators.size() - 1));
            read_placement(section, box ? box->dimension : 0, materials, generators.back());
            continue;
        }
        check_amount(section, generator);
        if (!has_sizes(generator.size))
            continue;
        include_sizes(section, generator.size, sizes);
        if (!box || !check_region(section, generator, *box))
            continue;
        if (generator.kind == GeneratorKind::random)
            check_random_fraction(section, generator, box->dimension);
        else
            check_lattice(section, generator, box->dimension);
    }
    return generators;
}

} // namespace tamp
