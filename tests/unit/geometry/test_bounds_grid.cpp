#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tamp/base/random.hpp"
#include "tamp/geometry/bounds_grid.hpp"

namespace tamp {
namespace {

std::vector<Bounds> random_boxes(Random& random) {
    std::vector<Bounds> boxes(random.below(200));
    const double spread = std::pow(10, random.uniform(-2, 2)); // boxes apart, or one over the other
    const bool flat = random.below(4) == 0;
    for (Bounds& box : boxes) {
        const double size = std::pow(10, random.uniform(-3, 0));
        const Vec3 middle{spread * random.normal(), spread * random.normal(),
                          flat ? 0 : spread * random.normal()};
        box.include(middle);
        box.include(middle + Vec3{size * random.uniform(), size * random.uniform(),
                                  flat ? 0 : size * random.uniform()});
    }
    return boxes;
}

TEST(BoundsGrid, FindsEveryBoxWithinReachOnce) {
    for (std::uint64_t number = 0; number < 300; ++number) {
        SCOPED_TRACE(number);
        Random random(51, number, Purpose::test);
        const std::vector<Bounds> boxes = random_boxes(random);
        const BoundsGrid grid(boxes);
        for (int repeat = 0; repeat < 50; ++repeat) {
            const double scale = std::pow(10, random.uniform(-2, 2)),
                         reach = std::pow(10, random.uniform(-4, 1));
            Vec3 position{scale * random.normal(), scale * random.normal(), scale * random.normal()};
            if (!boxes.empty() && random.below(2))
                position = boxes[random.below(boxes.size())].upper + Vec3{reach, 0, 0}; // on the border
            std::vector<int> found, expected;
            grid.each_near(position, reach, [&](int box) { found.push_back(box); });
            for (std::size_t k = 0; k < boxes.size(); ++k)
                if (boxes[k].within(position, reach))
                    expected.push_back(static_cast<int>(k));
            std::ranges::sort(found);
            EXPECT_EQ(found, expected);
        }
    }
}

TEST(BoundsGrid, LooksAtAFewOfManyBoxesOnly) {
    std::vector<Bounds> boxes;
    for (int i = 0; i < 100; ++i)
        for (int j = 0; j < 100; ++j) {
            Bounds& box = boxes.emplace_back();
            box.include({i * 1.0, j * 1.0, 0});
            box.include({i + 1.0, j + 1.0, 0.1});
        }
    const BoundsGrid grid(boxes);
    int found = 0;
    grid.each_near({50.5, 50.5, 0.2}, 0.3, [&](int) { ++found; });
    EXPECT_EQ(found, 1);
}

} // namespace
} // namespace tamp
