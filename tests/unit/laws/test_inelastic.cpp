#include "tamp/laws/rigid/inelastic.hpp"

#include <array>

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "tamp/solver/batch.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

struct Contact {
    Vec3 p, n, u;
    double c, mu, m_n, m_t;

    Vec3 relaxed() const { return rigid::relaxed_impulse(p, n, u, c, mu, m_n, m_t); }
    Vec3 map() const { return rigid::natural_map(p, n, u, c, mu, m_n); }

    /// The contact with another impulse; the velocity follows as if no other contact had changed [000
    /// eq. 1.20].
    Contact with(const Vec3& impulse) const {
        const Vec3 change = impulse - p;
        const double normal = dot(change, n);
        Contact result = *this;
        result.p = impulse;
        result.u = u + (normal / m_n) * n + (1 / m_t) * (change - normal * n);
        return result;
    }
};

/// About a third each open, sticking and slipping; the impulse to start from is any, allowed or not.
Contact random_contact(Random& random) {
    Contact contact;
    contact.n = random_direction(random);
    contact.p = random_vector(random);
    contact.u = random_vector(random);
    contact.c = random.uniform() < 0.5 ? 0.0 : random.uniform(0, 2);
    contact.mu = random.uniform(0, 2);
    contact.m_n = random.uniform(0.1, 3);
    contact.m_t = contact.m_n / (1 + random.uniform(1, 3));
    return contact;
}

enum Branch { open, stick, slip };

struct TextbookResult {
    Branch branch;
    Vec3 impulse;
};

/// Eq. 1.30 as it is printed, with dt = 1: from the velocity that the contact would have without its own
/// force.
TextbookResult textbook(const Contact& contact) {
    const Vec3 free = contact.with({0, 0, 0}).u;
    const double free_n = dot(free, contact.n);
    if (free_n + contact.c > 0)
        return {open, {0, 0, 0}};
    const double r_n = -contact.m_n * (contact.c + free_n);
    Vec3 r_t = -contact.m_t * tangential(free, contact.n);
    if (norm(r_t) <= contact.mu * r_n)
        return {stick, r_n * contact.n + r_t};
    r_t *= contact.mu * r_n / norm(r_t);
    return {slip, r_n * contact.n + r_t};
}

constexpr int trials = 3000;

TEST(InelasticLaw, IsTheTextbooksInAllBranches) {
    Random random = random_numbers(1);
    std::array<int, 3> seen{};
    for (int trial = 0; trial < trials; ++trial) {
        const Contact contact = random_contact(random);
        const TextbookResult expected = textbook(contact);
        ++seen[expected.branch];
        // Impulses and velocities are of order one, 1/m of order ten or less.
        ASSERT_LT(norm(contact.relaxed() - expected.impulse), 1e-13) << "trial " << trial;
    }
    for (const int count : seen)
        EXPECT_GT(count, trials / 20);
}

TEST(InelasticLaw, GivesWhatTheLawPromises) {
    Random random = random_numbers(2);
    for (int trial = 0; trial < trials; ++trial) {
        const Contact before = random_contact(random);
        const Contact after = before.with(before.relaxed());
        const double p_n = dot(after.p, after.n), u_n = dot(after.u, after.n) + after.c;
        const Vec3 p_t = tangential(after.p, after.n), u_t = tangential(after.u, after.n);
        // Volume exclusion, no attraction, one of the two (the Signorini graph) …
        ASSERT_GE(p_n, -1e-15);
        ASSERT_GE(u_n, -1e-13);
        ASSERT_LT(std::abs(p_n * u_n), 1e-13);
        // … and the Coulomb graph: within the cone; if it slips, on its mantle and against the slip.
        ASSERT_LE(norm(p_t), before.mu * p_n * (1 + 1e-12) + 1e-14);
        if (p_n > 1e-9 && norm(u_t) > 1e-9) {
            ASSERT_NEAR(norm(p_t), before.mu * p_n, 1e-13);
            ASSERT_NEAR(dot(p_t, u_t), -norm(p_t) * norm(u_t), 1e-12);
        }
    }
}

TEST(InelasticLaw, HasNothingToDoTwice) {
    Random random = random_numbers(3);
    for (int trial = 0; trial < trials; ++trial) {
        const Contact before = random_contact(random);
        const Contact after = before.with(before.relaxed());
        ASSERT_LT(norm(after.relaxed() - after.p), 1e-13);
    }
}

TEST(InelasticLaw, WithoutFrictionIsNormal) {
    Random random = random_numbers(4);
    for (int trial = 0; trial < trials; ++trial) {
        Contact contact = random_contact(random);
        contact.mu = 0;
        const double p_n =
            std::max(0.0, dot(contact.p, contact.n) - contact.m_n * (dot(contact.u, contact.n) + contact.c));
        ASSERT_LT(norm(contact.relaxed() - p_n * contact.n), 1e-14);
        ASSERT_LT(norm(contact.with(contact.relaxed()).map()), 1e-13);
    }
}

TEST(InelasticLaw, CentralHitHasNoTangentialPart) {
    const Contact contact{{0, 0, 0}, {0, 0, 1}, {0, 0, -3}, 1.0, 0.5, 2.0, 0.5};
    EXPECT_EQ(contact.relaxed(), (Vec3{0, 0, 4})); // m_n (3 - 1)
    EXPECT_EQ(contact.with(contact.relaxed()).u, (Vec3{0, 0, -1}));
}

TEST(InelasticLaw, NullContactStaysNull) {
    const Contact null{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, never_closes, 0.0, 0.5, 0.5 / 3.5};
    EXPECT_EQ(null.relaxed(), (Vec3{0, 0, 0}));
    EXPECT_EQ(null.map(), (Vec3{0, 0, 0}));
}

/// The law is one text for both number types: every lane must give the bits of the plain number.
TEST(InelasticLaw, LanesEqualScalars) {
    Random random = random_numbers(5);
    for (int trial = 0; trial < trials / lanes; ++trial) {
        std::array<Contact, lanes> contacts;
        PackVec3 p, n, u;
        Pack c, mu, m_n, m_t;
        for (int lane = 0; lane < lanes; ++lane) {
            Contact& contact = contacts[static_cast<std::size_t>(lane)];
            contact = random_contact(random);
            if (lane == 3)
                contact = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, never_closes, 0.0, 0.5, 0.1};
            for (int axis = 0; axis < 3; ++axis)
                p[axis].raw[lane] = contact.p[axis], n[axis].raw[lane] = contact.n[axis],
                u[axis].raw[lane] = contact.u[axis];
            c.raw[lane] = contact.c, mu.raw[lane] = contact.mu;
            m_n.raw[lane] = contact.m_n, m_t.raw[lane] = contact.m_t;
        }
        const PackVec3 relaxed = rigid::relaxed_impulse(p, n, u, c, mu, m_n, m_t);
        const PackVec3 map = rigid::natural_map(p, n, u, c, mu, m_n);
        for (int lane = 0; lane < lanes; ++lane) {
            const Contact& contact = contacts[static_cast<std::size_t>(lane)];
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_EQ(relaxed[axis][lane], contact.relaxed()[axis]);
                ASSERT_EQ(map[axis][lane], contact.map()[axis]);
            }
        }
    }
}

TEST(NaturalMap, VanishesAtTheSolution) {
    Random random = random_numbers(6);
    for (int trial = 0; trial < trials; ++trial) {
        const Contact contact = random_contact(random);
        ASSERT_LT(norm(contact.with(contact.relaxed()).map()), 1e-13);
    }
}

TEST(NaturalMap, SeesEveryDeviation) {
    Random random = random_numbers(7);
    for (int trial = 0; trial < trials; ++trial) {
        const Contact contact = random_contact(random);
        const Vec3 solution = contact.relaxed();
        for (const double size : {1e-6, 1e-3, 1.0}) {
            // The solution of one contact is unique, so no other impulse may pass.
            const Contact wrong = contact.with(solution + size * random_direction(random));
            ASSERT_GT(norm(wrong.map()), 1e-3 * size) << "trial " << trial;
        }
    }
}

TEST(NaturalMap, NamesTheViolation) {
    const Vec3 up{0, 0, 1};
    const auto size = [&](const Vec3& p, const Vec3& u, double c, double mu) {
        return norm(rigid::natural_map(p, up, u, c, mu, 1.0));
    };
    EXPECT_EQ(size({0, 0, 0}, {0, 0, 0.5}, 0, 0.5), 0.0);          // open and leaving
    EXPECT_EQ(size({0, 0, 0}, {0, 0, -0.5}, 0.5, 0.5), 0.0);       // open, the gap just closes
    EXPECT_EQ(size({0.1, 0, 1}, {0, 0, 0}, 0, 0.5), 0.0);          // sticks within the cone
    EXPECT_EQ(size({-0.5, 0, 1}, {2, 0, 0}, 0, 0.5), 0.0);         // slips on the mantle
    EXPECT_NEAR(size({0, 0, 0}, {0, 0, -0.5}, 0, 0), 0.5, 1e-15);  // penetrates
    EXPECT_NEAR(size({0, 0, 1}, {0, 0, 0.25}, 0, 0), 0.25, 1e-15); // pushes while it opens
    EXPECT_NEAR(size({0, 0, 1}, {0, 0, 0}, 0.25, 0), 0.25, 1e-15); // pushes before the gap is closed
    EXPECT_NEAR(size({0, 0, -1}, {0, 0, 0}, 0, 0.5), 1.0, 1e-15);  // pulls
    EXPECT_GT(size({0.6, 0, 1}, {0, 0, 0}, 0, 0.5), 0.05);         // outside of the cone
    EXPECT_GT(size({0.1, 0, 1}, {0.1, 0, 0}, 0, 0.5), 0.01);       // slips below the limit
    EXPECT_GT(size({0.5, 0, 1}, {0.1, 0, 0}, 0, 0.5), 0.01);       // friction pushes along the slip
    EXPECT_GT(size({0, 0.5, 1}, {0.1, 0, 0}, 0, 0.5), 0.01);       // friction across the slip
}

} // namespace
