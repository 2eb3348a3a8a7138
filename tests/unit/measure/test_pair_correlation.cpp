#include <numbers>

#include "made_up.hpp"
#include "tamp/measure/pair_correlation.hpp"

namespace tamp {
namespace {

using namespace made_up;

constexpr std::array<Boundary, 3> all_periodic{Boundary::periodic, Boundary::periodic, Boundary::periodic};

/// How many neighbours a sample has in a bin, from g(r).
double neighbours(const std::vector<Quantity>& list, std::size_t bin, double density, int dimension) {
    const std::vector<double>& distance = find(list, "pair_correlation/distance").values;
    const double width = 2 * distance[0], middle = distance.at(bin);
    const double shell =
        grain_volume(middle + width / 2, dimension) - grain_volume(middle - width / 2, dimension);
    return find(list, "pair_correlation/value").values.at(bin) * density * shell;
}

/// 6 neighbours at 1, 12 at sqrt 2, 8 at sqrt 3, 6 at 2, 24 at sqrt 5.
TEST(PairCorrelation, OfACubicLattice) {
    const Box box{.upper = {8, 8, 8}, .boundary = all_periodic};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    for (int k = 0; k < 512; ++k)
        add_particle(view, {k % 8 + 0.25, k / 8 % 8 + 0.25, k / 64 + 0.25}, 0.5);
    MeasureSettings settings;
    settings.pair_range = 2.4;
    settings.pair_bins = 24;
    for (const int samples : {10000, 100}) { // all, or some
        settings.pair_samples = samples;
        const std::vector<Quantity> list = pair_correlation(engine, view, settings);
        expect_whole(list);
        const double chosen = value(list, "pair_correlation/samples");
        EXPECT_TRUE(samples > 512 ? chosen == 512 : chosen > 60 && chosen < 140) << chosen;
        for (std::size_t bin = 0; bin < 24; ++bin) {
            // 1 and 2 lie on a face between bins, which belongs to the upper one, or by round-off to the
            // lower.
            const double expected = bin == 9 || bin == 19 ? 6
                                    : bin == 14           ? 12
                                    : bin == 17           ? 8
                                    : bin == 22           ? 24
                                                          : 0;
            if (bin == 10 || bin == 20)
                continue;
            double found = neighbours(list, bin, 511.0 / 512, 3);
            if (bin == 9 || bin == 19)
                found += neighbours(list, bin + 1, 511.0 / 512, 3);
            EXPECT_NEAR(found, expected, 1e-9) << bin;
        }
    }
}

/// Points at random are an ideal gas: g = 1 within what chance allows, in any box.
TEST(PairCorrelation, OfRandomPointsIsOne) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(seed);
        Random random = checks::random_numbers(seed);
        const int dimension = seed % 2 == 0 ? 3 : 2;
        Box box{.lower = {-3, 1, 0}, .upper = {15, 17, dimension == 3 ? 20.0 : 0.0}, .dimension = dimension};
        for (int axis = 0; axis < dimension; ++axis)
            box.boundary[static_cast<std::size_t>(axis)] =
                seed < 2 || (seed < 4 && axis == 0) ? Boundary::periodic : Boundary::open;
        const RigidRun engine = engine_of(setup_of(box));
        View view = empty_view(box);
        for (int i = 0; i < 6000; ++i)
            add_particle(view, random_position(random, box), 1e-6);
        MeasureSettings settings;
        settings.pair_range = 4;
        settings.pair_bins = 8;
        const std::vector<Quantity> list = pair_correlation(engine, view, settings);
        const double density = 6000 / box.volume();
        const double samples = value(list, "pair_correlation/samples");
        EXPECT_GT(samples, 200);
        EXPECT_NEAR(find(list, "pair_correlation/distance").values.back(), 3.75, 0.01)
            << "a quarter of the extent of the points along y";
        for (std::size_t bin = 0; bin < 8; ++bin) {
            const double inner = 0.5 * static_cast<double>(bin), outer = inner + 0.5;
            const double shell = grain_volume(outer, dimension) - grain_volume(inner, dimension);
            // Samples share neighbours: allow for it by counting each particle as independent at most once.
            const double independent = std::min(samples * density * shell, 12000.0);
            EXPECT_NEAR(find(list, "pair_correlation/value").values[bin], 1, 5 / std::sqrt(independent))
                << bin;
        }
    }
}

TEST(PairCorrelation, TakesLessRangeInASmallBox) {
    const Box box{.upper = {6, 6, 8}, .boundary = {Boundary::periodic, Boundary::periodic, Boundary::open}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    for (int k = 0; k < 6 * 6 * 6; ++k) // fills the lower six of eight
        add_particle(view, {k % 6 + 0.5, k / 6 % 6 + 0.5, k / 36 + 0.5}, 0.5);
    const std::vector<Quantity> list = pair_correlation(engine, view, {});
    expect_whole(list);
    const std::vector<double>& distance = find(list, "pair_correlation/distance").values;
    EXPECT_NEAR(distance.back() + distance.front(), 1.5, 1e-12);
    // Layers at 1.5, 2.5, 3.5 and 4.5 are far enough from both surfaces; their neighbours: 6 at 1, 12 at
    // sqrt 2.
    EXPECT_EQ(value(list, "pair_correlation/samples"), 4 * 36);
    double all = 0;
    for (std::size_t bin = 0; bin < 100; ++bin)
        all += neighbours(list, bin, 215.0 / 216, 3);
    EXPECT_NEAR(all, 18, 1e-9);
}

TEST(PairCorrelation, OfNothingIsZero) {
    const Box box{.upper = {4, 4, 4}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    expect_whole(pair_correlation(engine, view, {}));
    add_particle(view, {2, 2, 2}, 0.5);
    expect_whole(pair_correlation(engine, view, {}));
}

} // namespace
} // namespace tamp
