#include "tamp/config/overrides.hpp"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "tamp/config/depth.hpp"
#include "tamp/config/schema.hpp"

namespace tamp {
namespace {

/// Why an override cannot be applied; never leaves this file.
struct Misfit : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One step of a path: `stage`, `stage[2]` or `"a quoted name"`.
struct Segment {
    std::string name;
    std::optional<std::size_t> index;
};

std::optional<std::size_t> parse_index(std::string_view digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    return whole ? std::optional(value) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Segment next_segment(std::string_view& path) {
    Segment segment;
    if (path.starts_with('"')) {
        const auto quote = path.find('"', 1);
        if (quote == std::string_view::npos)
            throw Misfit("the key has an unclosed quote; close it");
        segment.name = path.substr(1, quote - 1);
        path.remove_prefix(quote + 1);
    } else {
        const auto end = std::min(path.find_first_of(".["), path.size());
        segment.name = path.substr(0, end);
        path.remove_prefix(end);
    }
    if (segment.name.empty())
        throw Misfit("the key has an empty part; write it like solver.tolerance=1e-5");
    if (path.starts_with('[')) {
        const auto bracket = path.find(']');
        if (bracket != std::string_view::npos)
            segment.index = parse_index(path.substr(1, bracket - 1));
        if (!segment.index)
            throw Misfit("an index must be a whole number in brackets; write it like stage[0].steps=100");
        path.remove_prefix(bracket + 1);
    }
    if (path.empty())
        return segment;
    if (path.front() != '.' || path.size() == 1)
        throw Misfit("the key is malformed; write it like solver.tolerance=1e-5");
    path.remove_prefix(1);
    return segment;
}

std::vector<Segment> split_path(std::string_view path) {
    std::vector<Segment> segments;
    do {
        segments.push_back(next_segment(path));
        if (segments.size() > deepest_level)
            throw Misfit(fmt::format("the key has more than {} parts; no key of a case has more than three",
                                     deepest_level));
    } while (!path.empty());
    return segments;
}

void remember_origin(const toml::node& node, const std::string& assignment, Origins& origins) {
    origins[&node] = assignment;
    if (const toml::table* table = node.as_table())
        for (const auto& [key, child] : *table)
            remember_origin(child, assignment, origins);
    if (const toml::array* array = node.as_array())
        for (const toml::node& child : *array)
            remember_origin(child, assignment, origins);
}

/// A table with the single key `value`. What is no TOML value is taken as a string, so that the type
/// check can say what it wanted instead.
toml::table parse_value(std::string_view text, bool wants_string) {
    try {
        if (!find_too_deep(text).what.empty()) // for toml++
            return toml::table{{"value", std::string(text)}};
        toml::table parsed = toml::parse(fmt::format("value = {}", text));
        if (parsed.size() == 1 && (!wants_string || parsed["value"].is_string()))
            return parsed;
    } catch (const toml::parse_error&) {
    } catch (const TomlAssertion&) {
    }
    return toml::table{{"value", std::string(text)}};
}

toml::node& item_at(toml::array& array, const Segment& segment) {
    if (*segment.index >= array.size())
        throw Misfit(fmt::format("'{}' has {} entries, counted from 0; choose one of them", segment.name,
                                 array.size()));
    return array[*segment.index];
}

toml::node& item_named(toml::array& array, std::string_view list, const std::string& name) {
    std::string known;
    for (toml::node& item : array)
        if (toml::table* table = item.as_table()) {
            const auto value = (*table)["name"].value<std::string>();
            if (value == name)
                return item;
            if (value)
                known += (known.empty() ? "'" : ", '") + *value + "'";
        }
    throw Misfit(fmt::format("no [[{}]] is named '{}'; {}, or give an index such as {}[0]", list, name,
                             known.empty() ? "its entries have no names" : "the names are " + known, list));
}

class Walk {
public:
    Walk(toml::table& root, const std::string& assignment, Origins& origins)
        : table_(&root), assignment_(assignment), origins_(origins) {}

    void run(const std::vector<Segment>& segments, std::string_view value) {
        std::size_t i = 0;
        for (; i + 1 < segments.size(); ++i)
            if (enter(segments[i], segments[i + 1].name))
                ++i; // the next segment was the name of an entry
        if (i == segments.size())
            throw Misfit("the key names a whole entry; add the key to set, such as .steps");
        assign(segments[i], value);
    }

private:
    /// Goes one table deeper; true if this used up the next segment as well.
    bool enter(const Segment& segment, const std::string& next) {
        section_ += (section_.empty() ? "" : ".") + segment.name;
        toml::node* node = table_->get(segment.name);
        if (node == nullptr) {
            const SectionSchema* section = find_section(section_);
            if (segment.index || (section != nullptr && section->repeated))
                throw Misfit(fmt::format("the case has no [[{}]]; add one to the file", section_));
            node = &table_->insert_or_assign(segment.name, toml::table{}).first->second;
            origins_[node] = assignment_;
        }
        bool took_name = false;
        if (toml::array* array = node->as_array()) {
            took_name = !segment.index;
            node = segment.index ? &item_at(*array, segment) : &item_named(*array, section_, next);
        } else if (segment.index) {
            throw Misfit(fmt::format("'{}' is not a list; leave out the index", segment.name));
        }
        table_ = node->as_table();
        if (table_ == nullptr)
            throw Misfit(fmt::format("'{}' holds a value and has no keys in it", segment.name));
        return took_name;
    }

    void assign(const Segment& segment, std::string_view text) {
        const KeySchema* key = find_key(section_, segment.name);
        const bool wants_string =
            key != nullptr && (key->type == KeyType::string || key->type == KeyType::choice);
        toml::table parsed = parse_value(text, wants_string);
        toml::node& value = *parsed.get("value");
        if (!segment.index) {
            const auto placed = table_->insert_or_assign(segment.name, std::move(value)).first;
            remember_origin(placed->second, assignment_, origins_);
            return;
        }
        toml::node* node = table_->get(segment.name);
        toml::array* array = node != nullptr ? node->as_array() : nullptr;
        if (array == nullptr)
            throw Misfit(fmt::format("the case gives no list '{}'; leave out the index and set it whole",
                                     segment.name));
        item_at(*array, segment);
        const auto position = array->cbegin() + static_cast<std::ptrdiff_t>(*segment.index);
        array->insert(array->erase(position), std::move(value));
        origins_[array] = assignment_;
        remember_origin((*array)[*segment.index], assignment_, origins_);
    }

    toml::table* table_;
    std::string section_;
    const std::string& assignment_;
    Origins& origins_;
};

} // namespace

void apply_override(toml::table& root, const std::string& assignment, Origins& origins, Problems& problems) {
    const auto equals = assignment.find('=');
    const std::string_view path = trimmed(std::string_view(assignment).substr(0, equals));
    try {
        if (equals == std::string::npos)
            throw Misfit("no '=' found; write KEY=VALUE, such as solver.tolerance=1e-5");
        Walk(root, assignment, origins)
            .run(split_path(path), trimmed(std::string_view(assignment).substr(equals + 1)));
    } catch (const Misfit& misfit) {
        problems.add({"--set " + assignment, 0, 0}, std::string(path), misfit.what());
    }
}

} // namespace tamp
