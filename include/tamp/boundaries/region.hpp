#pragma once

#include <span>
#include <string>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/geometry/convex.hpp"

namespace tamp {

/// What axis-parallel walls leave of the box: between the innermost of them, and the faces of the box where
/// there is none.
struct Region {
    Vec3 lower{0, 0, 0}, upper{1, 1, 1};
    int dimension = 3;

    /// Area in two dimensions; zero where walls have passed each other.
    double volume() const;
    double length(int axis) const { return upper[axis] - lower[axis]; }
};

Region region_of(const Box& box, std::span<const Wall> walls);

/// What slanted walls and the insides of cylinders leave of a cuboid; an area in two dimensions, zero if
/// nothing is left. A cylinder counts as if it had no ends. Other shapes are taken to be small, or not to be
/// containers.
double volume_between(const Region& cuboid, std::span<const Wall> walls);

/// What planes and cylinders leave of the box; an area in two dimensions, zero if nothing is left.
double region_volume(const Box& box, std::span<const Wall> walls);

/// Whether walls leave any of the box: without the volume of tubes, which takes long.
bool has_room(const Box& box, std::span<const Wall> walls);

/// The same as a body; in two dimensions of height one along z.
ConvexBody region_body(const Box& box, std::span<const Wall> walls);

/// What a wall covers of the region between all other walls.
struct CrossSection {
    double area = 0; ///< m^2 (2-D: a length in m), where the wall stands
    /// Why the area would change if the wall moved along its normal, or why the region has no end across it,
    /// to follow "... of the wall, since"; empty: the wall is a piston in a shaft.
    std::string obstacle;
};
CrossSection cross_section(const Box& box, std::span<const Wall> walls, std::size_t wall);

/// Turns forces on a wall into stresses: the area that the case gives, else what the wall covers now. Zero if
/// it is removed or covers nothing.
double stress_area(const Box& box, std::span<const Wall> walls, std::size_t wall);

/// Whether a wall has drawn back beyond the whole box, so that no particle can reach it any more.
bool has_left(const Box& box, const Wall& wall);

} // namespace tamp
