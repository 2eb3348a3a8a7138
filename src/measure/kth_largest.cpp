#include "tamp/measure/kth_largest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace tamp {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

/// Integers in the order of the numbers.
std::uint64_t key_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return bits & sign ? ~bits : bits | sign;
}
double value_of(std::uint64_t key) { return std::bit_cast<double>(key & sign ? key & ~sign : ~key); }

} // namespace

// From the highest digit of the keys to the lowest: count how many of those that share the digits so far have
// which next digit, and choose the one that the wanted value must have.
double kth_largest(const Communicator& communicator, std::span<const double> values, std::int64_t larger) {
    constexpr int digit_bits = 8;
    constexpr std::size_t digits = std::size_t{1} << digit_bits;
    std::uint64_t found = 0;
    for (int shift = 64 - digit_bits; shift >= 0; shift -= digit_bits) {
        std::array<std::int64_t, digits> counts{};
        for (const double value : values) {
            const std::uint64_t key = key_of(value);
            const bool shares_digits = shift == 64 - digit_bits || (key ^ found) >> (shift + digit_bits) == 0;
            if (shares_digits)
                ++counts[key >> shift & (digits - 1)];
        }
        communicator.sum(std::span<std::int64_t>(counts));
        std::size_t digit = digits - 1;
        while (larger >= counts[digit]) {
            assert(digit > 0);
            larger -= counts[digit--];
        }
        found |= std::uint64_t{digit} << shift;
    }
    return value_of(found);
}

} // namespace tamp
