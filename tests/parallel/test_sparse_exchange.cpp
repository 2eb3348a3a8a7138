#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "tamp/base/random.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

struct Item {
    int from, to;
    double value;
    friend bool operator==(const Item&, const Item&) = default;
};

/// What one rank sends to another in one round: every rank can work it out. Some ranks send nothing to
/// anybody, some get nothing, and about a third of the messages is there but empty.
std::vector<Item> message(int round, int from, int to) {
    Random sender(1, static_cast<std::uint64_t>(round * 1000 + from), Purpose::test);
    Random receiver(2, static_cast<std::uint64_t>(round * 1000 + to), Purpose::test);
    Random pair(3, static_cast<std::uint64_t>((round * 1000 + from) * 1000 + to), Purpose::test);
    std::vector<Item> items;
    if (sender.uniform() > 0.25 && receiver.uniform() > 0.25 && pair.uniform() > 0.33)
        items.resize(pair.below(round % 10 == 0 ? 50000 : 20));
    for (auto& item : items)
        item = {from, to, pair.uniform()};
    return items;
}

void check_round(const Communicator& world, int round, std::size_t piece_bytes) {
    std::map<int, std::vector<Item>> to;
    for (int rank = 0; rank < world.size(); ++rank)
        to[rank] = message(round, world.rank(), rank);
    const auto arrived = sparse_exchange(world, to, piece_bytes);
    std::vector<std::pair<int, std::vector<Item>>> truth;
    for (int rank = 0; rank < world.size(); ++rank)
        if (auto items = message(round, rank, world.rank()); !items.empty())
            truth.emplace_back(rank, std::move(items));
    EXPECT_EQ(arrived, truth) << "round " << round;
}

TEST(SparseExchange, delivers_random_patterns) {
    const Communicator world(MPI_COMM_WORLD);
    for (int round = 0; round < 60; ++round) // without a barrier: rounds must not mix
        check_round(world, round, detail::largest_piece);
}

TEST(SparseExchange, cuts_long_messages) {
    const Communicator world(MPI_COMM_WORLD);
    for (int round = 1; round < 10; ++round)
        for (const std::size_t piece_bytes : {1, 7, 100})
            check_round(world, round, piece_bytes);
}

TEST(SparseExchange, nobody_sends) {
    const Communicator world(MPI_COMM_WORLD);
    EXPECT_TRUE(sparse_exchange(world, std::map<int, std::vector<double>>{}).empty());
}

TEST(SparseExchange, all_to_one) {
    const Communicator world(MPI_COMM_WORLD);
    const auto arrived = sparse_exchange(world, std::map<int, std::vector<int>>{{0, {world.rank(), -1}}});
    ASSERT_EQ(arrived.size(), static_cast<std::size_t>(world.rank() == 0 ? world.size() : 0));
    for (std::size_t i = 0; i < arrived.size(); ++i) {
        EXPECT_EQ(arrived[i].first, static_cast<int>(i));
        EXPECT_EQ(arrived[i].second, (std::vector<int>{static_cast<int>(i), -1}));
    }
}

TEST(SparseExchange, refuses_a_rank_that_is_none) {
    const Communicator world(MPI_COMM_WORLD);
    for (const int nobody : {-1, world.size()})
        EXPECT_THROW(sparse_exchange(world, std::map<int, std::vector<int>>{{nobody, {1}}}),
                     std::out_of_range);
}

} // namespace
} // namespace tamp
