#include "tamp/fclib/problem_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "problems.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/io/hdf5.hpp"

namespace tamp::fclib {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<double> random_numbers(Random& random, std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values)
        value = random.normal();
    return values;
}

/// Any entries: files do not ask whether a matrix makes sense.
SparseMatrix random_matrix(Random& random, std::int32_t rows, std::int32_t columns, Storage storage) {
    SparseMatrix matrix{.rows = rows, .columns = columns};
    matrix.add(static_cast<std::size_t>(rows - 1), static_cast<std::size_t>(columns - 1), 1);
    for (int k = 0; k < 40; ++k)
        matrix.add(random.below(static_cast<std::uint64_t>(rows)),
                   random.below(static_cast<std::uint64_t>(columns)), random.normal());
    return storage == Storage::rows      ? by_rows(matrix)
           : storage == Storage::columns ? by_columns(matrix)
                                         : matrix;
}

ProblemFile random_file(std::uint64_t seed, int dimension, Storage storage) {
    Random random = checks::random_numbers(seed);
    const std::int32_t contacts = 5, numbers = contacts * dimension, bodies = 22;
    const auto u = static_cast<std::size_t>(numbers), v = static_cast<std::size_t>(bodies);
    std::vector<double> friction = random_numbers(random, contacts);
    for (double& mu : friction)
        mu = std::abs(mu);
    const Texts texts{"a title", "what it is", "and what is known"};
    ProblemFile file;
    file.global = {dimension,
                   random_matrix(random, bodies, bodies, storage),
                   random_matrix(random, bodies, numbers, storage),
                   random_numbers(random, v),
                   random_numbers(random, u),
                   friction,
                   texts};
    file.local = {dimension, random_matrix(random, numbers, numbers, storage), random_numbers(random, u),
                  friction, texts};
    const auto solution = [&] {
        return Solution{random_numbers(random, v), random_numbers(random, u), random_numbers(random, u)};
    };
    file.solution = solution();
    file.guesses = {solution(), solution()};
    return file;
}

class ProblemFileTest : public testing::Test {
protected:
    ProblemFileTest() {
        folder_ = (fs::temp_directory_path() / "tamp-test-XXXXXX").string();
        if (!mkdtemp(folder_.data()))
            ADD_FAILURE() << "no temporary folder";
        path_ = folder_ + "/problem.hdf5";
    }
    ~ProblemFileTest() override { fs::remove_all(folder_); }

    std::string error() const {
        try {
            read_problem(path_);
        } catch (const FileError& error) {
            return error.what();
        }
        return "no error";
    }

    /// What reading says after this was done to a good file.
    std::string error_after(const std::function<void(hid_t)>& damage) const {
        EXPECT_EQ(write_problem(path_, random_file(1, 3, Storage::triplets)), "");
        {
            const QuietHdf5 quiet;
            const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
            damage(file);
        }
        return error();
    }

    std::string folder_, path_;
};

void expect_says(const std::string& message, const std::string& dataset, const std::string& what) {
    EXPECT_NE(message.find("problem.hdf5"), std::string::npos) << message;
    EXPECT_NE(message.find(dataset), std::string::npos) << message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
}

void remove(hid_t file, const char* name) { H5Ldelete(file, name, H5P_DEFAULT); }

template <class T>
void replace(hid_t file, const char* name, std::vector<T> values) {
    remove(file, name);
    const hsize_t size = values.size();
    const hid_t type = std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Dclose);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

TEST_F(ProblemFileTest, GivesBackWhatWasWritten) {
    std::uint64_t seed = 0;
    for (const int dimension : {2, 3})
        for (const Storage storage : {Storage::triplets, Storage::columns, Storage::rows}) {
            const ProblemFile file = random_file(++seed, dimension, storage);
            ASSERT_EQ(write_problem(path_, file), "");
            EXPECT_TRUE(read_problem(path_) == file) << seed;
        }
}

TEST_F(ProblemFileTest, HasTheSameBytesEachTime) {
    ASSERT_EQ(write_problem(path_, random_file(7, 3, Storage::rows)), "");
    const std::string first = bytes_of(path_);
    ASSERT_EQ(write_problem(path_, random_file(7, 3, Storage::rows)), "");
    EXPECT_EQ(bytes_of(path_), first);
}

TEST_F(ProblemFileTest, HoldsOneFormAlone) {
    ProblemFile file = random_file(8, 3, Storage::rows);
    file.global.reset(), file.guesses.clear();
    file.solution->body_velocity.clear();
    ASSERT_EQ(write_problem(path_, file), "");
    EXPECT_TRUE(read_problem(path_) == file);
    ProblemFile other = random_file(8, 3, Storage::rows);
    other.local.reset(), other.solution.reset();
    ASSERT_EQ(write_problem(path_, other), "");
    EXPECT_TRUE(read_problem(path_) == other);
}

TEST_F(ProblemFileTest, ReplacesTheSolutionAlone) {
    ProblemFile file = random_file(9, 3, Storage::rows);
    ASSERT_EQ(write_problem(path_, file), "");
    file.solution = random_file(10, 3, Storage::rows).solution;
    replace_solution(path_, *file.solution);
    EXPECT_TRUE(read_problem(path_) == file);
    file.solution.reset();
    ASSERT_EQ(write_problem(path_, file), "");
    file.solution = random_file(11, 3, Storage::rows).solution;
    replace_solution(path_, *file.solution);
    EXPECT_TRUE(read_problem(path_) == file);
}

TEST_F(ProblemFileTest, TakesTripletsOfEitherOrder) {
    ProblemFile file = random_file(12, 3, Storage::triplets);
    const SparseMatrix meant = file.global->directions;
    std::swap(file.global->directions.pointer, file.global->directions.index); // as FCLIB's header has them
    ASSERT_EQ(write_problem(path_, file), "");
    EXPECT_TRUE(read_problem(path_).global->directions == meant);
}

TEST_F(ProblemFileTest, TakesTripletsWithRoomForMore) {
    const ProblemFile file = random_file(1, 3, Storage::triplets);
    const std::string message = error_after([&](hid_t id) {
        std::vector<double> x = file.global->mass.value;
        const int room = static_cast<int>(x.size()) + 3;
        x.resize(static_cast<std::size_t>(room), 99.0);
        replace(id, "/fclib_global/M/x", x);
        replace(id, "/fclib_global/M/nzmax", std::vector<int>{room});
    });
    EXPECT_EQ(message, "no error");
    EXPECT_TRUE(read_problem(path_) == file);
}

TEST_F(ProblemFileTest, TellsWhatIsMissing) {
    expect_says(error_after([](hid_t id) { remove(id, "/fclib_global/H"); }), "/fclib_global/H", "has no");
    expect_says(error_after([](hid_t id) { remove(id, "/fclib_local/vectors/q"); }), "/fclib_local/vectors/q",
                "has no");
    expect_says(error_after([](hid_t id) { remove(id, "/fclib_local/spacedim"); }), "/fclib_local/spacedim",
                "has no");
    expect_says(error_after([](hid_t id) {
                    remove(id, "/fclib_local");
                    remove(id, "/fclib_global");
                }),
                "/fclib_local", "neither");
}

TEST_F(ProblemFileTest, DoesWithoutSolutionsThatAreIncomplete) {
    EXPECT_EQ(error_after([](hid_t id) {
                  remove(id, "/solution/v");
                  remove(id, "/guesses/2/r");
              }),
              "no error");
    const ProblemFile file = read_problem(path_);
    EXPECT_FALSE(file.solution);
    EXPECT_EQ(file.guesses.size(), 1u);
}

TEST_F(ProblemFileTest, TellsWrongSizes) {
    expect_says(error_after([](hid_t id) {
                    replace<double>(id, "/fclib_global/vectors/f", {1, 2});
                }),
                "/fclib_global/vectors/f", "2 numbers instead of 22");
    expect_says(error_after([](hid_t id) {
                    replace<double>(id, "/fclib_local/vectors/mu", {1, 2});
                }),
                "/fclib_local/vectors/mu", "2 numbers instead of 5");
    expect_says(error_after([](hid_t id) { replace<int>(id, "/fclib_local/W/m", {16}); }), "/fclib_local/W",
                "16 x 15");
    expect_says(error_after([](hid_t id) { replace<int>(id, "/fclib_global/H/m", {23}); }), "/fclib_global/H",
                "has 23 rows");
    expect_says(error_after([](hid_t id) { replace<int>(id, "/fclib_global/M/nz", {-7}); }),
                "/fclib_global/M", "nz = -7");
    expect_says(error_after([](hid_t id) { replace<int>(id, "/fclib_global/spacedim", {5}); }),
                "/fclib_global/spacedim", "rolling");
    expect_says(error_after([](hid_t id) { replace<int>(id, "/fclib_global/spacedim", {2}); }),
                "/fclib_global/H", "no multiple");
}

TEST_F(ProblemFileTest, TellsWrongNumbers) {
    expect_says(error_after([](hid_t id) {
                    replace<double>(id, "/fclib_local/vectors/q", std::vector<double>(15, NAN));
                }),
                "/fclib_local/vectors/q", "not finite");
    expect_says(error_after([](hid_t id) {
                    replace<double>(id, "/fclib_local/vectors/mu", {0.1, 0.2, -0.3, 0, 0});
                }),
                "/fclib_local/vectors/mu", "-0.3 of contact 2");
    expect_says(
        error_after([](hid_t id) { replace<int>(id, "/fclib_global/H/i", std::vector<int>(41, 1000)); }),
        "/fclib_global/H/i", "outside");
    expect_says(
        error_after([](hid_t id) { replace<int>(id, "/fclib_local/vectors/q", std::vector<int>(15, 1)); }),
        "/fclib_local/vectors/q", "floating-point");
}

TEST_F(ProblemFileTest, TellsPointersThatLeadNowhere) {
    ASSERT_EQ(write_problem(path_, random_file(13, 3, Storage::rows)), "");
    {
        const Hdf5Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
        replace<int>(file, "/fclib_local/W/p", std::vector<int>(16, 3));
    }
    expect_says(error(), "/fclib_local/W/p", "from 0 to nzmax");
}

TEST_F(ProblemFileTest, TellsFilesThatAreNone) {
    std::ofstream(path_) << "not a problem";
    expect_says(error(), "", "not an HDF5 file");
    ASSERT_EQ(write_problem(path_, random_file(14, 3, Storage::rows)), "");
    fs::resize_file(path_, fs::file_size(path_) / 2);
    expect_says(error(), "", "damaged or cut off");
    fs::remove(path_);
    expect_says(error(), "", "No such file");
}

TEST_F(ProblemFileTest, RefusesJoints) {
    expect_says(error_after([](hid_t id) {
                    const Hdf5Handle group(
                        H5Gcreate2(id, "/fclib_global/G", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
                    replace<int>(id, "/fclib_global/G/n", {4});
                }),
                "/fclib_global/G", "joints");
}

TEST(StoredProblems, AreTheTowerOfTheGenerator) {
    const GlobalProblem made = checks::tower({}),
                        stored = *read_problem(checks::data_file("tower.hdf5")).global;
    EXPECT_EQ(stored.directions.index, made.directions.index);
    EXPECT_EQ(stored.friction, made.friction);
    for (std::size_t i = 0; i < made.free_momentum.size(); ++i)
        EXPECT_NEAR(stored.free_momentum[i], made.free_momentum[i], 1e-12);
    for (std::size_t i = 0; i < made.directions.value.size(); ++i)
        EXPECT_NEAR(stored.directions.value[i], made.directions.value[i], 1e-15);
}

} // namespace
} // namespace tamp::fclib
