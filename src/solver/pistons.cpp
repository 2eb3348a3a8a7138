#include "tamp/solver/pistons.hpp"

#include <algorithm>

#include "wall_impulse.hpp"

namespace tamp {

PistonCoupling::PistonCoupling(const Communicator& communicator, Profile& profile)
    : communicator_(communicator), profile_(profile), reduction_part_(profile.part("reductions")) {}

void PistonCoupling::begin(std::span<const Wall> walls, std::span<const std::int64_t> contacts_of_wall,
                           double time_step) {
    const auto is_free = [](const Wall& wall) {
        return wall.motion == WallMotion::piston || wall.motion == WallMotion::turning;
    };
    counts_.assign(contacts_of_wall.begin(), contacts_of_wall.end());
    if (std::ranges::any_of(walls, is_free))
        communicator_.sum(std::span<std::int64_t>(counts_));
    states_.clear();
    free_.clear();
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const Wall& wall = walls[w];
        WallState& state = states_.emplace_back(WallState{.normal = wall.normal, .velocity = wall.velocity});
        state.flat = wall.is_plane();
        state.turns = wall.turns();
        state.axis = wall.rotation.axis;
        state.turn_speed = wall.rotation.speed;
        if (wall.motion == WallMotion::piston) {
            const double free_speed = dot(wall.velocity, wall.normal) + time_step * wall.force / wall.mass;
            free_.push_back({static_cast<std::int32_t>(w), false, wall.mass, free_speed, wall.most_speed,
                             wall.given_velocity});
            state.inverse_share = static_cast<double>(counts_[w]) / wall.mass;
            set_speed(free_.back(), free_speed);
        }
        if (wall.motion == WallMotion::turning) {
            const WallRotation& rotation = wall.rotation;
            const double free_speed = rotation.speed + time_step * rotation.moment / rotation.inertia;
            free_.push_back({static_cast<std::int32_t>(w), true, rotation.inertia, free_speed});
            state.inverse_turn_share = static_cast<double>(counts_[w]) / rotation.inertia;
            set_speed(free_.back(), free_speed);
        }
    }
}

double PistonCoupling::speed(const Free& free) const {
    const WallState& state = states_[static_cast<std::size_t>(free.wall)];
    return free.turns ? state.turn_speed : dot(state.velocity, state.normal);
}

void PistonCoupling::set_speed(const Free& free, double speed) {
    WallState& state = states_[static_cast<std::size_t>(free.wall)];
    if (free.turns) {
        state.turn_speed = speed;
        return;
    }
    if (free.most_speed > 0)
        speed = std::clamp(speed, -free.most_speed, free.most_speed);
    state.velocity = speed * state.normal;
    if (free.drift != Vec3{0, 0, 0})
        state.velocity += free.drift;
}

/// What the contacts of a batch change the momentum by along the way that the wall is free in.
double PistonCoupling::pushed(const Free& free, const WallBatch& batch, const LawBatches& rows,
                              std::size_t i) const {
    const WallState& state = states_[static_cast<std::size_t>(free.wall)];
    if (!free.turns)
        return normal_impulse(batch, state.normal);
    double sum = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        sum += dot(lane_of(batch.impulse, lane), lane_of(batch.arm, lane));
        if (rows.torque)
            sum += dot(lane_of(rows.torque[i].torque, lane), state.axis);
    }
    return sum;
}

void PistonCoupling::advance(double momentum) {
    for (Free& free : free_) {
        const double now = speed(free);
        if (momentum != 0)
            set_speed(free, now + momentum * (now - free.earlier));
        free.earlier = now;
    }
}

void PistonCoupling::update(std::span<const WallBatch> batches, ExactSum* also, const LawBatches& rows) {
    if (free_.empty() && !also)
        return;
    sums_.assign(free_.size(), ExactSum{});
    for (std::size_t i = 0; i < batches.size(); ++i)
        for (std::size_t k = 0; k < free_.size(); ++k)
            if (batches[i].wall == free_[k].wall)
                sums_[k].add(pushed(free_[k], batches[i], rows, i));
    if (also)
        sums_.push_back(*also);
    sum_over_ranks();
    if (also)
        *also = sums_.back();
    for (std::size_t k = 0; k < free_.size(); ++k)
        set_speed(free_[k], free_[k].free_speed - sums_[k].value() / free_[k].inertia);
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
        walls[w].rotation.speed = states_[w].turn_speed;
    }
}

void PistonCoupling::sum_over_ranks() {
    const Profile::Scope scope(profile_, reduction_part_);
    communicator_.sum(std::span<ExactSum>(sums_));
}

} // namespace tamp
