#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What a simulated second costs with either engine [000 sec. 1.6]. A short run of a piece of the case, the
/// trial, gives the constants. How costs grow from there is
///
///   N_I ~ N^(2/d)            sweeps a step                    [000 eq. 1.34]
///   T_rigid ~ N N_I v/r      CPU time of a simulated second   [000 eq. 1.35]
///   T_soft ~ N sqrt(K/m)     the same                         [000 eq. 1.36]
///
/// N particles in d dimensions, of radius r, mass m, stiffness K and typical speed v. N_I is what a solution
/// from scratch takes. A step that begins with the forces of the one before takes fewer sweeps, perhaps no
/// more than in the piece: these are the two ends of what is expected.
namespace tamp {

/// One step of a trial.
struct TrialStep {
    double time_step = 0; ///< s
    double speed = 0;     ///< of the fastest particle or wall, m/s
    int sweeps = 0;       ///< rigid grains
};

/// How much the case is larger than its piece.
struct Enlargement {
    double particles = 1; ///< N of the case over N of the piece
    double speed = 1;     ///< v of the case over v of the piece; times are longer by the same factor
};

/// The exponent 2/d with which sweeps grow if every step is solved from scratch [000 eq. 1.34].
constexpr double growth_from_scratch(int dimension) { return 2.0 / dimension; }

/// What bounds the steps of rigid grains.
struct RigidBounds {
    double displacement = 0; ///< m, of the fastest in a step; 0: the step is fixed
    int min_sweeps = 0, max_sweeps = 0;
};

struct ExpectedCost {
    double time_step = 0; ///< s, mean
    double sweeps = 0;    ///< a step, mean; 0: soft grains
    double seconds = 0;   ///< of CPU time for a simulated second
};

/// CPU time of all steps of a trial together, s.
struct TrialSeconds {
    double sweeps = 0, other = 0;
};

/// `growth`: sweeps are those of the trial times the power of this of `Enlargement::particles`.
ExpectedCost expected_rigid(std::span<const TrialStep> steps, const TrialSeconds& seconds,
                            const RigidBounds& bounds, const Enlargement& enlargement, double growth);

/// `seconds_a_step`: CPU time of a step of the piece.
ExpectedCost expected_soft(double seconds_a_step, double time_step, const Enlargement& enlargement);

/// Both engines.
struct EngineCosts {
    ExpectedCost rigid;              ///< with the sweeps of the trial
    ExpectedCost rigid_from_scratch; ///< with sweeps that grow as N^(2/d)
    ExpectedCost soft;
};

/// T_rigid/T_soft ~ N^(2/d)/sqrt(K) [000 eq. 1.37], and where it would be one, from scratch.
struct Comparison {
    double ratio = 1, ratio_from_scratch = 1;
    double stiffness_factor = 1; ///< soft grains this many times as stiff cost as much as rigid ones
    double particles = 0;        ///< so many of them cost the same by both engines
};
Comparison compare(const EngineCosts& costs, double particles, int dimension);

/// Which engine to take, and why, in one sentence.
std::string advice(const EngineCosts& costs);

} // namespace tamp
