#include "tamp/solver/force_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

/// Looks at signals as the solver does, at every check; calls `f(sweeps, estimated error, signals)` from the
/// third look.
template <class Signals, class F>
void watch(int last, Signals signals, F f) {
    ForceErrorEstimate estimate;
    int looks = 0;
    for (int k = next_look({}, {}); k <= last; k = next_look({k, 1.0}, {})) {
        const auto now = signals(k);
        estimate.record(k, now);
        if (++looks < 3) {
            EXPECT_EQ(estimate.error(), 1.0); // too early to tell
        } else {
            f(k, estimate.error(), now);
        }
    }
}

TEST(ForceErrorEstimate, FindsTheMissingPartOfAnExponential) {
    for (const double tau : {4.0, 20.0, 100.0, 1000.0})
        for (const double start : {0.0, 0.9, 3.0}) { // approaches its end, 1, from below or above
            const auto force = [&](int k) { return std::array{1 + (start - 1) * std::exp(-k / tau)}; };
            int judged = 0;
            watch(static_cast<int>(20 * tau), force, [&](int k, double error, const auto& now) {
                const double missing = std::abs(1 - now[0]) / now[0];
                if (missing < 1e-8 || 10 * k < tau)
                    return;
                ++judged;
                // With many decay times between two looks the mean slope overrates what is left; on the safe
                // side.
                EXPECT_LT(error, (missing > 1e-5 ? 1.5 : 2.0) * missing) << "tau " << tau << ", sweep " << k;
                EXPECT_GT(error, missing / 1.5) << "tau " << tau << ", sweep " << k;
            });
            EXPECT_GT(judged, 3);
        }
}

TEST(ForceErrorEstimate, SlowStartIsNotTheEnd) {
    // A force that grows evenly, with no end in sight: at the present pace ten times the sweeps may be
    // missing.
    watch(
        10000, [](int k) { return std::array{1e-6 * k}; },
        [](int k, double error, const auto&) { EXPECT_GT(error, 5.0) << "sweep " << k; });
    // One that has hardly begun to decay.
    watch(
        100, [](int k) { return std::array{1 - std::exp(-k / 5000.0)}; },
        [](int k, double error, const auto&) { EXPECT_GT(error, 1.0) << "sweep " << k; });
}

TEST(ForceErrorEstimate, TheSlowestForceCounts) {
    const auto forces = [](int k) {
        return std::array{2.0, 1 - std::exp(-k / 5.0), 0.5 * (1 - std::exp(-k / 200.0)), 0.0};
    };
    watch(1000, forces, [](int k, double error, const auto& now) {
        const double missing = (0.5 - now[2]) / 2.0; // relative to the largest force
        if (k >= 50) {
            EXPECT_LT(error, 1.5 * missing) << "sweep " << k;
            EXPECT_GT(error, missing / 1.5) << "sweep " << k;
        }
    });
}

TEST(ForceErrorEstimate, ConstantForcesAreDone) {
    watch(
        100,
        [](int) {
            return std::array{3.0, -2.0, 0.0};
        },
        [](int, double error, const auto&) { EXPECT_EQ(error, 0.0); });
    watch(
        100,
        [](int) {
            return std::array{0.0, 0.0};
        },
        [](int, double error, const auto&) { EXPECT_EQ(error, 0.0); });
}

/// Sums of normal forces of a pressed chain, solved by plain sweeps from the top down, the slow way round:
/// p_0 = p_1 + 1, p_j = (p_{j-1} + p_{j+1})/2 [000 eq. 1.31]. Many decay times at once, as in a packing.
TEST(ForceErrorEstimate, IsNotFooledByAChain) {
    for (const std::size_t length : {10u, 30u, 60u}) {
        std::vector<double> p(length + 1, 0.0);
        int sweeps = 0;
        const auto force = [&](int k) {
            for (; sweeps < k; ++sweeps) {
                for (std::size_t j = length - 1; j > 0; --j)
                    p[j] = 0.5 * (p[j - 1] + p[j + 1]);
                p[0] = p[1] + 1;
            }
            double sum = 0;
            for (const double x : p)
                sum += x;
            return std::array{sum, p[0]};
        };
        const double n = static_cast<double>(length), end = 0.5 * n * (n + 1);
        watch(static_cast<int>(4 * n * n), force, [&](int k, double error, const auto& now) {
            const double missing = std::max(std::abs(end - now[0]), std::abs(n - now[1])) / now[0];
            EXPECT_GT(error, std::min(missing, 1.0) / 1.5) << length << " spheres, sweep " << k;
        });
    }
}

TEST(ForceErrorEstimate, JitterIsNotDrift) {
    // Up and down by 1e-3: that much may be missing, not ten times the sweeps of it.
    int looks = 0;
    watch(
        10000, [&](int) { return std::array{1 + (looks++ % 2 == 0 ? 5e-4 : -5e-4)}; },
        [](int k, double error, const auto&) { EXPECT_NEAR(error, 1e-3, 1e-5) << "sweep " << k; });
}

TEST(NextLook, GrowsByAQuarterAtTheGoalAndDoublesFarFromIt) {
    int k = 0;
    for (const int expected : {2, 3, 5, 8, 10, 12, 15, 18, 22}) {
        k = next_look({k, 1.0}, {});
        EXPECT_EQ(k, expected);
    }
    for (int sweeps = 7; sweeps < 100000; ++sweeps) {
        EXPECT_EQ(next_look({sweeps, 11.0}, {sweeps / 2, 12.0}), 2 * sweeps);
        EXPECT_EQ(next_look({sweeps, 5.0}, {sweeps / 2, 4.0}), 2 * sweeps) << "it does not fall";
        for (const double distance : {1.0, 1.01, 3.0, 9.0, 1e9}) {
            const int next = next_look({sweeps, distance}, {sweeps / 2, 10.0});
            ASSERT_GT(next, sweeps);
            ASSERT_LE(next, 2 * sweeps);
        }
    }
}

TEST(NextLook, MeetsTheGoalOfAnExponentialDecay) {
    for (const double decay : {20.0, 35.0, 40.0, 50.0, 80.0}) {
        const auto distance = [&](int sweeps) { return 8.0 * std::exp(-sweeps / decay); };
        const Look before{8, distance(8)}, last{64, distance(64)};
        if (last.distance <= 1)
            continue;
        const int goal = static_cast<int>(decay * std::log(8.0));
        EXPECT_NEAR(next_look(last, before), std::clamp(goal, 80, 128), 1) << decay;
    }
}

} // namespace
