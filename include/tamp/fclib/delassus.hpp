#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tamp/fclib/factorisation.hpp"
#include "tamp/fclib/problem.hpp"

namespace tamp::fclib {

/// W by rows of blocks, one block for each two contacts that share a body.
struct BlockMatrix {
    int dimension = 3;                  ///< edge of a block
    std::vector<std::size_t> row_begin; ///< by contact, one more at the end
    std::vector<std::int32_t> column;   ///< contact of each block; ascending within a row
    std::vector<double> value;          ///< dimension^2 numbers of each block, row by row
    std::vector<std::size_t> diagonal;  ///< block of each contact with itself

    std::size_t contacts() const { return diagonal.size(); }
    std::size_t block_size() const { return static_cast<std::size_t>(dimension * dimension); }
    std::span<const double> block(std::size_t k) const {
        return std::span(value).subspan(k * block_size(), block_size());
    }
};

/// u = W r + q, as the solver wants it.
struct BlockProblem {
    BlockMatrix delassus;
    std::vector<double> free_velocity; ///< q
    std::vector<double> friction;      ///< mu
};

/// Throws ProblemFault where a contact has no mass along its normal, or a block that is indefinite.
BlockProblem block_problem(const LocalProblem& problem);
/// W = H^T M^-1 H. `mass`: the factorisation of M.
BlockProblem block_problem(const GlobalProblem& problem, const Factorisation& mass);

/// How many numbers W will have at most, if M is diagonal: bodies of many contacts, pistons above all, make
/// it large.
double expected_entries(const GlobalProblem& problem);

/// The local form of a global problem, with the same texts.
LocalProblem local_form(const GlobalProblem& problem);

/// v = M^-1 (H r + f) and u = H^T v + w.
Solution with_velocities(const GlobalProblem& problem, const Factorisation& mass,
                         std::vector<double> impulse);

} // namespace tamp::fclib
