#include "tamp/solver/work.hpp"

#include "bodies.hpp"

namespace tamp {
namespace {

struct Tally {
    Pack pushing = 0.0, pulling = 0.0, sliding = 0.0, rolling = 0.0, torsion = 0.0;

    void add_impulse(const PackVec3& p, const PackVec3& n, const PackVec3& mean_velocity) {
        const Pack p_n = dot(p, n), whole = dot(p, mean_velocity);
        const Pack normal = p_n * dot(mean_velocity, n);
        pushing += select(p_n > Pack(0.0), normal, Pack(0.0));
        pulling += select(p_n > Pack(0.0), Pack(0.0), normal);
        sliding += whole - normal;
    }

    void add_torque(const PackVec3& t, const PackVec3& n, const PackVec3& mean_spin) {
        const Pack about = dot(t, n) * dot(mean_spin, n);
        torsion += about;
        rolling += dot(t, mean_spin) - about;
    }

    ContactWork sums() const {
        return {sum_lanes(pushing), sum_lanes(pulling), sum_lanes(sliding), sum_lanes(rolling),
                sum_lanes(torsion)};
    }
};

inline PackVec3 mean(const PackVec3& a, const PackVec3& b) { return Pack(0.5) * (a + b); }

} // namespace

ContactWork work(std::span<const Body> before, std::span<const Body> after,
                 std::span<const ContactBatch> batches, const LawBatches& rows) {
    Tally tally;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const ContactBatch& batch = batches[i];
        const Bodies one = gather(before.data(), batch.first), two = gather(before.data(), batch.second);
        const Bodies one_after = gather(after.data(), batch.first),
                     two_after = gather(after.data(), batch.second);
        const PackVec3 n = load(batch.normal);
        tally.add_impulse(load(batch.impulse), n,
                          mean(contact_velocity(one, two, n), contact_velocity(one_after, two_after, n)));
        if (rows.torque)
            tally.add_torque(load(rows.torque[i].torque), n,
                             mean(relative_spin(one, two), relative_spin(one_after, two_after)));
    }
    return tally.sums();
}

ContactWork work_of_walls(std::span<const Body> before, std::span<const Body> after,
                          std::span<const WallBatch> batches, std::span<const WallVelocities> walls,
                          const LawBatches& rows, std::span<double> by_wall) {
    Tally tally;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const WallBatch& batch = batches[i];
        const WallVelocities& wall = walls[static_cast<std::size_t>(batch.wall)];
        const Bodies body = gather(before.data(), batch.body), body_after = gather(after.data(), batch.body);
        const PackVec3 n = load(batch.normal), p = load(batch.impulse);
        PackVec3 contact =
            mean(contact_velocity(body, wall.before, n), contact_velocity(body_after, wall.after, n));
        PackVec3 surface = broadcast(0.5 * (wall.before + wall.after));
        const double turn = 0.5 * (wall.turn_before + wall.turn_after);
        if (wall.turns()) {
            const PackVec3 by_turning = Pack(turn) * load(batch.arm);
            contact -= by_turning;
            surface += by_turning;
        }
        tally.add_impulse(p, n, contact);
        double& by_this = by_wall[static_cast<std::size_t>(batch.wall)];
        by_this += sum_lanes(dot(p, surface));
        if (rows.torque) {
            const PackVec3 torque = load(rows.torque[i].torque);
            PackVec3 spin = mean(body.inverse_radius() * body.surface(),
                                 body_after.inverse_radius() * body_after.surface());
            if (wall.turns()) {
                spin -= broadcast(turn * wall.axis);
                by_this += sum_lanes(dot(torque, broadcast(turn * wall.axis)));
            }
            tally.add_torque(torque, n, spin);
        }
    }
    return tally.sums();
}

} // namespace tamp
