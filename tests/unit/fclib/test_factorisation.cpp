#include "tamp/fclib/factorisation.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"

namespace tamp::fclib {
namespace {

/// A chain with some bonds across it: neither blocks nor a narrow band as it stands.
SparseMatrix shuffled_network(int count, Random& random) {
    std::vector<std::size_t> name(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < name.size(); ++i)
        name[i] = i;
    for (std::size_t i = name.size(); i > 1; --i)
        std::swap(name[i - 1], name[random.below(i)]);
    SparseMatrix matrix{.rows = count, .columns = count};
    for (std::size_t i = 0; i < name.size(); ++i) {
        matrix.add(name[i], name[i], 5 + random.uniform());
        for (const std::size_t other : {i + 1, i + 7})
            if (other < name.size() && i % 20 != 19) { // leaves parts that are not connected
                const double value = random.uniform(-1, 1);
                matrix.add(name[i], name[other], value);
                matrix.add(name[other], name[i], value);
            }
    }
    return matrix;
}

TEST(Factorisation, SolvesSparseSystems) {
    Random random = checks::random_numbers(4);
    const SparseMatrix matrix = shuffled_network(200, random);
    const Factorisation factorisation(matrix);
    std::vector<double> expected(200), b(200, 0.0);
    for (double& value : expected)
        value = random.normal();
    add_product(matrix, expected, b);
    factorisation.solve(std::span<double>(b));
    for (std::size_t i = 0; i < b.size(); ++i)
        EXPECT_NEAR(b[i], expected[i], 1e-13);
}

TEST(Factorisation, SolvesForFewEntriesAsForAll) {
    Random random = checks::random_numbers(5);
    const Factorisation factorisation(shuffled_network(200, random));
    const SparseVector few{{3, 1.5}, {117, -2.0}, {3, 0.5}};
    std::vector<double> all(200, 0.0), from_few(200, 0.0);
    for (const auto& [row, value] : few)
        all[row] += value;
    factorisation.solve(std::span<double>(all));
    for (const auto& [row, value] : factorisation.solve(few))
        from_few[row] += value;
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_NEAR(from_few[i], all[i], 1e-15);
}

TEST(Factorisation, RefusesMatricesThatHaveNone) {
    SparseMatrix lopsided{.rows = 2, .columns = 2};
    lopsided.add(0, 0, 1), lopsided.add(1, 1, 1), lopsided.add(0, 1, 0.5);
    EXPECT_THROW(Factorisation{lopsided}, ProblemFault);
    SparseMatrix indefinite{.rows = 2, .columns = 2};
    indefinite.add(0, 0, 1), indefinite.add(1, 1, 1), indefinite.add(0, 1, 2), indefinite.add(1, 0, 2);
    EXPECT_THROW(Factorisation{indefinite}, ProblemFault);
    SparseMatrix empty_row{.rows = 2, .columns = 2};
    empty_row.add(0, 0, 1);
    EXPECT_THROW(Factorisation{empty_row}, ProblemFault);
}

} // namespace
} // namespace tamp::fclib
