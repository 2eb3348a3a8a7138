#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

Boundary boundary_of(const std::string& word) {
    return word == "periodic" ? Boundary::periodic : word == "wall" ? Boundary::wall : Boundary::open;
}

} // namespace

std::optional<Box> read_box(const Section& top, int dimension) {
    const Section section = top.inner("domain");
    const std::optional<Vec3> lower = section.vector("lower");
    const std::optional<Vec3> upper = section.vector("upper");
    const auto boundary = section.strings("boundary");
    bool usable = lower && upper && boundary;
    if (boundary && boundary->size() != static_cast<std::size_t>(dimension)) {
        section.problem("boundary", fmt::format("got {} words in {} dimensions; give one for each direction",
                                                boundary->size(), dimension));
        usable = false;
    }
    for (int axis = 0; lower && upper && axis < dimension; ++axis)
        if (!((*lower)[axis] < (*upper)[axis])) {
            section.problem("upper", fmt::format("{} along {} is not above lower, {}; swap or correct them",
                                                 (*upper)[axis], "xyz"[axis], (*lower)[axis]));
            usable = false;
        }
    if (!usable)
        return std::nullopt;
    Box box;
    box.dimension = dimension;
    box.lower = *lower;
    box.upper = *upper;
    for (std::size_t axis = 0; axis < boundary->size(); ++axis)
        box.boundary[axis] = boundary_of((*boundary)[axis]);
    return box;
}

void check_box(const Section& top, const Box& box, const SizeRange& sizes) {
    // The grid of tiles must fit into memory and its indices into integers.
    constexpr double longest = 1e6, most_room = 1e10;
    if (!sizes.known())
        return;
    const Section section = top.inner("domain");
    const double periodic_length = 2 * 1.1 * sizes.largest;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double length = box.length(axis);
        if (box.periodic(axis) && length < periodic_length)
            section.problem(
                "boundary",
                fmt::format(
                    "the box is {:.6g} long along {}, which is periodic, but must be at least {:.6g} (2.2 "
                    "largest diameters of {}); make it longer or the particles smaller",
                    length, "xyz"[axis], periodic_length, sizes.largest));
        if (!box.periodic(axis) && length < sizes.largest)
            section.problem(
                "upper",
                fmt::format("the box is {:.6g} long along {}, less than the largest diameter, {}; make "
                            "it longer or the particles smaller",
                            length, "xyz"[axis], sizes.largest));
        if (length > longest * sizes.largest)
            section.problem(
                "upper", fmt::format("the box is {:.6g} long along {}, more than {} largest diameters of {}; "
                                     "correct the box or the diameters (both in m)",
                                     length, "xyz"[axis], longest, sizes.largest));
    }
    if (box.volume() > most_room * std::pow(sizes.largest, box.dimension))
        section.problem(
            "upper", fmt::format("the box has room for more than {} particles of the largest diameter, {}; "
                                 "correct the box or the diameters (both in m)",
                                 most_room, sizes.largest));
}

} // namespace tamp
