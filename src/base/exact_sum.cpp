#include "tamp/base/exact_sum.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tamp {

ExactSum::ExactSum(std::span<const std::int64_t> digits) {
    assert(digits.size() == word_count);
    std::ranges::copy(digits, words_.begin());
    terms_ = largest_rank_count;
    normalise();
}

void ExactSum::add_non_finite(double x) {
    ++words_[std::isnan(x) ? nan_count : x > 0 ? positive_infinity_count : negative_infinity_count];
}

void ExactSum::add(const ExactSum& other) {
    if (terms_ + other.terms_ >= largest_term_count)
        normalise();
    for (std::size_t k = 0; k < word_count; ++k)
        words_[k] += other.words_[k];
    terms_ += other.terms_ + 1;
}

// Digits into [0, 2^32), all but the last, which carries the sign: one form for one number.
void ExactSum::normalise() {
    std::int64_t carry = 0;
    for (std::size_t k = 0; k + 1 < digit_count; ++k) {
        const std::int64_t digit = words_[k] + carry;
        carry = digit >> 32; // rounds down, so that the rest is not negative
        words_[k] = digit & static_cast<std::int64_t>(digit_mask);
    }
    words_[digit_count - 1] += carry;
    for (std::size_t k = digit_count; k < word_count; ++k)
        words_[k] = std::min<std::int64_t>(words_[k], 1);
    terms_ = 0;
}

std::span<std::int64_t> ExactSum::digits() {
    normalise();
    terms_ = largest_rank_count; // what the caller may add element by element
    return words_;
}

double ExactSum::value() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool up = words_[positive_infinity_count] > 0;
    const bool down = words_[negative_infinity_count] > 0;
    if (words_[nan_count] > 0 || (up && down))
        return std::numeric_limits<double>::quiet_NaN();
    if (up || down)
        return up ? infinity : -infinity;

    ExactSum magnitude = *this;
    magnitude.normalise();
    const bool negative = magnitude.words_[digit_count - 1] < 0;
    if (negative) {
        for (std::int64_t& word : magnitude.words_)
            word = -word;
        magnitude.normalise();
    }
    const auto digit = [&](int k) {
        return k < 0 ? std::uint64_t{0}
                     : static_cast<std::uint64_t>(magnitude.words_[static_cast<std::size_t>(k)]);
    };
    int top = static_cast<int>(digit_count) - 1;
    if (digit(top) != 0)
        return negative ? -infinity : infinity;
    while (top >= 0 && digit(top) == 0)
        --top;
    if (top < 0)
        return 0;

    // The leading 64 bits, the first of them set; whether anything follows decides ties.
    std::uint64_t leading = digit(top) << 32 | digit(top - 1);
    const int unused = std::countl_zero(leading);
    leading = leading << unused | digit(top - 2) >> (32 - unused);
    bool rest = ((digit(top - 2) << unused) & digit_mask) != 0;
    for (int k = top - 3; k >= 0 && !rest; --k)
        rest = digit(k) != 0;

    // Digits end at the last bit of the subnormals: below 2^-1022 nothing is cut off and ldexp is exact.
    std::uint64_t mantissa = leading >> 11;
    const std::uint64_t cut = leading & 0x7ff;
    constexpr std::uint64_t half = 0x400;
    if (cut > half || (cut == half && (rest || (mantissa & 1) != 0)))
        ++mantissa;
    const int exponent = 32 * top + 31 - unused - 52 - 1074;
    const double result = std::ldexp(static_cast<double>(mantissa), exponent);
    return negative ? -result : result;
}

} // namespace tamp
