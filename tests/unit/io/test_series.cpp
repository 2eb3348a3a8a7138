#include "tamp/io/series.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

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

/// Wherever it was cut short, even within a line.
TEST(Series, goes_on_after_a_time_as_if_it_had_never_stopped) {
    const auto path =
        std::filesystem::temp_directory_path() / ("series-" + std::to_string(::getpid()) + ".csv");
    const std::vector<std::string> columns{"time [s]", "a [m]"};
    const auto write = [&](int first, int last, std::optional<double> after) {
        Series series(Communicator(MPI_COMM_SELF), path.string(), columns, {}, Series::default_most_waiting,
                      after);
        for (int i = first; i < last; ++i)
            series.row(std::vector{0.1 * i, 1.0 / (i + 1)});
    };
    const auto text = [&] {
        std::ifstream file(path);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    write(0, 30, {});
    const std::string whole = text();
    Random random(1, 2, Purpose::test);
    for (int i = 0; i < 100; ++i) {
        const auto rows = static_cast<int>(random.below(30));
        const double after = rows == 0 ? -1 : 0.1 * (rows - 1) + 0.05 * random.uniform();
        if (i % 2 == 1) { // killed in a later line
            const std::size_t least =
                whole.find('\n', whole.find(fmt::format("\n{},", 0.1 * (rows - 1))) + 1);
            std::filesystem::resize_file(path,
                                         rows == 0 ? 14 : least + 1 + random.below(whole.size() - least));
        }
        write(rows, 30, after);
        ASSERT_EQ(text(), whole) << rows << " rows were left";
    }
    std::filesystem::remove(path);
}

TEST(Series, sets_aside_what_has_other_columns) {
    const auto folder = std::filesystem::temp_directory_path() / ("series-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "series.csv") << "time [s],other [m]\n0,1\n";
    std::string warning;
    {
        Series series(
            Communicator(MPI_COMM_SELF), (folder / "series.csv").string(), {"time [s]", "a [m]"},
            [&](const std::string& text) { warning = text; }, Series::default_most_waiting, 0.5);
    }
    EXPECT_NE(warning.find("series-old.csv"), std::string::npos) << warning;
    EXPECT_EQ(std::filesystem::file_size(folder / "series-old.csv"), 23u);
    EXPECT_EQ(std::filesystem::file_size(folder / "series.csv"), 15u);
    std::filesystem::remove_all(folder);
}

TEST(Series, unwritable_place) {
    EXPECT_THROW(Series(Communicator(MPI_COMM_SELF), "/no/such/folder/series.csv", {"time [s]"}), FileError);
}

} // namespace
} // namespace tamp
