#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tamp/fclib/sparse_matrix.hpp"

namespace tamp::fclib {

/// What makes a problem impossible to solve, without the name of its file.
struct ProblemFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Entries of a sparse vector: where, and how much.
using SparseVector = std::vector<std::pair<std::size_t, double>>;

/// Cholesky's factorisation of a sparse, symmetric, positive definite matrix: M = L L^T.
///
/// Rows are ordered by reverse Cuthill-McKee, which keeps each connected part of M together and its rows
/// close to the diagonal; L is stored from the first entry of each row of M on. For the mass matrix of rigid
/// bodies the parts are the bodies, and this is the inverse of each block. Parts of finite elements fill the
/// band between the first entry of a row and the diagonal.
class Factorisation {
public:
    /// Throws ProblemFault if the matrix is not symmetric or not positive definite.
    explicit Factorisation(const SparseMatrix& matrix);

    /// Replaces b by M^-1 b.
    void solve(std::span<double> b) const;

    /// M^-1 b for a b of few entries: costs no more than the parts that they lie in.
    SparseVector solve(const SparseVector& b) const;

private:
    /// Of M, in the new order.
    struct Part {
        std::size_t begin, end;
    };
    void order(const SparseMatrix& rows);
    void factorise(const SparseMatrix& rows);
    void solve(const Part& part, std::span<double> b) const;
    double& entry(std::size_t row, std::size_t column) { return lower_[begin_[row] + column - first_[row]]; }

    std::vector<std::size_t> old_row_, new_row_; ///< by new and by old number
    std::vector<Part> parts_;
    std::vector<std::size_t> part_of_; ///< by new number
    std::vector<std::size_t> first_;   ///< column in which a row of L begins
    std::vector<std::size_t> begin_;   ///< where that is in `lower_`
    std::vector<double> lower_;
};

} // namespace tamp::fclib
