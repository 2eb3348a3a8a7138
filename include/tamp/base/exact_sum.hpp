#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace tamp {

/// The exact sum of doubles, the same bits whatever the order and the grouping: what every sum across tiles
/// and ranks goes through.
///
/// A fixed-point number wide enough for any double, kept as signed 64-bit digits of 32 bits: digit k weighs
/// 2^(32 k - 1074). The 32 spare bits take up carries, so that adding touches three digits and never loops.
/// Non-finite input is counted apart and decides the value as IEEE addition would: infinities of both signs
/// make NaN.
class ExactSum {
public:
    ExactSum() = default;
    /// From what `digits` gave, or from a sum of those.
    explicit ExactSum(std::span<const std::int64_t> digits);

    void add(double x);
    void add(const ExactSum& other);

    /// The sum, rounded once, to nearest and ties to even. A sum beyond the doubles is infinite; no sum is
    /// -0.
    double value() const;

    /// The state as integers whose element-wise sum over at most 2^20 ranks (MPI_SUM of int64, in place) is
    /// the state of the sum over all ranks. Normalised, hence equal for equal sums.
    std::span<std::int64_t> digits();

    static constexpr std::size_t word_count = 70;

private:
    // The largest double ends inside digit 65; digit 66 holds the sign and the carry of as many terms as one
    // can add.
    static constexpr std::size_t digit_count = 67;
    static constexpr std::size_t nan_count = 67, positive_infinity_count = 68, negative_infinity_count = 69;
    static constexpr std::uint64_t digit_mask = 0xffffffff;
    static constexpr std::int64_t largest_rank_count = std::int64_t{1} << 20;

    // Every digit stays below (terms_ + 1) 2^32 in magnitude. Half of what int64 could hold, so that two may
    // be merged.
    static constexpr std::int64_t largest_term_count = std::int64_t{1} << 29;

    void add_non_finite(double x);
    void normalise();

    std::array<std::int64_t, word_count> words_{};
    std::int64_t terms_ = 0;
};

inline void ExactSum::add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t exponent = (bits >> 52) & 0x7ff;
    if (exponent == 0x7ff) [[unlikely]]
        return add_non_finite(x);
    if (terms_ >= largest_term_count) [[unlikely]]
        normalise();
    ++terms_;

    // Subnormals have no hidden bit and share the position of the smallest normal numbers.
    const std::uint64_t is_normal = exponent != 0;
    const std::uint64_t mantissa = (bits & 0xfffffffffffff) | is_normal << 52;
    const std::uint64_t position = exponent - is_normal;
    const std::uint64_t shift = position & 31;
    const std::uint64_t low = mantissa << shift;
    const std::uint64_t high = mantissa >> 1 >> (63 - shift); // in two steps: a shift by 64 is undefined

    const std::int64_t sign = -static_cast<std::int64_t>(bits >> 63); // 0 or -1
    std::int64_t* digit = &words_[position >> 5];
    digit[0] += (static_cast<std::int64_t>(low & digit_mask) ^ sign) - sign;
    digit[1] += (static_cast<std::int64_t>(low >> 32) ^ sign) - sign;
    digit[2] += (static_cast<std::int64_t>(high) ^ sign) - sign;
}

} // namespace tamp
