#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "tamp/base/pack.hpp"

namespace tamp::soft {

/// Where a particle lies in tables with rows of 64 bytes (and, halved, of 32): 8 times its index. So one
/// register holds what the kernel needs to reach its sphere, its body and its sums.
using Place = std::uint32_t;
inline Place place_of(std::int32_t index) { return 8 * static_cast<Place>(index); }

/// Eight contacts of one pair of materials. They may share bodies: forces are added one lane after the other.
/// Unused lanes repeat the first contact and add nothing.
struct Batch {
    Place first[lanes], second[lanes]; ///< of wall contacts `first` is not used
};

/// Contacts that follow each other in the batches: of one tile, and of one pair of materials or one wall.
struct BatchRange {
    std::int32_t begin = 0, end = 0;
    std::int32_t count = 0; ///< of contacts
    std::int32_t kind = 0;  ///< pair of materials, see `LawTable`
    std::int32_t wall = -1;
    bool across = false; ///< some partners lie a period of the box apart

    int batches() const { return end - begin; }
};

/// Contact k of a range lies in batch k % batches, lane k / batches: contacts that follow each other often
/// share a body, and would wait for one another's forces in one batch. So the first lanes of a batch are in
/// use.
class LanesInUse {
public:
    explicit LanesInUse(const BatchRange& range)
        : each_(range.batches() > 0 ? range.count / range.batches() : 0),
          with_one_more_(range.count - each_ * range.batches()) {}

    int operator()(int batch) const { return each_ + (batch < with_one_more_ ? 1 : 0); }

private:
    int each_, with_one_more_;
};

/// Numbers in rows of eight, aligned for packs.
class PackColumns {
public:
    /// Room for so many rows, whose numbers are not set. Generous room is cheap: memory that is never touched
    /// costs nothing, while growing by doubling does.
    void make_room(std::size_t rows) {
        if (rows <= room_)
            return;
        release();
        rows_ = std::make_unique_for_overwrite<Row[]>(rows);
        room_ = rows;
    }
    void release() { rows_.reset(), room_ = 0; }

    double* row(std::size_t i) { return rows_[i].values; }
    const double* row(std::size_t i) const { return rows_[i].values; }
    /// All of it, for others to write into.
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(rows_.get(), room_)); }

private:
    struct alignas(64) Row {
        double values[lanes];
    };
    std::unique_ptr<Row[]> rows_;
    std::size_t room_ = 0;
};

} // namespace tamp::soft
