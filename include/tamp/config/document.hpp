#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamp/config/problems.hpp"

namespace tamp {

/// One value of a case file with the place where it was written. Keeps toml++ out of all code that
/// reads cases, and gives values from the command line the same shape as those from the file.
struct Node {
    enum class Kind { boolean, integer, number, string, date, list, table };

    Kind kind = Kind::table;
    std::string name; ///< its key; empty for items of a list
    Place place;
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0; ///< also set for integers, which are accepted where a number is wanted
    std::string text;
    std::vector<Node> children; ///< of a list in order; of a table sorted by name

    bool is_number() const { return kind == Kind::integer || kind == Kind::number; }
    /// A member of a table, or nullptr.
    const Node* find(std::string_view key) const;
    /// What was written, for messages: `the string "12abc"`.
    std::string description() const;
};

struct Document {
    Node root;
    std::string source; ///< the effective input as TOML
};

/// Reads TOML and applies `--set` strings in their order. Syntax errors throw at once; overrides that
/// lead nowhere are added to the problems.
Document read_document(std::string_view text, const std::string& file_name,
                       std::span<const std::string> overrides, Problems& problems);

} // namespace tamp
