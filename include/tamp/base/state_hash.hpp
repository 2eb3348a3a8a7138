#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "tamp/base/random.hpp"

namespace tamp {

/// A 128-bit hash of a collection of records (a record: its key, then its numbers as bits). Records are
/// hashed one by one and their hashes summed, so that neither their order nor their spread over ranks
/// matters; how often a record occurs does. Bits are bits: 0.0 and -0.0 differ, and so do two NaNs.
class StateHash {
public:
    StateHash() = default;

    /// From words that were summed over ranks (MPI_SUM of uint64 is the merge).
    explicit StateHash(const std::array<std::uint64_t, 2>& words) : words_(words) {}

    static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

    /// Adds one record.
    void add(std::span<const std::uint64_t> words) {
        // Two chains with different constants; the length tells a record from its continuation by zeros.
        std::uint64_t first = mix(words.size() + 0x9e3779b97f4a7c15u);
        std::uint64_t second = mix(words.size() + 0xd1b54a32d192ed03u);
        for (const std::uint64_t word : words) {
            first = mix((first ^ word) + 0x9e3779b97f4a7c15u);
            second = mix((second + word) * 0xd1b54a32d192ed03u ^ 0x8cb92ba72f3d8dd7u);
        }
        words_[0] += mix(first ^ std::rotl(second, 32));
        words_[1] += mix(second + 0x2545f4914f6cdd1du * first);
    }

    void merge(const StateHash& other) {
        words_[0] += other.words_[0];
        words_[1] += other.words_[1];
    }

    const std::array<std::uint64_t, 2>& words() const { return words_; }

    /// 32 hexadecimal digits.
    std::string text() const {
        std::string digits(32, '0');
        for (std::size_t k = 0; k < 32; ++k)
            digits[k] = "0123456789abcdef"[words_[k / 16] >> (60 - 4 * (k % 16)) & 15];
        return digits;
    }

    friend bool operator==(const StateHash&, const StateHash&) = default;

private:
    std::array<std::uint64_t, 2> words_{};
};

} // namespace tamp
