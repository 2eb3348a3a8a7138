#include "tamp/fclib/error_measures.hpp"

#include <algorithm>
#include <cmath>

namespace tamp::fclib {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : part; }

/// The square of |r - P_C(r - rho (u + mu |u_T| e_N))| of one contact.
double natural_map(std::span<const double> r, std::span<const double> u, double mu, double rho) {
    const bool space = r.size() == 3;
    const double slip = space ? std::hypot(u[1], u[2]) : std::abs(u[1]);
    const double z_n = r[0] - rho * (u[0] + mu * slip);
    const double z_y = r[1] - rho * u[1], z_z = space ? r[2] - rho * u[2] : 0.0;
    const double size = std::hypot(z_y, z_z);
    double normal = z_n, scale = 1;
    if (mu * size <= -z_n) {
        normal = scale = 0;
    } else if (size > mu * z_n) {
        normal = (z_n + mu * size) / (1 + mu * mu);
        scale = mu * normal / size;
    }
    const double y = r[1] - scale * z_y, z = (space ? r[2] : 0.0) - scale * z_z;
    return (r[0] - normal) * (r[0] - normal) + y * y + z * z;
}

struct NaturalMap {
    double units, masses; ///< |N(1)| and |N(rho)|
};

NaturalMap natural_map(const BlockProblem& problem, std::span<const double> r, std::span<const double> u) {
    const auto n = static_cast<std::size_t>(problem.delassus.dimension);
    NaturalMap sum{0, 0};
    for (std::size_t c = 0; c < problem.delassus.contacts(); ++c) {
        const auto block = problem.delassus.block(problem.delassus.diagonal[c]);
        double trace = 0;
        for (std::size_t i = 0; i < n; ++i)
            trace += block[i * (n + 1)];
        const auto impulse = r.subspan(c * n, n), velocity = u.subspan(c * n, n);
        sum.units += natural_map(impulse, velocity, problem.friction[c], 1);
        sum.masses += natural_map(impulse, velocity, problem.friction[c], static_cast<double>(n) / trace);
    }
    return {std::sqrt(sum.units), std::sqrt(sum.masses)};
}

} // namespace

std::vector<double> contact_velocities(const BlockProblem& problem, std::span<const double> impulse) {
    const BlockMatrix& w = problem.delassus;
    const auto n = static_cast<std::size_t>(w.dimension);
    std::vector<double> velocity = problem.free_velocity;
    for (std::size_t c = 0; c < w.contacts(); ++c)
        for (std::size_t k = w.row_begin[c]; k < w.row_begin[c + 1]; ++k) {
            const auto block = w.block(k);
            const double* r = impulse.data() + static_cast<std::size_t>(w.column[k]) * n;
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    velocity[c * n + i] += block[i * n + j] * r[j];
        }
    return velocity;
}

ErrorMeasures local_errors(const BlockProblem& problem, std::span<const double> impulse) {
    const std::vector<double> velocity = contact_velocities(problem, impulse);
    const NaturalMap map = natural_map(problem, impulse, velocity);
    return {share(map.units, std::max({norm(problem.free_velocity), norm(impulse), norm(velocity)})),
            share(map.masses, norm(impulse))};
}

ErrorMeasures global_errors(const GlobalProblem& problem, const BlockProblem& blocks,
                            const Solution& solution) {
    std::vector<double> velocity = problem.velocity_shift;
    add_transposed_product(problem.directions, solution.body_velocity, velocity);
    std::vector<double> momentum(problem.free_momentum.size(), 0.0), pushed = momentum, rest = momentum;
    add_product(problem.mass, solution.body_velocity, momentum);
    add_product(problem.directions, solution.impulse, pushed);
    for (std::size_t i = 0; i < rest.size(); ++i)
        rest[i] = momentum[i] - pushed[i] - problem.free_momentum[i];
    const NaturalMap map = natural_map(blocks, solution.impulse, velocity);
    const double balance =
        share(norm(rest), std::max({norm(problem.free_momentum), norm(momentum), norm(pushed)}));
    return {share(map.units, std::max(norm(solution.impulse), norm(velocity))) + balance,
            share(map.masses, norm(solution.impulse)) + balance};
}

} // namespace tamp::fclib
