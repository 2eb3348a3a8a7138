#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "tamp/laws/soft/touch.hpp"

/// What every normal law of soft grains promises.
namespace tamp::checks {

/// Work of the spring while the overlap goes to zero, by the trapezium rule.
template <class Law>
double work_of_unloading(const Law& law, soft::Touch<double> touch, double memory, int steps) {
    const double from = touch.overlap;
    double work = 0, before = law.force(touch, memory).elastic;
    for (int i = steps - 1; i >= 0; --i) {
        touch.overlap = from * i / steps;
        const double now = law.force(touch, memory).elastic;
        work += 0.5 * (before + now) * from / steps;
        before = now;
    }
    return work;
}

/// Random loading and unloading, also apart, with overlaps up to `scale`. The energy is the work that
/// unloading would give, and what is dissipated never shrinks.
template <class Law>
void expect_energy_of_cycles(const Law& law, soft::Touch<double> touch, double scale) {
    Random random = random_numbers(61);
    touch.overlap = scale, touch.closing_speed = 0;
    double memory = 0;
    const double unit = law.force(touch, memory).elastic * scale;
    touch.overlap = 0, memory = 0;
    double before = 0, work = 0, dissipated = 0;
    for (int leg = 0; leg < 60; ++leg) {
        const double from = touch.overlap, to = random.uniform(-0.2, 1) * scale;
        const int steps = 2000;
        const double step = (to - from) / steps;
        // The trapezium rule errs where the slope changes within a step.
        const double error = law.stiffness(touch.reduced_radius, scale) * step * step + 1e-9 * unit;
        const double at_start = dissipated;
        for (int i = 1; i <= steps; ++i) {
            touch.overlap = from + (to - from) * i / steps;
            const double now = law.force(touch, memory).elastic;
            work += 0.5 * (before + now) * step;
            before = now;
            const double lost = work - law.energy(touch, memory);
            ASSERT_GT(lost, dissipated - error) << "leg " << leg;
            dissipated = lost;
            ASSERT_GE(memory, law.has_memory ? std::max(touch.overlap, 0.0) : 0.0);
        }
        ASSERT_GT(dissipated, at_start - 4 * error) << "leg " << leg;
        ASSERT_TRUE(touch.overlap > 0 || memory == 0);
        const double work_left = touch.overlap > 0 ? work_of_unloading(law, touch, memory, 4000) : 0.0;
        ASSERT_NEAR(law.energy(touch, memory), work_left, 1e-6 * unit) << "leg " << leg;
    }
    EXPECT_GT(dissipated, law.has_memory ? 0.1 * unit : -1e-5 * unit);
    EXPECT_LT(dissipated, law.has_memory ? 100 * unit : 1e-5 * unit);
}

/// A pack gives the bits of eight doubles; lanes that do not touch give zeros.
template <class Law>
void expect_lanes_of_law(const Law& law, const soft::Touch<double>& pair, double scale) {
    Random random = random_numbers(62);
    for (int trial = 0; trial < 1000; ++trial) {
        std::array<soft::Touch<double>, lanes> touches;
        std::array<double, lanes> memories;
        soft::Touch<Pack> pack;
        Pack memory;
        for (int lane = 0; lane < lanes; ++lane) {
            soft::Touch<double>& touch = touches[static_cast<std::size_t>(lane)];
            touch = {random.uniform(-0.5, 1) * scale, random.normal(),
                     pair.reduced_mass * random.uniform(0.5, 2), pair.reduced_radius * random.uniform(0.5, 2),
                     pair.mean_radius * random.uniform(0.5, 2)};
            if (lane == 3)
                touch.overlap = 0;
            if (lane == 5) // nobody's lane
                touch = {-1, 0, 0, 0, 0};
            double& old = memories[static_cast<std::size_t>(lane)];
            old = random.below(3) == 0 ? 0.0 : random.uniform(0, 2) * scale;
            pack.overlap.raw[lane] = touch.overlap, pack.closing_speed.raw[lane] = touch.closing_speed;
            pack.reduced_mass.raw[lane] = touch.reduced_mass;
            pack.reduced_radius.raw[lane] = touch.reduced_radius;
            pack.mean_radius.raw[lane] = touch.mean_radius, memory.raw[lane] = old;
        }
        const soft::NormalForce<Pack> force = law.force(pack, memory);
        const Pack energy = law.energy(pack, memory);
        for (int lane = 0; lane < lanes; ++lane) {
            const auto& touch = touches[static_cast<std::size_t>(lane)];
            double& own = memories[static_cast<std::size_t>(lane)];
            const soft::NormalForce<double> one = law.force(touch, own);
            const std::array<double, 5> scalars{one.elastic, one.viscous, one.adhesion, own,
                                                law.energy(touch, own)};
            const std::array<double, 5> laned{force.elastic[lane], force.viscous[lane], force.adhesion[lane],
                                              memory[lane], energy[lane]};
            for (std::size_t i = 0; i < scalars.size(); ++i) {
                ASSERT_TRUE(std::isfinite(scalars[i])) << "number " << i << " of lane " << lane;
                ASSERT_EQ(laned[i], scalars[i]) << "number " << i << " of lane " << lane;
                ASSERT_TRUE(touch.overlap > 0 || scalars[i] == 0) << "number " << i << " of lane " << lane;
            }
            ASSERT_GE(one.load(), 0);
        }
    }
}

/// The tangent of the spring never exceeds what the law says of overlaps up to `scale`, and comes close.
template <class Law>
void expect_stiffness_bound(const Law& law, soft::Touch<double> touch, double scale) {
    Random random = random_numbers(63);
    const double bound = law.stiffness(touch.reduced_radius, scale), shift = 1e-6 * scale;
    double steepest = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        double memory = random.below(4) == 0 ? scale : random.uniform(0, 1) * scale;
        touch.overlap = random.below(4) == 0 ? memory - shift : random.uniform(0, 1) * (memory - shift),
        touch.closing_speed = 0;
        double again = memory;
        const double below = law.force(touch, memory).elastic;
        touch.overlap += shift;
        const double slope = std::abs(law.force(touch, again).elastic - below) / shift;
        ASSERT_LT(slope, bound * 1.00001);
        steepest = std::max(slope, steepest);
    }
    EXPECT_GT(steepest, 0.9 * bound);
}

} // namespace tamp::checks
