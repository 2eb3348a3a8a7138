#include "tamp/config/section.hpp"

#include <map>

#include <fmt/format.h>

#include "tamp/base/printable.hpp"
#include "tamp/config/validate.hpp"

namespace tamp {
namespace {

Vec3 vector_of(const Node& node) {
    Vec3 result{0, 0, 0};
    for (std::size_t i = 0; i < node.children.size(); ++i)
        result[static_cast<int>(i)] = node.children[i].number;
    return result;
}

/// `read`: makes a value of a node.
template <class Read>
auto table_of(const Node* node, Read read) {
    TimeTable<decltype(read(*node))> table;
    if (node == nullptr)
        return table;
    if (node->kind != Node::Kind::table)
        return decltype(table){.times = {0}, .values = {read(*node)}};
    for (const Node& time : node->find("time")->children)
        table.times.push_back(time.number);
    for (const Node& value : node->find("value")->children)
        table.values.push_back(read(value));
    return table;
}

} // namespace

bool Section::has(std::string_view key) const { return node_ != nullptr && node_->find(key) != nullptr; }

const Node* Section::find_valid(std::string_view key) const {
    const Node* value = node_ != nullptr ? node_->find(key) : nullptr;
    if (value == nullptr)
        return nullptr;
    return value_fault(*find_key(name_, key), *value, dimension_).empty() ? value : nullptr;
}

std::optional<bool> Section::boolean(std::string_view key) const {
    const Node* value = find_valid(key);
    return value != nullptr ? std::optional(value->boolean) : std::nullopt;
}

std::optional<std::int64_t> Section::integer(std::string_view key) const {
    const Node* value = find_valid(key);
    return value != nullptr ? std::optional(value->integer) : std::nullopt;
}

std::optional<double> Section::number(std::string_view key) const {
    const Node* value = find_valid(key);
    return value != nullptr ? std::optional(value->number) : std::nullopt;
}

std::optional<std::string> Section::string(std::string_view key) const {
    const Node* value = find_valid(key);
    return value != nullptr ? std::optional(value->text) : std::nullopt;
}

std::optional<Vec3> Section::vector(std::string_view key) const {
    const Node* value = find_valid(key);
    return value != nullptr ? std::optional(vector_of(*value)) : std::nullopt;
}

std::optional<std::vector<double>> Section::numbers(std::string_view key) const {
    const Node* value = find_valid(key);
    if (value == nullptr)
        return std::nullopt;
    std::vector<double> result;
    for (const Node& item : value->children)
        result.push_back(item.number);
    return result;
}

std::optional<std::vector<std::string>> Section::strings(std::string_view key) const {
    const Node* value = find_valid(key);
    if (value == nullptr)
        return std::nullopt;
    std::vector<std::string> result;
    for (const Node& item : value->children)
        result.push_back(item.text);
    return result;
}

std::vector<std::pair<std::string, std::string>> Section::words(std::string_view key) const {
    std::vector<std::pair<std::string, std::string>> result;
    if (const Node* value = find_valid(key))
        for (const Node& item : value->children)
            result.emplace_back(item.name, item.text);
    return result;
}

TimeTable<double> Section::number_table(std::string_view key) const {
    return table_of(find_valid(key), [](const Node& node) { return node.number; });
}

TimeTable<Vec3> Section::vector_table(std::string_view key) const {
    return table_of(find_valid(key), vector_of);
}

Section Section::inner(std::string_view name) const {
    Section result = *this;
    const Node* node = node_ != nullptr ? node_->find(name) : nullptr;
    result.node_ = node != nullptr && node->kind == Node::Kind::table ? node : nullptr;
    result.place_ = node != nullptr ? node->place : place_;
    result.name_ += fmt::format("{}{}", name_.empty() ? "" : ".", name);
    result.path_ += fmt::format("{}{}", path_.empty() ? "" : ".", name);
    return result;
}

std::vector<Section> Section::entries(std::string_view name) const {
    std::vector<Section> result;
    const Node* list = node_ != nullptr ? node_->find(name) : nullptr;
    if (list == nullptr || list->kind != Node::Kind::list)
        return result;
    const Section common = inner(name);
    for (std::size_t i = 0; i < list->children.size(); ++i) {
        const Node& entry = list->children[i];
        Section section = common;
        section.node_ = entry.kind == Node::Kind::table ? &entry : nullptr;
        section.place_ = entry.place;
        section.path_ += fmt::format("[{}]", i);
        result.push_back(section);
    }
    return result;
}

const Place& Section::place_of(std::string_view key) const {
    const Node* value = node_ != nullptr && !key.empty() ? node_->find(key) : nullptr;
    return value != nullptr ? value->place : place_;
}

std::string Section::path_of(std::string_view key) const {
    return fmt::format("{}{}{}", path_, path_.empty() || key.empty() ? "" : ".", key);
}

void Section::problem(std::string_view key, const std::string& what) const {
    problems_->add(place_of(key), path_of(key), what);
}

void Section::warning(std::string_view key, const std::string& what) const {
    problems_->warn(place_of(key), path_of(key), what);
}

std::string Section::name_of(std::string_view key) const {
    return fmt::format("{}: {}", place_of(key).text(), path_of(key));
}

void check_names(const std::vector<Section>& sections) {
    const auto allowed = [](char letter) {
        const bool alphanumeric = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                                  (letter >= '0' && letter <= '9');
        const bool beyond_ascii = static_cast<unsigned char>(letter) >= 0x80;
        return alphanumeric || beyond_ascii || letter == '_' || letter == '-' || letter == '+';
    };
    std::map<std::string, Place> seen;
    for (const Section& section : sections) {
        const std::optional<std::string> name = section.string("name");
        if (!name)
            continue;
        bool well_formed = !name->empty();
        for (const char letter : *name)
            well_formed = well_formed && allowed(letter);
        if (!well_formed)
            section.problem("name", fmt::format("got {}; make a name of letters, digits, '_', '-' and '+'",
                                                in_quotes(*name)));
        const auto [first, inserted] = seen.emplace(*name, section.place());
        if (!inserted)
            section.problem("name", fmt::format("'{}' is already the name of the entry at {}; choose another",
                                                *name, first->second.text()));
    }
}

} // namespace tamp
