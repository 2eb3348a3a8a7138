#include <fmt/format.h>

#include "tamp/config/readers.hpp"
#include "tamp/particles/limits.hpp"

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
    if (!sizes.known())
        return;
    for (const BoxFault& fault : box_faults(box, sizes.largest))
        top.inner("domain").problem(fault.key, fault.what);
}

} // namespace tamp
