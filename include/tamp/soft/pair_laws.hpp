#pragma once

#include <variant>
#include <vector>

#include "tamp/laws/soft/adhesive_plastic.hpp"
#include "tamp/laws/soft/constant_cohesion.hpp"
#include "tamp/laws/soft/friction_spring.hpp"
#include "tamp/laws/soft/hertz.hpp"
#include "tamp/laws/soft/latching_spring.hpp"
#include "tamp/laws/soft/linear.hpp"
#include "tamp/laws/soft/mindlin.hpp"
#include "tamp/laws/soft/van_der_waals.hpp"
#include "tamp/laws/soft/yielding.hpp"
#include "tamp/materials/material.hpp"

namespace tamp::soft {

using AnyNormalLaw = std::variant<Linear, Hertz, Yielding, LatchingSpring, AdhesivePlastic>;

/// The laws of one pair of materials, as the kernel takes them.
struct PairLaws {
    AnyNormalLaw normal;
    ConstantCohesion cohesion;
    FrictionSpring sliding, rolling, torsion;
    SlidingLaw sliding_law = SlidingLaw::spring;
    MindlinSpring mindlin;
    WaltonFriction walton;
    VanDerWaals attraction;

    /// How far it acts, in units of the sum of radii.
    double reach() const { return attraction.acts() ? larger(1.0, attraction.cutoff_ratio) : 1.0; }
    /// What only the most general kernel has.
    bool is_special() const { return sliding_law != SlidingLaw::spring || attraction.acts(); }
    bool has_torques() const { return rolling.limits.friction > 0 || torsion.limits.friction > 0; }
};

/// `dashpot_kept`: see `CoulombLimits`.
PairLaws pair_laws(const SoftLaws& laws, bool dashpot_kept = false);

/// Every pair of materials has a number, its kind: the same for (a, b) and (b, a).
class LawTable {
public:
    explicit LawTable(const MaterialTable& materials, bool dashpot_kept = false);

    int kinds() const { return static_cast<int>(laws_.size()); }
    int kind(int a, int b) const { return a < b ? a * materials_ + b : b * materials_ + a; }
    /// In units of the sum of radii.
    double largest_reach() const;
    const PairLaws& operator[](int kind) const { return laws_[static_cast<std::size_t>(kind)]; }

private:
    int materials_ = 0;
    std::vector<PairLaws> laws_; ///< by kind
};

} // namespace tamp::soft
