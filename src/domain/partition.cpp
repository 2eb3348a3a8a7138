#include "tamp/domain/partition.hpp"

#include <algorithm>
#include <numeric>

namespace tamp {

Partition::Partition(std::span<const std::int64_t> costs, int ranks) : begin_{0}, owner_(costs.size()) {
    const double total = static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::int64_t{0}));
    std::size_t tile = 0;
    double given = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const double wanted = total * (rank + 1) / ranks;
        // A tile goes to the side where its middle lies.
        while (tile < costs.size() &&
               (rank + 1 == ranks || given + 0.5 * static_cast<double>(costs[tile]) <= wanted)) {
            given += static_cast<double>(costs[tile]);
            owner_[tile++] = rank;
        }
        begin_.push_back(static_cast<int>(tile));
    }
}

Partition::Partition(std::span<const std::int64_t> pieces) : begin_(pieces.begin(), pieces.end()) {
    for (std::size_t rank = 0; rank + 1 < begin_.size(); ++rank)
        owner_.insert(owner_.end(), static_cast<std::size_t>(begin_[rank + 1] - begin_[rank]),
                      static_cast<int>(rank));
}

double Partition::imbalance(std::span<const std::int64_t> costs) const {
    std::int64_t total = 0, most = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
        const auto piece = costs.subspan(static_cast<std::size_t>(begin(rank)),
                                         static_cast<std::size_t>(end(rank) - begin(rank)));
        const std::int64_t cost = std::accumulate(piece.begin(), piece.end(), std::int64_t{0});
        total += cost;
        most = std::max(most, cost);
    }
    return total > 0 ? static_cast<double>(most) * ranks() / static_cast<double>(total) : 1.0;
}

} // namespace tamp
