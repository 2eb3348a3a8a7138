#include "tamp/fclib/contact_block.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"

namespace tamp::fclib {
namespace {

using Numbers = std::array<double, 3>;

Numbers velocity_of(std::span<const double> k, int dimension, const Numbers& b, const Numbers& r) {
    Numbers u = b;
    const auto n = static_cast<std::size_t>(dimension);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            u[i] += k[n * i + j] * r[j];
    return u;
}

/// How far r and u = K r + b are from the law of their mode, relative to |b|.
double law_error(std::span<const double> k, int dimension, const Numbers& b, double mu,
                 const BlockReaction& reaction) {
    const Numbers& r = reaction.impulse;
    const Numbers u = velocity_of(k, dimension, b, r);
    const double size = norm(b), pulled = std::hypot(r[1], r[2]), sliding = std::hypot(u[1], u[2]);
    switch (reaction.mode) {
    case ContactMode::open:
        return std::max(pulled + std::abs(r[0]), -u[0]) / size;
    case ContactMode::sticking:
        return std::max({norm(u), pulled - mu * r[0], -r[0]}) / size;
    case ContactMode::slipping:
        break;
    }
    // r_T against u_T, on the cone.
    const double along = mu > 0 ? std::abs(r[1] * u[1] + r[2] * u[2] + pulled * sliding) / (mu * r[0]) : 0.0;
    return std::max({std::abs(u[0]), along, std::abs(pulled - mu * r[0]) * k[0], -r[0]}) / size;
}

/// Looks at all directions of slip, and returns how many of them obey the law.
int count_slips(std::span<const double> k, const Numbers& b, double mu) {
    constexpr int directions = 20000;
    int slips = 0;
    double last = 0;
    for (int d = 0; d <= directions; ++d) {
        const double angle = 2 * std::numbers::pi * d / directions, y = std::cos(angle), z = std::sin(angle);
        const double denominator = k[0] + mu * (k[1] * y + k[2] * z), r_n = -b[0] / denominator;
        const Numbers u = velocity_of(k, 3, b, {r_n, mu * r_n * y, mu * r_n * z});
        // Times the denominator: then it has no poles.
        const double across = (y * u[2] - z * u[1]) * denominator, along = y * u[1] + z * u[2];
        slips += d > 0 && across * last <= 0 && along < 0 && r_n > 0;
        last = across;
    }
    return slips;
}

TEST(ContactBlock, ObeysTheLawsForRandomBlocks) {
    Random random = checks::random_numbers(1);
    std::array<int, 3> modes{};
    for (int trial = 0; trial < 20000; ++trial) {
        const auto k = checks::random_block(random, std::pow(10.0, random.uniform(0, 4)));
        const Numbers b{random.normal(), random.normal(), random.normal()};
        const double mu = trial % 5 == 0 ? 0.0 : std::pow(10.0, random.uniform(-3, 2));
        // Wherever the search begins.
        const Numbers before{1, random.normal(), random.normal()};
        const BlockReaction reaction = ContactBlock(3, k, mu).solve(b, trial % 2 ? before : Numbers{});
        EXPECT_LT(law_error(k, 3, b, mu, reaction), 1e-9) << trial;
        ++modes[static_cast<std::size_t>(reaction.mode)];
    }
    for (const int count : modes)
        EXPECT_GT(count, 1000);
}

TEST(ContactBlock, FindsASlipWhereverASearchOfAllDirectionsFindsOne) {
    Random random = checks::random_numbers(2);
    int slips = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const auto k = checks::random_block(random, 300);
        const Numbers b{-std::abs(random.normal()), random.normal(), random.normal()};
        const double mu = random.uniform(0.1, 2);
        const BlockReaction reaction = ContactBlock(3, k, mu).solve(b, {});
        const int found = count_slips(k, b, mu);
        if (reaction.mode == ContactMode::slipping) {
            EXPECT_GE(found, 1) << trial;
            ++slips;
        }
        EXPECT_LT(law_error(k, 3, b, mu, reaction), 1e-9) << trial;
    }
    EXPECT_GT(slips, 50);
}

TEST(ContactBlock, IsTheClosedFormOfSpheres) {
    // m_n and m_t of a pair of spheres: normal and tangential directions are not coupled.
    const double m_n = 0.3, m_t = m_n * 2 / 7, mu = 0.4;
    const std::array<double, 9> k{1 / m_n, 0, 0, 0, 1 / m_t, 0, 0, 0, 1 / m_t};
    const BlockReaction slips = ContactBlock(3, k, mu).solve({-1, 3, 4}, {});
    EXPECT_EQ(slips.mode, ContactMode::slipping);
    EXPECT_NEAR(slips.impulse[0], m_n, 1e-15);
    EXPECT_NEAR(slips.impulse[1], -mu * m_n * 0.6, 1e-15);
    EXPECT_NEAR(slips.impulse[2], -mu * m_n * 0.8, 1e-15);
    const BlockReaction sticks = ContactBlock(3, k, mu).solve({-1, 0.3, 0.4}, {});
    EXPECT_EQ(sticks.mode, ContactMode::sticking);
    EXPECT_NEAR(sticks.impulse[2], -m_t * 0.4, 1e-15);
    EXPECT_EQ(ContactBlock(3, k, mu).solve({0, 3, 4}, {1, 1, 1}).mode, ContactMode::open);
}

TEST(ContactBlock, ObeysTheLawsInThePlane) {
    Random random = checks::random_numbers(3);
    std::array<int, 3> modes{};
    for (int trial = 0; trial < 5000; ++trial) {
        const double normal = random.uniform(0.1, 1), tangential = random.uniform(0.1, 1);
        const double mixed = 0.99 * random.uniform(-1, 1) * std::sqrt(normal * tangential);
        const std::array<double, 4> k{normal, mixed, mixed, tangential};
        const double mu = trial % 5 == 0 ? 0.0 : std::pow(10.0, random.uniform(-2, 2));
        const Numbers b{random.normal(), random.normal(), 0};
        const BlockReaction reaction = ContactBlock(2, k, mu).solve(b, {1, random.normal(), 0});
        EXPECT_LT(law_error(k, 2, b, mu, reaction), 1e-9) << trial;
        EXPECT_EQ(reaction.impulse[2], 0);
        ++modes[static_cast<std::size_t>(reaction.mode)];
    }
    for (const int count : modes)
        EXPECT_GT(count, 300);
}

TEST(ContactBlock, LiftsBlocksThatAreNearlySingular) {
    // A body that cannot move along the second tangent.
    const std::array<double, 9> k{1, 0.2, 0, 0.2, 1, 0, 0, 0, 0};
    const ContactBlock contact(3, k, 0.5);
    EXPECT_GT(contact.lift(), 0);
    Numbers r{};
    for (int iteration = 0; iteration < 30; ++iteration) { // the velocity without the lifted part
        Numbers b{-1, 0.1, 0};
        for (std::size_t i = 0; i < 3; ++i)
            b[i] -= contact.lift() * r[i];
        r = contact.solve(b, r).impulse;
    }
    const Numbers u = velocity_of(k, 3, {-1, 0.1, 0}, r);
    EXPECT_NEAR(u[0], 0, 1e-12);
    EXPECT_NEAR(u[1], 0, 1e-12);
}

} // namespace
} // namespace tamp::fclib
