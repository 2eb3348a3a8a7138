#include "tamp/io/row_order.hpp"

#include <cstring>
#include <tuple>

#include "tamp/io/sorted_over_ranks.hpp"

namespace tamp {

namespace {

/// Where a row is now.
struct Place {
    std::int64_t rank;
    std::uint64_t row;
};

struct KeyedPlace {
    RowKey key;
    Place place;
};

} // namespace

int writer_of(std::uint64_t row, std::uint64_t total, std::uint64_t chunk_rows, int ranks) {
    const std::uint64_t chunks = (total + chunk_rows - 1) / chunk_rows, chunk = row / chunk_rows;
    return static_cast<int>(((chunk + 1) * static_cast<std::uint64_t>(ranks) - 1) / chunks);
}

RowOrder::RowOrder(const Communicator& communicator, std::span<const RowKey> keys, std::size_t chunk_rows)
    : communicator_(communicator) {
    std::map<int, std::vector<Place>> to;
    {
        std::vector<KeyedPlace> places;
        places.reserve(keys.size());
        for (std::size_t row = 0; row < keys.size(); ++row)
            places.push_back({keys[row], {communicator.rank(), row}});
        const auto sorted = sorted_over_ranks(
            communicator, std::span<const KeyedPlace>(places),
            [](const KeyedPlace& place) { return place.key.first; },
            [](const KeyedPlace& place) { return std::tuple(place.key.first, place.key.second); });
        const auto found = slab_of(communicator, sorted.size());
        slab_.total = found.total;
        for (std::size_t k = 0; k < sorted.size(); ++k)
            to[writer_of(found.begin + k, found.total, chunk_rows, communicator.size())].push_back(
                sorted[k].place);
    }
    std::map<int, std::vector<std::uint64_t>> wanted;
    std::uint64_t row = 0;
    for (const auto& [rank, places] : sparse_exchange(communicator, to)) // by rank: in the order of the keys
        for (const Place& place : places) {
            wanted[static_cast<int>(place.rank)].push_back(place.row);
            take_[static_cast<int>(place.rank)].push_back(row++);
        }
    const auto slab = slab_of(communicator, row);
    slab_.begin = slab.begin;
    slab_.count = slab.count;
    for (auto& [rank, rows] : sparse_exchange(communicator, wanted))
        give_.emplace(rank, std::move(rows));
}

std::vector<std::byte> RowOrder::arrange(std::span<const std::byte> rows, std::size_t row_bytes) const {
    std::map<int, std::vector<std::byte>> to;
    for (const auto& [rank, list] : give_) {
        auto& bytes = to[rank];
        bytes.resize(list.size() * row_bytes);
        for (std::size_t k = 0; k < list.size(); ++k)
            std::memcpy(&bytes[k * row_bytes], &rows[list[k] * row_bytes], row_bytes);
    }
    std::vector<std::byte> arranged(slab_.count * row_bytes);
    for (const auto& [rank, bytes] : sparse_exchange(communicator_, to)) {
        const auto& list = take_.at(rank);
        for (std::size_t k = 0; k < list.size(); ++k)
            std::memcpy(&arranged[list[k] * row_bytes], &bytes[k * row_bytes], row_bytes);
    }
    return arranged;
}

} // namespace tamp
