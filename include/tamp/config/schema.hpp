#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tamp {

enum class KeyType {
    boolean,
    integer,
    number,
    string,
    choice,
    vector,
    numbers,
    strings,
    words,        ///< { word = "other", ... }
    number_table, ///< a number, or { time = [...], value = [...] }
    vector_table, ///< a vector, or the same with vectors
};

/// An interval of numbers; an open end does not belong to it.
struct Range {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    bool open_below = false;
    bool open_above = false;

    bool contains(double value) const {
        return (open_below ? value > lower : value >= lower) && (open_above ? value < upper : value <= upper);
    }
    /// For people: "> 0", ">= 1 and < 2"; empty when everything is allowed.
    std::string text() const;
};

/// One key of a case file: what the parser checks is what `tamp keys` prints.
struct KeySchema {
    std::string_view section; ///< empty: the top of the file
    std::string_view name;
    KeyType type;
    std::string_view unit;
    std::string_view preset; ///< the default as TOML or in words; "required"; empty: not set
    Range range;
    std::string_view choices;  ///< separated by '|'; of each item in a list of strings
    std::string_view only_for; ///< values of the section's selector that use this key, separated by '|'
    std::string_view description;

    bool required() const { return preset == "required"; }
    /// Only soft grains use it: its description says so.
    bool only_soft() const { return section == "soft" || description.starts_with("Soft:"); }
};

struct SectionSchema {
    std::string_view name; ///< "stage.wall" lies inside "stage"
    bool repeated;         ///< written [[name]]
    bool required;
    std::string_view selector; ///< the key whose value decides which other keys belong
    std::string_view only_for; ///< values of the parent's selector that use this section
    std::string_view description;

    std::string_view parent() const;
    std::string_view last_name() const;
    /// As it is written in a case file: "[solver]", "[[stage]]".
    std::string heading() const;
};

std::span<const SectionSchema> all_sections();
std::span<const KeySchema> all_keys();

/// nullptr when there is none.
const SectionSchema* find_section(std::string_view name);
const KeySchema* find_key(std::string_view section, std::string_view name);

std::vector<const KeySchema*> keys_of(std::string_view section);
std::vector<const SectionSchema*> sections_in(std::string_view parent);

/// Whether a list such as "random|lattice" holds a word; an empty list holds every word.
bool list_holds(std::string_view list, std::string_view word);
std::vector<std::string> split_list(std::string_view list);
/// "random|file" as `"random" or "file"`.
std::string quoted_list(std::string_view list);

std::string_view type_name(KeyType type);

} // namespace tamp
