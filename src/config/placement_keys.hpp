#pragma once

#include <array>

#include "schema_ranges.hpp"

namespace tamp {

/// What happens to the particles of a file before they are put into the box.
constexpr auto placement_keys() {
    using enum KeyType;
    return std::to_array<KeySchema>({
        {"particles", "materials", words, "", "", any, "", "file",
         "What materials of the file are called here, like { glass = \"steel\" }; the others keep their "
         "names"},
        {"particles", "replicate", numbers, "", "[1, 1, 1]", at_least_one, "", "file",
         "Copies of the packing along x, y and z, before it is turned and shifted"},
        {"particles", "period", vector, "m", "the file's box", any, "", "file",
         "From one copy to the next; needed with replicate for a .csv file"},
        {"particles", "shift", vector, "m", "[0, 0, 0]", any, "", "file",
         "Moves the packing, after it was turned"},
        {"particles.turn", "axis", numbers, "", "z", any, "", "",
         "Direction of the axis, of any length but zero; in two dimensions it is z"},
        {"particles.turn", "angle", number, "degrees", "required", any, "", "", "By the right hand"},
        {"particles.turn", "point", vector, "m", "the middle", any, "", "",
         "On the axis; left out, it is the middle of the box around all particles of the file, their copies "
         "included"},
    });
}

} // namespace tamp
