#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// A turn about an axis, by the right hand. Quarter turns are exact.
class Rotation {
public:
    /// `axis`: of any length but zero.
    Rotation(const Vec3& axis, double degrees);
    Vec3 operator()(const Vec3& vector) const {
        return {dot(rows_[0], vector), dot(rows_[1], vector), dot(rows_[2], vector)};
    }

private:
    std::array<Vec3, 3> rows_;
};

/// What happens to the packing of a file before it is put into the box: first copies, then the turn, then the
/// shift.
struct Placement {
    std::array<std::int64_t, 3> copies{1, 1, 1}; ///< along x, y, z
    std::optional<Vec3> period{}; ///< m, from one copy to the next; none: that of the file's box
    Vec3 axis{0, 0, 1};
    double degrees = 0;
    std::optional<Vec3>
        point{};         ///< m, about which it is turned; none: the middle of the box around all particles
    Vec3 shift{0, 0, 0}; ///< m

    std::int64_t copy_count() const { return copies[0] * copies[1] * copies[2]; }
    bool any() const { return copy_count() > 1 || degrees != 0 || shift != Vec3{0, 0, 0}; }
    /// The number of a copy from 0, z counting fastest.
    std::int64_t copy_number(const std::array<std::int64_t, 3>& copy) const {
        return (copy[0] * copies[1] + copy[1]) * copies[2] + copy[2];
    }
    std::array<std::int64_t, 3> copy_at(std::int64_t number) const {
        return {number / (copies[1] * copies[2]), number / copies[2] % copies[1], number % copies[2]};
    }
};

/// All particles of all copies: particle i of copy c is at c n + i, n being their number, with that id behind
/// `first_id`. Velocities and spins turn with the packing. `period`: m.
std::vector<Grain> placed(const std::vector<Grain>& grains, const Placement& placement, const Vec3& period,
                          std::uint64_t first_id);

} // namespace tamp
