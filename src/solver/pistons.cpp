#include "tamp/solver/pistons.hpp"

#include <algorithm>

#include "wall_impulse.hpp"

namespace tamp {

PistonCoupling::PistonCoupling(const Communicator& communicator, Profile& profile)
    : communicator_(communicator), profile_(profile), reduction_part_(profile.part("reductions")) {}

void PistonCoupling::begin(std::span<const Wall> walls, std::span<const std::int64_t> contacts_of_wall,
                           double time_step) {
    const auto is_piston = [](const Wall& wall) { return wall.motion == WallMotion::piston; };
    counts_.assign(contacts_of_wall.begin(), contacts_of_wall.end());
    if (std::ranges::any_of(walls, is_piston))
        communicator_.sum(std::span<std::int64_t>(counts_));
    states_.clear();
    pistons_.clear();
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const Wall& wall = walls[w];
        WallState state{wall.normal, wall.velocity, 0.0};
        if (is_piston(wall)) {
            const double free_speed = dot(wall.velocity, wall.normal) + time_step * wall.force / wall.mass;
            pistons_.push_back({static_cast<std::int32_t>(w), wall.mass, free_speed, 0.0});
            state.velocity = free_speed * wall.normal;
            state.inverse_share = static_cast<double>(counts_[w]) / wall.mass;
        }
        states_.push_back(state);
    }
}

void PistonCoupling::advance(double momentum) {
    for (Piston& piston : pistons_) {
        WallState& state = states_[static_cast<std::size_t>(piston.wall)];
        const double speed = dot(state.velocity, state.normal);
        if (momentum != 0)
            state.velocity = (speed + momentum * (speed - piston.earlier)) * state.normal;
        piston.earlier = speed;
    }
}

void PistonCoupling::update(std::span<const WallBatch> batches, ExactSum* also) {
    if (pistons_.empty() && !also)
        return;
    sums_.assign(pistons_.size(), ExactSum{});
    for (const WallBatch& batch : batches)
        for (std::size_t k = 0; k < pistons_.size(); ++k)
            if (batch.wall == pistons_[k].wall)
                sums_[k].add(normal_impulse(batch, states_[static_cast<std::size_t>(batch.wall)].normal));
    if (also)
        sums_.push_back(*also);
    sum_over_ranks();
    if (also)
        *also = sums_.back();
    for (std::size_t k = 0; k < pistons_.size(); ++k) {
        const Piston& piston = pistons_[k];
        WallState& state = states_[static_cast<std::size_t>(piston.wall)];
        const double speed = piston.free_speed - sums_[k].value() / piston.mass;
        state.velocity = speed * state.normal;
    }
}

void PistonCoupling::finish(std::span<const WallBatch> batches, std::span<Wall> walls, double time_step) {
    if (walls.empty())
        return;
    sums_.assign(3 * walls.size(), ExactSum{});
    for (const WallBatch& batch : batches)
        for (std::size_t axis = 0; axis < 3; ++axis)
            sums_[3 * static_cast<std::size_t>(batch.wall) + axis].add(
                sum_lanes(Pack::load(batch.impulse[axis])));
    sum_over_ranks();
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const Vec3 impulse{sums_[3 * w].value(), sums_[3 * w + 1].value(), sums_[3 * w + 2].value()};
        walls[w].reaction = impulse * (-1.0 / time_step);
        walls[w].velocity = states_[w].velocity;
    }
}

void PistonCoupling::sum_over_ranks() {
    const Profile::Scope scope(profile_, reduction_part_);
    communicator_.sum(std::span<ExactSum>(sums_));
}

} // namespace tamp
