#pragma once

#include <algorithm>
#include <cmath>

#include "tamp/laws/soft/touch.hpp"

/// Two bodies that meet along their line of centres, moved as the engine moves them: forces at x_n with
/// v_(n-1/2), then v += a (dt_last + dt)/2 with dt_last = 0 in the first step, then x += v dt.
namespace tamp::checks {

/// A pair with the masses and radii of two equal grains of 1 g and 2 mm.
inline soft::Touch<double> equal_grains() { return {0, 0, 0.5e-3, 1e-3, 2e-3}; }

/// x is the overlap, v the closing speed.
template <class Law>
struct Collision {
    Law law;
    soft::Touch<double> pair; ///< masses and radii
    double x = 0, v = 0;
    double memory = 0, last_step = 0;
    soft::NormalForce<double> force{0, 0, 0}; ///< of the last step

    void step(double dt) {
        pair.overlap = x, pair.closing_speed = v;
        force = law.force(pair, memory);
        v -= force.total() / pair.reduced_mass * 0.5 * (last_step + dt);
        x += v * dt;
        last_step = dt;
    }
};

struct CollisionEnd {
    double restitution = 0; ///< 0 where the bodies stay together
    double duration = 0;    ///< until the overlap is zero
    double loaded_time = 0; ///< until the spring force is zero
    double largest_overlap = 0;
};

template <class Law>
CollisionEnd collide(const Law& law, const soft::Touch<double>& pair, double speed, double dt,
                     int most_steps) {
    Collision<Law> collision{law, pair, 0, speed};
    CollisionEnd end;
    for (int n = 1; n <= most_steps; ++n) {
        const double before = collision.x;
        collision.step(dt);
        if (collision.force.elastic != 0)
            end.loaded_time = n * dt;
        end.largest_overlap = std::max(end.largest_overlap, collision.x);
        if (collision.x <= 0) {
            end.duration = (n - 1 + before / (before - collision.x)) * dt;
            end.restitution = -collision.v / speed;
            break;
        }
    }
    return end;
}

/// The overlap at a time after the touch.
template <class Law>
double overlap_at(const Law& law, const soft::Touch<double>& pair, double speed, double time, int steps) {
    Collision<Law> collision{law, pair, 0, speed};
    for (int n = 0; n < steps; ++n)
        collision.step(time / steps);
    return collision.x;
}

/// Order of convergence of the overlap at that time.
template <class Law>
double order(const Law& law, const soft::Touch<double>& pair, double speed, double time, int steps) {
    const double coarse = overlap_at(law, pair, speed, time, steps);
    const double middle = overlap_at(law, pair, speed, time, 2 * steps);
    const double fine = overlap_at(law, pair, speed, time, 4 * steps);
    return std::log2(std::abs((coarse - middle) / (middle - fine)));
}

} // namespace tamp::checks
