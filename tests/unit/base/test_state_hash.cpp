#include "tamp/base/state_hash.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tamp::Purpose;
using tamp::Random;
using tamp::StateHash;
using Record = std::vector<std::uint64_t>;

StateHash hash_of(const std::vector<Record>& records) {
    StateHash hash;
    for (const Record& record : records)
        hash.add(record);
    return hash;
}

std::vector<Record> random_records(Random& random, std::size_t count) {
    std::vector<Record> records(count);
    for (std::size_t k = 0; k < count; ++k)
        records[k] = {k, StateHash::bits(random.uniform()), StateHash::bits(random.normal())};
    return records;
}

TEST(StateHash, DoesNotDependOnTheOrderOfRecords) {
    Random random(1, 1, Purpose::test);
    std::vector<Record> records = random_records(random, 200);
    const StateHash expected = hash_of(records);
    for (int trial = 0; trial < 20; ++trial) {
        for (std::size_t k = records.size(); k > 1; --k)
            std::swap(records[k - 1], records[random.below(k)]);
        ASSERT_EQ(hash_of(records), expected);
    }
}

TEST(StateHash, DoesNotDependOnTheSpreadOverRanks) {
    Random random(1, 2, Purpose::test);
    const std::vector<Record> records = random_records(random, 200);
    for (std::size_t rank_count = 1; rank_count < 10; ++rank_count) {
        std::vector<StateHash> ranks(rank_count);
        for (const Record& record : records)
            ranks[random.below(rank_count)].add(record);
        StateHash merged;
        std::array<std::uint64_t, 2> summed{};
        for (const StateHash& rank : ranks) {
            merged.merge(rank);
            summed[0] += rank.words()[0];
            summed[1] += rank.words()[1];
        }
        EXPECT_EQ(merged, hash_of(records));
        EXPECT_EQ(StateHash(summed), merged);
    }
}

TEST(StateHash, AnyFlippedBitChangesBothWords) {
    Random random(1, 3, Purpose::test);
    const std::vector<Record> records = random_records(random, 5);
    const StateHash original = hash_of(records);
    std::set<std::string> seen{original.text()};
    for (std::size_t r = 0; r < records.size(); ++r)
        for (std::size_t w = 0; w < records[r].size(); ++w)
            for (int bit = 0; bit < 64; ++bit) {
                std::vector<Record> changed = records;
                changed[r][w] ^= 1ull << bit;
                const StateHash hash = hash_of(changed);
                ASSERT_NE(hash.words()[0], original.words()[0]);
                ASSERT_NE(hash.words()[1], original.words()[1]);
                ASSERT_TRUE(seen.insert(hash.text()).second);
            }
}

TEST(StateHash, TellsWordsRecordsAndCountsApart) {
    const std::vector<std::vector<Record>> states = {
        {},
        {{}},
        {{0}},
        {{0, 0}},
        {{0}, {0}},
        {{1}},
        {{1, 2}},
        {{2, 1}},
        {{1}, {2}},
        {{1, 0}},
        {{0, 1}},
        {{1}, {1}, {1}},
        {{1, 2}, {3, 4}},
        {{1, 4}, {3, 2}},
        {{1, 2, 3, 4}},
        {{1, 2, 3}, {4}},
    };
    std::set<std::string> seen;
    std::set<std::uint64_t> first_words, second_words;
    for (const auto& state : states) {
        seen.insert(hash_of(state).text());
        first_words.insert(hash_of(state).words()[0]);
        second_words.insert(hash_of(state).words()[1]);
    }
    EXPECT_EQ(seen.size(), states.size());
    EXPECT_EQ(first_words.size(), states.size());
    EXPECT_EQ(second_words.size(), states.size());
}

TEST(StateHash, BitsAreBits) {
    EXPECT_NE(hash_of({{StateHash::bits(0.0)}}), hash_of({{StateHash::bits(-0.0)}}));
    EXPECT_NE(hash_of({{StateHash::bits(1.0)}}), hash_of({{StateHash::bits(1.0 + 0x1p-52)}}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(hash_of({{StateHash::bits(nan)}}), hash_of({{StateHash::bits(nan)}}));
}

TEST(StateHash, EveryOutputBitIsBalanced) {
    constexpr int count = 20000;
    std::vector<int> ones(128);
    for (std::uint64_t k = 0; k < count; ++k) {
        const StateHash hash = hash_of({{k, 0, 0}});
        for (std::size_t bit = 0; bit < 128; ++bit)
            ones[bit] += (hash.words()[bit / 64] >> bit % 64 & 1) != 0;
    }
    for (const int one : ones)
        EXPECT_NEAR(one, count / 2, 5 * std::sqrt(count / 4.0));
}

TEST(StateHash, TextIsTheWordsAsHexadecimalDigits) {
    EXPECT_EQ(StateHash().text(), std::string(32, '0'));
    EXPECT_EQ(StateHash({0x0123456789abcdef, 0xf}).text(), "0123456789abcdef000000000000000f");
}

} // namespace
