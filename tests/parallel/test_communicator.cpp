#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tamp/base/random.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {
namespace {

const double infinity = std::numeric_limits<double>::infinity();

class CommunicatorTest : public testing::Test {
protected:
    Communicator world_{MPI_COMM_WORLD};
    int rank_ = world_.rank(), size_ = world_.size();
};

TEST_F(CommunicatorTest, reduces_numbers) {
    EXPECT_EQ(world_.max(-1.5 * rank_), 0.0);
    EXPECT_EQ(world_.min(-1.5 * rank_), -1.5 * (size_ - 1));
    EXPECT_EQ(world_.max(std::int64_t{rank_}), size_ - 1);
    EXPECT_EQ(world_.min(std::int64_t{-rank_}), 1 - size_);
    EXPECT_EQ(world_.max(UINT64_MAX - static_cast<std::uint64_t>(rank_)), UINT64_MAX);
    EXPECT_EQ(world_.min(static_cast<std::uint64_t>(rank_)), 0u);
    EXPECT_EQ(world_.sum(std::int64_t{rank_}), std::int64_t{size_} * (size_ - 1) / 2);
    EXPECT_EQ(world_.exclusive_sum(rank_ + 1), std::int64_t{rank_} * (rank_ + 1) / 2);
    EXPECT_TRUE(world_.any(rank_ == size_ - 1));
    EXPECT_FALSE(world_.any(false));
}

TEST_F(CommunicatorTest, extremes_do_not_depend_on_order) {
    // Whichever rank has it: an infinity, the zero of the right sign, a NaN.
    for (int special = 0; special < size_; ++special) {
        const auto pick = [&](double here, double elsewhere) { return rank_ == special ? here : elsewhere; };
        EXPECT_EQ(world_.max(pick(infinity, 1)), infinity);
        EXPECT_EQ(world_.min(pick(-infinity, 1)), -infinity);
        EXPECT_FALSE(std::signbit(world_.max(pick(0.0, -0.0))));
        EXPECT_TRUE(std::signbit(world_.min(pick(-0.0, 0.0))));
        for (const double nan : {std::nan(""), -std::nan("")}) {
            EXPECT_TRUE(std::isnan(world_.max(pick(nan, infinity))));
            EXPECT_TRUE(std::isnan(world_.min(pick(nan, -infinity))));
        }
    }
}

TEST_F(CommunicatorTest, reduces_spans) {
    std::vector<double> largest{-1.0 - rank_, 1.0 * rank_};
    world_.max(std::span(largest));
    EXPECT_EQ(largest, (std::vector<double>{-1.0, size_ - 1.0}));
    std::vector<std::int64_t> sums{1, rank_, -rank_};
    world_.sum(std::span(sums));
    EXPECT_EQ(sums, (std::vector<std::int64_t>{size_, size_ * (size_ - 1) / 2, -size_ * (size_ - 1) / 2}));
    std::vector<std::uint64_t> words{UINT64_MAX};
    world_.sum(std::span(words));
    EXPECT_EQ(words[0], 0 - static_cast<std::uint64_t>(size_));
    world_.max(std::span<double>{});
}

TEST_F(CommunicatorTest, exact_sums_are_those_of_one_rank) {
    constexpr std::size_t sums = 5, terms = 400;
    std::vector<ExactSum> parts(sums), wholes(sums);
    for (std::size_t s = 0; s < sums; ++s)
        for (std::size_t t = 0; t < terms; ++t) {
            Random random(s, t, Purpose::test);
            const double term = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(600)) - 300);
            const auto owner = random.below(static_cast<std::uint64_t>(size_));
            wholes[s].add(term);
            if (owner == static_cast<std::uint64_t>(rank_))
                parts[s].add(term);
        }
    auto single = parts[0];
    world_.sum(single);
    EXPECT_EQ(single.value(), wholes[0].value());
    world_.sum(std::span(parts));
    for (std::size_t s = 0; s < sums; ++s)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(parts[s].value()),
                  std::bit_cast<std::uint64_t>(wholes[s].value()));
}

TEST_F(CommunicatorTest, broadcasts_from_any_root) {
    for (int root = 0; root < size_; ++root) {
        const std::string truth(static_cast<std::size_t>(1000 * root), 'x');
        std::string text = rank_ == root ? truth : "something else";
        world_.broadcast(text, root);
        EXPECT_EQ(text, truth);
        std::vector<double> values{1.0 * rank_, 2.0 * rank_};
        world_.broadcast(std::span(values), root);
        EXPECT_EQ(values, (std::vector<double>{1.0 * root, 2.0 * root}));
    }
}

TEST_F(CommunicatorTest, everybody_hears_the_first_problem) {
    EXPECT_EQ(world_.first_problem({}), "");
    EXPECT_EQ(world_.first_problem(rank_ == size_ - 1 ? "of the last" : ""), "of the last");
    EXPECT_EQ(world_.first_problem("of rank " + std::to_string(rank_)), "of rank 0");
    world_.barrier();
}

} // namespace
} // namespace tamp
