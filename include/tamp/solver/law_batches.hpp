#pragma once

#include <vector>

#include "tamp/laws/rigid/law_set.hpp"
#include "tamp/solver/batch.hpp"
#include "tamp/solver/law_terms.hpp"

namespace tamp {

// What single laws add to a batch; rows beside the batches that exist only if the law is used.

struct alignas(64) CohesionBatch {
    double strength[lanes]; ///< largest tensile impulse
    double pull[lanes];     ///< speed with which tension may close the gap
};

struct alignas(64) ReboundBatch {
    double shift[3][lanes];      ///< e_t u_t-, added to the tangential velocity
    double spin_shift[3][lanes]; ///< e_t Omega-, added to the relative angular velocity
};

struct alignas(64) TorqueBatch {
    double torque[3][lanes];                             ///< impulse of the torque on particle 2
    double rolling[lanes], torsion[lanes];               ///< levers of the limits, m
    double rolling_growth[lanes], torsion_growth[lanes]; ///< and their growth with the force, see hertz.hpp
    double coupled[lanes];                               ///< 1: sliding and torsion share a limit
};

/// Beside batches whose bodies are changed by several ranks at once: what share of a change is made.
struct alignas(64) DampingBatch {
    double share[lanes];
};

/// Beside a batch in sweeps with momentum: its impulses, or torques, one sweep ago.
struct alignas(64) EarlierBatch {
    double values[3][lanes];
};

/// The rows of a number of batches, where they begin.
struct LawBatches {
    CohesionBatch* cohesion = nullptr;
    ReboundBatch* rebound = nullptr;
    TorqueBatch* torque = nullptr;
    const DampingBatch* damping = nullptr;                      ///< nullptr: none
    EarlierBatch *earlier = nullptr, *earlier_torque = nullptr; ///< nullptr: a sweep without momentum
};

/// Keeps the rows that the laws in use add to batches.
class LawBatchStore {
public:
    /// Forgets all batches.
    void start(const rigid::LawSet& set, std::size_t room);
    void add_batch();
    /// Lanes that are not set have no terms and no torque.
    void set(std::size_t batch, int lane, const LawTerms& terms, const Vec3& torque);
    Vec3 torque(std::size_t batch, int lane) const;
    double strength(std::size_t batch, int lane) const { return cohesion_[batch].strength[lane]; }
    LawBatches rows(std::size_t first_batch);
    void release();

private:
    rigid::LawSet set_;
    std::vector<CohesionBatch> cohesion_;
    std::vector<ReboundBatch> rebound_;
    std::vector<TorqueBatch> torque_;
};

} // namespace tamp
