#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tamp/mpi/communicator.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {

/// The records sorted over all ranks: rank r holds the r-th of equal intervals of keys, which are about
/// equally full, because ids are given out densely. Collective.
template <class Record, class Key, class Order>
std::vector<Record> sorted_over_ranks(const Communicator& communicator, std::span<const Record> records,
                                      Key key, Order order) {
    std::vector<Record> sorted;
    if (communicator.size() == 1) {
        sorted.assign(records.begin(), records.end());
    } else {
        std::uint64_t lowest = UINT64_MAX, highest = 0;
        for (const auto& record : records) {
            lowest = std::min(lowest, key(record));
            highest = std::max(highest, key(record));
        }
        lowest = communicator.min(lowest);
        highest = communicator.max(highest);
        const auto ranks = static_cast<std::uint64_t>(communicator.size());
        std::map<int, std::vector<Record>> to;
        for (const auto& record : records) {
            const auto interval = (key(record) - lowest) / ((highest - lowest) / ranks + 1);
            to[static_cast<int>(interval)].push_back(record);
        }
        for (const auto& [rank, values] : sparse_exchange(communicator, to))
            sorted.insert(sorted.end(), values.begin(), values.end());
    }
    std::ranges::sort(sorted, {}, order);
    return sorted;
}

} // namespace tamp
