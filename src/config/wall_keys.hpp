#pragma once

#include <array>

#include "schema_ranges.hpp"

namespace tamp {

/// Walls, and what stages tell them.
constexpr auto wall_keys() {
    using enum KeyType;
    return std::to_array<KeySchema>({
        {"wall", "name", string, "", "required", any, "", "",
         "Unique name, used by stages and in the results"},
        {"wall", "shape", choice, "", "\"plane\"", any, "plane|rectangle|disc|cylinder|cone|sphere", "",
         "Planes are infinite and have one side; rectangles and discs have two; in 2-D a cylinder is a "
         "circle and a "
         "rectangle a line"},
        {"wall", "point", vector, "m", "required", any, "", "",
         "Of a plane any point, of a rectangle, disc or sphere its centre, of a cylinder or cone a point of "
         "its axis"},
        {"wall", "normal", vector, "", "required", any, "", "plane|disc",
         "Towards the particles; any length but zero"},
        {"wall", "axis", vector, "", "", any, "", "cylinder|cone|sphere",
         "Direction of the axis (2-D: always z); of a sphere the direction that force pushes it in, default "
         "z"},
        {"wall", "side", choice, "", "inside; with ends: both", any, "inside|outside|both",
         "cylinder|cone|sphere",
         "Where the particles are; both: a thin shell, which grains touch from either side"},
        {"wall", "radius", number, "m", "required", positive, "", "disc|cylinder|sphere", "Radius"},
        {"wall", "radii", numbers, "m", "required", non_negative, "", "cone",
         "Radii where the cone begins and where it ends, [.., ..]; 0: its tip"},
        {"wall", "ends", numbers, "m", "", any, "", "cylinder|cone",
         "Where it begins and ends along its axis, from its point, [.., ..]; a cylinder without ends is "
         "infinite. "
         "Ends are open: close them by a disc or a plane"},
        {"wall", "edge", vector, "m", "required", any, "", "rectangle", "One edge, from corner to corner"},
        {"wall", "other_edge", vector, "m", "", any, "", "rectangle",
         "The other edge, perpendicular to it (not in 2-D)"},
        {"wall", "material", string, "", "first material", any, "", "", "Name of a [[material]]"},
        {"wall", "velocity", vector, "m/s", "[0, 0, 0]", any, "", "",
         "Drives the wall; not with force or stress"},
        {"wall", "rotation_axis", vector, "", "its normal or axis", any, "", "",
         "Direction of the axis that the wall turns about, right-handed"},
        {"wall", "pivot", vector, "m", "point", any, "", "", "A point of that axis; moves with the wall"},
        {"wall", "rotation_speed", number, "rad/s", "0", any, "", "", "Turns the wall about that axis"},
        {"wall", "moment", number, "N m", "", any, "", "",
         "Lets the wall turn freely about that axis and drives it; its place is fixed then. Needs inertia"},
        {"wall", "inertia", number, "kg m^2", "", positive, "", "",
         "Moment of inertia about that axis, of a wall that a moment turns"},
        {"wall", "amplitude", vector, "m", "", any, "", "",
         "The wall oscillates by this way to both sides, beside its velocity; needs frequency"},
        {"wall", "frequency", number, "1/s", "", positive, "", "", "Of that oscillation"},
        {"wall", "phase", number, "rad", "", any, "", "",
         "Of that oscillation when it begins, else 0; where it begins is kept"},
        {"wall", "shear_velocity", vector, "m/s", "", any, "", "",
         "With force or stress: velocity across the normal"},
        {"wall", "speed_limit", number, "m/s", "", positive, "", "",
         "With force or stress: the wall is never faster along its normal"},
        {"wall", "mass", number, "kg", "", positive, "", "", "Needed by a wall that force or stress move"},
        {"wall", "damping", number, "N s/m", "0", non_negative, "", "",
         "Soft: force against the velocity of a wall that force or stress move"},
        {"wall", "force", number, "N", "", any, "", "",
         "Frees the wall along its normal or axis; positive: along it"},
        {"wall", "stress", number, "Pa", "", any, "", "",
         "The same as a stress; positive: compression (2-D: N/m)"},
        {"wall", "area", number, "m^2", "what the wall covers", positive, "", "",
         "Turns stress into force (2-D: a length in m). Without it: the cross-section that the other walls, "
         "or "
         "one "
         "period of the domain, leave for the wall. Needed with stress where that has no end or changes on "
         "the "
         "way"},

        {"stage.wall", "name", string, "", "required", any, "", "",
         "Name of a [[wall]] or of a wall of the domain (x-, x+, y-, ...)"},
        {"stage.wall", "velocity", vector_table, "m/s", "", any, "", "", "Motion: driven with this velocity"},
        {"stage.wall", "rotation_speed", number, "rad/s", "", any, "", "",
         "Motion: turns about the axis that its [[wall]] names; alone or beside velocity, force or stress"},
        {"stage.wall", "moment", number, "N m", "", any, "", "",
         "Motion: turns freely about that axis, driven by this moment; its [[wall]] has inertia"},
        {"stage.wall", "amplitude", vector, "m", "", any, "", "",
         "Motion: oscillates by this way to both sides, alone or beside velocity; needs frequency"},
        {"stage.wall", "frequency", number, "1/s", "", positive, "", "", "Of that oscillation"},
        {"stage.wall", "phase", number, "rad", "", any, "", "",
         "Of that oscillation when the stage begins, else 0"},
        {"stage.wall", "shear_velocity", vector, "m/s", "", any, "", "",
         "With force or stress: velocity across the normal"},
        {"stage.wall", "speed_limit", number, "m/s", "", positive, "", "",
         "With force or stress: the wall is never faster along its normal"},
        {"stage.wall", "force", number_table, "N", "", any, "", "",
         "Motion: pushed along its normal by this force"},
        {"stage.wall", "stress", number_table, "Pa", "", any, "", "",
         "Motion: pushed by this stress; positive: compression (2-D: N/m)"},
        {"stage.wall", "mass", number, "kg", "as before", positive, "", "",
         "With force or stress, if the wall has no mass yet"},
        {"stage.wall", "hold", boolean, "", "", any, "", "", "Motion: hold = true stops the wall"},
        {"stage.wall", "remove", boolean, "", "", any, "", "",
         "remove = true: from now on the wall touches nothing"},
    });
}

} // namespace tamp
