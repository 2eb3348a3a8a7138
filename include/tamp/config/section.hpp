#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/config/document.hpp"
#include "tamp/config/problems.hpp"
#include "tamp/protocol/time_table.hpp"

namespace tamp {

/// A section of a case, read by those who know its meaning. A value that the schema rejects reads as
/// absent: its problem has been reported already, and later checks should not stumble over it again.
class Section {
public:
    /// The top of a case.
    Section(const Node& root, int dimension, Problems& problems)
        : node_(&root), place_(root.place), dimension_(dimension), problems_(&problems) {}

    /// Whether the key was written, valid or not.
    bool has(std::string_view key) const;
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<std::int64_t> integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    std::optional<std::string> string(std::string_view key) const;
    std::optional<Vec3> vector(std::string_view key) const; ///< z = 0 if only two components are given
    std::optional<std::vector<double>> numbers(std::string_view key) const;
    std::optional<std::vector<std::string>> strings(std::string_view key) const;
    /// A table of strings, sorted by name; empty if it was not written.
    std::vector<std::pair<std::string, std::string>> words(std::string_view key) const;
    /// One value as a table of one point; empty if it was not written.
    TimeTable<double> number_table(std::string_view key) const;
    TimeTable<Vec3> vector_table(std::string_view key) const;

    /// A section inside this one; has no keys if it was not written.
    Section inner(std::string_view name) const;
    /// The entries of a repeated section.
    std::vector<Section> entries(std::string_view name) const;

    /// Reports a mistake at a key, or at the section if the key was not written.
    void problem(std::string_view key, const std::string& what) const;
    /// The same for what is allowed, but hardly meant.
    void warning(std::string_view key, const std::string& what) const;
    /// Whether the case is one in two dimensions.
    bool two_dimensional() const { return dimension_ == 2; }
    const Place& place() const { return place_; }
    /// "case.toml:12:3: picture[0].pipeline": for what can only be checked later.
    std::string name_of(std::string_view key) const;

private:
    Section() = default;
    const Place& place_of(std::string_view key) const;
    std::string path_of(std::string_view key) const;
    const Node* find_valid(std::string_view key) const;

    const Node* node_ = nullptr;
    std::string name_; ///< in the schema: "stage.wall"
    std::string path_; ///< in messages: "stage[0].wall[1]"
    Place place_;
    int dimension_ = 0;
    Problems* problems_ = nullptr;
};

/// Reads a key into a setting and leaves its default where the key was not written.
template <class Setting, class Value>
void assign(Setting& setting, const std::optional<Value>& value) {
    if (value)
        setting = static_cast<Setting>(*value);
}

/// Reports names that occur twice, or that hold characters that tables and `--set` cannot carry.
void check_names(const std::vector<Section>& sections);

} // namespace tamp
