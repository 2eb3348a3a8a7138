#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tamp {

/// A measured number, or an array of them, with what a reader needs to understand it.
struct Quantity {
    std::string name;        ///< whole words joined by '_', '/' for a group: "profile/volume_fraction"
    std::string unit;        ///< "1" for pure numbers
    std::string description; ///< a line
    std::vector<double> values;
    std::vector<std::size_t> shape{}; ///< empty: one number; else its product is the number of values
};

} // namespace tamp
