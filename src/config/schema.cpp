#include "tamp/config/schema.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tamp {

std::string Range::text() const {
    const bool below = std::isfinite(lower);
    const bool above = std::isfinite(upper);
    std::string result;
    if (below)
        result = fmt::format("{} {}", open_below ? ">" : ">=", lower);
    if (above)
        result += fmt::format("{}{} {}", below ? " and " : "", open_above ? "<" : "<=", upper);
    return result;
}

std::string_view SectionSchema::parent() const {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string_view SectionSchema::last_name() const {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string SectionSchema::heading() const {
    return fmt::format("{}{}{}", repeated ? "[[" : "[", name, repeated ? "]]" : "]");
}

const SectionSchema* find_section(std::string_view name) {
    const auto found = std::ranges::find(all_sections(), name, &SectionSchema::name);
    return found == all_sections().end() ? nullptr : &*found;
}

const KeySchema* find_key(std::string_view section, std::string_view name) {
    for (const KeySchema& key : all_keys())
        if (key.section == section && key.name == name)
            return &key;
    return nullptr;
}

std::vector<const KeySchema*> keys_of(std::string_view section) {
    std::vector<const KeySchema*> result;
    for (const KeySchema& key : all_keys())
        if (key.section == section)
            result.push_back(&key);
    return result;
}

std::vector<const SectionSchema*> sections_in(std::string_view parent) {
    std::vector<const SectionSchema*> result;
    for (const SectionSchema& section : all_sections())
        if (!section.name.empty() && section.parent() == parent)
            result.push_back(&section);
    return result;
}

std::vector<std::string> split_list(std::string_view list) {
    std::vector<std::string> result;
    while (!list.empty()) {
        const auto bar = list.find('|');
        result.emplace_back(list.substr(0, bar));
        list = bar == std::string_view::npos ? std::string_view{} : list.substr(bar + 1);
    }
    return result;
}

bool list_holds(std::string_view list, std::string_view word) {
    return list.empty() || std::ranges::count(split_list(list), word) > 0;
}

std::string quoted_list(std::string_view list) {
    const std::vector<std::string> words = split_list(list);
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i)
        result += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
    return result;
}

std::string_view type_name(KeyType type) {
    switch (type) {
    case KeyType::boolean:
        return "boolean";
    case KeyType::integer:
        return "integer";
    case KeyType::number:
        return "number";
    case KeyType::string:
        return "string";
    case KeyType::choice:
        return "choice";
    case KeyType::vector:
        return "vector";
    case KeyType::numbers:
        return "numbers";
    case KeyType::strings:
        return "strings";
    case KeyType::words:
        return "table of strings";
    case KeyType::number_table:
        return "number or table";
    case KeyType::vector_table:
        return "vector or table";
    }
    return "";
}

} // namespace tamp
