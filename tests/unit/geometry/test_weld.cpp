#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "meshes.hpp"
#include "tamp/geometry/weld.hpp"

namespace tamp {
namespace {

TEST(Weld, JoinsWhatIsWithinTheToleranceInAnyOrder) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        SCOPED_TRACE(number);
        Random random(61, number, Purpose::test);
        std::vector<Vec3> places(1 + random.below(30)), given;
        std::vector<std::size_t> place_of;
        for (std::size_t k = 0; k < places.size(); ++k)
            places[k] = {static_cast<double>(k % 3), static_cast<double>(k / 3 % 3),
                         static_cast<double>(k / 9)};
        for (int k = 0; k < 100; ++k) {
            place_of.push_back(random.below(places.size()));
            given.push_back(places[place_of.back()] +
                            meshes::random_direction(random) * (random.uniform() * 4e-10));
        }
        const WeldedPoints result = welded(given, 1e-9);
        for (std::size_t i = 0; i < given.size(); ++i) {
            EXPECT_LE(norm(given[i] - result.points[static_cast<std::size_t>(result.index_of[i])]), 1e-9);
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_EQ(result.index_of[i] == result.index_of[j], place_of[i] == place_of[j]);
        }
        std::reverse(given.begin(), given.end());
        EXPECT_EQ(welded(given, 1e-9).points, result.points);
    }
    EXPECT_EQ(welded(std::vector<Vec3>{{0, 0, 0}, {-0.0, 0, -0.0}, {1, 0, 0}}, 0).points.size(), 2u);
    EXPECT_TRUE(welded({}, 1).points.empty());
}

} // namespace
} // namespace tamp
