#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tamp::fclib {

enum class Storage {
    triplets, ///< entry k is in row index[k] and column pointer[k]
    columns,  ///< entries pointer[c] to pointer[c + 1] are in column c and rows index[k]
    rows,     ///< entries pointer[r] to pointer[r + 1] are in row r and columns index[k]
};

/// A sparse matrix as files of FCLIB hold it. Entries at the same place add up.
struct SparseMatrix {
    Storage storage = Storage::triplets;
    std::int32_t rows = 0, columns = 0;
    std::vector<std::int32_t> pointer{}, index{};
    std::vector<double> value{};

    /// To triplets.
    void add(std::size_t row, std::size_t column, double entry) {
        index.push_back(static_cast<std::int32_t>(row));
        pointer.push_back(static_cast<std::int32_t>(column));
        value.push_back(entry);
    }

    /// Calls visit(row, column, value) for all entries in the order in which they are stored.
    template <class Visit>
    void each(Visit&& visit) const {
        const auto at = [](std::int32_t i) { return static_cast<std::size_t>(i); };
        if (storage == Storage::triplets) {
            for (std::size_t k = 0; k < value.size(); ++k)
                visit(at(index[k]), at(pointer[k]), value[k]);
            return;
        }
        for (std::size_t line = 0; line + 1 < pointer.size(); ++line)
            for (std::size_t k = at(pointer[line]); k < at(pointer[line + 1]); ++k)
                storage == Storage::rows ? visit(line, at(index[k]), value[k])
                                         : visit(at(index[k]), line, value[k]);
    }

    friend bool operator==(const SparseMatrix&, const SparseMatrix&) = default;
};

/// The same matrix by rows, or by columns; indices of a line ascend, and none comes twice.
SparseMatrix by_rows(const SparseMatrix& matrix);
SparseMatrix by_columns(const SparseMatrix& matrix);

/// y += A x
void add_product(const SparseMatrix& a, std::span<const double> x, std::span<double> y);
/// y += A^T x
void add_transposed_product(const SparseMatrix& a, std::span<const double> x, std::span<double> y);

double norm(std::span<const double> values);

} // namespace tamp::fclib
