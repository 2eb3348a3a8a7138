// Every file of tests/input/bad holds one mistake, and says in its first lines what the parser must say.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

std::filesystem::path bad_folder() {
    const char* root = std::getenv("TAMP_SOURCE_DIR");
    const auto source =
        root != nullptr
            ? std::filesystem::path(root)
            : std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
    return source / "tests" / "input" / "bad";
}

std::string read_whole(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// The value of a line `# key: value` at the top of a file, or a default.
std::string header(const std::string& text, const std::string& key, const std::string& otherwise) {
    std::istringstream lines(text);
    const std::string start = "# " + key + ": ";
    for (std::string line; std::getline(lines, line) && line.starts_with("# ");)
        if (line.starts_with(start))
            return line.substr(start.size());
    return otherwise;
}

void check_file(const std::filesystem::path& path) {
    SCOPED_TRACE(path.filename().string());
    const std::string text = read_whole(path);
    const std::string name = path.filename().string();
    std::string message;
    try {
        parse_case(text, name);
    } catch (const InputError& error) {
        message = error.what();
    }
    if (header(text, "found-by", "") == "run") { // by who opens the file that the case names
        EXPECT_EQ(message, "");
        return;
    }
    const std::string expected = header(text, "expect", "no expectation given");
    EXPECT_TRUE(std::regex_search(message, std::regex(expected, std::regex::ECMAScript)))
        << "wanted: " << expected << "\ngot:    " << message;
    EXPECT_NE(message.find(fmt::format("{}:{}:", name, header(text, "line", "?"))), std::string::npos)
        << "wanted line " << header(text, "line", "?") << "\ngot:    " << message;
    const long problems = std::stol(header(text, "problems", "1"));
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n') + 1, problems)
        << "one mistake, but several messages:\n"
        << message;
}

TEST(BadInput, EveryMistakeIsNamedWithItsLine) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(bad_folder()))
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    std::ranges::sort(files);
    EXPECT_GE(files.size(), 100u);
    for (const std::filesystem::path& file : files)
        check_file(file);
}

TEST(BadInput, OddTextNeverBreaksTheParser) {
    // Cut and garbled cases must be reported, not crash: the message is whatever it is.
    const std::string& good = test::minimal_case;
    for (std::size_t length = 0; length < good.size(); length += 3)
        test::message_of(good.substr(0, length));
    for (std::size_t position = 0; position < good.size(); ++position)
        for (const char odd : {'\0', '\xff', '[', ']', '"', '=', '\n', '-', '9'}) {
            std::string text = good;
            text[position] = odd;
            test::message_of(text);
        }
    test::message_of(std::string(100000, '['));
    test::message_of("a = " + std::string(100000, '['));
    test::message_of("stage = [[[]], {}]\nparticles = [1, {}]\nwall = {}\nsolver = []\ndomain = [{}]\n");
}

} // namespace
} // namespace tamp
