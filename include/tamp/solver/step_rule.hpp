#pragma once

#include "tamp/solver/settings.hpp"
#include "tamp/world/settings.hpp"

namespace tamp {

/// Grains under a load, as the rule for steps sees them.
struct LoadedPacking {
    int dimension = 3;
    double mass = 0, diameter = 0; ///< of a grain, in the mean
    double acceleration = 0;       ///< of gravity, else of what pushes the grains, m/s^2
    double load_mass = 0;          ///< along the load over the cross-section, kg/m^2 (2-D: kg/m)
};

/// What a case leaves open, from its grains and its load: the longest step, the sweeps of a step, and by how
/// much overlaps may grow.
///
/// **Steps** last at most 0.009 t_f, t_f = sqrt(d/a) being the time of a fall by a diameter: 3e-4 s for
/// grains of a centimetre, 1e-4 s for those of a millimetre.
///
/// **Overlaps** may grow by 0.5 % of a diameter in the time t_f: in a step by 0.005 h/t_f, h being the
/// longest step that the case allows. What a contact gathers in its life is some ten times that.
///
/// **Deep packings** are solved in short steps with few sweeps each instead of long ones with many. A step
/// whose sweeps end early leaves forces that are not exact, and the packing behaves as if grains had springs
/// of stiffness k = q E m/h^2 (E: what its sweeps are worth, 1 for a plain sweep, see pseudo_elastic.hpp; q =
/// 0.57). Under a pressure P they overlap by P d/k of a diameter d, and a disturbance is damped away at a
/// rate of about q E/(L^2 h) in a packing of L layers. Both are governed by the inertial time
///   t = sqrt(m/(P d))      (2-D: sqrt(m/P))
/// in which the pressure moves a grain by its diameter. With h = c t the overlap is c^2/(q E), and to damp
/// within the time L t that a packing takes to rearrange, E must grow as L c. Sweeps against depth are thus
/// linear, where solving each step exactly takes L^2 of them. Steps that are shorter for other reasons,
/// because grains fall fast, have fewer sweeps in proportion: E grows as their square, so that k stays.
class StepRule {
public:
    explicit StepRule(const LoadedPacking& packing);

    /// Layers of grains along the load.
    double layers() const { return layers_; }
    /// Whether short steps are cheaper than to solve each step.
    bool is_deep() const;
    /// The step that a case fixes, or the longest one of a packing that is not deep, s.
    double longest_step(const TimeSettings& time, SweepMethod method) const;
    /// The longest step of a deep packing under this pressure (Pa; 2-D: N/m), s.
    double longest_step(double pressure) const;
    /// The most sweeps of a step that is so long, as a share of the longest one.
    int sweeps(double share = 1) const;
    double inertial_time(double pressure) const;
    /// By how much an overlap may grow in a step, if steps may be this long; m; unbounded without a load.
    double overlap_growth(double longest_step) const;

private:
    /// t_f, s; infinite without a load.
    double fall_time() const;

    LoadedPacking packing_;
    double layers_;
};

} // namespace tamp
