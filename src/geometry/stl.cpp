#include "tamp/geometry/stl.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/printable.hpp"

namespace tamp {
namespace {

// ---- Binary: 80 bytes of header, the number of triangles (uint32), then 50 bytes a triangle: the normal and
// three corners (12 float32) and an attribute (uint16), all little-endian.
constexpr std::size_t header_size = 80;
constexpr std::size_t first_triangle = header_size + 4;
constexpr std::size_t normal_size = 12;
constexpr std::size_t triangle_size = 50;

std::uint32_t word_at(std::string_view bytes, std::size_t place) {
    std::uint32_t word = 0;
    for (std::size_t k = 4; k-- > 0;)
        word = word << 8 | static_cast<unsigned char>(bytes[place + k]);
    return word;
}

std::size_t size_of_binary(std::string_view bytes) {
    return first_triangle + triangle_size * static_cast<std::size_t>(word_at(bytes, header_size));
}

bool is_binary(std::string_view bytes) {
    // In a text these four bytes are letters and stand for a number that no file of this size could have.
    if (bytes.size() >= first_triangle && size_of_binary(bytes) == bytes.size())
        return true;
    // Cut short or not, a binary file of less than 2^24 triangles has a zero in their number; a text has
    // none.
    return bytes.find('\0') != bytes.npos;
}

std::vector<Triangle> read_binary(std::string_view bytes, const std::string& file_name) {
    const auto fail = [&](const std::string& problem) {
        throw InputError(printable(fmt::format("{}: {}", file_name, problem)));
    };
    if (bytes.size() < first_triangle)
        fail(fmt::format(
            "binary STL, but it has only {} bytes where the header alone takes {}; the file is cut "
            "short or of another kind: export it again as STL",
            bytes.size(), first_triangle));
    const std::size_t count = word_at(bytes, header_size), needed = size_of_binary(bytes);
    if (bytes.size() != needed)
        fail(fmt::format(
            "binary STL of {} triangles (byte {}), which take {} bytes, but the file has {}; it is "
            "{} or of another kind: export it again as STL",
            count, header_size, needed, bytes.size(),
            bytes.size() < needed ? "cut short" : "followed by something else"));
    std::vector<Triangle> triangles(count);
    for (std::size_t number = 0; number < count; ++number) {
        std::size_t place = first_triangle + triangle_size * number + normal_size;
        for (Vec3& corner : triangles[number])
            for (int axis = 0; axis < 3; ++axis, place += 4) {
                corner[axis] = std::bit_cast<float>(word_at(bytes, place));
                if (!std::isfinite(corner[axis]))
                    fail(fmt::format(
                        "binary STL, byte {}: a coordinate of triangle {} is not finite; repair the "
                        "surface and export it again",
                        place, number));
            }
    }
    return triangles;
}

// ---- Text: solid [name] { facet normal x y z / outer loop / 3 vertex x y z / endloop / endfacet } endsolid
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || is_line_end(c); }

bool same_word(std::string_view word, std::string_view keyword) { // some programs write capitals
    return std::ranges::equal(word, keyword, [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

class TextReader {
public:
    TextReader(std::string_view text, const std::string& file_name) : text_(text), file_name_(file_name) {
        if (text_.starts_with("\xef\xbb\xbf")) // the mark by which some editors sign UTF-8
            text_.remove_prefix(3);
    }

    std::vector<Triangle> read() {
        if (!same_word(next_word(), "solid"))
            fail("neither a binary STL nor a text that begins with \"solid\"; export the surface as STL");
        for (;;) {
            skip_line(); // the name
            for (;;) {
                const std::string_view word = next_word();
                if (same_word(word, "endsolid"))
                    break;
                if (!same_word(word, "facet"))
                    fail_expected("facet or endsolid", word);
                read_triangle();
            }
            skip_line();
            const std::string_view word = next_word();
            if (word.empty())
                return std::move(triangles_);
            if (!same_word(word, "solid"))
                fail_expected("another solid or the end of the file", word);
        }
    }

private:
    void read_triangle() {
        expect("normal");
        for (int axis = 0; axis < 3; ++axis)
            if (next_word().empty())
                fail_expected("a number", {});
        expect("outer");
        expect("loop");
        Triangle& triangle = triangles_.emplace_back();
        for (Vec3& corner : triangle) {
            expect("vertex");
            for (int axis = 0; axis < 3; ++axis)
                corner[axis] = next_number();
        }
        expect("endloop");
        expect("endfacet");
    }

    double next_number() {
        const std::string_view word = next_word();
        if (word.empty())
            fail_expected("a number", word);
        const std::string_view digits = word.substr(word.front() == '+' ? 1 : 0);
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error == std::errc::result_out_of_range)
            fail(fmt::format("{} is beyond the range of numbers; check its exponent", in_quotes(word)));
        if (error != std::errc{} || end != digits.data() + digits.size())
            fail(fmt::format("{} is not a number; write three coordinates behind \"vertex\", like 1.5e-3",
                             in_quotes(word)));
        if (!std::isfinite(value))
            fail(fmt::format("{} is not finite; repair the surface and export it again", in_quotes(word)));
        return value;
    }

    void expect(std::string_view keyword) {
        const std::string_view word = next_word();
        if (!same_word(word, keyword))
            fail_expected(fmt::format("\"{}\"", keyword), word);
    }

    /// Empty at the end of the text.
    std::string_view next_word() {
        while (place_ < text_.size() && is_blank(text_[place_]))
            step();
        const std::size_t start = place_;
        while (place_ < text_.size() && !is_blank(text_[place_]))
            ++place_;
        return text_.substr(start, place_ - start);
    }

    void skip_line() {
        while (place_ < text_.size() && !is_line_end(text_[place_]))
            ++place_;
    }

    /// Line ends are \n, \r\n or \r.
    void step() {
        const char here = text_[place_++];
        if (here == '\n' || (here == '\r' && (place_ == text_.size() || text_[place_] != '\n')))
            ++line_;
    }

    [[noreturn]] void fail_expected(const std::string& wanted, std::string_view word) const {
        if (word.empty())
            fail(fmt::format("the text ends where {} should be; the file is cut short: export it again",
                             wanted));
        fail(fmt::format("{} where {} should be; if the file was edited, undo that, or export it again",
                         in_quotes(word), wanted));
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw InputError(printable(fmt::format("{}:{}: {}", file_name_, line_, problem)));
    }

    std::string_view text_;
    const std::string& file_name_;
    std::size_t place_ = 0;
    int line_ = 1;
    std::vector<Triangle> triangles_;
};

} // namespace

std::vector<Triangle> read_stl(std::string_view bytes, const std::string& file_name) {
    std::vector<Triangle> triangles =
        is_binary(bytes) ? read_binary(bytes, file_name) : TextReader(bytes, file_name).read();
    if (triangles.empty())
        throw InputError(
            printable(fmt::format("{}: an STL file without triangles; export the surface again, not "
                                  "an empty selection",
                                  file_name)));
    return triangles;
}

} // namespace tamp
