#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tamp {

/// Sums of doubles in many cells, the same bits whatever the order and the grouping, for a word a cell:
/// `ExactSum` would take 560 bytes. Every term is rounded to a multiple of a step that is a power of two, and
/// integers are added.
///
/// A column has one step. It follows from the largest magnitude of a term and from the number of terms, both
/// of all ranks, so that no sum can leave 63 bits: step = 2^ceil(log2 largest) 2^ceil(log2 terms) 2^-62. A
/// sum of n terms is wrong by n step/2 at most, i.e. relative to n times the largest term by less than
/// terms 2^-61: 4e-13 with a million terms, 4e-10 with a thousand million. A bound that is not finite makes
/// every sum of its column NaN.
class FixedSums {
public:
    /// `largest`: one bound a column, the same on every rank; terms beyond it are cut to it.
    FixedSums(std::size_t cells, std::span<const double> largest, std::int64_t terms)
        : cells_(cells), words_(cells * largest.size(), 0) {
        const int count_bits =
            static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, terms))));
        for (const double bound : largest) {
            int exponent = 0;
            (void)std::frexp(bound, &exponent); // bound < 2^exponent
            const int shift = std::min(62 - count_bits - exponent, largest_shift);
            const bool finite = std::isfinite(bound);
            columns_.push_back(
                {.per_unit = finite && bound > 0 ? std::ldexp(1.0, shift) : 0.0,
                 .unit = finite ? std::ldexp(1.0, -shift) : std::numeric_limits<double>::quiet_NaN(),
                 .largest = finite ? bound : 0.0});
        }
    }

    void add(std::size_t column, std::size_t cell, double term) {
        const Column& c = columns_[column];
        words_[column * cells_ + cell] +=
            std::llrint(std::min(std::max(-c.largest, term), c.largest) * c.per_unit); // no NaN gets through
    }

    /// The state as integers: their element-wise sum over ranks (MPI_SUM of int64, in place) is the state of
    /// the sum over all ranks.
    std::span<std::int64_t> words() { return words_; }

    double value(std::size_t column, std::size_t cell = 0) const {
        return static_cast<double>(words_[column * cells_ + cell]) * columns_[column].unit;
    }

private:
    static constexpr int largest_shift = 1000; ///< so that neither unit is beyond the doubles

    struct Column {
        double per_unit, unit, largest;
    };
    std::size_t cells_;
    std::vector<Column> columns_;
    std::vector<std::int64_t> words_;
};

} // namespace tamp
