#include <algorithm>

#include <fmt/format.h>

#include "tamp/boundaries/region.hpp"
#include "tamp/config/read_shape.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

struct Extent {
    double least, most;
};

/// Distances from a wall over all points between two corners; negative: behind it.
Extent distances(const Wall& wall, const Vec3& lower, const Vec3& upper, int dimension) {
    Extent extent{0, 0};
    for (int axis = 0; axis < dimension; ++axis) {
        const double a = wall.normal[axis] * (lower[axis] - wall.point[axis]);
        const double b = wall.normal[axis] * (upper[axis] - wall.point[axis]);
        extent.least += std::min(a, b);
        extent.most += std::max(a, b);
    }
    return extent;
}

/// False if the wall does not belong where it is.
bool check_position(const Section& section, const Wall& wall, const Box& box, const SizeRange& sizes,
                    double tolerance) {
    const Extent extent = distances(wall, box.lower, box.upper, box.dimension);
    if (extent.least > tolerance || extent.most < -tolerance) {
        section.problem("point", fmt::format("the wall lies outside the domain, by {:.6g}; move it in",
                                             std::max(extent.least, -extent.most)));
        return false;
    }
    if (extent.most < std::max(sizes.largest, tolerance)) {
        section.problem(
            "point", fmt::format("the wall leaves {:.6g} of the domain in front of it, less than the largest "
                                 "diameter, {}; move it, or turn its normal towards the particles",
                                 std::max(extent.most, 0.0), sizes.largest));
        return false;
    }
    return true;
}

bool check_opposite(const Section& section, const Wall& wall, const Wall& other, const SizeRange& sizes) {
    if (dot(wall.normal, other.normal) > -1 + 1e-9)
        return true;
    const double gap = dot(wall.normal, other.point - wall.point);
    if (gap > 0 && gap >= sizes.largest)
        return true;
    section.problem(
        "point", fmt::format("the wall leaves a gap of {:.6g} to the wall '{}' that faces it, less than the "
                             "largest diameter, {}; move one of them",
                             gap, other.name, sizes.largest));
    return false;
}

/// A lattice is filled from below: where its end is not certain, the start of the run checks each particle.
bool fills_its_region(const GeneratorSettings& generator) {
    return generator.kind == GeneratorKind::random ||
           (generator.kind == GeneratorKind::lattice && generator.count == 0 && generator.fraction == 0);
}

void check_region(const Section& section, const GeneratorSettings& generator, const Wall& wall, int dimension,
                  double tolerance) {
    const Extent extent = distances(wall, generator.lower, generator.upper, dimension);
    if (fills_its_region(generator) && extent.least < -tolerance)
        section.problem(
            section.has("upper") ? "upper" : "lower",
            fmt::format("the region reaches {:.6g} behind the wall '{}'; set lower and upper so that it "
                        "lies in front of the wall",
                        -extent.least, wall.name));
}

} // namespace

void check_walls(const Section& top, const Box& box, const std::vector<Wall>& walls,
                 const std::vector<GeneratorSettings>& generators, const MaterialTable& materials,
                 const SizeRange& sizes) {
    const double tolerance = 1e-9 * norm(box.upper - box.lower);
    const std::vector<Section> sections = top.entries("wall");
    const std::vector<Section> particles = top.entries("particles");
    const std::size_t first = walls.size() - sections.size();
    bool all_well_placed = true;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (!stands(sections[i])) {
            all_well_placed = false;
            continue;
        }
        const Wall& wall = walls[first + i];
        if (!wall.is_plane()) {
            check_shape(sections[i], wall, box, sizes);
            continue;
        }
        bool well_placed = check_position(sections[i], wall, box, sizes, tolerance);
        for (std::size_t j = 0; well_placed && j < first + i; ++j)
            if (walls[j].is_plane() && (j < first || stands(sections[j - first])))
                well_placed = check_opposite(sections[i], wall, walls[j], sizes);
        all_well_placed = all_well_placed && well_placed;
        if (all_well_placed && region_volume(box, std::span(walls).first(first + i + 1)) == 0) {
            sections[i].problem("point", "the wall and the walls before it leave no room in the domain; move "
                                         "one of them, or turn its normal towards the particles");
            all_well_placed = well_placed = false;
        }
        for (std::size_t g = 0; well_placed && g < generators.size(); ++g)
            if (materials.size() == 0 || !materials[generators[g].material].fixed) // else they never touch it
                check_region(particles[g], generators[g], wall, box.dimension, tolerance);
    }
}

} // namespace tamp
