#include <gtest/gtest.h>

#include "tamp/materials/mixing.hpp"

namespace tamp {
namespace {

constexpr TorqueLimit length{.scale = TorqueScale::length, .value = 4e-3};
constexpr TorqueLimit ratio{.scale = TorqueScale::ratio, .value = 0.1};
constexpr TorqueLimit hertz{.scale = TorqueScale::hertz, .value = 0.2, .modulus = 1e9};

TEST(Mixing, NumbersHaveTheirGeometricMean) {
    const ContactLaws a{
        .friction = 0.2, .restitution = 0.9, .tangential_restitution = 0.1, .restitution_speed = 1e-3};
    const ContactLaws b{
        .friction = 0.8, .restitution = 0.4, .tangential_restitution = 0.4, .restitution_speed = 2e-3};
    const ContactLaws m = mixed(a, b);
    EXPECT_DOUBLE_EQ(m.friction, 0.4);
    EXPECT_DOUBLE_EQ(m.restitution, 0.6);
    EXPECT_DOUBLE_EQ(m.tangential_restitution, 0.2);
    EXPECT_EQ(m.restitution_speed, 2e-3) << "the larger one";
    EXPECT_EQ(m, mixed(b, a));
    EXPECT_EQ(m.rolling, TorqueLimit{});
    EXPECT_EQ(m.cohesion, Cohesion{});
}

TEST(Mixing, EqualMaterialsKeepTheirLaws) {
    const ContactLaws a{.friction = 0.3,
                        .restitution = 0.7,
                        .tangential_restitution = 0.1,
                        .restitution_speed = 1e-3,
                        .rolling = hertz,
                        .torsion = length,
                        .coupled_torsion = true,
                        .cohesion = {CohesionScale::bond, 7, 0, 1e-7, 1e-4}};
    EXPECT_EQ(mixed(a, a), a);
}

TEST(Mixing, TorqueOfOneScale) {
    const TorqueLimit m = mixed(hertz, {.scale = TorqueScale::hertz, .value = 0.8, .modulus = 4e9});
    EXPECT_EQ(m.scale, TorqueScale::hertz);
    EXPECT_DOUBLE_EQ(m.value, 0.4);
    EXPECT_DOUBLE_EQ(m.modulus, 2e9);
    EXPECT_DOUBLE_EQ(mixed(length, {.scale = TorqueScale::length, .value = 1e-3}).value, 2e-3);
}

TEST(Mixing, TorqueNeedsBoth) {
    EXPECT_TRUE(mixable(hertz, TorqueLimit{}));
    EXPECT_EQ(mixed(hertz, TorqueLimit{}), TorqueLimit{});
    EXPECT_EQ(mixed(TorqueLimit{}, ratio), TorqueLimit{});
}

TEST(Mixing, TorquesOfDifferentScalesHaveNoMean) {
    EXPECT_FALSE(mixable(length, ratio));
    EXPECT_FALSE(mixable(hertz, ratio));
    EXPECT_TRUE(mixable(ratio, ratio));
    EXPECT_EQ(mixed(length, ratio), TorqueLimit{});
}

TEST(Mixing, CoupledIfBothAre) {
    ContactLaws a{.friction = 0.5, .torsion = ratio, .coupled_torsion = true}, b = a;
    EXPECT_TRUE(mixed(a, b).coupled_torsion);
    b.coupled_torsion = false;
    EXPECT_FALSE(mixed(a, b).coupled_torsion);
    b = {.friction = 0.5, .torsion = length, .coupled_torsion = true};
    EXPECT_FALSE(mixed(a, b).coupled_torsion) << "no torsion, nothing to couple";
}

TEST(Mixing, Cohesion) {
    const Cohesion m = mixed(Cohesion{.value = 1e-3, .energy = 1e-9, .impulse_time = 1e-4},
                             Cohesion{.value = 4e-3, .energy = 4e-9, .impulse_time = 4e-4});
    EXPECT_EQ(m.scale, CohesionScale::force);
    EXPECT_DOUBLE_EQ(m.value, 2e-3);
    EXPECT_DOUBLE_EQ(m.energy, 2e-9);
    EXPECT_EQ(m.range, 0);
    EXPECT_DOUBLE_EQ(m.impulse_time, 2e-4);
    EXPECT_DOUBLE_EQ(mixed(Cohesion{.value = 1, .range = 1e-6}, Cohesion{.value = 1, .range = 9e-6}).range,
                     3e-6);
}

TEST(Mixing, CohesionNeedsBothAndItsDetailsToo) {
    const Cohesion with_energy{.value = 1e-3, .energy = 1e-9}, plain{.value = 1e-3};
    EXPECT_EQ(mixed(with_energy, Cohesion{}), Cohesion{});
    EXPECT_TRUE(mixable(with_energy, plain));
    EXPECT_EQ(mixed(with_energy, plain), plain);
}

TEST(Mixing, CohesionsGivenInDifferentWaysHaveNoMean) {
    EXPECT_FALSE(mixable(Cohesion{.value = 1}, Cohesion{.scale = CohesionScale::bond, .value = 1}));
    EXPECT_FALSE(mixable(Cohesion{.value = 1, .energy = 1}, Cohesion{.value = 1, .range = 1}));
    EXPECT_FALSE(mixable(Cohesion{.value = 1, .range = 1}, Cohesion{.value = 1, .energy = 1}));
    EXPECT_TRUE(mixable(Cohesion{.value = 1, .energy = 1}, Cohesion{.value = 0}));
    EXPECT_EQ(mixed(Cohesion{.value = 1}, Cohesion{.scale = CohesionScale::radius, .value = 1}), Cohesion{});
}

} // namespace
} // namespace tamp
