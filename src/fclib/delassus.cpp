#include "tamp/fclib/delassus.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace tamp::fclib {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Positive definite but for rounding: the determinants of the leading parts tell.
bool is_definite(std::span<const double> k, int dimension) {
    const auto n = static_cast<std::size_t>(dimension);
    const auto a = [&](std::size_t i, std::size_t j) { return 0.5 * (k[i * n + j] + k[j * n + i]); };
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, a(i, i));
    // Lifted a little: directions without mass are allowed, indefinite blocks are not.
    const double lift = 1e-10 * largest;
    const auto lifted = [&](std::size_t i, std::size_t j) { return a(i, j) + (i == j ? lift : 0.0); };
    const double second = lifted(0, 0) * lifted(1, 1) - a(0, 1) * a(0, 1);
    if (!(a(0, 0) > 0) || !(second > 0) || dimension == 2)
        return a(0, 0) > 0 && second > 0;
    return lifted(0, 0) * (lifted(1, 1) * lifted(2, 2) - a(1, 2) * a(1, 2)) -
               a(0, 1) * (a(0, 1) * lifted(2, 2) - a(1, 2) * a(0, 2)) +
               a(0, 2) * (a(0, 1) * a(1, 2) - lifted(1, 1) * a(0, 2)) >
           0;
}

void find_diagonal(BlockMatrix& matrix) {
    for (std::size_t c = 0; c + 1 < matrix.row_begin.size(); ++c) {
        std::size_t k = matrix.row_begin[c];
        while (k < matrix.row_begin[c + 1] && at(matrix.column[k]) != c)
            ++k;
        if (k == matrix.row_begin[c + 1] || !(matrix.block(k)[0] > 0))
            throw ProblemFault(fmt::format("contact {} has no mass along its normal: its block of W has no "
                                           "positive first entry (bodies that cannot move?)",
                                           c));
        if (!is_definite(matrix.block(k), matrix.dimension))
            throw ProblemFault(fmt::format("the block of W of contact {} is indefinite", c));
        matrix.diagonal.push_back(k);
    }
}

BlockMatrix blocks_of(const SparseMatrix& scalars, int dimension) {
    const SparseMatrix rows = by_rows(scalars);
    const auto n = static_cast<std::size_t>(dimension);
    BlockMatrix matrix{.dimension = dimension, .row_begin = {0}, .column = {}, .value = {}, .diagonal = {}};
    std::vector<std::int32_t> present;
    for (std::size_t c = 0; c < at(rows.rows) / n; ++c) {
        const std::size_t from = at(rows.pointer[c * n]), to = at(rows.pointer[(c + 1) * n]);
        present.clear();
        for (std::size_t k = from; k < to; ++k)
            present.push_back(rows.index[k] / dimension);
        std::ranges::sort(present);
        present.erase(std::unique(present.begin(), present.end()), present.end());
        const std::size_t first = matrix.column.size();
        matrix.column.insert(matrix.column.end(), present.begin(), present.end());
        matrix.value.resize(matrix.column.size() * n * n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = at(rows.pointer[c * n + i]); k < at(rows.pointer[c * n + i + 1]); ++k) {
                const auto block = first + static_cast<std::size_t>(
                                               std::ranges::lower_bound(present, rows.index[k] / dimension) -
                                               present.begin());
                matrix.value[block * n * n + i * n + at(rows.index[k]) % n] = rows.value[k];
            }
        matrix.row_begin.push_back(matrix.column.size());
    }
    find_diagonal(matrix);
    return matrix;
}

} // namespace

BlockProblem block_problem(const LocalProblem& problem) {
    return {blocks_of(problem.delassus, problem.dimension), problem.free_velocity, problem.friction};
}

BlockProblem block_problem(const GlobalProblem& problem, const Factorisation& mass) {
    const auto n = static_cast<std::size_t>(problem.dimension);
    const SparseMatrix columns = by_columns(problem.directions), rows = by_rows(problem.directions);
    BlockMatrix matrix{
        .dimension = problem.dimension, .row_begin = {0}, .column = {}, .value = {}, .diagonal = {}};
    std::map<std::int32_t, std::vector<double>> row; // blocks of one row of W
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
        row.clear();
        for (std::size_t i = 0; i < n; ++i) {
            SparseVector impulse;
            for (std::size_t k = at(columns.pointer[c * n + i]); k < at(columns.pointer[c * n + i + 1]); ++k)
                impulse.emplace_back(at(columns.index[k]), columns.value[k]);
            for (const auto& [body, velocity] : mass.solve(impulse))
                for (std::size_t k = at(rows.pointer[body]); k < at(rows.pointer[body + 1]); ++k) {
                    auto& block = row[rows.index[k] / problem.dimension];
                    block.resize(n * n, 0.0);
                    block[i * n + at(rows.index[k]) % n] += rows.value[k] * velocity;
                }
        }
        for (const auto& [other, block] : row) {
            matrix.column.push_back(other);
            matrix.value.insert(matrix.value.end(), block.begin(), block.end());
        }
        matrix.row_begin.push_back(matrix.column.size());
    }
    find_diagonal(matrix);
    const std::vector<double> still(problem.contacts() * n, 0.0);
    return {std::move(matrix), with_velocities(problem, mass, still).velocity, problem.friction};
}

double expected_entries(const GlobalProblem& problem) {
    const SparseMatrix rows = by_rows(problem.directions);
    double entries = 0;
    for (std::size_t row = 0; row < at(rows.rows); ++row) {
        const auto here = static_cast<double>(rows.pointer[row + 1] - rows.pointer[row]);
        entries += here * here;
    }
    return entries;
}

LocalProblem local_form(const GlobalProblem& problem) {
    BlockProblem blocks = block_problem(problem, Factorisation(problem.mass));
    const BlockMatrix& from = blocks.delassus;
    const auto n = static_cast<std::size_t>(problem.dimension);
    LocalProblem result{.dimension = problem.dimension,
                        .delassus = {.storage = Storage::rows,
                                     .rows = problem.directions.columns,
                                     .columns = problem.directions.columns},
                        .free_velocity = std::move(blocks.free_velocity),
                        .friction = problem.friction,
                        .texts = problem.texts};
    SparseMatrix& to = result.delassus;
    to.pointer.push_back(0);
    for (std::size_t c = 0; c < from.contacts(); ++c)
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = from.row_begin[c]; k < from.row_begin[c + 1]; ++k)
                for (std::size_t j = 0; j < n; ++j)
                    if (const double value = from.block(k)[i * n + j]; value != 0) {
                        to.index.push_back(static_cast<std::int32_t>(at(from.column[k]) * n + j));
                        to.value.push_back(value);
                    }
            to.pointer.push_back(static_cast<std::int32_t>(to.value.size()));
        }
    return result;
}

Solution with_velocities(const GlobalProblem& problem, const Factorisation& mass,
                         std::vector<double> impulse) {
    Solution solution{problem.free_momentum, problem.velocity_shift, std::move(impulse)};
    add_product(problem.directions, solution.impulse, solution.body_velocity);
    mass.solve(std::span<double>(solution.body_velocity));
    add_transposed_product(problem.directions, solution.body_velocity, solution.velocity);
    return solution;
}

} // namespace tamp::fclib
