#pragma once

#include <string>
#include <vector>

#include "data_sets.hpp"
#include "tamp/insitu/pictures.hpp"

namespace tamp {

struct ShownQuantities {
    std::vector<ShownQuantity> particles, contacts, fields;
};

/// What a script is told about its picture, as a JSON text; inputs/catalyst/tamp_picture.py reads it.
std::string script_settings(const PictureSettings& picture, const std::string& file, const View& view,
                            const ShownQuantities& shown);

} // namespace tamp
