#include "tamp/fclib/contact_block.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamp::fclib {
namespace {

std::array<double, 9> inverse_of(const std::array<double, 9>& k) {
    const auto minor = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        return k[a] * k[d] - k[b] * k[c];
    };
    const std::array<double, 9> adjugate{minor(4, 5, 7, 8), minor(2, 1, 8, 7), minor(1, 2, 4, 5),
                                         minor(5, 3, 8, 6), minor(0, 2, 6, 8), minor(2, 0, 5, 3),
                                         minor(3, 4, 6, 7), minor(1, 0, 7, 6), minor(0, 1, 3, 4)};
    const double determinant = k[0] * adjugate[0] + k[1] * adjugate[3] + k[2] * adjugate[6];
    std::array<double, 9> inverse{};
    std::ranges::transform(adjugate, inverse.begin(), [&](double value) { return value / determinant; });
    return inverse;
}

} // namespace

ContactBlock::ContactBlock(int dimension, std::span<const double> k, double friction)
    : dimension_(dimension), friction_(friction) {
    const auto n = static_cast<std::size_t>(dimension);
    k_[8] = 1;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            k_[3 * i + j] = k[i * n + j];
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i)
        trace += k_[4 * i];
    inverse_ = inverse_of(k_);
    // The largest entry of the inverse tells how nearly singular the block is.
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, std::abs(inverse_[4 * i]));
    if (!(largest * trace < 1e9)) {
        lift_ = 1e-7 * trace;
        for (std::size_t i = 0; i < n; ++i)
            k_[4 * i] += lift_;
        inverse_ = inverse_of(k_);
    }
}

ContactBlock::Slip ContactBlock::slip(const std::array<double, 3>& b, double d_y, double d_z) const {
    const double denominator = k_[0] + friction_ * (k_[1] * d_y + k_[2] * d_z);
    const double h_y = -b[0] * (k_[3] + friction_ * (k_[4] * d_y + k_[5] * d_z)) + denominator * b[1];
    const double h_z = -b[0] * (k_[6] + friction_ * (k_[7] * d_y + k_[8] * d_z)) + denominator * b[2];
    return {d_y, d_z, d_y * h_z - d_z * h_y, -(d_y * h_y + d_z * h_z), denominator};
}

/// In the angle of d. True if it ends in a root that is a slip.
bool ContactBlock::newton(const std::array<double, 3>& b, Slip& from) const {
    constexpr int most = 12;
    for (int iteration = 0; iteration < most; ++iteration) {
        const double p_y = -from.d_z, p_z = from.d_y; // d_perp, the derivative of d
        const double turning = friction_ * (k_[1] * p_y + k_[2] * p_z);
        const double dh_y = -b[0] * friction_ * (k_[4] * p_y + k_[5] * p_z) + turning * b[1];
        const double dh_z = -b[0] * friction_ * (k_[7] * p_y + k_[8] * p_z) + turning * b[2];
        const double slope = from.sliding + p_y * dh_y + p_z * dh_z;
        const double step = -from.g / slope;
        if (!std::isfinite(step))
            return false;
        const double turn = std::clamp(step, -0.5, 0.5), c = std::cos(turn), s = std::sin(turn);
        const double d_y = c * from.d_y - s * from.d_z, d_z = s * from.d_y + c * from.d_z;
        const double size = std::sqrt(d_y * d_y + d_z * d_z);
        from = slip(b, d_y / size, d_z / size);
        if (std::abs(turn) < 1e-14 || from.g == 0)
            return is_slip(from);
        // Round-off keeps g from becoming smaller.
        if (iteration > 4 && std::abs(turn) < 1e-12)
            return is_slip(from);
    }
    return false;
}

/// All changes of sign of g, and, for roots that fall together, the places where |g| is smallest. Of several
/// slips the one nearest to the start is taken.
ContactBlock::Slip ContactBlock::enumerate(const std::array<double, 3>& b, double start_y,
                                           double start_z) const {
    constexpr int samples = 64;
    constexpr double part = 2 * std::numbers::pi / samples;
    const auto at = [&](double angle) { return slip(b, std::cos(angle), std::sin(angle)); };
    std::array<Slip, samples> grid{};
    for (int k = 0; k < samples; ++k)
        grid[static_cast<std::size_t>(k)] = at(part * k);

    Slip best{}, flattest = grid.front();
    double nearest = -2, least = INFINITY;
    for (int k = 0; k < samples; ++k) {
        const Slip& here = grid[static_cast<std::size_t>(k)];
        const Slip& next = grid[static_cast<std::size_t>((k + 1) % samples)];
        double low = part * k, high = part * (k + 1);
        if ((here.g <= 0) != (next.g <= 0)) {
            for (int halving = 0; halving < 60; ++halving) {
                const double middle = 0.5 * (low + high);
                ((at(middle).g <= 0) == (here.g <= 0) ? low : high) = middle;
            }
        } else {
            const Slip& last = grid[static_cast<std::size_t>((k + samples - 1) % samples)];
            if (std::abs(here.g) > std::abs(last.g) || std::abs(here.g) > std::abs(next.g))
                continue;
            low -= part;
            for (int cut = 0; cut < 80; ++cut) {
                const double left = low + (high - low) / 3, right = high - (high - low) / 3;
                (std::abs(at(left).g) < std::abs(at(right).g) ? high : low) =
                    std::abs(at(left).g) < std::abs(at(right).g) ? right : left;
            }
            const Slip found = at(0.5 * (low + high));
            if (is_slip(found) && std::abs(found.g) < least) {
                least = std::abs(found.g);
                flattest = found;
            }
            continue;
        }
        const Slip found = at(0.5 * (low + high));
        const double closeness = found.d_y * start_y + found.d_z * start_z;
        if (is_slip(found) && closeness > nearest) {
            nearest = closeness;
            best = found;
        }
    }
    return nearest > -2 ? best : flattest;
}

BlockReaction ContactBlock::reaction(const std::array<double, 3>& b, const Slip& slip) const {
    const double normal = -b[0] / slip.denominator, limit = friction_ * normal;
    return {{normal, limit * slip.d_y, limit * slip.d_z}, ContactMode::slipping};
}

BlockReaction ContactBlock::slip_in_plane(const std::array<double, 3>& b, double start) const {
    const double sign = start < 0 ? -1 : 1;
    const Slip here = slip(b, sign, 0), there = slip(b, -sign, 0);
    return reaction(b, is_slip(here) || !is_slip(there) ? here : there);
}

BlockReaction ContactBlock::solve(const std::array<double, 3>& b, const std::array<double, 3>& before) const {
    if (b[0] >= 0)
        return {{0, 0, 0}, ContactMode::open};
    if (friction_ == 0)
        return {{-b[0] / k_[0], 0, 0}, ContactMode::slipping};
    std::array<double, 3> stick{};
    for (std::size_t i = 0; i < 3; ++i)
        stick[i] = -(inverse_[3 * i] * b[0] + inverse_[3 * i + 1] * b[1] + inverse_[3 * i + 2] * b[2]);
    const double pulled = std::hypot(stick[1], stick[2]);
    if (pulled <= friction_ * stick[0])
        return {stick, ContactMode::sticking};
    if (dimension_ == 2)
        return slip_in_plane(b, before[1] != 0 ? before[1] : stick[1]);
    const double last = std::hypot(before[1], before[2]);
    const double start_y = last > 0 ? before[1] / last : stick[1] / pulled,
                 start_z = last > 0 ? before[2] / last : stick[2] / pulled;
    Slip found = slip(b, start_y, start_z);
    if (!newton(b, found))
        found = enumerate(b, start_y, start_z);
    return reaction(b, found);
}

} // namespace tamp::fclib
