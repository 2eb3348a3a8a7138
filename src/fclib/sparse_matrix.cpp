#include "tamp/fclib/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace tamp::fclib {
namespace {

struct Entry {
    std::int32_t index;
    double value;
};

/// `line_of` and `index_of` choose between rows and columns.
template <class Line, class Index>
SparseMatrix compressed(const SparseMatrix& matrix, Storage storage, std::int32_t lines, Line line_of,
                        Index index_of) {
    std::vector<std::size_t> begin(static_cast<std::size_t>(lines) + 1, 0);
    matrix.each([&](std::size_t row, std::size_t column, double) { ++begin[line_of(row, column) + 1]; });
    for (std::size_t line = 1; line < begin.size(); ++line)
        begin[line] += begin[line - 1];
    std::vector<Entry> entries(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    matrix.each([&](std::size_t row, std::size_t column, double value) {
        entries[next[line_of(row, column)]++] = {static_cast<std::int32_t>(index_of(row, column)), value};
    });
    SparseMatrix result{.storage = storage, .rows = matrix.rows, .columns = matrix.columns};
    result.pointer.push_back(0);
    for (std::size_t line = 0; line + 1 < begin.size(); ++line) {
        const auto from = entries.begin() + static_cast<std::ptrdiff_t>(begin[line]),
                   to = entries.begin() + static_cast<std::ptrdiff_t>(begin[line + 1]);
        // Stable: entries at the same place are added in the order in which they are stored.
        std::stable_sort(from, to, [](const Entry& a, const Entry& b) { return a.index < b.index; });
        const std::size_t first = result.index.size();
        for (auto entry = from; entry != to; ++entry)
            if (result.index.size() > first && result.index.back() == entry->index) {
                result.value.back() += entry->value;
            } else {
                result.index.push_back(entry->index);
                result.value.push_back(entry->value);
            }
        result.pointer.push_back(static_cast<std::int32_t>(result.index.size()));
    }
    return result;
}

} // namespace

SparseMatrix by_rows(const SparseMatrix& matrix) {
    return compressed(
        matrix, Storage::rows, matrix.rows, [](std::size_t row, std::size_t) { return row; },
        [](std::size_t, std::size_t column) { return column; });
}

SparseMatrix by_columns(const SparseMatrix& matrix) {
    return compressed(
        matrix, Storage::columns, matrix.columns, [](std::size_t, std::size_t column) { return column; },
        [](std::size_t row, std::size_t) { return row; });
}

void add_product(const SparseMatrix& a, std::span<const double> x, std::span<double> y) {
    a.each([&](std::size_t row, std::size_t column, double value) { y[row] += value * x[column]; });
}

void add_transposed_product(const SparseMatrix& a, std::span<const double> x, std::span<double> y) {
    a.each([&](std::size_t row, std::size_t column, double value) { y[column] += value * x[row]; });
}

double norm(std::span<const double> values) {
    double sum = 0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum);
}

} // namespace tamp::fclib
