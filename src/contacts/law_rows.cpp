#include "tamp/contacts/law_rows.hpp"

#include "tamp/laws/rigid/restitution.hpp"

namespace tamp {

ContactTerms contact_terms(const ContactLaws& laws, const Meeting& meeting, int dimension, double time_step) {
    using namespace rigid;
    ContactTerms terms;
    const double speed = dot(meeting.velocity, meeting.normal);
    terms.closing_speed =
        closing_speed(meeting.gap, speed, laws.restitution, laws.restitution_speed, time_step);
    const double share =
        tangential_share(meeting.gap, speed, laws.tangential_restitution, laws.restitution_speed, time_step);
    terms.shift = (meeting.velocity - speed * meeting.normal) * share;
    terms.spin_shift = meeting.spin * share;
    const double radius = meeting.partners.reduced_radius;
    if (laws.cohesion.value > 0) {
        const double force = cohesion_force(laws.cohesion, meeting.partners);
        const double range = cohesion_range(laws.cohesion, force);
        terms.bond = bond_now(meeting.past, meeting.gap, range, radius);
        terms.pull = pulling_speed(terms.bond, meeting.gap, time_step);
        if (terms.bond != Bond::none)
            terms.strength =
                cohesion_strength(laws.cohesion, terms.bond, force, range, meeting.gap, speed, time_step);
    }
    if (laws.rolling.value > 0)
        terms.rolling = lever(laws.rolling, radius, dimension, time_step);
    if (laws.torsion.value > 0)
        terms.torsion = lever(laws.torsion, radius, dimension, time_step);
    terms.coupled = laws.coupled_torsion && laws.torsion.value > 0;
    return terms;
}

void LawColumns::start(const rigid::LawSet& set, std::size_t room) {
    set_ = set;
    cohesion_.clear(), rebound_.clear(), torque_.clear();
    if (set_.cohesion)
        cohesion_.reserve(room);
    if (set_.rebound)
        rebound_.reserve(room);
    if (set_.torques)
        torque_.reserve(room);
}

void LawColumns::add_batch() {
    if (set_.cohesion)
        cohesion_.emplace_back();
    if (set_.rebound)
        rebound_.emplace_back();
    if (set_.torques)
        torque_.emplace_back();
}

void LawColumns::set(std::size_t batch, int lane, const ContactTerms& terms, const Vec3& torque) {
    if (set_.cohesion) {
        cohesion_[batch].strength[lane] = terms.strength;
        cohesion_[batch].pull[lane] = terms.pull;
    }
    if (set_.rebound) {
        set_lane(rebound_[batch].shift, lane, terms.shift);
        set_lane(rebound_[batch].spin_shift, lane, terms.spin_shift);
    }
    if (set_.torques) {
        TorqueBatch& to = torque_[batch];
        set_lane(to.torque, lane, torque);
        to.rolling[lane] = terms.rolling.length, to.torsion[lane] = terms.torsion.length;
        to.rolling_growth[lane] = terms.rolling.growing, to.torsion_growth[lane] = terms.torsion.growing;
        to.coupled[lane] = terms.coupled ? 1 : 0;
    }
}

Vec3 LawColumns::torque(std::size_t batch, int lane) const { return lane_of(torque_[batch].torque, lane); }

LawRows LawColumns::rows(std::size_t first_batch) {
    return {set_.cohesion ? cohesion_.data() + first_batch : nullptr,
            set_.rebound ? rebound_.data() + first_batch : nullptr,
            set_.torques ? torque_.data() + first_batch : nullptr};
}

void LawColumns::release() { *this = LawColumns(); }

} // namespace tamp
