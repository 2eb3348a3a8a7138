#include "bodies.hpp"
#include "tamp/solver/contact_set.hpp"

namespace tamp {
namespace {

/// Closing speeds of lanes without a contact stay what they are: so large that adding a speed changes
/// nothing.
void advance_gaps(double (&closing_speed)[lanes], const PackVec3& relative_velocity, const PackVec3& normal) {
    const Pack next = Pack::load(closing_speed) + dot(relative_velocity, normal);
    larger(next, Pack(0.0)).store(closing_speed);
}

} // namespace

void ContactSet::advance(std::span<const Body> bodies, std::span<const Wall> walls) {
    for (ContactBatch& batch : batches_) {
        const Bodies one = gather(bodies.data(), batch.first), two = gather(bodies.data(), batch.second);
        advance_gaps(batch.closing_speed, two.velocity() - one.velocity(), load(batch.normal));
    }
    for (WallBatch& batch : wall_batches_) {
        const Bodies body = gather(bodies.data(), batch.body);
        const Wall& wall = walls[static_cast<std::size_t>(batch.wall)];
        PackVec3 relative = body.velocity() - broadcast(wall.velocity);
        if (wall.turns())
            relative -= Pack(wall.rotation.speed) * load(batch.arm);
        advance_gaps(batch.closing_speed, relative, load(batch.normal));
    }
}

} // namespace tamp
