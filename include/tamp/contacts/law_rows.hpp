#pragma once

#include <vector>

#include "tamp/contacts/batch.hpp"
#include "tamp/laws/rigid/law_use.hpp"

namespace tamp {

/// Two that are about to touch: what their laws depend on, at the beginning of the step.
struct Meeting {
    double gap = 0;
    Vec3 normal{0, 0, 1};
    Vec3 velocity{0, 0, 0}; ///< of side 2 relative to side 1 at the contact
    Vec3 spin{0, 0, 0};     ///< omega2 - omega1
    rigid::CohesionPartners partners;
    rigid::Bond past = rigid::Bond::none;
};

/// What the laws of a contact come down to in one step.
struct ContactTerms {
    double closing_speed = 0;
    rigid::Bond bond = rigid::Bond::none;
    double strength = 0; ///< largest tensile impulse
    double pull = 0;     ///< speed with which tension may close the gap
    Vec3 shift{0, 0, 0}, spin_shift{0, 0, 0};
    rigid::Lever rolling{}, torsion{};
    bool coupled = false; ///< sliding and torsion share a limit
};

ContactTerms contact_terms(const ContactLaws& laws, const Meeting& meeting, int dimension, double time_step);

/// The rows that the laws in use add to batches; see LawRows.
class LawColumns {
public:
    /// Forgets all batches.
    void start(const rigid::LawSet& set, std::size_t room);
    void add_batch();
    /// Lanes that are not set have no terms and no torque.
    void set(std::size_t batch, int lane, const ContactTerms& terms, const Vec3& torque);
    Vec3 torque(std::size_t batch, int lane) const;
    double strength(std::size_t batch, int lane) const { return cohesion_[batch].strength[lane]; }
    LawRows rows(std::size_t first_batch);
    void release();

private:
    rigid::LawSet set_;
    std::vector<CohesionBatch> cohesion_;
    std::vector<ReboundBatch> rebound_;
    std::vector<TorqueBatch> torque_;
};

} // namespace tamp
