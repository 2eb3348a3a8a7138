#include "tamp/fclib/factorisation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tamp::fclib {
namespace {

/// Entries beside the diagonal may differ by so much of the diagonal ones: rounding of whoever wrote them.
constexpr double symmetry_tolerance = 1e-9;

std::span<const std::int32_t> columns_of(const SparseMatrix& rows, std::size_t row) {
    return std::span(rows.index)
        .subspan(static_cast<std::size_t>(rows.pointer[row]),
                 static_cast<std::size_t>(rows.pointer[row + 1] - rows.pointer[row]));
}

double find(const SparseMatrix& rows, std::size_t row, std::size_t column) {
    const auto columns = columns_of(rows, row);
    const auto found = std::ranges::lower_bound(columns, static_cast<std::int32_t>(column));
    return found != columns.end() && *found == static_cast<std::int32_t>(column)
               ? rows.value[static_cast<std::size_t>(rows.pointer[row] + (found - columns.begin()))]
               : 0.0;
}

void check_symmetry(const SparseMatrix& rows) {
    rows.each([&](std::size_t row, std::size_t column, double value) {
        const double size =
            std::sqrt(std::abs(find(rows, row, row) * find(rows, column, column))) + std::abs(value);
        if (std::abs(value - find(rows, column, row)) > symmetry_tolerance * size)
            throw ProblemFault(fmt::format("M is not symmetric: {} at ({}, {}), {} at ({}, {})", value, row,
                                           column, find(rows, column, row), column, row));
    });
}

} // namespace

Factorisation::Factorisation(const SparseMatrix& matrix) {
    const SparseMatrix rows = by_rows(matrix);
    check_symmetry(rows);
    order(rows);
    factorise(rows);
}

void Factorisation::order(const SparseMatrix& rows) {
    const auto count = static_cast<std::size_t>(rows.rows);
    const auto degree = [&](std::size_t row) { return columns_of(rows, row).size(); };
    std::vector<char> seen(count, 0);
    std::vector<std::size_t> neighbours;
    const auto visit_from = [&](std::size_t start) { // breadth first, few neighbours first
        const std::size_t begin = old_row_.size();
        old_row_.push_back(start);
        seen[start] = 1;
        for (std::size_t next = begin; next < old_row_.size(); ++next) {
            neighbours.clear();
            for (const std::int32_t column : columns_of(rows, old_row_[next]))
                if (const auto other = static_cast<std::size_t>(column); !seen[other]) {
                    seen[other] = 1;
                    neighbours.push_back(other);
                }
            std::ranges::stable_sort(neighbours, {}, degree);
            old_row_.insert(old_row_.end(), neighbours.begin(), neighbours.end());
        }
        return begin;
    };
    for (std::size_t row = 0; row < count; ++row) {
        if (seen[row])
            continue;
        std::size_t begin = visit_from(row);
        // Once more from the row that was furthest: the band becomes narrower.
        const std::size_t furthest = old_row_.back();
        for (std::size_t k = begin; k < old_row_.size(); ++k)
            seen[old_row_[k]] = 0;
        old_row_.resize(begin);
        begin = visit_from(furthest);
        std::reverse(old_row_.begin() + static_cast<std::ptrdiff_t>(begin), old_row_.end());
        parts_.push_back({begin, old_row_.size()});
        part_of_.resize(old_row_.size(), parts_.size() - 1);
    }
    new_row_.resize(count);
    for (std::size_t k = 0; k < count; ++k)
        new_row_[old_row_[k]] = k;
}

void Factorisation::factorise(const SparseMatrix& rows) {
    const auto count = static_cast<std::size_t>(rows.rows);
    first_.resize(count), begin_.resize(count);
    std::size_t size = 0;
    for (std::size_t row = 0; row < count; ++row) {
        first_[row] = row;
        for (const std::int32_t column : columns_of(rows, old_row_[row]))
            first_[row] = std::min(first_[row], new_row_[static_cast<std::size_t>(column)]);
        begin_[row] = size;
        size += row - first_[row] + 1;
    }
    lower_.assign(size, 0.0);
    rows.each([&](std::size_t old_row, std::size_t old_column, double value) {
        const std::size_t row = new_row_[old_row], column = new_row_[old_column];
        if (column <= row)
            entry(row, column) = value;
    });
    for (std::size_t row = 0; row < count; ++row) {
        const double given = entry(row, row);
        for (std::size_t column = first_[row]; column <= row; ++column) {
            double sum = entry(row, column);
            for (std::size_t k = std::max(first_[row], first_[column]); k < column; ++k)
                sum -= entry(row, k) * entry(column, k);
            if (column < row) {
                entry(row, column) = sum / entry(column, column);
            } else {
                if (!(sum > 1e-14 * given))
                    throw ProblemFault(fmt::format(
                        "M is not positive definite: row {} has no mass of its own", old_row_[row]));
                entry(row, row) = std::sqrt(sum);
            }
        }
    }
}

/// `b`: of the part alone.
void Factorisation::solve(const Part& part, std::span<double> b) const {
    for (std::size_t row = part.begin; row < part.end; ++row) {
        double sum = b[row - part.begin];
        const double* lower = lower_.data() + begin_[row] - first_[row];
        for (std::size_t k = first_[row]; k < row; ++k)
            sum -= lower[k] * b[k - part.begin];
        b[row - part.begin] = sum / lower[row];
    }
    for (std::size_t row = part.end; row-- > part.begin;) {
        const double* lower = lower_.data() + begin_[row] - first_[row];
        const double value = b[row - part.begin] /= lower[row];
        for (std::size_t k = first_[row]; k < row; ++k)
            b[k - part.begin] -= lower[k] * value;
    }
}

void Factorisation::solve(std::span<double> b) const {
    std::vector<double> values;
    for (const Part& part : parts_) {
        values.clear();
        for (std::size_t row = part.begin; row < part.end; ++row)
            values.push_back(b[old_row_[row]]);
        solve(part, values);
        for (std::size_t row = part.begin; row < part.end; ++row)
            b[old_row_[row]] = values[row - part.begin];
    }
}

SparseVector Factorisation::solve(const SparseVector& b) const {
    std::vector<std::size_t> touched;
    for (const auto& [row, value] : b)
        touched.push_back(part_of_[new_row_[row]]);
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    SparseVector result;
    std::vector<double> values;
    for (const std::size_t number : touched) {
        const Part& part = parts_[number];
        values.assign(part.end - part.begin, 0.0);
        for (const auto& [row, value] : b)
            if (part_of_[new_row_[row]] == number)
                values[new_row_[row] - part.begin] += value;
        solve(part, values);
        for (std::size_t k = 0; k < values.size(); ++k)
            if (values[k] != 0)
                result.emplace_back(old_row_[part.begin + k], values[k]);
    }
    return result;
}

} // namespace tamp::fclib
