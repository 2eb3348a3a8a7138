#include "tamp/config/problems.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {

std::string Place::text() const { return line > 0 ? fmt::format("{}:{}:{}", source, line, column) : source; }

void Problems::add(const Place& place, const std::string& path, const std::string& what) {
    entries_.push_back({place, fmt::format("{}{}{}", path, path.empty() ? "" : ": ", what)});
    // One problem, one line: a case may hold any character in its strings, keys and overrides.
    for (std::string* text : {&entries_.back().place.source, &entries_.back().message})
        for (char& letter : *text)
            if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f)
                letter = '?';
}

void Problems::throw_if_any() const {
    constexpr std::size_t most_shown = 20;
    if (entries_.empty())
        return;
    std::vector<Entry> sorted = entries_;
    std::ranges::stable_sort(sorted, {}, [](const Entry& entry) {
        return std::make_tuple(entry.place.line == 0, entry.place.line, entry.place.column);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), most_shown); ++i)
        text += fmt::format("{}{}: {}", i == 0 ? "" : "\n", sorted[i].place.text(), sorted[i].message);
    if (sorted.size() > most_shown)
        text += fmt::format("\nand {} more", sorted.size() - most_shown);
    throw InputError(text);
}

} // namespace tamp
