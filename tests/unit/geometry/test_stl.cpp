#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"
#include "tamp/geometry/stl.hpp"

namespace tamp {
namespace {

/// Coordinates that a float holds, so that binary files return them unchanged.
std::vector<Triangle> random_triangles(std::uint64_t number) {
    Random random(41, number, Purpose::test);
    std::vector<Triangle> triangles(1 + random.below(20));
    for (Triangle& triangle : triangles)
        for (Vec3& corner : triangle)
            for (int axis = 0; axis < 3; ++axis)
                corner[axis] = static_cast<float>(random.normal() * std::pow(10, random.uniform(-6, 6)));
    return triangles;
}

void add_word(std::string& bytes, std::uint32_t word) {
    for (int k = 0; k < 4; ++k)
        bytes.push_back(static_cast<char>(word >> 8 * k & 0xff));
}

std::string binary_stl(const std::vector<Triangle>& triangles, std::string header) {
    header.resize(80, ' ');
    add_word(header, static_cast<std::uint32_t>(triangles.size()));
    for (const Triangle& triangle : triangles) {
        for (int axis = 0; axis < 3; ++axis)
            add_word(header, 0);
        for (const Vec3& corner : triangle)
            for (int axis = 0; axis < 3; ++axis)
                add_word(header, std::bit_cast<std::uint32_t>(static_cast<float>(corner[axis])));
        header += "!!";
    }
    return header;
}

std::string text_stl(const std::vector<Triangle>& triangles, const std::string& line_end = "\n") {
    std::string text = "solid a name of its own" + line_end;
    for (const Triangle& triangle : triangles) {
        text += "  facet normal 0 nan 1e0" + line_end + "    outer loop" + line_end;
        for (const Vec3& corner : triangle)
            text += fmt::format("      vertex {} {:+} {:.17e}{}", corner.x, corner.y, corner.z, line_end);
        text += "    endloop" + line_end + "  endfacet" + line_end;
    }
    return text + "endsolid a name of its own" + line_end;
}

std::string refusal(const std::string& bytes) {
    try {
        read_stl(bytes, "wall.stl");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

void expect_refusal(const std::string& bytes, const std::string& part) {
    const std::string message = refusal(bytes);
    EXPECT_NE(message.find(part), message.npos) << "wanted: " << part << "\ngot: " << message;
}

TEST(Stl, TextAndBinaryReturnWhatWasWritten) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        SCOPED_TRACE(number);
        const std::vector<Triangle> triangles = random_triangles(number);
        for (const char* line_end : {"\n", "\r\n", "\r"})
            EXPECT_EQ(read_stl(text_stl(triangles, line_end), "wall.stl"), triangles);
        EXPECT_EQ(read_stl(binary_stl(triangles, "made by a test"), "wall.stl"), triangles);
        EXPECT_EQ(read_stl(binary_stl(triangles, "solid but binary\nfacet normal"), "wall.stl"), triangles);
        EXPECT_EQ(read_stl(binary_stl(triangles, std::string("solid\0", 6)), "wall.stl"), triangles);
    }
}

TEST(Stl, SeveralSolidsCapitalsAndAByteOrderMark) {
    std::vector<Triangle> triangles = random_triangles(1);
    std::string text = text_stl(triangles);
    std::vector<Triangle> twice = triangles;
    twice.insert(twice.end(), triangles.begin(), triangles.end());
    EXPECT_EQ(read_stl(text + text, "wall.stl"), twice);
    EXPECT_EQ(read_stl("\xef\xbb\xbf" + text, "wall.stl"), triangles);
    EXPECT_EQ(read_stl(" \n\n" + text + " \n", "wall.stl"), triangles);
    for (char& c : text)
        c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(read_stl(text, "wall.stl"), triangles);
}

TEST(Stl, EveryTruncationIsRefused) {
    const std::vector<Triangle> triangles = random_triangles(2);
    const std::string text = text_stl(triangles), binary = binary_stl(triangles, "solid binary");
    const std::size_t end = text.find("endsolid") + 8;
    for (std::size_t size = 0; size < end; ++size)
        EXPECT_NE(refusal(text.substr(0, size)), "") << size << " bytes of text";
    for (std::size_t size = 0; size < binary.size(); ++size)
        EXPECT_NE(refusal(binary.substr(0, size)), "") << size << " bytes of binary";
    expect_refusal(binary.substr(0, binary.size() - 1), "cut short");
    expect_refusal(binary + "x", "followed by something else");
    expect_refusal(text.substr(0, text.find("endloop")),
                   "wall.stl:7: the text ends where \"endloop\" should be");
}

TEST(Stl, GarbageIsRefusedAndNeverCrashes) {
    for (std::uint64_t number = 0; number < 3000; ++number) {
        Random random(42, number, Purpose::test);
        std::string bytes(random.below(400), ' ');
        for (char& c : bytes)
            c = static_cast<char>(random.below(256));
        EXPECT_NE(refusal(bytes), "");
        EXPECT_NE(refusal("solid " + bytes), "");
        // One byte changed: still read, or refused with a message.
        for (std::string changed :
             {text_stl(random_triangles(3)), binary_stl(random_triangles(3), "solid")}) {
            changed[random.below(changed.size())] = static_cast<char>(random.below(256));
            refusal(changed);
        }
    }
    expect_refusal("", "wall.stl:1: neither a binary STL");
    expect_refusal("# a script", "wall.stl:1: neither a binary STL");
    expect_refusal("solid\nendsolid\n", "without triangles");
    expect_refusal(binary_stl({}, "none"), "without triangles");
}

TEST(Stl, NumbersMustBeFiniteNumbers) {
    const std::string text = text_stl({{Vec3{1, 2, 3}, Vec3{4, 5, 6}, Vec3{7, 8, 9}}});
    const auto with = [&](const std::string& number) {
        std::string changed = text;
        return changed.replace(changed.find("vertex 4") + 7, 1, number);
    };
    EXPECT_EQ(refusal(with("+1.5E-3")), "");
    expect_refusal(with("nan"), "wall.stl:5: \"nan\" is not finite");
    expect_refusal(with("-inf"), "not finite");
    expect_refusal(with("1e999"), "beyond the range");
    expect_refusal(with("4mm"), "wall.stl:5: \"4mm\" is not a number");
    expect_refusal(with("4,0"), "not a number");
    expect_refusal(with(""), "wall.stl:6: \"vertex\" is not a number");
    std::string binary =
        binary_stl({{Vec3{1, 2, 3}, Vec3{4, 5, std::numeric_limits<float>::infinity()}, Vec3{}}}, "");
    expect_refusal(binary, "byte 116: a coordinate of triangle 0 is not finite");
}

} // namespace
} // namespace tamp
