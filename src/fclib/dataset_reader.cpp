#include "dataset_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/reader.hpp"

namespace tamp::fclib {

DatasetReader::DatasetReader(const std::string& path) : path_(path) {
    if (const std::string problem = opening_problem(path); !problem.empty())
        throw FileError(problem);
    if (H5Fis_hdf5(path.c_str()) <= 0)
        fail("it is not an HDF5 file, or its beginning is lost. Choose a file in the layout of FCLIB");
    file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_.valid())
        fail(fmt::format("the file is damaged or cut off ({}). Fetch or write it again", hdf5_reason()));
}

void DatasetReader::fail(const std::string& what) const {
    throw FileError(fmt::format("cannot read {}: {}.", path_, what));
}

/// HDF5 wants every group on the way to be there before it answers.
bool DatasetReader::has(const std::string& name) const {
    for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
        if (H5Lexists(file_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0)
            return false;
        if (end == std::string::npos)
            return true;
    }
}

Hdf5Handle DatasetReader::open(const std::string& name, H5T_class_t wanted, const char* wanted_name) const {
    if (!has(name))
        fail(fmt::format("it has no {}. {}", name, write_again));
    Hdf5Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid())
        fail(fmt::format("{} is not a dataset, or damaged ({}). {}", name, hdf5_reason(), write_again));
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    if (H5Tget_class(type) != wanted)
        fail(fmt::format("{} should hold {}. {}", name, wanted_name, write_again));
    return dataset;
}

void DatasetReader::check_size(hid_t dataset, const std::string& name, std::size_t count,
                               const std::string& expected_by) const {
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    const hssize_t found = H5Sget_simple_extent_npoints(space);
    if (found < 0 || static_cast<std::size_t>(found) != count)
        fail(fmt::format("{} has {} numbers instead of {} ({}). {}", name, found, count, expected_by,
                         write_again));
    // A damaged size would otherwise end in an allocation that nobody can serve. Nothing is compressed to
    // less than a thousandth.
    if (count / 1100 > H5Dget_storage_size(dataset))
        fail(fmt::format("{} is shorter than it says. {}", name, write_again));
}

std::vector<std::int32_t> DatasetReader::integers(const std::string& name, std::size_t count,
                                                  const std::string& expected_by) const {
    const Hdf5Handle dataset = open(name, H5T_INTEGER, "integers");
    check_size(dataset, name, count, expected_by);
    std::vector<std::int32_t> values(count);
    if (count > 0 && H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        fail(fmt::format("{}: {}. {}", name, hdf5_reason(), write_again));
    return values;
}

std::int32_t DatasetReader::integer(const std::string& name) const {
    return integers(name, 1, "one number").front();
}

std::vector<double> DatasetReader::reals(const std::string& name, std::size_t count,
                                         const std::string& expected_by) const {
    const Hdf5Handle dataset = open(name, H5T_FLOAT, "floating-point numbers");
    check_size(dataset, name, count, expected_by);
    std::vector<double> values(count);
    if (count > 0 && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        fail(fmt::format("{}: {}. {}", name, hdf5_reason(), write_again));
    const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
    if (bad != values.end())
        fail(fmt::format("{} has a number that is not finite, {} at {}. {}", name, *bad, bad - values.begin(),
                         write_again));
    return values;
}

std::string DatasetReader::text(const std::string& name) const {
    if (!has(name))
        return {};
    const Hdf5Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid())
        return {};
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
        H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > (std::size_t{1} << 20))
        return {};
    std::string text(H5Tget_size(type), '\0');
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
        return {};
    return text.substr(0, text.find('\0'));
}

} // namespace tamp::fclib
