#include "tamp/solver/law_batches.hpp"

namespace tamp {

void LawBatchStore::start(const rigid::LawSet& set, std::size_t room) {
    set_ = set;
    cohesion_.clear(), rebound_.clear(), torque_.clear();
    if (set_.cohesion)
        cohesion_.reserve(room);
    if (set_.rebound)
        rebound_.reserve(room);
    if (set_.torques)
        torque_.reserve(room);
}

void LawBatchStore::add_batch() {
    if (set_.cohesion)
        cohesion_.emplace_back();
    if (set_.rebound)
        rebound_.emplace_back();
    if (set_.torques)
        torque_.emplace_back();
}

void LawBatchStore::set(std::size_t batch, int lane, const LawTerms& terms, const Vec3& torque) {
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

Vec3 LawBatchStore::torque(std::size_t batch, int lane) const { return lane_of(torque_[batch].torque, lane); }

LawBatches LawBatchStore::rows(std::size_t first_batch) {
    return {set_.cohesion ? cohesion_.data() + first_batch : nullptr,
            set_.rebound ? rebound_.data() + first_batch : nullptr,
            set_.torques ? torque_.data() + first_batch : nullptr};
}

void LawBatchStore::release() { *this = LawBatchStore(); }

} // namespace tamp
