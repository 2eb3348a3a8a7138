#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tamp/base/random.hpp"
#include "tamp/domain/partition.hpp"

namespace tamp {
namespace {

std::int64_t cost_of(const Partition& partition, const std::vector<std::int64_t>& costs, int rank) {
    return std::accumulate(costs.begin() + partition.begin(rank), costs.begin() + partition.end(rank),
                           std::int64_t{0});
}

/// Pieces follow one another and cover the curve; every rank's share is the mean to within a tile.
void expect_good(const std::vector<std::int64_t>& costs, int ranks) {
    SCOPED_TRACE(testing::Message() << costs.size() << " tiles on " << ranks << " ranks");
    const Partition partition(costs, ranks);
    EXPECT_EQ(partition.tiles(), static_cast<int>(costs.size()));
    EXPECT_EQ(partition.begin(0), 0);
    EXPECT_EQ(partition.end(ranks - 1), partition.tiles());
    const Partition again(partition.pieces());
    EXPECT_EQ(again.pieces(), partition.pieces());
    EXPECT_EQ(again.tiles(), partition.tiles());
    for (int tile = 0; tile < partition.tiles(); ++tile)
        EXPECT_EQ(again.owner(tile), partition.owner(tile));
    const double total = static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::int64_t{0}));
    const double largest =
        costs.empty() ? 0 : static_cast<double>(*std::max_element(costs.begin(), costs.end()));
    std::int64_t most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_LE(partition.begin(rank), partition.end(rank));
        EXPECT_TRUE(rank == 0 || partition.begin(rank) == partition.end(rank - 1));
        for (int tile = partition.begin(rank); tile < partition.end(rank); ++tile)
            EXPECT_EQ(partition.owner(tile), rank);
        const std::int64_t cost = cost_of(partition, costs, rank);
        EXPECT_LE(std::abs(static_cast<double>(cost) - total / ranks), largest * (1 + 1e-12));
        most = std::max(most, cost);
    }
    EXPECT_DOUBLE_EQ(partition.imbalance(costs), total > 0 ? static_cast<double>(most) * ranks / total : 1.0);
}

TEST(Partition, IsContiguousCompleteAndBalanced) {
    for (std::uint64_t number = 0; number < 300; ++number) {
        Random random(4, number, Purpose::test);
        std::vector<std::int64_t> costs(1 + random.below(200));
        const std::uint64_t scale = number % 3 == 0 ? 2 : number % 3 == 1 ? 1000 : std::uint64_t{1} << 50;
        for (auto& cost : costs)
            cost = static_cast<std::int64_t>(random.below(scale));
        expect_good(costs, 1 + static_cast<int>(random.below(40)));
    }
}

TEST(Partition, MoreRanksThanTiles) {
    expect_good({5, 1, 3}, 8);
    expect_good({7}, 100);
}

TEST(Partition, NoCostsAtAll) {
    expect_good({0, 0, 0, 0}, 3);
    expect_good({0}, 5);
}

TEST(Partition, OneTileThatCostsEverything) {
    expect_good({0, 0, 1'000'000'000'000, 0, 0}, 4);
    expect_good({1'000'000'000'000, 1, 1, 1}, 4);
}

TEST(Partition, EqualCostsGiveEqualPieces) {
    const std::vector<std::int64_t> costs(24, 10);
    const Partition partition(costs, 6);
    for (int rank = 0; rank < 6; ++rank)
        EXPECT_EQ(partition.end(rank) - partition.begin(rank), 4);
    EXPECT_EQ(partition.imbalance(costs), 1.0);
}

} // namespace
} // namespace tamp
