#include "tamp/fclib/delassus.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "tamp/fclib/error_measures.hpp"

namespace tamp::fclib {
namespace {

TEST(Delassus, IsTheProductOfItsFactors) {
    const GlobalProblem problem = checks::tower({});
    const Factorisation mass(problem.mass);
    const BlockProblem blocks = block_problem(problem, mass);
    Random random = checks::random_numbers(6);
    std::vector<double> r(problem.velocity_shift.size());
    for (double& value : r)
        value = random.normal();
    const std::vector<double> by_blocks = contact_velocities(blocks, r);
    const std::vector<double> by_bodies = with_velocities(problem, mass, r).velocity;
    const std::vector<double> by_file = contact_velocities(block_problem(local_form(problem)), r);
    for (std::size_t i = 0; i < r.size(); ++i) {
        EXPECT_NEAR(by_blocks[i], by_bodies[i], 1e-12);
        EXPECT_EQ(by_blocks[i], by_file[i]);
    }
}

TEST(Delassus, HasNoMoreEntriesThanExpected) {
    const GlobalProblem problem = checks::tower({.boxes = 7});
    EXPECT_LE(static_cast<double>(local_form(problem).delassus.value.size()), expected_entries(problem));
}

std::string fault_of(const LocalProblem& problem) {
    try {
        block_problem(problem);
    } catch (const ProblemFault& fault) {
        return fault.what();
    }
    return "none";
}

TEST(Delassus, RefusesBlocksThatNoBodyHas) {
    LocalProblem problem = local_form(checks::tower({.boxes = 1}));
    EXPECT_EQ(fault_of(problem), "none");
    LocalProblem weightless = problem;
    for (auto& value : weightless.delassus.value)
        value = -value;
    EXPECT_NE(fault_of(weightless).find("contact 0 has no mass along its normal"), std::string::npos);
    LocalProblem indefinite = problem;
    SparseMatrix& w = indefinite.delassus; // the second number of the first contact with itself
    for (auto k = static_cast<std::size_t>(w.pointer[1]); k < static_cast<std::size_t>(w.pointer[2]); ++k)
        if (w.index[k] == 1)
            w.value[k] = -1e-3;
    EXPECT_NE(fault_of(indefinite).find("contact 0 is indefinite"), std::string::npos);
}

} // namespace
} // namespace tamp::fclib
