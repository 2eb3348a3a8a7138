#include "tamp/fclib/sparse_matrix.hpp"

#include <gtest/gtest.h>

namespace tamp::fclib {
namespace {

TEST(SparseMatrix, IsTheSameInEveryStorage) {
    SparseMatrix triplets{.rows = 3, .columns = 4};
    triplets.add(2, 3, 5), triplets.add(0, 1, 2), triplets.add(2, 0, 1), triplets.add(0, 1, 4);
    const SparseMatrix rows = by_rows(triplets), columns = by_columns(triplets);
    EXPECT_EQ(rows.pointer, (std::vector<std::int32_t>{0, 1, 1, 3}));
    EXPECT_EQ(rows.index, (std::vector<std::int32_t>{1, 0, 3}));
    EXPECT_EQ(rows.value, (std::vector<double>{6, 1, 5})); // entries at one place add up
    EXPECT_EQ(columns.pointer, (std::vector<std::int32_t>{0, 1, 2, 2, 3}));
    EXPECT_EQ(by_rows(columns), rows);
    const std::vector<double> x{1, 10, 100, 1000}, z{1, 10, 100};
    for (const SparseMatrix& matrix : {triplets, rows, columns}) {
        std::vector<double> y(3, 1.0), transposed(4, 0.0);
        add_product(matrix, x, y);
        add_transposed_product(matrix, z, transposed);
        EXPECT_EQ(y, (std::vector<double>{61, 1, 5002}));
        EXPECT_EQ(transposed, (std::vector<double>{100, 6, 0, 500}));
    }
}

} // namespace
} // namespace tamp::fclib
