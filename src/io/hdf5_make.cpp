#include "tamp/io/hdf5_make.hpp"

namespace tamp {

Hdf5Handle make_properties(hid_t kind) { return {hdf5_check(H5Pcreate(kind)), H5Pclose}; }

Hdf5Handle make_group(hid_t parent, const std::string& name) {
    const auto settings = make_properties(H5P_GROUP_CREATE);
    hdf5_check(H5Pset_obj_track_times(settings, false));
    return {hdf5_check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, settings, H5P_DEFAULT)), H5Gclose};
}

Hdf5Handle make_dataset(hid_t parent, const std::string& name, hid_t type, const DatasetShape& shape,
                        const std::string& unit, const std::string& description) {
    const int rank = static_cast<int>(shape.size.size());
    const Hdf5Handle space(
        hdf5_check(H5Screate_simple(rank, shape.size.data(),
                                    shape.largest.empty() ? nullptr : shape.largest.data())),
        H5Sclose);
    const auto settings = make_properties(H5P_DATASET_CREATE), links = make_properties(H5P_LINK_CREATE);
    hdf5_check(H5Pset_obj_track_times(settings, false));
    hdf5_check(H5Pset_create_intermediate_group(links, 1));
    if (!shape.chunk.empty())
        hdf5_check(H5Pset_chunk(settings, rank, shape.chunk.data()));
    if (shape.compression > 0) {
        hdf5_check(H5Pset_shuffle(settings));
        hdf5_check(H5Pset_deflate(settings, static_cast<unsigned>(shape.compression)));
    }
    Hdf5Handle dataset(
        hdf5_check(H5Dcreate2(parent, name.c_str(), type, space, links, settings, H5P_DEFAULT)), H5Dclose);
    write_attribute(dataset, "unit", unit);
    write_attribute(dataset, "description", description);
    return dataset;
}

std::vector<std::byte> file_image(std::span<const std::byte> beginning,
                                  const std::function<void(hid_t)>& fill) {
    const auto access = make_properties(H5P_FILE_ACCESS), creation = make_properties(H5P_FILE_CREATE);
    hdf5_check(H5Pset_fapl_core(access, std::size_t{1} << 16, false));
    hdf5_check(H5Pset_obj_track_times(creation, false));
    const char* name = "tamp-file-in-memory"; // of no file
    hid_t id = H5I_INVALID_HID;
    if (beginning.empty()) {
        id = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    } else {
        // HDF5 copies the bytes; it takes a pointer that is not const for other uses of this call.
        hdf5_check(H5Pset_file_image(access, const_cast<std::byte*>(beginning.data()), beginning.size()));
        id = H5Fopen(name, H5F_ACC_RDWR, access);
    }
    const Hdf5Handle file(hdf5_check(id), H5Fclose);
    fill(file);
    hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    std::vector<std::byte> bytes(static_cast<std::size_t>(hdf5_check(H5Fget_file_image(file, nullptr, 0))));
    hdf5_check(H5Fget_file_image(file, bytes.data(), bytes.size()));
    return bytes;
}

} // namespace tamp
