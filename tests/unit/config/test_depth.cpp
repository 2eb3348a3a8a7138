#include "tamp/config/depth.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

std::string repeated(const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += part;
    return text;
}

TEST(Depth, FindsTheLineThatGoesTooDeep) {
    const std::string keys = repeated("a.", 40), quoted_keys = repeated("\"a\" . ", 40);
    const std::string lists = repeated("[", 40), tables = repeated("{a=", 40), both = repeated("[{a.b=", 40);
    for (const std::string& deep : {keys + "a = 1", "[" + keys + "a]", quoted_keys + "a = 1", "a = " + lists,
                                    "a = " + tables, "a = " + both}) {
        const TooDeep found = find_too_deep(fmt::format("x = 1.5\n{}", deep));
        EXPECT_FALSE(found.what.empty()) << deep;
        EXPECT_EQ(found.line, 2) << deep;
    }
}

TEST(Depth, NumbersStringsAndCommentsAreNotDeep) {
    const std::string dots(100, '.'), brackets(100, '['), numbers = repeated("0.5, ", 100);
    for (const std::string& flat :
         {"a = [" + numbers + "0.5]", "# " + dots + brackets, "a = \"" + dots + "\"",
          "a = '" + brackets + "'", "a = \"\"\"\n" + dots + "\n\" " + brackets + "\"\"\"",
          "a = \"\\\"" + dots + "\"", "a = '''" + dots + "'''", repeated("a = [[1.5]]\n", 100),
          repeated("[[a]]\nb.c = {d = 1}\n", 100)})
        EXPECT_EQ(find_too_deep(flat).what, "") << flat;
}

/// A call a level: these overran the stack.
TEST(Depth, NoDepthBreaksTheParser) {
    const std::string& good = test::minimal_case;
    const std::string path = repeated("a.", 100'000) + "a", tables = repeated("{a = ", 100'000);
    const std::string lists = repeated("[", 100'000), both = repeated("[{a.a.a.a.a.a.a.a = ", 10'000);
    for (const std::string& text : {path + " = 1\n" + good, good + "[" + path + "]\n",
                                    good + "[[" + path + "]]\n", good + "a = {" + path + " = 1}\n",
                                    good + "a = " + tables, good + "a = " + lists, good + "a = " + both}) {
        const std::string message = test::message_of(text);
        EXPECT_TRUE(message.find("parts") != std::string::npos || message.find("deep") != std::string::npos)
            << message.substr(0, 200);
        EXPECT_EQ(message.find("case.toml:"), 0u) << message.substr(0, 200);
    }
    EXPECT_NE(test::message_of(good, {path + "=1"}).find("more than 16 parts"), std::string::npos);
    EXPECT_NE(test::message_of(good, {"seed={" + path + "=1}"}), "");
}

/// Half a second for all of them, and a short message.
TEST(Depth, ManyUnknownKeysAreToldInAFewLines) {
    std::string text = test::minimal_case;
    for (int i = 0; i < 100'000; ++i)
        text += "unknown_" + std::to_string(i) + " = 1\n";
    const std::string message = test::message_of(text);
    EXPECT_LT(message.size(), 4000u);
    EXPECT_NE(message.find("stage[0].unknown_0: unknown key"), std::string::npos) << message;
    EXPECT_NE(message.find("and 99980 more"), std::string::npos) << message;
}

} // namespace
} // namespace tamp
