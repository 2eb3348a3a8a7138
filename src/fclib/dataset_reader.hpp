#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/io/hdf5.hpp"

namespace tamp::fclib {

inline constexpr const char* write_again = "The file is damaged, or was written wrongly: write it again";

/// A file of others that is open for reading, and its complaints: FileErrors that name file and dataset, what
/// is wrong and what to do.
class DatasetReader {
public:
    explicit DatasetReader(const std::string& path);

    /// `what` says what to do as well, without a full stop.
    [[noreturn]] void fail(const std::string& what) const;

    /// Groups and datasets, by their whole names.
    bool has(const std::string& name) const;

    std::int32_t integer(const std::string& name) const;
    /// So many; `expected_by` says where that number comes from.
    std::vector<std::int32_t> integers(const std::string& name, std::size_t count,
                                       const std::string& expected_by) const;
    /// The same; all of them finite.
    std::vector<double> reals(const std::string& name, std::size_t count,
                              const std::string& expected_by) const;
    /// Empty if it is not there, or not text.
    std::string text(const std::string& name) const;

private:
    Hdf5Handle open(const std::string& name, H5T_class_t wanted, const char* wanted_name) const;
    void check_size(hid_t dataset, const std::string& name, std::size_t count,
                    const std::string& expected_by) const;

    std::string path_;
    Hdf5Handle file_;
};

} // namespace tamp::fclib
