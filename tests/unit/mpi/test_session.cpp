#include "tamp/mpi/session.hpp"

#include <gtest/gtest.h>

namespace tamp {
namespace {

// MPI and PETSc run already, so a session here only reads its arguments, and must leave both running.
TEST(Session, splits_arguments_at_the_first_dashes) {
    std::vector<std::string> words{"tamp", "run", "case.toml", "--", "-log_view", "--", "x"};
    std::vector<char*> argv;
    for (auto& word : words)
        argv.push_back(word.data());
    {
        const Session session(static_cast<int>(argv.size()), argv.data());
        EXPECT_EQ(session.arguments(), (std::vector<std::string>{"tamp", "run", "case.toml"}));
        EXPECT_GE(session.world().size(), 1);
    }
    int ended = 0;
    MPI_Finalized(&ended);
    EXPECT_FALSE(ended);
}

} // namespace
} // namespace tamp
