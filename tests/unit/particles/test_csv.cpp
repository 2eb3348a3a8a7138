#include "tamp/particles/csv.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"

namespace {

using namespace tamp;

const std::vector<std::string> materials{"glass", "steel"};

std::vector<Grain> parse(std::string_view text, int dimension = 3) {
    return parse_grains_csv(text, "grains.csv", dimension, materials, 1, 100);
}

TEST(Csv, ReadsAllColumnsInAnyOrder) {
    const auto grains = parse("material,wz,wy,wx,vz,vy,vx,diameter,z,y,x\n"
                              "glass,9,8,7,6,5,4,1.0,3,2,1\n"
                              "steel,0,0,0,0,0,0,0.5,-3e-3,+2,.5\n");
    ASSERT_EQ(grains.size(), 2u);
    EXPECT_EQ(grains[0], (Grain{100, {1, 2, 3}, 0.5, {4, 5, 6}, {7, 8, 9}, 0}));
    EXPECT_EQ(grains[1], (Grain{101, {0.5, 2, -3e-3}, 0.25, {0, 0, 0}, {0, 0, 0}, 1}));
}

TEST(Csv, OptionalColumnsHaveDefaults) {
    const auto grains = parse("x,y,z,radius\n1,2,3,0.5");
    ASSERT_EQ(grains.size(), 1u);
    EXPECT_EQ(grains[0], (Grain{100, {1, 2, 3}, 0.5, {0, 0, 0}, {0, 0, 0}, 1}));
}

TEST(Csv, SkipsCommentsBlanksQuotesAndForeignLineEnds) {
    const auto grains =
        parse("\xef\xbb\xbf# packed on Monday, by hand\r\n\r\n \"x\" ,\ty, z,radius,material # SI\r\n"
              "  1,2,3,0.5,\"glass\"\r\n   # nothing\r\n\n4 , 5,6,0.5 , steel # the last\r\n");
    ASSERT_EQ(grains.size(), 2u);
    EXPECT_EQ(grains[0].material, 0);
    EXPECT_EQ(grains[1], (Grain{101, {4, 5, 6}, 0.5, {0, 0, 0}, {0, 0, 0}, 1}));
}

TEST(Csv, InTwoDimensionsTheThirdIsOptionalAndZero) {
    EXPECT_EQ(parse("x,y,radius,wz\n1,2,0.5,3", 2)[0], (Grain{100, {1, 2, 0}, 0.5, {0, 0, 0}, {0, 0, 3}, 1}));
    EXPECT_EQ(parse("x,y,z,radius\n1,2,0.0,0.5", 2)[0].position, (Vec3{1, 2, 0}));
}

TEST(Csv, NumbersComeBackBitForBit) {
    Random random(1, 1, Purpose::test);
    std::string text = "radius,x,y,z\n";
    std::vector<Grain> expected;
    for (std::uint64_t k = 0; k < 1000; ++k) {
        const double scale = std::pow(10, random.uniform(-20, 20));
        expected.push_back({100 + k,
                            {random.normal() * scale, random.normal(), random.normal() / scale},
                            random.uniform(1, 5), // wider ranges are refused
                            {0, 0, 0},
                            {0, 0, 0},
                            1});
        const Grain& grain = expected.back();
        text +=
            fmt::format("{},{},{},{}\n", grain.radius, grain.position.x, grain.position.y, grain.position.z);
    }
    EXPECT_EQ(parse(text), expected);
}

struct BadFile {
    const char* text;
    int dimension;
    std::vector<const char*> expected; ///< parts of the message
};

TEST(Csv, ErrorsNameFileLineColumnAndRemedy) {
    const std::vector<BadFile> bad_files = {
        {"", 3, {"grains.csv: ", "names the columns", "x, y, z, radius"}},
        {"# only\n\n# comments\n", 2, {"grains.csv: ", "names the columns", "\"x, y, radius\""}},
        {"x,y,z,radius\n# none\n", 3, {"grains.csv: ", "no particles"}},
        {"\nx,y,z,raduis\n1,2,3,4\n", 3, {"grains.csv:2: ", "\"raduis\"", "did you mean radius?"}},
        {"x,y,z,radius,colour\n", 3, {"grains.csv:1: ", "\"colour\"", "remove it", "known: x, y, z"}},
        {"x,y,z,radius,\n", 3, {"grains.csv:1: ", "unknown column \"\""}},
        {"x;y;z;radius\n", 3, {"grains.csv:1: ", "commas"}},
        {"# x,y,z,radius\n1,2,3,4\n", 3, {"grains.csv:2: ", "\"1\"", "names of the columns"}},
        {"x,y,z,radius,x\n", 3, {"grains.csv:1: ", "column x is there twice"}},
        {"x,y,radius\n1,2,3\n", 3, {"grains.csv:1: ", "column z is missing"}},
        {"x,z,radius\n1,2,3\n", 2, {"grains.csv:1: ", "column y is missing"}},
        {"x,y,z\n1,2,3\n", 3, {"grains.csv:1: ", "column radius is missing", "diameter"}},
        {"x,y,z,radius,diameter\n", 3, {"grains.csv:1: ", "both"}},
        {"x,y,z,radius\n1,2,3,4\n1,2,3\n", 3, {"grains.csv:3: ", "3 values for 4 columns"}},
        {"x,y,z,radius\n1,2,3,4,5\n", 3, {"grains.csv:2: ", "5 values for 4 columns"}},
        {"x,y,z,radius\n1,2,,4\n", 3, {"grains.csv:2: ", "column z", "no value"}},
        {"x,y,z,radius\n1,12abc,3,4\n", 3, {"grains.csv:2: ", "column y", "\"12abc\" is not a number"}},
        {"x,y,z,radius\n1,2 mm,3,4\n", 3, {"grains.csv:2: ", "column y", "without a unit"}},
        {"x,y,z,radius\n1,0x10,3,4\n", 3, {"grains.csv:2: ", "column y", "not a number"}},
        {"x,y,z,radius\n+-1,2,3,4\n", 3, {"grains.csv:2: ", "column x", "not a number"}},
        {"x,y,z,radius\nnan,2,3,4\n", 3, {"grains.csv:2: ", "column x", "not finite"}},
        {"x,y,z,radius\n1,-inf,3,4\n", 3, {"grains.csv:2: ", "column y", "not finite"}},
        {"x,y,z,radius\n1,2,1e999,4\n", 3, {"grains.csv:2: ", "column z", "beyond the range"}},
        {"x,y,z,radius\n1,2,3,0\n", 3, {"grains.csv:2: ", "column radius", "must be > 0"}},
        {"x,y,z,diameter\n1,2,3,-1e-3\n", 3, {"grains.csv:2: ", "column diameter", "must be > 0"}},
        {"x,y,z,radius,material\n1,2,3,4,gloss\n",
         3,
         {"grains.csv:2: ", "material", "did you mean \"glass\"?"}},
        {"x,y,z,radius,material\n1,2,3,4,water\n",
         3,
         {"grains.csv:2: ", "\"water\"", "[[material]]", "glass, steel"}},
        {"x,y,z,radius\n1,2,3,4\n", 2, {"grains.csv:2: ", "column z", "must be 0 in two dimensions"}},
        {"x,y,z,radius\n1,2,3,1e-2\n2,2,3,1.5e-2\n3,2,3,1e-3\n",
         3,
         {"grains.csv:4: ", "factor of 5", "smallest is 0.002 m (line 4)", "largest 0.03 m (line 3)"}},
        {"x,y,radius,wx\n1,2,3,4\n", 2, {"grains.csv:2: ", "column wx", "must be 0 in two dimensions"}},
    };
    for (const BadFile& bad : bad_files) {
        std::string message = "no InputError";
        try {
            parse(bad.text, bad.dimension);
        } catch (const InputError& error) {
            message = error.what();
        }
        for (const char* part : bad.expected)
            EXPECT_NE(message.find(part), std::string::npos)
                << "\"" << part << "\" is not in: " << message << "\nfile:\n"
                << bad.text;
    }
}

/// A message is for a terminal: nothing in a file may clear its screen, and no field may fill it.
TEST(Csv, MessagesHoldNoControlCharactersAndNoLongFields) {
    const std::string many(1000, 'a');
    for (const std::string& odd :
         {std::string("\x1b[2J"), std::string("a\0b", 3), std::string("\xc2\x9b"), many})
        for (const std::string& text :
             {"x,y,z,radius," + odd + "\n", "x,y,z," + odd + " radius\n", "x,y,z,radius\n1," + odd + ",3,4\n",
              "x,y,z,radius,material\n1,2,3,4," + odd + "\n"}) {
            std::string message;
            try {
                parse(text);
            } catch (const InputError& error) {
                message = error.what();
            }
            EXPECT_FALSE(message.empty()) << text;
            EXPECT_LT(message.size(), 300u) << message;
            for (const char letter : message)
                EXPECT_TRUE(static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7f) << message;
            EXPECT_EQ(message.find("\xc2\x9b"), message.npos) << message;
        }
}

TEST(Csv, CutOffOrGarbledTextNeverCrashes) {
    const std::string good = "x,y,z,radius,material\n1,2.5e-3,3,0.5,glass\n# c\n4,5,6,0.5,steel\n";
    Random random(2, 1, Purpose::test);
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text = good.substr(0, random.below(good.size() + 1));
        for (std::uint64_t change = random.below(4); change > 0 && !text.empty(); --change)
            text[random.below(text.size())] = static_cast<char>(random.below(256));
        try {
            for (const Grain& grain : parse(text))
                ASSERT_TRUE(std::isfinite(grain.position.x) && grain.radius > 0);
        } catch (const InputError&) {
        }
    }
}

} // namespace
