#include "tamp/config/document.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/printable.hpp"
#include "tamp/config/depth.hpp"
#include "tamp/config/overrides.hpp"

namespace tamp {
namespace {

Place place_of(const toml::source_position& position, const std::string& file_name) {
    return {file_name, static_cast<int>(position.line), static_cast<int>(position.column)};
}

class Converter {
public:
    Converter(const std::string& file_name, const Origins& origins)
        : file_name_(file_name), origins_(origins) {}

    Node convert(const toml::node& node, const toml::key* key, const Place& parent) const {
        Node result;
        result.name = key != nullptr ? std::string(key->str()) : std::string{};
        result.place = find_place(node, key, parent);
        switch (node.type()) {
        case toml::node_type::table:
            result.kind = Node::Kind::table;
            for (const auto& [child_key, child] : *node.as_table())
                result.children.push_back(convert(child, &child_key, result.place));
            break;
        case toml::node_type::array:
            result.kind = Node::Kind::list;
            for (const toml::node& item : *node.as_array())
                result.children.push_back(convert(item, nullptr, result.place));
            break;
        case toml::node_type::string:
            result.kind = Node::Kind::string;
            result.text = node.as_string()->get();
            break;
        case toml::node_type::integer:
            result.kind = Node::Kind::integer;
            result.integer = node.as_integer()->get();
            result.number = static_cast<double>(result.integer);
            break;
        case toml::node_type::floating_point:
            result.kind = Node::Kind::number;
            result.number = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            result.kind = Node::Kind::boolean;
            result.boolean = node.as_boolean()->get();
            break;
        default:
            result.kind = Node::Kind::date;
            break;
        }
        return result;
    }

private:
    Place find_place(const toml::node& node, const toml::key* key, const Place& parent) const {
        if (const auto origin = origins_.find(&node); origin != origins_.end())
            return {"--set " + origin->second, 0, 0};
        if (key != nullptr && key->source().begin)
            return place_of(key->source().begin, file_name_);
        return node.source().begin ? place_of(node.source().begin, file_name_) : parent;
    }

    const std::string& file_name_;
    const Origins& origins_;
};

/// The first line that toml++ stumbles over, where it does not tell it.
int stumbling_line(std::string_view text) {
    int line = 0;
    for (std::size_t end = 0; end < text.size(); ++end) {
        end = std::min(text.find('\n', end), text.size());
        ++line;
        try {
            static_cast<void>(toml::parse(text.substr(0, end)));
        } catch (const TomlAssertion&) {
            return line;
        } catch (const toml::parse_error&) {
            // cut within a value that goes on over several lines
        }
    }
    return line;
}

toml::table parse_toml(std::string_view text, const std::string& file_name) {
    const auto error_at = [](const Place& place, std::string_view what) {
        return InputError(fmt::format("{}: not valid TOML: {}", place.text(), what));
    };
    if (const TooDeep deep = find_too_deep(text); !deep.what.empty())
        throw InputError(fmt::format("{}: {}", Place{file_name, deep.line, deep.column}.text(), deep.what));
    try {
        return toml::parse(text, file_name);
    } catch (const toml::parse_error& error) {
        throw error_at(place_of(error.source().begin, file_name), error.description());
    } catch (const TomlAssertion&) {
        throw error_at({file_name, stumbling_line(text), 1}, "cannot make sense of this line; correct it");
    }
}

} // namespace

const Node* Node::find(std::string_view key) const {
    for (const Node& child : children)
        if (kind == Kind::table && child.name == key)
            return &child;
    return nullptr;
}

std::string Node::description() const {
    switch (kind) {
    case Kind::boolean:
        return fmt::format("the boolean {}", boolean);
    case Kind::integer:
        return fmt::format("the integer {}", integer);
    case Kind::number:
        return fmt::format("the number {}", number);
    case Kind::string:
        return "the string " + in_quotes(text);
    case Kind::date:
        return "a date or time";
    case Kind::list:
        return fmt::format("a list of {}", children.size());
    case Kind::table:
        return "a table";
    }
    return {};
}

Document read_document(std::string_view text, const std::string& file_name,
                       std::span<const std::string> overrides, Problems& problems) {
    toml::table table = parse_toml(text, file_name);
    Origins origins;
    for (const std::string& assignment : overrides)
        apply_override(table, assignment, origins, problems);
    const Place top{file_name, 1, 1};
    Document document;
    document.root = Converter(file_name, origins).convert(table, nullptr, top);
    document.root.place = top;
    std::ostringstream source;
    source << toml::toml_formatter(table) << '\n';
    document.source = source.str();
    return document;
}

} // namespace tamp
