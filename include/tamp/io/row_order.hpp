#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tamp/io/collective_file.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Where a row belongs: by `first`, then by `second`.
struct RowKey {
    std::uint64_t first = 0, second = 0;
};

/// The way of the rows of a table from the ranks that have them to the ranks that write them, in the order of
/// their keys over all ranks. Planned once from the keys and used for every column, so that no rank ever
/// holds more than one column twice.
///
/// Rows are dealt out in whole chunks: a compressed chunk is then made by one rank alone, and its bytes do
/// not depend on the number of ranks.
class RowOrder {
public:
    /// Collective.
    RowOrder(const Communicator& communicator, std::span<const RowKey> keys, std::size_t chunk_rows);

    /// The rows that this rank writes.
    const Slab& slab() const { return slab_; }

    /// A column as this rank writes it, from the column as it has it. Collective.
    std::vector<std::byte> arrange(std::span<const std::byte> rows, std::size_t row_bytes) const;

private:
    Communicator communicator_;
    Slab slab_{};
    std::map<int, std::vector<std::uint64_t>> give_; ///< by receiver: rows here
    std::map<int, std::vector<std::uint64_t>> take_; ///< by sender: rows of the slab, as they will come
};

/// The rank that writes a row if the chunks are dealt out evenly.
int writer_of(std::uint64_t row, std::uint64_t total, std::uint64_t chunk_rows, int ranks);

} // namespace tamp
