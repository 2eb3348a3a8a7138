#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tamp {

/// The finaliser of splitmix64: a bijection in which every input bit moves every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011).
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xd2511f53} * counter[0];
        const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
    return counter;
}

/// What a stream is for: quantities of one particle must not share random numbers. Append only: the numbers
/// are part of every result.
enum class Purpose : std::uint32_t { size, position, velocity, order, test };

/// A stream of random numbers that depends on (seed, id, purpose) and nothing else, so that any rank can make
/// the numbers of any particle. Making one costs nothing; a stream repeats after 2^33 words.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t id, Purpose purpose)
        : key_{low_half(seed), high_half(seed)}, counter_{0, static_cast<std::uint32_t>(purpose),
                                                          low_half(id), high_half(id)} {}

    std::uint64_t bits() {
        if (second_is_ready_) {
            second_is_ready_ = false;
            return second_;
        }
        const auto block = philox(counter_, key_);
        ++counter_[0];
        second_ = block[2] | std::uint64_t{block[3]} << 32;
        second_is_ready_ = true;
        return block[0] | std::uint64_t{block[1]} << 32;
    }

    /// In [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    /// In [from, to], where `to` itself comes up by rounding only.
    double uniform(double from, double to) { return from + (to - from) * uniform(); }

    /// Mean 0, variance 1: the cosine half of Box and Muller's pair, so that every call takes two words.
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

    /// Each of 0, ..., n - 1 equally likely; n > 0.
    std::uint64_t below(std::uint64_t n) {
        const std::uint64_t excess = (0 - n) % n; // 2^64 mod n: these words would favour the small numbers
        std::uint64_t word = bits();
        while (word < excess)
            word = bits();
        return word % n;
    }

private:
    static constexpr std::uint32_t low_half(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
    static constexpr std::uint32_t high_half(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::uint64_t second_ = 0;
    bool second_is_ready_ = false;
};

} // namespace tamp
