#pragma once

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"

namespace tamp {

/// Goes on with its velocity and its rotation for so long; back, if negative.
void advance(Wall& wall, double time_step);

/// Gives an oscillating wall the velocity that brings it from where it is at this time to where it should be
/// a step later; other walls keep theirs.
void set_velocity(Wall& wall, double time, double time_step);

/// Whether its surface stays where it is while it turns, as that of a drum about its own axis does.
bool turns_in_itself(const Wall& wall);

/// What particles do to the wall about the axis that it turns about, N m. `Wall::torque` is about its point.
double turning_moment(const Wall& wall);

/// From the axis that it turns about to the farthest point of its surface inside the box, m: at most.
double turning_reach(const Wall& wall, const Box& box);

/// How fast its surface may come nearer to anything inside the box, m/s: at least.
double approach_speed(const Wall& wall, const Box& box);

} // namespace tamp
