#pragma once

#include "tamp/laws/soft/touch.hpp"

/// Adhesive, elasto-plastic spring [004 eq. 6-8]. With the largest overlap delta_m,
///   f = k_1 delta                 loading, the upper limit,
///   f = k_2' (delta - delta_0)    unloading and reloading, delta_0 = (1 - k_1/k_2') delta_m,
///   f = -k_c delta                adhesive branch, the lower limit,
/// and a dashpot gamma d(delta)/dt. The unloading stiffness grows with the largest overlap,
///   k_2' = k_1 + (k_2 - k_1) min(1, delta_m/delta*),  delta* = k_2/(k_2 - k_1) phi_f (a1 + a2)/2.
/// The force is least, -k_c delta_min, at delta_min = (k_2' - k_1) delta_m/(k_2' + k_c).
///
/// On the adhesive branch the seed leaves open what becomes of delta_m. Here it shrinks so that the line of
/// slope k_2' always passes through the present point, (k_2' - k_1) delta_m = (k_2' + k_c) delta:
///   delta_m = (k_2 + k_c)/(k_2 - k_1) delta                                    where this is above delta*,
///   delta_m = (delta + sqrt(delta^2 + 4 (k_1 + k_c) delta delta*/(k_2 - k_1)))/2     below.
/// Reloading thus starts at the present force, without a jump. Also with k_c = 0 a dent heals on this branch
/// as far as the grains move apart, unlike in latching_spring.hpp. With k_1 = k_2 the law is a linear spring.
///
/// What friction limits add to the force is k_c delta [004 sec. 2.5.1].
namespace tamp::soft {

struct AdhesivePlastic {
    double k1 = 0;               ///< loading stiffness, N/m
    double k2 = 0;               ///< largest unloading stiffness, N/m, k2 >= k1
    double kc = 0;               ///< adhesion stiffness, N/m
    double plasticity_depth = 0; ///< phi_f, 1; 0 makes the unloading stiffness k2 from the start
    double viscosity = 0;        ///< gamma, N s/m

    static constexpr bool has_memory = true;
    bool uses_mass() const { return false; }
    bool uses_radius() const { return false; }

    template <class T>
    NormalForce<T> force(const Touch<T>& touch, T& largest_overlap) const {
        const auto touching = touch.overlap > T(0.0);
        const T delta = larger(touch.overlap, T(0.0));
        const T depth = constant_from(touch.mean_radius);
        T largest = select(touching, larger(largest_overlap, delta), T(0.0));
        const T line = spring(delta, largest, unloading_stiffness(largest, depth));
        const T adhesion = kc * delta;
        const auto adhesive = -adhesion > line;
        if (any(adhesive))
            largest = select(adhesive, shrunk(delta, depth), largest);
        largest_overlap = largest;
        return {larger(line, -adhesion), select(touching, viscosity * touch.closing_speed, T(0.0)), adhesion};
    }

    /// May be negative: pulling the grains apart takes work.
    template <class T>
    T energy(const Touch<T>& touch, const T& largest_overlap) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T largest = larger(largest_overlap, delta);
        const T k_u = unloading_stiffness(largest, constant_from(touch.mean_radius));
        const T line = spring(delta, largest, k_u);
        const T least_at =
            smaller((k_u - k1) * largest / (k_u + kc), delta); // delta_min; delta on its branch
        const T pull = kc * least_at;
        const T force = larger(line, -kc * delta);
        const T work = 0.5 * (force * force - pull * pull) / k_u - 0.5 * pull * least_at;
        return select(touch.overlap > T(0.0), work, T(0.0));
    }

    /// What the spring would give back on its way to where it bears no force: never negative.
    template <class T>
    T stored(const Touch<T>& touch, const T& largest_overlap) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T largest = larger(largest_overlap, delta);
        const T k_u = unloading_stiffness(largest, constant_from(touch.mean_radius));
        const T force = larger(spring(delta, largest, k_u), -kc * delta);
        return select(touch.overlap > T(0.0), 0.5 * force * force / k_u, T(0.0));
    }

    /// Also the adhesive branch, on which deviations grow as exp(sqrt(k_c/m) t), wants to be resolved.
    double stiffness(double /*reduced_radius*/, double /*largest_overlap*/) const { return larger(k2, kc); }

    /// delta*: from this largest overlap on, the unloading stiffness is k_2.
    template <class T>
    T constant_from(const T& mean_radius) const {
        return (k2 > k1 ? plasticity_depth * k2 / (k2 - k1) : never) * mean_radius;
    }

    /// k_2'
    template <class T>
    T unloading_stiffness(const T& largest, const T& depth) const {
        const T share = select(largest > depth, T(1.0), largest / larger(depth, T(tiny)));
        return k1 + (k2 - k1) * share;
    }

private:
    static constexpr double never = 1e100;

    /// k_2' (delta - delta_0), in a form that is k_1 delta without rounding where nothing was unloaded.
    template <class T>
    T spring(const T& delta, const T& largest, const T& k_u) const {
        return k1 * delta - (k_u - k1) * (largest - delta);
    }

    /// The largest overlap with which -k_c delta lies on the line of slope k_2'.
    template <class T>
    T shrunk(const T& delta, const T& depth) const {
        const double inverse = k2 > k1 ? 1 / (k2 - k1) : 0.0;
        const T straight = (k2 + kc) * inverse * delta;
        const T root = square_root(delta * delta + 4 * (k1 + kc) * inverse * delta * depth);
        return select(straight > depth, straight, 0.5 * (delta + root));
    }
};

} // namespace tamp::soft
