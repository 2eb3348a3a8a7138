#include "tamp/mpi/profile.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace tamp {
namespace {

using namespace std::chrono_literals;

TEST(Profile, accumulates_by_part) {
    Profile profile;
    const auto outer = profile.part("test outer"), inner = profile.part("test inner");
    EXPECT_EQ(profile.part("test outer").index, outer.index);
    {
        const Profile::Scope whole(profile, outer);
        for (int i = 0; i < 3; ++i) {
            const Profile::Scope piece(profile, inner);
            std::this_thread::sleep_for(2ms);
        }
    }
    EXPECT_GE(profile.seconds(inner), 0.006);
    EXPECT_GE(profile.seconds(outer), profile.seconds(inner));
    ASSERT_EQ(profile.entries().size(), 2u);
    EXPECT_EQ(profile.entries()[0].name, "test outer");
    EXPECT_EQ(profile.entries()[0].calls, 1);
    EXPECT_EQ(profile.calls(inner), 3);
}

TEST(Profile, counts_what_an_exception_leaves) {
    Profile profile;
    const auto part = profile.part("test throwing");
    EXPECT_THROW(
        {
            const Profile::Scope scope(profile, part);
            throw std::runtime_error("on purpose");
        },
        std::runtime_error);
    EXPECT_EQ(profile.calls(part), 1);
}

} // namespace
} // namespace tamp
