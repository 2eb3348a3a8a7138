#pragma once

#include <cstddef>
#include <vector>

#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// A contact as seen from its first particle.
struct ContactGeometry {
    Vec3 branch; ///< m; from the centre of the first to that of the second (nearest image), or to the foot on
                 ///< the wall
    Vec3 normal; ///< unit vector along it
    double gap;  ///< m; negative: overlap
};

/// Where particles and walls were at the start of the last step, when its contact forces were found: only
/// there do the forces balance. Everything that is said about contacts, in files, stresses and fields, is
/// said of that moment. Since then all have moved with the velocities that they still have, and grown.
class ForceGeometry {
public:
    /// `age`: s since that moment, the length of the last step.
    ForceGeometry(const World& world, double age)
        : store_(world.particles), lists_(world.lists()), nearest_(world.box()), age_(age),
          grown_(age > 0 ? world.last_growth() : Grown{}), has_grown_(grown_ != Grown{}),
          walls_(world.walls) {
        for (Wall& wall : walls_)
            advance(wall, -age);
    }

    Vec3 centre(std::size_t i) const { return store_.sphere[i].centre - store_.body[i].velocity * age_; }
    double radius(std::size_t i) const {
        const double now = store_.sphere[i].radius;
        return has_grown_ && !store_.is_fixed(i) ? grown_.before(now) : now;
    }
    const Wall& wall(std::size_t w) const { return walls_[w]; }

    /// Entries of the lists.
    ContactGeometry pair(std::size_t c) const {
        const auto i = static_cast<std::size_t>(lists_.pairs.first[c]),
                   j = static_cast<std::size_t>(lists_.pairs.second[c]);
        const Vec3 branch = nearest_(centre(j) - centre(i));
        const double distance = norm(branch);
        return {branch, branch * (1.0 / distance), distance - radius(i) - radius(j)};
    }
    ContactGeometry wall_contact(std::size_t c) const {
        const auto i = static_cast<std::size_t>(lists_.walls.body[c]);
        const double reach = radius(i);
        const auto [gap, normal] =
            walls_[static_cast<std::size_t>(lists_.walls.wall[c])].touch(centre(i), reach);
        return {-normal * (gap + reach), -normal, gap};
    }

private:
    const ParticleStore& store_;
    const ContactLists& lists_;
    NearestImage nearest_;
    double age_;
    Grown grown_; ///< since then
    bool has_grown_;
    std::vector<Wall> walls_; ///< where they were
};

} // namespace tamp
