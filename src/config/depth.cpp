#include "tamp/config/depth.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tamp {
namespace {

/// The end of the string that begins here. A string of one line that is not closed ends with the line.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    const std::string fence(3, quote);
    const bool long_string = text.substr(begin).starts_with(fence);
    for (std::size_t i = begin + (long_string ? 3 : 1); i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"')
            ++i;
        else if (long_string ? text.substr(i).starts_with(fence) : text[i] == quote || text[i] == '\n')
            return std::min(text.size(), i + (long_string ? 3 : 1));
    }
    return text.size();
}

bool is_part_of_key(char letter) {
    const bool alphanumeric = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                              (letter >= '0' && letter <= '9');
    return alphanumeric || letter == '_' || letter == '-' || letter == ' ' || letter == '\t';
}

TooDeep at(std::string_view text, std::size_t position, std::string what) {
    const std::string_view before = text.substr(0, position);
    const auto line = static_cast<int>(std::ranges::count(before, '\n')) + 1;
    const std::size_t begin = before.rfind('\n') + 1; // npos + 1 is 0
    return {line, static_cast<int>(position - begin) + 1, std::move(what)};
}

} // namespace

TooDeep find_too_deep(std::string_view text) {
    int parts = 1, levels = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (letter == '#') {
            i = std::min(text.find('\n', i), text.size());
            parts = 1;
        } else if (letter == '"' || letter == '\'') {
            i = end_of_string(text, i) - 1; // may be a part of a key
        } else if (letter == '.') {
            if (++parts > deepest_level)
                return at(text, i,
                          fmt::format("a key has more than {} parts; no key of a case has more than three",
                                      deepest_level));
        } else if (!is_part_of_key(letter)) {
            parts = 1;
            if (letter == '[' || letter == '{')
                ++levels;
            else if (letter == ']' || letter == '}')
                levels = std::max(0, levels - 1);
            if (levels > deepest_level)
                return at(text, i,
                          fmt::format("lists or tables lie more than {} levels deep in one another; no value "
                                      "of a case needs more than two",
                                      deepest_level));
        }
    }
    return {};
}

} // namespace tamp
