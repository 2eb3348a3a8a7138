#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "data_sets.hpp"
#include "tamp/insitu/pictures.hpp"

namespace tamp {

/// What is in a state, over all ranks.
struct Shown {
    std::vector<ShownQuantity> particles, contacts, fields;
    std::optional<std::array<Vec3, 2>> grains; ///< corners of the box around all of them; none without grains
};

/// What a script is told about its picture, as a JSON text; inputs/catalyst/tamp_picture.py reads it.
std::string script_settings(const PictureSettings& picture, const std::string& file, const View& view,
                            const Shown& shown);

} // namespace tamp
