#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tamp/base/errors.hpp"
#include "tamp/particles/generate.hpp"

/// What the tests of the generators share.
namespace tamp::checks {

inline Box make_box(const Vec3& lower, const Vec3& upper, std::array<Boundary, 3> boundary,
                    int dimension = 3) {
    Box box{.lower = lower, .upper = upper, .boundary = boundary, .dimension = dimension};
    if (dimension == 2) {
        box.lower.z = box.upper.z = 0;
        box.boundary[2] = Boundary::open;
    }
    return box;
}

inline constexpr auto open = Boundary::open, periodic = Boundary::periodic, wall = Boundary::wall;

inline GeneratorSettings make_settings(GeneratorKind kind, const Box& box, double diameter) {
    GeneratorSettings settings;
    settings.kind = kind;
    settings.size.diameter = diameter;
    settings.lower = box.lower;
    settings.upper = box.upper;
    return settings;
}

inline SizeDistribution within(SizeKind kind, double min, double max, double mean = 0, double deviation = 0) {
    SizeDistribution size;
    size.kind = kind;
    size.min = min;
    size.max = max;
    size.mean = mean;
    size.deviation = deviation;
    return size;
}

/// Brute force over all pairs and images.
inline void expect_valid(const std::vector<Grain>& grains, const GeneratorSettings& settings, const Box& box,
                         std::uint64_t first_id) {
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Grain& grain = grains[i];
        ASSERT_EQ(grain.id, first_id + i);
        ASSERT_EQ(grain.material, settings.material);
        ASSERT_EQ(grain.spin, (Vec3{0, 0, 0}));
        for (int axis = 0; axis < box.dimension; ++axis) {
            const bool spans = box.periodic(axis) && settings.lower[axis] == box.lower[axis] &&
                               settings.upper[axis] == box.upper[axis];
            const double margin = spans ? 0 : grain.radius * (1 - 1e-12);
            ASSERT_GE(grain.position[axis], settings.lower[axis] + margin);
            ASSERT_LE(grain.position[axis], settings.upper[axis] - margin);
            ASSERT_TRUE(!spans || grain.position[axis] < settings.upper[axis]);
        }
        if (box.dimension == 2) {
            ASSERT_EQ(grain.position.z, 0);
        }
        for (std::size_t j = 0; j < i; ++j)
            ASSERT_GE(norm(box.nearest(grain.position - grains[j].position)),
                      (grain.radius + grains[j].radius) * (1 - 1e-12))
                << i << " and " << j;
    }
}

inline double volume_of(const std::vector<Grain>& grains, int dimension) {
    double volume = 0;
    for (const Grain& grain : grains)
        volume += grain_volume(grain.radius, dimension);
    return volume;
}

/// The message of the InputError that must come.
inline std::string complaint(const GeneratorSettings& settings, const Box& box) {
    try {
        generate(settings, box, 1, 0);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in: " << text;
}

} // namespace tamp::checks
