#include "tamp/config/keys.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

TEST(Keys, AllAreDescribed) {
    const std::string all = describe_keys("");
    for (const KeySchema& key : all_keys()) {
        const SectionSchema* section = find_section(key.section);
        ASSERT_NE(section, nullptr) << key.section;
        const std::string one = describe_keys(shown_name(*section));
        EXPECT_NE(one.find("\n  " + std::string(key.name) + " "), std::string::npos)
            << key.section << '.' << key.name;
        EXPECT_NE(one.find(key.description), std::string::npos) << key.section << '.' << key.name;
        EXPECT_NE(all.find(one.substr(0, one.find('\n'))), std::string::npos);
        EXPECT_FALSE(key.description.empty());
    }
}

TEST(Keys, SectionIncludesTheOnesInside) {
    EXPECT_NE(describe_keys("stage").find("[[stage.wall]]"), std::string::npos);
    EXPECT_EQ(describe_keys("stage").find("[solver]"), std::string::npos);
    EXPECT_EQ(describe_keys("top").find("[domain]"), std::string::npos);
    EXPECT_EQ(describe_keys("stage.wall").find("until_speed"), std::string::npos);
}

TEST(Keys, UnknownSection) {
    try {
        describe_keys("solvr");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'solver'?"), std::string::npos);
    }
    EXPECT_THROW(describe_keys("stage.walls"), InputError);
}

TEST(Schema, HasNoKeyTwiceAndItsListsAreWhole) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const KeySchema& key : all_keys()) {
        EXPECT_TRUE(seen.emplace(key.section, key.name).second) << key.name;
        EXPECT_EQ(key.type == KeyType::choice, !key.choices.empty() && key.type != KeyType::strings)
            << key.name;
        if (key.only_for.empty())
            continue;
        const KeySchema* selector = find_key(key.section, find_section(key.section)->selector);
        ASSERT_NE(selector, nullptr) << key.name;
        for (const std::string& word : split_list(key.only_for))
            EXPECT_TRUE(list_holds(selector->choices, word)) << key.name << ": " << word;
    }
}

TEST(Schema, RangeText) {
    EXPECT_EQ((Range{}).text(), "");
    EXPECT_EQ((Range{0, std::numeric_limits<double>::infinity(), true, true}).text(), "> 0");
    EXPECT_EQ((Range{0, 0.5, true, false}).text(), "> 0 and <= 0.5");
    EXPECT_EQ((Range{-1, 1}).text(), ">= -1 and <= 1");
}

} // namespace
} // namespace tamp
