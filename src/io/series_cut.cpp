#include "tamp/io/series_cut.hpp"

#include <algorithm>
#include <vector>

#include "tamp/io/hdf5.hpp"

namespace tamp {

namespace {

struct Found {
    std::vector<std::string> datasets, groups; ///< paths; "" is the file
};

Found all_in(hid_t file) {
    Found found;
    found.groups.emplace_back();
    const auto visit = [](hid_t, const char* name, const H5O_info_t* object, void* data) -> herr_t {
        auto& to = *static_cast<Found*>(data);
        if (object->type == H5O_TYPE_DATASET)
            to.datasets.emplace_back(name);
        else if (object->type == H5O_TYPE_GROUP && std::string(name) != ".")
            to.groups.emplace_back(name);
        return 0;
    };
    hdf5_check(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visit, &found, H5O_INFO_BASIC));
    return found;
}

std::vector<hsize_t> size_of(hid_t dataset) {
    const Hdf5Handle space(hdf5_check(H5Dget_space(dataset)), H5Sclose);
    std::vector<hsize_t> size(static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_ndims(space))));
    hdf5_check(H5Sget_simple_extent_dims(space, size.data(), nullptr));
    if (size.empty())
        throw Hdf5Failure("a dataset without rows");
    return size;
}

std::size_t rows_up_to(hid_t file, const std::string& name, double after) {
    const Hdf5Handle dataset(hdf5_check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
    std::vector<double> times(size_of(dataset).front());
    if (!times.empty())
        hdf5_check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()));
    return static_cast<std::size_t>(std::ranges::upper_bound(times, after) - times.begin());
}

std::string parent(const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

} // namespace

std::map<std::string, CutGroup> cut_series(hid_t file, double after) {
    const Found found = all_in(file);
    std::map<std::string, CutGroup> groups;
    for (const auto& group : found.groups) {
        const auto time = group.empty() ? "time" : group + "/time";
        if (std::ranges::count(found.datasets, time) > 0)
            groups[group].rows = rows_up_to(file, time, after);
    }
    for (const auto& name : found.datasets) {
        auto group = parent(name); // whose time is that of the dataset: the next one above
        while (!groups.contains(group) && !group.empty())
            group = parent(group);
        const auto left = groups.find(group);
        if (left == groups.end())
            throw Hdf5Failure("a dataset without a time");
        if (left->second.rows == 0) { // as if it had not been written yet
            hdf5_check(H5Ldelete(file, name.c_str(), H5P_DEFAULT));
            continue;
        }
        const Hdf5Handle dataset(hdf5_check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
        auto size = size_of(dataset);
        if (size.front() < left->second.rows)
            throw Hdf5Failure("a dataset is shorter than its time");
        size.front() = left->second.rows;
        hdf5_check(H5Dset_extent(dataset, size.data()));
        left->second.columns.emplace(group.empty() ? name : name.substr(group.size() + 1),
                                     std::vector<std::size_t>(size.begin() + 1, size.end()));
    }
    return groups;
}

} // namespace tamp
