#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tamp/fclib/sparse_matrix.hpp"

/// Contact problems with Coulomb friction as FCLIB (Frictional Contact Library) states them.
///
///   v     velocities of the bodies, all their degrees of freedom in a row
///   u, r  velocity and impulse of each contact in its own frame: normal first, then one tangent (2-D) or two
///   mu    friction coefficient of each contact
///
/// Global form:  M v = H r + f,   u = H^T v + w
/// Local form:   u = W r + q,     with W = H^T M^-1 H and q = H^T M^-1 f + w
///
/// In each contact r lies in Coulomb's cone C, |r_T| <= mu r_N, u + mu |u_T| e_N in the dual cone of C, and
/// the two are perpendicular: the contact is open, sticks, or slips against r_T.
namespace tamp::fclib {

struct Texts {
    std::string title{}, description{}, math_info{};

    friend bool operator==(const Texts&, const Texts&) = default;
};

struct GlobalProblem {
    int dimension = 3;                    ///< numbers of a contact: 2 or 3
    SparseMatrix mass{};                  ///< M
    SparseMatrix directions{};            ///< H, a column for each number of a contact
    std::vector<double> free_momentum{};  ///< f
    std::vector<double> velocity_shift{}; ///< w
    std::vector<double> friction{};       ///< mu
    Texts texts{};

    std::size_t contacts() const { return friction.size(); }
    friend bool operator==(const GlobalProblem&, const GlobalProblem&) = default;
};

struct LocalProblem {
    int dimension = 3;
    SparseMatrix delassus{};             ///< W
    std::vector<double> free_velocity{}; ///< q
    std::vector<double> friction{};      ///< mu
    Texts texts{};

    std::size_t contacts() const { return friction.size(); }
    friend bool operator==(const LocalProblem&, const LocalProblem&) = default;
};

/// A solution, or a guess to start from.
struct Solution {
    std::vector<double> body_velocity{}; ///< v; of the global form only
    std::vector<double> velocity{};      ///< u
    std::vector<double> impulse{};       ///< r

    friend bool operator==(const Solution&, const Solution&) = default;
};

/// What a file holds: one of the two forms, or both of the same problem.
struct ProblemFile {
    std::optional<GlobalProblem> global{};
    std::optional<LocalProblem> local{};
    std::optional<Solution> solution{};
    std::vector<Solution> guesses{};

    friend bool operator==(const ProblemFile&, const ProblemFile&) = default;
};

} // namespace tamp::fclib
