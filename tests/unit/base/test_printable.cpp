#include "tamp/base/printable.hpp"

#include <gtest/gtest.h>

namespace tamp {
namespace {

using namespace std::string_literals;

TEST(Printable, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(printable("plain, gr\xc3\xbc\xc3\x9f"), "plain, gr\xc3\xbc\xc3\x9f");
    EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
    EXPECT_EQ(printable("a\0b\r\n\x7f"s), "a\\x00b\\x0d\\x0a\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\xc2\\x9b"
              "31m");
}

TEST(Printable, QuotesAreCutBetweenCharacters) {
    EXPECT_EQ(in_quotes("short"), "\"short\"");
    EXPECT_EQ(in_quotes(std::string(41, 'a')), "\"" + std::string(40, 'a') + "...\"");
    EXPECT_EQ(in_quotes(std::string(39, 'a') + "\xc3\xbc"), "\"" + std::string(39, 'a') + "...\"");
}

} // namespace
} // namespace tamp
