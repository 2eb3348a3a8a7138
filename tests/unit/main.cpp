// The main of the unit tests (one rank) and of the parallel tests (any number of ranks).
//
// --module=NAME runs only the tests whose source lies in the folder tests/unit/NAME.

#include <gtest/gtest.h>
#include <mpi.h>
#include <petscsys.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// Rank 0 speaks for all, the others only about failures. A rank that leaves a test early would leave the
/// others waiting in the test's next exchange, so a fatal failure (ASSERT_..., an exception) stops all ranks
/// at once.
class RankReporter : public testing::EmptyTestEventListener {
public:
    RankReporter(int rank, int size) : rank_{rank}, size_{size} {}

    void OnTestStart(const testing::TestInfo& test) override {
        test_ = std::string{test.test_suite_name()} + "." + test.name();
    }

    // GoogleTest holds its lock here: asking it for the current test would wait for ever.
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) {
            return;
        }
        if (rank_ != 0) {
            std::cout << "rank " << rank_ << " of " << size_ << ": failure in " << test_ << "\n"
                      << result << std::flush;
        }
        if (result.fatally_failed() && size_ > 1) {
            std::cout << "rank " << rank_ << " of " << size_ << ": fatal failure, stopping all ranks"
                      << std::endl;
            std::fflush(nullptr);
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
    }

private:
    int rank_;
    int size_;
    std::string test_ = "set-up";
};

/// A GoogleTest filter that names every test whose source file lies in the folder tests/unit/<module>.
std::string filter_of_module(std::string_view module) {
    const std::string folder = "tests/unit/" + std::string{module} + "/";
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    std::string filter;
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const testing::TestInfo& test = *suite.GetTestInfo(t);
            if (std::string_view{test.file()}.find(folder) != std::string_view::npos) {
                filter += std::string{suite.name()} + "." + test.name() + ":";
            }
        }
    }
    return filter;
}

int run(int argc, char** argv, int rank, int size) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != 0) {
        delete listeners.Release(listeners.default_result_printer());
    }
    listeners.Append(new RankReporter{rank, size}); // GoogleTest deletes it

    constexpr std::string_view option = "--module=";
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument{argv[i]};
        if (argument.starts_with(option)) {
            const std::string filter = filter_of_module(argument.substr(option.size()));
            if (filter.empty()) {
                std::cerr << "no tests for " << argument << "\n";
                return EXIT_FAILURE;
            }
            GTEST_FLAG_SET(filter, filter);
        }
    }

    int failed = RUN_ALL_TESTS();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    MPI_Init(&argc, &argv); // before PETSc, which then leaves MPI alone when it ends
    PetscOptionsSetValue(nullptr, "-no_signal_handler", "true");
    if (PetscInitialize(nullptr, nullptr, nullptr, nullptr) != 0) {
        std::cerr << "PETSc did not start\n";
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }

    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int code = run(argc, argv, rank, size);

    PetscFinalize();
    MPI_Finalize();
    return code;
}
