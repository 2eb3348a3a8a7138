#include "tamp/io/series.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"

namespace tamp {
namespace {

TEST(Series, numbers_read_back_as_the_same_doubles) {
    const auto path =
        std::filesystem::temp_directory_path() / ("series-" + std::to_string(::getpid()) + ".csv");
    std::vector<std::vector<double>> rows{{0, -0.0, 0.1},
                                          {1e300, std::numeric_limits<double>::denorm_min(), 1e22}};
    Random random(1, 1, Purpose::test);
    for (int i = 0; i < 1000; ++i)
        rows.push_back({random.uniform(), std::ldexp(random.uniform(), i - 500), -1 / random.uniform()});
    {
        Series series(Communicator(MPI_COMM_SELF), path.string(), {"time [s]", "a [m]", "b [1]"});
        for (const auto& row : rows)
            EXPECT_TRUE(series.row(row));
    }
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "time [s],a [m],b [1]");
    for (const auto& row : rows) {
        ASSERT_TRUE(std::getline(file, line));
        std::istringstream words(line);
        std::string word;
        for (const double value : row) {
            std::getline(words, word, ',');
            const double found = std::strtod(word.c_str(), nullptr);
            EXPECT_TRUE(found == value && std::signbit(found) == std::signbit(value)) << word;
        }
    }
    EXPECT_FALSE(std::getline(file, line));
    std::filesystem::remove(path);
}

TEST(Series, flush_shows_the_rows) {
    const auto path =
        std::filesystem::temp_directory_path() / ("series-" + std::to_string(::getpid()) + ".csv");
    Series series(Communicator(MPI_COMM_SELF), path.string(), {"time [s]"});
    series.row(std::vector{0.5});
    EXPECT_TRUE(series.flush());
    EXPECT_EQ(std::filesystem::file_size(path), 13u); // "time [s]\n0.5\n"
    std::filesystem::remove(path);
}

TEST(Series, unwritable_place) {
    EXPECT_THROW(Series(Communicator(MPI_COMM_SELF), "/no/such/folder/series.csv", {"time [s]"}), FileError);
}

} // namespace
} // namespace tamp
