#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/collective_file.hpp"
#include "tamp/io/hdf5.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

/// Why a file cannot be opened for reading; empty if it can. A folder is not a file.
std::string opening_problem(const std::string& path);

/// A file of ours that is open for reading, and its complaints: FileErrors that name the file, what is wrong
/// with it and a remedy.
class Reader {
public:
    explicit Reader(const std::string& path);

    /// What the file says it is; empty if it does not say.
    std::string format() const;
    /// Complains if the file is not `what`.
    void check_format(const char* format, std::int64_t version, const char* what) const;

    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void damaged(const std::string& what) const;

    /// Attributes of the file.
    bool has(const char* name) const;
    void text(const char* name, std::string& value) const;
    template <class T>
    void number(const char* name, WordKind kind, T& value) const {
        static_assert(sizeof value % 8 == 0);
        words(name, kind, std::as_writable_bytes(std::span(&value, 1)));
    }

    /// The columns of a group that write_tables wrote, in their order.
    std::vector<ColumnInfo> columns_in(const std::string& group) const;
    /// Such a group, which must begin with the columns `expected`; it may have more.
    WordTable word_table(const std::string& group, std::span<const ColumnInfo> expected) const;
    /// Datasets of a group as a table of these columns.
    WordTable table_of(const std::string& group, std::vector<ColumnInfo> columns) const;
    void check_columns(const std::string& group, std::span<const ColumnInfo> found,
                       std::span<const ColumnInfo> expected) const;

    std::vector<std::string> texts(const std::string& name) const;
    /// What make_walls wrote.
    std::vector<Wall> walls(const std::string& group) const;

    /// A table of one column.
    template <class T>
    std::vector<T> column(const std::string& name, WordKind kind) const {
        static_assert(sizeof(T) == 8);
        const auto bytes = dataset(name, kind, 1);
        std::vector<T> values(bytes.size() / 8);
        std::ranges::copy(bytes, std::as_writable_bytes(std::span(values)).begin());
        return values;
    }

    /// The words of some rows of a dataset.
    std::vector<std::byte> rows(const std::string& name, WordKind kind, std::size_t width,
                                const Slab& slab) const;

    /// Of a dataset.
    std::optional<std::string> find_attribute(const std::string& name, const char* attribute) const;
    std::string attribute_of(const std::string& name, const char* attribute) const;
    std::vector<hsize_t> shape(const std::string& name) const;
    std::string unit(const std::string& name) const;
    /// Datasets and groups in a group, by name; "/" for the file.
    std::vector<std::string> datasets_in(const std::string& group) const;
    std::vector<std::string> groups_in(const std::string& group) const;

private:
    void words(const char* name, WordKind kind, std::span<std::byte> value) const;
    std::vector<std::byte> dataset(const std::string& name, WordKind kind, std::size_t width) const;
    Hdf5Handle open_words(const std::string& name, WordKind kind) const;
    [[noreturn]] void wrong_rows(const std::string& name, std::size_t found, std::size_t expected) const;
    Hdf5Handle open_any(const std::string& name) const;
    std::size_t row_count(hid_t dataset, const std::string& name, std::size_t width) const;
    std::vector<std::string> members(const std::string& group, H5O_type_t type) const;

    std::string path_;
    Hdf5Handle file_;
};

} // namespace tamp
