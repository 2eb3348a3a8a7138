#pragma once

#include <array>
#include <span>

/// One contact with Coulomb friction and a full mass matrix, solved exactly.
///
///   K   block of W, positive definite, 2x2 or 3x3: normal first
///   b   velocity of the contact without its own impulse
///   r   impulse, u = K r + b
///
///   b_N >= 0:                        r = 0                                  open
///   r = -K^-1 b,  |r_T| <= mu r_N                                           sticks
///   u_N = 0,  r_T = mu r_N d,  u_T = -s d,  |d| = 1,  s > 0                 slips
///
/// Slip: with D = K_NN + mu K_NT d > 0 the first condition gives r_N = -b_N/D, and the last one says that
///   h(d) = -b_N (K_TN + mu K_TT d) + D b_T = u_T D
/// points against d. In 2-D d is 1 or -1. In 3-D its angle is a root of g = d_perp . h, a trigonometric
/// polynomial of the second degree, hence one of four at most. Newton's method starts from the direction of
/// the last impulse. Where it does not lead to a root with D > 0 and s > 0, all roots are enumerated.
namespace tamp::fclib {

enum class ContactMode { open, sticking, slipping };

struct BlockReaction {
    std::array<double, 3> impulse; ///< the third number of 2-D is zero
    ContactMode mode;
};

class ContactBlock {
public:
    /// `k`: row by row. It may be nearly singular, see `lift`.
    ContactBlock(int dimension, std::span<const double> k, double friction);

    /// `before`: an impulse to start from.
    BlockReaction solve(const std::array<double, 3>& b, const std::array<double, 3>& before) const;

    /// What is added to the diagonal of K, so that it can be inverted. Whoever iterates takes `lift` times
    /// the last impulse from b: then the end of the iteration does not feel it.
    double lift() const { return lift_; }
    const std::array<double, 9>& matrix() const { return k_; }

private:
    struct Slip {
        double d_y, d_z;                ///< direction of r_T
        double g, sliding, denominator; ///< g, s D and D
    };
    static bool is_slip(const Slip& slip) { return slip.denominator > 0 && slip.sliding > 0; }
    Slip slip(const std::array<double, 3>& b, double d_y, double d_z) const;
    bool newton(const std::array<double, 3>& b, Slip& from) const;
    Slip enumerate(const std::array<double, 3>& b, double start_y, double start_z) const;
    BlockReaction reaction(const std::array<double, 3>& b, const Slip& slip) const;
    BlockReaction slip_in_plane(const std::array<double, 3>& b, double start) const;

    int dimension_;
    double friction_, lift_ = 0;
    std::array<double, 9> k_{}, inverse_{}; ///< 2-D: within 3x3, with 1 for the direction that is not there
};

} // namespace tamp::fclib
