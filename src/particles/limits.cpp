#include "tamp/particles/limits.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tamp {

std::vector<BoxFault> box_faults(const Box& box, double largest_diameter) {
    constexpr double longest = 1e6, most_room = 1e10;
    std::vector<BoxFault> faults;
    const double periodic_length = 2 * 1.1 * largest_diameter;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double length = box.length(axis);
        if (box.periodic(axis) && length < periodic_length)
            faults.push_back(
                {"boundary",
                 fmt::format(
                     "the box is {:.6g} long along {}, which is periodic, but must be at least {:.6g} (2.2 "
                     "largest diameters of {}); make it longer or the particles smaller",
                     length, "xyz"[axis], periodic_length, largest_diameter)});
        if (!box.periodic(axis) && length < largest_diameter)
            faults.push_back(
                {"upper",
                 fmt::format("the box is {:.6g} long along {}, less than the largest diameter, {}; make "
                             "it longer or the particles smaller",
                             length, "xyz"[axis], largest_diameter)});
        if (length > longest * largest_diameter)
            faults.push_back(
                {"upper",
                 fmt::format("the box is {:.6g} long along {}, more than {} largest diameters of {}; "
                             "correct the box or the diameters (both in m)",
                             length, "xyz"[axis], longest, largest_diameter)});
    }
    if (const double room = box.volume() / std::pow(largest_diameter, box.dimension); room > most_room)
        faults.push_back(
            {"upper",
             fmt::format("the box has room for {:.2g} particles of the largest diameter, {}, more than {:g}; "
                         "correct the box or the diameters (both in m)",
                         room, largest_diameter, most_room)});
    return faults;
}

} // namespace tamp
