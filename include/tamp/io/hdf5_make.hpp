#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/hdf5.hpp"

namespace tamp {

// Objects without the time at which they were made: the same content gives the same bytes.

Hdf5Handle make_properties(hid_t kind);
Hdf5Handle make_group(hid_t parent, const std::string& name);

struct DatasetShape {
    std::vector<hsize_t> size;
    std::vector<hsize_t> largest{}; ///< empty: as `size`; H5S_UNLIMITED: may grow
    std::vector<hsize_t> chunk{};   ///< empty: in one piece
    int compression = 0;            ///< deflate level after a byte shuffle; 0: none. Needs chunks
};

/// With what a reader needs to understand it; groups in the name are made if they are not there.
Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type, const DatasetShape& shape,
                        const std::string& unit, const std::string& description);

/// A file made in memory, as bytes: `fill` gets the file, which begins as `beginning` (empty: as a new one).
/// Throws Hdf5Failure.
std::vector<std::byte> file_image(std::span<const std::byte> beginning,
                                  const std::function<void(hid_t)>& fill);

} // namespace tamp
