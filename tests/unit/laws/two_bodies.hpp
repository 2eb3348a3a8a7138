#pragma once

#include "random_vectors.hpp"
#include "tamp/laws/rigid/laws.hpp"

/// One contact of two spheres or discs, or of one with a wall, in the letters of the seed: masses, moments of
/// inertia, levers [000 eq. 1.12-1.14, 1.38-1.39]. Shares no formula with the laws.
namespace tamp::checks {

struct TwoBodies {
    int dimension = 3;
    double inverse_m1 = 0, inverse_m2 = 1; ///< a wall is a body 1 without inverse mass
    double r1 = 1, r2 = 1;
    Vec3 n{0, 0, 1};
    Vec3 v1{0, 0, 0}, w1{0, 0, 0}, v2{0, 0, 0}, w2{0, 0, 0};

    double inertia_share() const { return dimension == 3 ? 0.4 : 0.5; }
    double inverse_i1() const { return inverse_m1 / (inertia_share() * r1 * r1); }
    double inverse_i2() const { return inverse_m2 / (inertia_share() * r2 * r2); }

    /// Impulse and torque on body 2, the opposite on body 1.
    void push(const Vec3& p, const Vec3& tau) {
        v1 -= inverse_m1 * p;
        v2 += inverse_m2 * p;
        w1 += inverse_i1() * (-(r1 * cross(n, p)) - tau);
        w2 += inverse_i2() * (-(r2 * cross(n, p)) + tau);
    }
    Vec3 velocity() const { return v2 - r2 * cross(w2, n) - v1 - r1 * cross(w1, n); }
    Vec3 spin() const { return w2 - w1; }

    double energy() const { // a wall at rest has none
        const auto part = [](double inverse, const Vec3& v) {
            return inverse > 0 ? 0.5 * dot(v, v) / inverse : 0.0;
        };
        return part(inverse_m1, v1) + part(inverse_m2, v2) + part(inverse_i1(), w1) + part(inverse_i2(), w2);
    }
};

/// Every third is a sphere at a wall.
inline TwoBodies random_bodies(Random& random, int dimension) {
    TwoBodies pair;
    pair.dimension = dimension;
    pair.inverse_m1 = random.uniform(0.3, 3);
    pair.inverse_m2 = random.uniform(0.3, 3);
    pair.r1 = random.uniform(0.5, 2), pair.r2 = random.uniform(0.5, 2);
    const auto flat = [&](const Vec3& v) { return dimension == 3 ? v : Vec3{v.x, v.y, 0}; };
    const auto axial = [&](const Vec3& v) { return dimension == 3 ? v : Vec3{0, 0, v.z}; };
    pair.n = flat(random_vector(random));
    pair.n *= 1 / norm(pair.n);
    pair.v1 = flat(random_vector(random)), pair.v2 = flat(random_vector(random));
    pair.w1 = axial(random_vector(random)), pair.w2 = axial(random_vector(random));
    if (random.below(3) == 0)
        pair.inverse_m1 = 0, pair.v1 = pair.w1 = {0, 0, 0};
    return pair;
}

/// The contact as the laws see it, with `p` and `tau` already in the velocities.
inline rigid::ContactProblem<double> problem_of(const TwoBodies& pair, const Vec3& p, const Vec3& tau) {
    const double kappa = 1 / pair.inertia_share();
    rigid::ContactProblem<double> problem;
    problem.p = p, problem.n = pair.n, problem.u = pair.velocity();
    problem.c = 0, problem.mu = 0;
    problem.m_n = 1 / (pair.inverse_m1 + pair.inverse_m2);
    problem.m_t = problem.m_n / (1 + kappa);
    problem.tau = tau, problem.omega = pair.spin();
    problem.turning = pair.inverse_i1() + pair.inverse_i2();
    problem.mixing = pair.inverse_i2() * pair.r2 - pair.inverse_i1() * pair.r1;
    return problem;
}

} // namespace tamp::checks
