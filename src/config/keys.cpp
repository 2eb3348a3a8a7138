#include "tamp/config/keys.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/nearest_name.hpp"

namespace tamp {
namespace {

constexpr std::string_view top_name = "top";

using Row = std::array<std::string, 6>;

std::string allowed_values(const KeySchema& key) {
    return key.choices.empty() ? key.range.text() : std::string(key.choices);
}

std::string or_dash(std::string_view text) { return std::string(text.empty() ? "-" : text); }

Row row_of(const KeySchema& key) {
    std::string description(key.description);
    if (!key.only_for.empty())
        description += fmt::format(" [{}]", key.only_for);
    return {std::string(key.name), std::string(type_name(key.type)), or_dash(key.unit),
            or_dash(key.preset),   or_dash(allowed_values(key)),     description};
}

std::string describe_section(const SectionSchema& section) {
    std::vector<Row> rows{{"key", "type", "unit", "default", "allowed", "meaning"}};
    for (const KeySchema* key : keys_of(section.name))
        rows.push_back(row_of(*key));
    std::array<std::size_t, 6> width{};
    for (const Row& row : rows)
        for (std::size_t column = 0; column + 1 < row.size(); ++column)
            width[column] = std::max(width[column], row[column].size());

    std::string title = section.name.empty() ? std::string(top_name) : section.heading();
    std::string text = fmt::format("{}  {} ({})\n", title, section.description,
                                   section.name.empty() ? "no header"
                                   : !section.only_for.empty()
                                       ? fmt::format("required for {}", quoted_list(section.only_for))
                                   : section.required ? (section.repeated ? "one or more" : "required")
                                                      : (section.repeated ? "any number" : "optional"));
    for (const Row& row : rows) {
        text += "  ";
        for (std::size_t column = 0; column + 1 < row.size(); ++column)
            text += fmt::format("{:<{}}  ", row[column], width[column]);
        text += row.back() + "\n";
    }
    return text;
}

} // namespace

std::string_view shown_name(const SectionSchema& section) {
    return section.name.empty() ? top_name : section.name;
}

std::string describe_keys(std::string_view name) {
    std::string text;
    std::vector<std::string> names;
    for (const SectionSchema& section : all_sections()) {
        const std::string_view shown = shown_name(section);
        names.emplace_back(shown);
        if (name.empty() || shown == name || (!section.name.empty() && section.parent() == name))
            text += fmt::format("{}{}", text.empty() ? "" : "\n", describe_section(section));
    }
    if (!text.empty())
        return text;
    const std::string nearest = nearest_name(name, names);
    std::string list;
    for (const std::string& known : names)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", known);
    throw InputError(fmt::format("tamp keys {}: unknown section; {}the sections are {}", name,
                                 nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest), list));
}

} // namespace tamp
