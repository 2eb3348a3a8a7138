#include "tamp/base/printable.hpp"

#include <fmt/format.h>

namespace tamp {

std::string printable(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto letter = static_cast<unsigned char>(text[i]);
        // In UTF-8, C2 80 to C2 9F are control characters too: C2 9B is another form of ESC [.
        const bool after_c2 = i > 0 && static_cast<unsigned char>(text[i - 1]) == 0xc2;
        if (letter < 0x20 || letter == 0x7f || (after_c2 && letter >= 0x80 && letter < 0xa0))
            result += fmt::format("\\x{:02x}", letter);
        else
            result += text[i];
    }
    return result;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 40;
    if (text.size() <= longest)
        return fmt::format("\"{}\"", printable(text));
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end; // not within a character
    return fmt::format("\"{}...\"", printable(text.substr(0, end)));
}

} // namespace tamp
