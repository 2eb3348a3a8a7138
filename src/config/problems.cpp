#include "tamp/config/problems.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/printable.hpp"

namespace tamp {

std::string Place::text() const { return line > 0 ? fmt::format("{}:{}:{}", source, line, column) : source; }

Problems::Entry Problems::entry(const Place& place, const std::string& path, const std::string& what) {
    // One problem, one line: a case may hold any character in its strings, keys and overrides.
    return {{printable(place.source), place.line, place.column},
            printable(fmt::format("{}{}{}", path, path.empty() ? "" : ": ", what))};
}

void Problems::add(const Place& place, const std::string& path, const std::string& what) {
    entries_.push_back(entry(place, path, what));
}

void Problems::warn(const Place& place, const std::string& path, const std::string& what) {
    warnings_.push_back(entry(place, path, what));
}

std::vector<std::string> Problems::lines(std::vector<Entry> entries, std::size_t left_out) {
    constexpr std::size_t most_shown = 20;
    std::ranges::stable_sort(entries, {}, [](const Entry& one) { return one.place.order(); });
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(entries.size(), most_shown); ++i)
        lines.push_back(fmt::format("{}: {}", entries[i].place.text(), entries[i].message));
    if (const std::size_t more = entries.size() - lines.size() + left_out; more > 0)
        lines.push_back(fmt::format("and {} more", more));
    return lines;
}

void Problems::throw_if_any() const {
    if (!entries_.empty())
        throw InputError(fmt::format("{}", fmt::join(lines(entries_, left_out_), "\n")));
}

std::vector<std::string> Problems::warnings() const { return lines(warnings_, 0); }

} // namespace tamp
