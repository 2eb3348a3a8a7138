#include "series_file_test.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <cstring>

#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp::test {
namespace {

TEST_F(SeriesFileTest, rows_come_back_however_they_are_flushed) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        Random random(seed, 0, Purpose::test);
        std::vector<double> times, profile_times;
        {
            SeriesFile series(self_, path_, identity_);
            for (int i = 0; i < 3000; ++i) {
                const double time = i + random.uniform();
                times.push_back(time);
                EXPECT_TRUE(series.append("", time, scalars(time)));
                if (random.below(9) == 0) {
                    profile_times.push_back(time);
                    EXPECT_TRUE(series.append("profile", time, arrays(time)));
                }
                if (seed > 1 && random.below(seed == 2 ? 40 : 900) == 0) {
                    EXPECT_TRUE(series.flush());
                }
            }
        }
        EXPECT_EQ(read_table(path_, "time").values, times);
        EXPECT_EQ(read_table(path_, "profile/time").values, profile_times);
        EXPECT_EQ(read_table(path_, "profile/volume_fraction").shape,
                  (std::vector<hsize_t>{profile_times.size(), 3}));
        EXPECT_EQ(read_table(path_, "profile/stress").shape,
                  (std::vector<hsize_t>{profile_times.size(), 2, 3}));
        EXPECT_EQ(read_table(path_, "profile/single").shape, (std::vector<hsize_t>{profile_times.size(), 1}));
        const auto energy = read_table(path_, "kinetic_energy"), strain = read_table(path_, "strain/xx"),
                   stress = read_table(path_, "profile/stress");
        ASSERT_EQ(energy.values.size(), times.size());
        ASSERT_EQ(strain.values.size(), times.size());
        for (std::size_t i = 0; i < times.size(); ++i) {
            ASSERT_EQ(energy.values[i], 3 * times[i]);
            ASSERT_EQ(strain.values[i], -times[i]);
        }
        for (std::size_t i = 0; i < profile_times.size(); ++i) {
            ASSERT_EQ(stress.values[6 * i + 5], profile_times[i]);
            ASSERT_EQ(stress.values[6 * i + 2], 2);
        }
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
    }
}

TEST_F(SeriesFileTest, a_flush_in_place_may_be_cut_short_anywhere) {
    // A kill leaves some of the changed words on the disk and some not. Whichever they are, the file must
    // open, and what was there before must still be there.
    SeriesFile series(self_, path_, identity_);
    std::vector<double> before;
    Random random(5, 0, Purpose::test);
    int in_place = 0;
    const auto other = folder_ + "/mixed.h5";
    for (int flush = 0; flush < 60; ++flush) {
        const auto old_bytes = bytes();
        const auto old_rows = before.size();
        for (std::uint64_t k = random.below(30); k-- > 0;) {
            before.push_back(static_cast<double>(before.size()));
            series.append("", before.back(), scalars(before.back()));
            series.append("profile", before.back(), arrays(before.back()));
        }
        ASSERT_TRUE(series.flush());
        const auto new_bytes = bytes();
        if (new_bytes.size() != old_bytes.size() || old_rows == 0)
            continue; // a new file took its place
        ++in_place;
        for (int cut = 0; cut < 10; ++cut) {
            auto mixed = old_bytes;
            for (std::size_t at = 0; at + 8 <= mixed.size(); at += 8)
                if (std::memcmp(&mixed[at], &new_bytes[at], 8) != 0 && random.below(2) == 0)
                    std::memcpy(&mixed[at], &new_bytes[at], 8);
            std::ofstream(other, std::ios::binary) << mixed;
            for (const char* name :
                 {"time", "kinetic_energy", "strain/xx", "profile/time", "profile/stress"}) {
                const auto table = read_table(other, name);
                ASSERT_FALSE(table.shape.empty()) << name;
                ASSERT_TRUE(table.shape[0] == old_rows || table.shape[0] == before.size()) << name;
                const double factor = std::strcmp(name, "kinetic_energy") == 0 ? 3
                                      : std::strcmp(name, "strain/xx") == 0    ? -1
                                                                               : 1;
                const auto width = table.values.size() / table.shape[0];
                for (std::size_t i = 0; i < old_rows; ++i)
                    ASSERT_EQ(table.values[i * width], factor * before[i]) << name;
            }
        }
    }
    EXPECT_GT(in_place, 20);
}

TEST_F(SeriesFileTest, files_that_are_too_large_to_be_copied_grow_too) {
    constexpr std::size_t width = 80'000; // a block of 16 rows has 10 MB
    std::vector<Quantity> field{{"field", "1", "A field", std::vector<double>(width), {width}}};
    {
        SeriesFile series(self_, path_, identity_);
        for (int i = 0; i < 120; ++i) {
            field[0].values.back() = i;
            series.append("", i, field);
            if (i % 10 == 9) {
                ASSERT_TRUE(series.flush());
            }
        }
    }
    EXPECT_GT(fs::file_size(path_), SeriesFile::largest_copy);
    EXPECT_LT(fs::file_size(path_), 128 * width * 8 + 100'000); // what was reserved and not needed is gone
    const auto table = read_table(path_, "field");
    ASSERT_EQ(table.shape, (std::vector<hsize_t>{120, width}));
    for (std::size_t i = 0; i < 120; ++i)
        ASSERT_EQ(table.values[(i + 1) * width - 1], static_cast<double>(i));
}

TEST_F(SeriesFileTest, a_reader_does_not_stop_the_writer) {
    SeriesFile series(self_, path_, identity_);
    series.append("", 0, scalars(0));
    ASSERT_TRUE(series.flush());
    std::FILE* reader = std::fopen(path_.c_str(), "r");
    ASSERT_EQ(::flock(::fileno(reader), LOCK_SH), 0); // as HDF5 does
    series.append("", 1, scalars(1));
    EXPECT_TRUE(series.flush());
    std::fclose(reader);
    EXPECT_EQ(read_table(path_, "time").values, (std::vector<double>{0, 1}));
}

TEST_F(SeriesFileTest, quantities_keep_names_and_shapes) {
    SeriesFile series(self_, path_, identity_);
    const auto append = [&](const char* group, std::vector<Quantity> quantities) {
        series.append(group, 1, quantities);
    };
    series.append("", 0, scalars(0));
    auto changed = scalars(1);
    changed[0].name = "energy";
    EXPECT_THROW(append("", changed), std::logic_error);
    changed = scalars(1);
    changed.pop_back();
    EXPECT_THROW(append("", changed), std::logic_error);
    changed = scalars(1);
    changed[1].values.push_back(2);
    EXPECT_THROW(append("", changed), std::logic_error);
    changed = scalars(1);
    changed[1].shape = {1};
    EXPECT_THROW(append("", changed), std::logic_error);
    EXPECT_THROW(append("a", {{"x", "1", "", {1}}, {"x", "1", "", {1}}}), std::logic_error);
    EXPECT_THROW(append("b", {{"time", "s", "", {1}}}), std::logic_error);
    EXPECT_THROW(append("c", {{"x", "1", "", {}, {0}}}), std::logic_error);
    series.append("", 2, scalars(2));
    EXPECT_TRUE(series.flush());
    EXPECT_EQ(read_table(path_, "time").values, (std::vector<double>{0, 2}));
}

TEST_F(SeriesFileTest, a_file_that_vanished_is_a_warning) {
    std::string warning;
    SeriesFile series(self_, path_, identity_, [&](const std::string& text) { warning += text; });
    series.append("", 0, scalars(0));
    fs::remove(path_);
    EXPECT_FALSE(series.flush());
    EXPECT_NE(warning.find("series.h5: No such file or directory."), std::string::npos) << warning;
    EXPECT_NE(warning.find("The run goes on; rows wait in memory."), std::string::npos) << warning;
}

TEST_F(SeriesFileTest, rows_that_find_no_room_in_memory_are_counted) {
    std::vector<std::string> warnings;
    SeriesFile series(self_, path_, identity_, [&](const std::string& text) { warnings.push_back(text); },
                      {.flush_interval = std::chrono::hours(1), .most_waiting = 30});
    EXPECT_TRUE(series.append("", 0, scalars(0)));
    ASSERT_TRUE(series.flush());
    fs::rename(path_, folder_ + "/aside");
    for (int i = 1; i <= 10; ++i) // three numbers each
        series.append("", i, scalars(i));
    EXPECT_EQ(series.lost_rows(), 0u);
    EXPECT_EQ(warnings.size(), 1u);
    // Those that wait are not tried again at every row, which may mean a copy of the whole file.
    fs::rename(folder_ + "/aside", path_);
    EXPECT_FALSE(series.append("", 11, scalars(11)));
    EXPECT_FALSE(series.append("profile", 11, arrays(11)));
    EXPECT_EQ(series.lost_rows(), 2u);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[1].find("those from 11 s on are lost"), std::string::npos) << warnings[1];
    // What waits is written, but the gap is not forgotten.
    EXPECT_FALSE(series.flush());
    EXPECT_TRUE(series.append("", 12, scalars(12)));
    EXPECT_FALSE(series.flush());
    EXPECT_FALSE(series.flush()); // with nothing to write
    EXPECT_EQ(series.lost_rows(), 2u);
    EXPECT_EQ(warnings.size(), 2u);
    EXPECT_EQ(read_table(path_, "time").values, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}));
}

TEST_F(SeriesFileTest, a_row_is_lost_only_after_an_attempt_to_write) {
    SeriesFile series(self_, path_, identity_, {},
                      {.flush_interval = std::chrono::seconds(0), .most_waiting = 6});
    ASSERT_TRUE(series.append("", 0, scalars(0)));
    fs::rename(path_, folder_ + "/aside");
    for (int i = 1; i <= 5; ++i)
        EXPECT_FALSE(series.append("", i, scalars(i)));
    EXPECT_EQ(series.lost_rows(), 3u);
    fs::rename(folder_ + "/aside", path_);
    int i = 6;
    std::size_t lost = series.lost_rows();
    for (; !series.append("", i, scalars(i)); ++i) // while the pause after the last attempt lasts
        lost = series.lost_rows();
    EXPECT_EQ(series.lost_rows(), lost);
    series.flush();
    EXPECT_EQ(read_table(path_, "time").values, (std::vector<double>{0, 1, 2, static_cast<double>(i)}));
}

TEST_F(SeriesFileTest, a_row_larger_than_all_that_may_wait_is_written_at_once) {
    SeriesFile series(self_, path_, identity_, {},
                      {.flush_interval = std::chrono::hours(1), .most_waiting = 10});
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(
            series.append("", i, std::vector<Quantity>{{"field", "1", "", std::vector<double>(50), {50}}}));
    EXPECT_EQ(series.lost_rows(), 0u);
    EXPECT_EQ(read_table(path_, "time").values, (std::vector<double>{0, 1, 2}));
}

TEST_F(SeriesFileTest, unwritable_place) {
    EXPECT_THROW(SeriesFile(self_, "/no/such/folder/series.h5", identity_), FileError);
}

TEST_F(SeriesFileTest, description) {
    {
        SeriesFile series(self_, path_, identity_);
        series.append("", 0.5, scalars(0));
        series.append("", 1.5, scalars(1));
        series.append("profile", 1.5, arrays(1));
        series.append("profile/inside", 2.5, std::vector<Quantity>{{"a/b/c", "N", "", {1, 2}, {2}}});
    }
    const auto text = describe_state(path_);
    for (const char* part :
         {"tamp-series 1", "on 3 ranks", "a title", "2 rows, 0.5 to 1.5 s", "  kinetic_energy [J]: Energy\n",
          "/profile:    1 row, 1.5 to 1.5 s", "  stress 2 x 3 [Pa]"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    // Groups without a time belong to the one above.
    EXPECT_NE(text.find("/:           2 rows, 0.5 to 1.5 s\n  kinetic_energy [J]: Energy\n"
                        "  time [s]: Time\n  strain/xx [1]: In a group\n/profile:"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("/profile/inside: 1 row, 2.5 to 2.5 s\n  time [s]: Time\n  a/b/c 2 [N]\n"),
              std::string::npos)
        << text;
}

TEST_F(SeriesFileTest, description_of_a_file_without_rows) {
    const SeriesFile series(self_, path_, identity_);
    const auto text = describe_state(path_);
    EXPECT_NE(text.find("/:           no rows\n"), std::string::npos) << text;
}

/// Groups at different rhythms, groups within groups, all cut at random times.
} // namespace
} // namespace tamp::test
