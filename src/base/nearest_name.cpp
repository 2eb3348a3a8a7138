#include "tamp/base/nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace tamp {
namespace {

std::string lower_case(std::string_view word) {
    std::string result(word);
    for (char& letter : result)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return result;
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last, last, row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = std::move(last);
        last = std::move(row);
        row.assign(b.size() + 1, i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
    // A word of any length would cost its square; nobody misspells a key by this much.
    constexpr std::size_t longest = 64;
    if (word.empty() || word.size() > longest)
        return {};
    const std::string wanted = lower_case(word);
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(wanted, lower_case(candidate));
        if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace tamp
