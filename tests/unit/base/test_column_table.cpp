#include "tamp/base/column_table.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "tamp/base/random.hpp"

namespace tamp {
namespace {

const std::vector<ColumnInfo> columns{{.name = "spring", .width = 3, .unit = "m", .reverses = true},
                                      {.name = "touches", .kind = WordKind::signed_integer},
                                      {.name = "wear", .unit = "J"}};

std::vector<std::uint64_t> random_row(Random& random) {
    std::vector<std::uint64_t> row(row_words(columns));
    for (std::uint64_t& word : row)
        word = std::bit_cast<std::uint64_t>(random.uniform(-1, 1));
    return row;
}

std::vector<std::vector<std::uint64_t>> fill(ColumnTable& table, std::size_t rows, Random& random) {
    std::vector<std::vector<std::uint64_t>> truth;
    table.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        truth.push_back(random_row(random));
        table.write_row(i, truth.back());
    }
    return truth;
}

std::vector<std::uint64_t> row_of(const ColumnTable& table, std::size_t i) {
    std::vector<std::uint64_t> row(table.row_words());
    table.read_row(i, row);
    return row;
}

TEST(ColumnTable, RowsComeBackBitByBit) {
    for (std::uint64_t number = 0; number < 20; ++number) {
        Random random(1, number, Purpose::test);
        ColumnTable table(columns);
        const auto truth = fill(table, random.below(50), random);
        ASSERT_EQ(table.rows(), truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
            EXPECT_EQ(row_of(table, i), truth[i]);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(table.vectors(0)[i].y), truth[i][1]);
            EXPECT_EQ(static_cast<std::uint64_t>(table.integers(1)[i]), truth[i][3]);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(table.reals(2)[i]), truth[i][4]);
        }
    }
}

TEST(ColumnTable, RearrangesAndKeepsRows) {
    for (std::uint64_t number = 0; number < 20; ++number) {
        Random random(2, number, Purpose::test);
        ColumnTable table(columns);
        const auto truth = fill(table, 1 + random.below(50), random);
        std::vector<std::int32_t> order(truth.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[random.below(i)]);
        table.rearrange(order);
        for (std::size_t i = 0; i < order.size(); ++i)
            EXPECT_EQ(row_of(table, i), truth[static_cast<std::size_t>(order[i])]);

        std::vector<std::int32_t> kept;
        for (std::size_t i = 0; i < order.size(); ++i)
            if (random.below(2) == 0)
                kept.push_back(static_cast<std::int32_t>(i));
        table.keep(kept);
        ASSERT_EQ(table.rows(), kept.size());
        for (std::size_t i = 0; i < kept.size(); ++i)
            EXPECT_EQ(row_of(table, i),
                      truth[static_cast<std::size_t>(order[static_cast<std::size_t>(kept[i])])]);
    }
}

TEST(ColumnTable, NewRowsAreZero) {
    Random random(3, 0, Purpose::test);
    ColumnTable table(columns);
    fill(table, 5, random);
    table.resize(7);
    EXPECT_FALSE(table.is_zero(4));
    EXPECT_TRUE(table.is_zero(5) && table.is_zero(6));
    table.reset(6);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_TRUE(table.is_zero(i) && !table.has_bits(i));
}

/// -0.0 is nothing to a law, but what it is added to may keep its sign.
TEST(ColumnTable, MinusZeroIsZeroWithABit) {
    ColumnTable table(columns);
    table.reset(2);
    table.vectors(0)[1].z = -0.0;
    EXPECT_TRUE(table.is_zero(1));
    EXPECT_TRUE(table.has_bits(1));
    EXPECT_FALSE(table.has_bits(0));
    table.integers(1)[0] = -1;
    EXPECT_FALSE(table.is_zero(0));
}

/// A column that is not kept reads as zeros, takes what is written without a word, and has no memory.
TEST(ColumnTable, ColumnsThatAreNotKeptAreZero) {
    std::vector<ColumnInfo> some = columns;
    some[1].kept = false;
    Random random(6, 0, Purpose::test);
    ColumnTable table(some);
    table.resize(3);
    std::vector<std::uint64_t> row = random_row(random);
    table.write_row(2, row);
    row[3] = 0;
    EXPECT_EQ(row_of(table, 2), row);
    EXPECT_TRUE(table.integers(1).empty());
    EXPECT_TRUE(table.is_zero(1));
    table.clear_row(2);
    EXPECT_FALSE(table.has_bits(2));
}

TEST(ColumnTable, NamesAreWordsAndUnlike) {
    EXPECT_EQ(name_problem(columns), "");
    EXPECT_EQ(name_problem(std::vector<ColumnInfo>{{"a b"}}), "'a b' is no name for a column");
    EXPECT_EQ(name_problem(std::vector<ColumnInfo>{{"a/b"}}), "'a/b' is no name for a column");
    EXPECT_EQ(name_problem(std::vector<ColumnInfo>{{""}}), "'' is no name for a column");
    EXPECT_EQ(name_problem(std::vector<ColumnInfo>{{"a"}, {"b"}, {"a"}}), "two columns are called 'a'");
}

/// The memory of a search is used again, but not that of a time with many more contacts.
TEST(ColumnTable, ResetUsesItsMemoryAgainUnlessThatIsMuchTooLarge) {
    ColumnTable table(columns);
    table.reset(1000);
    const double* place = table.reals(0).data();
    table.reset(1000);
    EXPECT_EQ(table.reals(0).data(), place);
    table.reset(950);
    EXPECT_EQ(table.reals(0).data(), place);
    table.reset(10);
    EXPECT_LT(malloc_usable_size(table.reals(0).data()), 60 * sizeof(double)) << "of 30 numbers";
}

TEST(ColumnMatch, FindsColumnsByNameAndLeavesOthersZero) {
    Random random(4, 0, Purpose::test);
    const std::vector<ColumnInfo> from{columns[2], columns[0], {.name = "gone", .width = 2}};
    const std::vector<ColumnInfo> to{{.name = "new", .width = 2}, columns[0], columns[1], columns[2]};
    std::vector<std::uint64_t> old(row_words(from)), row(row_words(to), 77);
    for (std::uint64_t& word : old)
        word = random.bits();
    ColumnMatch(from, to).copy(old, row);
    EXPECT_EQ(row, (std::vector<std::uint64_t>{0, 0, old[1], old[2], old[3], 0, old[0]}));
}

/// A column of the same name that is something else is not taken for it.
TEST(ColumnMatch, WantsTheSameWidthAndKind) {
    const std::vector<ColumnInfo> to{columns[2]};
    std::vector<std::uint64_t> row(1);
    ColumnMatch(std::vector<ColumnInfo>{{.name = "wear", .width = 2}}, to)
        .copy(std::vector<std::uint64_t>{5, 6}, row);
    EXPECT_EQ(row[0], 0u);
    ColumnMatch(std::vector<ColumnInfo>{{.name = "wear", .kind = WordKind::signed_integer}}, to)
        .copy(std::vector<std::uint64_t>{5}, row);
    EXPECT_EQ(row[0], 0u);
}

TEST(Reverse, TurnsOnlyWhatHasADirection) {
    Random random(5, 0, Purpose::test);
    const std::vector<std::uint64_t> row = random_row(random);
    std::vector<std::uint64_t> turned = row;
    reverse(columns, turned);
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(std::bit_cast<double>(turned[k]), -std::bit_cast<double>(row[k]));
    EXPECT_EQ(turned[3], row[3]);
    EXPECT_EQ(turned[4], row[4]);
    reverse(columns, turned);
    EXPECT_EQ(turned, row);
}

} // namespace
} // namespace tamp
