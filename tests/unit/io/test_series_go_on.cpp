#include "series_file_test.hpp"

#include <optional>

#include "tamp/base/random.hpp"

namespace tamp::test {
namespace {

class SeriesGoesOn : public SeriesFileTest {};

TEST_F(SeriesGoesOn, GoesOnAfterATimeAsIfItHadNeverStopped) {
    const auto write = [&](int first, int last, std::optional<double> after) {
        SeriesFile series(self_, path_, {}, {}, {}, after);
        for (int i = first; i < last; ++i) {
            series.append("", i, scalars(i));
            if (i % 3 == 0)
                series.append("profile", i, arrays(i));
            if (i % 50 == 49)
                series.flush();
        }
    };
    const std::vector<std::string> names{"time",         "kinetic_energy",          "strain/xx",
                                         "profile/time", "profile/volume_fraction", "profile/stress"};
    constexpr int rows = 1200; // more than a block of scalars
    write(0, rows, {});
    std::vector<Table> whole;
    for (const std::string& name : names)
        whole.push_back(read_table(path_, name));
    Random random(3, 1, Purpose::test);
    for (const int left : {0, 1, 2, 17, 1000, 1023, 1024, 1025, static_cast<int>(random.below(rows)), rows}) {
        { SeriesFile cut(self_, path_, {}, {}, {}, left - 0.5); }
        EXPECT_EQ(read_table(path_, "time").values.size(), static_cast<std::size_t>(left));
        EXPECT_EQ(read_table(path_, "strain/xx").values.size(), static_cast<std::size_t>(left));
        EXPECT_EQ(read_table(path_, "profile/time").values.size(), static_cast<std::size_t>((left + 2) / 3));
        write(left, rows, left - 0.5);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const Table found = read_table(path_, names[k]);
            ASSERT_EQ(found.shape, whole[k].shape) << names[k] << " after " << left;
            ASSERT_EQ(found.values, whole[k].values) << names[k] << " after " << left;
        }
    }
}

TEST_F(SeriesGoesOn, OtherQuantitiesBeginAnewAndNothingIsLost) {
    std::vector<Quantity> more = arrays(7), fewer = arrays(7), wider = arrays(7);
    more.push_back({"extra", "1", "One more", {1}});
    fewer.pop_back();
    wider.front() = {"volume_fraction", "1", "Solid part", {1, 2, 3, 4}, {4}};
    for (const std::vector<Quantity>& other : {more, fewer, wider}) {
        fs::remove(path_);
        fs::remove(folder_ + "/series-old.h5");
        {
            SeriesFile series(self_, path_, identity_);
            for (int i = 0; i < 5; ++i) {
                series.append("", i, scalars(i));
                series.append("profile", i, arrays(i));
            }
        }
        std::vector<std::string> warnings;
        {
            SeriesFile series(
                self_, path_, identity_, [&](const std::string& text) { warnings.push_back(text); }, {}, 2.5);
            for (int i = 3; i < 6; ++i) {
                EXPECT_TRUE(series.append("", i, scalars(i)));
                EXPECT_TRUE(series.append("profile", i, other));
            }
            EXPECT_TRUE(series.flush());
        }
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings.front().find("series-old.h5"), std::string::npos) << warnings.front();
        const std::vector<double> early{0, 1, 2}, late{3, 4, 5};
        EXPECT_EQ(read_table(folder_ + "/series-old.h5", "profile/time").values, early);
        EXPECT_EQ(read_table(path_, "time").values, late);
        EXPECT_EQ(read_table(path_, "profile/time").values, late);
        EXPECT_EQ(read_table(path_, "profile/volume_fraction").shape,
                  (std::vector<hsize_t>{3, other.front().values.size()}));
        EXPECT_EQ(read_table(path_, "profile/extra").values.size(), other.size() == more.size() ? 3u : 0u);
        // What began anew goes on as well.
        SeriesFile again(
            self_, path_, identity_, [&](const std::string& text) { warnings.push_back(text); }, {}, 4.5);
        EXPECT_TRUE(again.append("profile", 6, other));
        EXPECT_TRUE(again.flush());
        EXPECT_EQ(read_table(path_, "profile/time").values, (std::vector<double>{3, 4, 6}));
        EXPECT_EQ(warnings.size(), 1u);
    }
}

TEST_F(SeriesGoesOn, SetsAsideWhatItCannotGoOnWith) {
    std::ofstream(path_) << "no HDF5 file";
    std::string warning;
    {
        SeriesFile series(
            self_, path_, {}, [&](const std::string& text) { warning = text; }, {}, 1.0);
        EXPECT_TRUE(series.append("", 2, scalars(2)));
    }
    EXPECT_NE(warning.find("series-old.h5"), std::string::npos) << warning;
    EXPECT_TRUE(fs::exists(folder_ + "/series-old.h5"));
    EXPECT_EQ(read_table(path_, "time").values, std::vector<double>{2});
}

} // namespace
} // namespace tamp::test
