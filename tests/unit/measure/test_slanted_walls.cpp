#include <numbers>

#include "made_up.hpp"
#include "tamp/measure/distributions.hpp"
#include "tamp/measure/packing_quantities.hpp"

namespace tamp {
namespace {

using namespace made_up;

/// 10 x 10 x 4, less a prism of 4 x 4 / 2 x 10 in the corner of floor and left side: 320.
const Box box{.upper = {10, 10, 4}, .boundary = {Boundary::wall, Boundary::periodic, Boundary::wall}};
const double ball = std::numbers::pi / 6;

RigidRun engine_with_slope() {
    return engine_of(setup_of(
        box, {{.name = "slope", .point = {4, 0, 0}, .normal = {std::sqrt(0.5), 0, std::sqrt(0.5)}}}));
}

TEST(SlantedWall, CountsInTheVolumeFraction) {
    const RigidRun engine = engine_with_slope(); // has one sphere
    EXPECT_NEAR(measure(engine).volume_fraction, ball / 320, 1e-15);
    EXPECT_NEAR(volume_fraction(engine), ball / 320, 1e-15);
}

TEST(SlantedWall, CountsInTheStress) {
    View view = empty_view(box);
    add_contact(view, {5, 5, 1}, {5, 5, 3}, {1, 0, 16});
    const std::vector<Quantity> list = packing_quantities(engine_with_slope(), view);
    EXPECT_NEAR(value(list, "contact_stress_zz"), 2 * 16 / 320.0, 1e-10);
}

TEST(SlantedWall, CountsInTheProfile) {
    View view = empty_view(box);
    add_particle(view, {5, 5, 0.5}, 0.5);
    add_particle(view, {5, 5, 2.5}, 0.5);
    add_contact(view, {5, 5, 0.5}, {5, 5, 2.5}, {0, 0, 10});
    MeasureSettings settings;
    settings.profile_bins = 4;
    const std::vector<Quantity> list = Distributions(settings).measure(engine_with_slope(), view);
    expect_whole(list);
    const std::vector<double>& fraction = find(list, "profile/volume_fraction").values;
    const std::vector<double>& stress = find(list, "profile/contact_stress").values;
    const double volumes[] = {65, 75, 85, 95};
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(fraction[k], (k % 2 == 0 ? ball : 0) / volumes[k], 1e-10);
        EXPECT_NEAR(stress[6 * k + 2], 10 * (k == 1 ? 1 : k == 3 ? 0 : 0.5) / volumes[k], 1e-9);
    }
}

} // namespace
} // namespace tamp
