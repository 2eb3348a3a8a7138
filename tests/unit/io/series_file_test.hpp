#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tamp/io/series_file.hpp"

/// A folder with room for a series, and what to write to it.
namespace tamp::test {

namespace fs = std::filesystem;

struct Table {
    std::vector<hsize_t> shape;
    std::vector<double> values;
};

/// No values if it cannot be read.
inline Table read_table(const std::string& path, const std::string& name) {
    Table table;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = file < 0 ? file : H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    if (dataset >= 0) {
        const hid_t space = H5Dget_space(dataset);
        table.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, table.shape.data(), nullptr);
        table.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.values.data()) < 0)
            table = {};
        H5Sclose(space);
        H5Dclose(dataset);
    }
    if (file >= 0)
        H5Fclose(file);
    return table;
}

class SeriesFileTest : public testing::Test {
protected:
    SeriesFileTest() {
        folder_ = (fs::temp_directory_path() / "tamp-test-XXXXXX").string();
        if (!mkdtemp(folder_.data()))
            ADD_FAILURE() << "no temporary folder";
        path_ = folder_ + "/series.h5";
    }
    ~SeriesFileTest() override { fs::remove_all(folder_); }

    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    static std::vector<Quantity> scalars(double time) {
        return {{"kinetic_energy", "J", "Energy", {3 * time}}, {"strain/xx", "1", "In a group", {-time}}};
    }
    static std::vector<Quantity> arrays(double time) {
        return {{"volume_fraction", "1", "Solid part", {time, time + 1, time + 2}, {3}},
                {"stress", "Pa", "Stress", {time, 1, 2, 3, 4, time}, {2, 3}},
                {"single", "1", "An array of one", {time}, {1}}};
    }

    const Communicator self_{MPI_COMM_SELF};
    const RunIdentity identity_{"a title", "title = \"a title\"\n", 7, 3};
    std::string folder_, path_;
};

} // namespace tamp::test
