#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/base/printable.hpp"
#include "tamp/config/validate.hpp"

namespace tamp {
namespace {

bool is_quoted_number(const Node& value) {
    double number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto [rest, error] = std::from_chars(value.text.data(), end, number);
    return value.kind == Node::Kind::string && error == std::errc{} && rest == end;
}

std::string number_fault(const Range& range, const Node& value) {
    // Beyond these a mass or a volume would overflow or vanish.
    constexpr double largest = 1e60, smallest = 1e-60;
    if (!value.is_number())
        return fmt::format("got {}, wanted a number{}", value.description(),
                           is_quoted_number(value) ? "; leave out the quotes" : "");
    if (!std::isfinite(value.number))
        return fmt::format("got {}; give a finite number", value.number);
    if (!range.contains(value.number))
        return fmt::format("got {}; give a number {}", value.number, range.text());
    const double size = std::abs(value.number);
    if (value.kind == Node::Kind::number && size != 0 && (size > largest || size < smallest))
        return fmt::format("got {}; give a size between {} and {}", value.number, smallest, largest);
    return {};
}

std::string integer_fault(const Range& range, const Node& value) {
    if (value.kind != Node::Kind::integer)
        return fmt::format("got {}, wanted an integer{}", value.description(),
                           value.kind == Node::Kind::number ? "; write it without a point or exponent" : "");
    if (!range.contains(value.number))
        return fmt::format("got {}; give an integer {}", value.integer, range.text());
    return {};
}

std::string string_fault(std::string_view choices, const Node& value) {
    if (value.kind != Node::Kind::string)
        return fmt::format("got {}, wanted {}", value.description(),
                           choices.empty() ? "a string in quotes" : quoted_list(choices));
    if (list_holds(choices, value.text))
        return {};
    const std::string nearest = nearest_name(value.text, split_list(choices));
    return fmt::format("got {}; {}choose {}", in_quotes(value.text),
                       nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                       quoted_list(choices));
}

std::string vector_fault(const Node& value, int dimension) {
    const std::string wanted = dimension == 2 ? "a vector [x, y]" : "a vector [x, y, z]";
    if (value.kind != Node::Kind::list)
        return fmt::format("got {}, wanted {}", value.description(), wanted);
    const std::size_t size = value.children.size();
    if (size != 3 && (size != 2 || dimension == 3))
        return fmt::format("got {} components; give {}", size, wanted);
    for (const Node& component : value.children)
        if (std::string fault = number_fault({}, component); !fault.empty())
            return fault + " in every component";
    if (dimension == 2 && size == 3 && value.children[2].number != 0)
        return fmt::format("got the third component {} in two dimensions; leave it out",
                           value.children[2].number);
    return {};
}

std::string list_fault(const KeySchema& key, const Node& value) {
    const bool strings = key.type == KeyType::strings;
    if (value.kind != Node::Kind::list)
        return fmt::format("got {}, wanted a list of {} in brackets", value.description(),
                           strings ? "strings" : "numbers");
    if (value.children.empty())
        return "the list is empty; give at least one item";
    for (const Node& item : value.children)
        if (std::string fault = strings ? string_fault(key.choices, item) : number_fault(key.range, item);
            !fault.empty())
            return fault;
    return {};
}

std::string words_fault(const Node& value) {
    if (value.kind != Node::Kind::table)
        return fmt::format("got {}, wanted a table of strings, like {{ glass = \"steel\" }}",
                           value.description());
    if (value.children.empty())
        return "the table is empty; name at least one, or remove it";
    for (const Node& child : value.children)
        if (child.kind != Node::Kind::string)
            return fmt::format("{}: got {}, wanted a string in quotes", in_quotes(child.name),
                               child.description());
    return {};
}

} // namespace

std::string value_fault(const KeySchema& key, const Node& value, int dimension) {
    switch (key.type) {
    case KeyType::boolean:
        if (value.kind == Node::Kind::boolean)
            return {};
        return fmt::format("got {}, wanted true or false", value.description());
    case KeyType::integer:
        return integer_fault(key.range, value);
    case KeyType::number:
        return number_fault(key.range, value);
    case KeyType::string:
    case KeyType::choice:
        return string_fault(key.choices, value);
    case KeyType::vector:
        return vector_fault(value, dimension);
    case KeyType::numbers:
    case KeyType::strings:
        return list_fault(key, value);
    case KeyType::words:
        return words_fault(value);
    case KeyType::number_table:
        return value.kind == Node::Kind::table ? table_fault(key, value, dimension)
                                               : number_fault(key.range, value);
    case KeyType::vector_table:
        return value.kind == Node::Kind::table ? table_fault(key, value, dimension)
                                               : vector_fault(value, dimension);
    }
    return {};
}

} // namespace tamp
