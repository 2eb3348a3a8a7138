#pragma once

#include "soft_cases.hpp"

/// Cases with walls that are no planes, turn, oscillate or are free, for the table of cases.hpp.
namespace tamp::test {

/// `point` in diameters.
inline Wall shaped(const char* name, ShapeKind kind, const Vec3& point, const Vec3& axis) {
    Wall wall{.name = name, .point = point * diameter, .normal = axis * (1 / norm(axis)), .material = 1};
    wall.shape.kind = kind;
    wall.rotation = {.pivot = wall.point, .axis = wall.normal};
    return wall;
}

inline void fill_between(RankCase& to, const GeneratorSettings& settings) {
    const std::vector<Wall>& walls = to.setup.walls;
    const std::vector<Grain> grains =
        generate(settings, to.setup.box, 7, to.grains.size(), [&](const Vec3& centre, double radius) {
            for (const Wall& wall : walls)
                if (wall.gap(centre, radius) < 0)
                    return false;
            return true;
        });
    to.grains.insert(to.grains.end(), grains.begin(), grains.end());
}

/// A drum that turns about its axis, half full.
inline RankCase drum() {
    RankCase result = start_case(make_box(13, 8, 13, {open, periodic, open}));
    Wall drum = shaped("drum", ShapeKind::cylinder, {6.5, 0, 6.5}, {0, 1, 0});
    drum.shape.radius = 6.4 * diameter;
    drum.motion = WallMotion::driven, drum.rotation.speed = 12;
    result.setup.walls.push_back(drum);
    fill_between(result, spheres(result.setup.box, 330, 0.3, 0, 0.6));
    return result;
}

/// A funnel with a stirrer that turns, an obstacle, and a plate that shakes; what leaves below is lost.
inline RankCase hopper() {
    RankCase result = start_case(make_box(14, 14, 20, {open, open, open}));
    Wall bin = shaped("bin", ShapeKind::cylinder, {7, 7, 10}, {0, 0, 1});
    bin.shape.side = ShapeSide::both, bin.shape.radius = 6 * diameter, bin.shape.axial = {0, 10 * diameter};
    Wall cone = shaped("cone", ShapeKind::cone, {7, 7, 3}, {0, 0, 1});
    cone.shape.side = ShapeSide::both;
    cone.shape.radius = 2.5 * diameter, cone.shape.end_radius = 6 * diameter;
    cone.shape.axial = {0, 7 * diameter};
    Wall blade = shaped("blade", ShapeKind::rectangle, {8, 7.5, 14}, {1, 0, 0});
    blade.shape.half_edges = {Vec3{0, 1.5 * diameter, 0}, Vec3{0, 0, 2 * diameter}};
    blade.motion = WallMotion::driven;
    blade.rotation = {.pivot = 7 * diameter * Vec3{1, 1, 0}, .axis = {0, 0, 1}, .speed = 40};
    Wall obstacle = shaped("obstacle", ShapeKind::sphere, {6, 6, 8}, {0, 0, 1});
    obstacle.shape.side = ShapeSide::outside, obstacle.shape.radius = 1.5 * diameter;
    Wall plate = shaped("plate", ShapeKind::disc, {9, 7, 6}, {0.6, 0, 0.8});
    plate.shape.radius = 0.7 * diameter, plate.motion = WallMotion::driven;
    plate.oscillation = {.amplitude = {0, 0, 0.2 * diameter}, .frequency = 80, .phase = 0.5};
    for (const Wall& wall : {bin, cone, blade, obstacle, plate})
        result.setup.walls.push_back(wall);
    fill_between(result, spheres(result.setup.box, 420, 0.2, 0.3, 1));
    result.steps = 160;
    return result;
}

/// A wheel that a moment and the grains turn, and a cone that is pressed in, sideways too, no faster than it
/// may be.
inline RankCase free_walls() {
    RankCase result = start_case(make_box(12, 10, 16, {walled, periodic, walled}));
    Wall wheel = shaped("wheel", ShapeKind::rectangle, {6, 5, 4}, {1, 0, 0});
    wheel.shape.half_edges = {Vec3{0, 3 * diameter, 0}, Vec3{0, 0, 3 * diameter}};
    wheel.motion = WallMotion::turning;
    wheel.rotation = {.pivot = wheel.point, .axis = {0, 1, 0}, .speed = 5, .inertia = 1e-11, .moment = 1e-8};
    Wall cone = shaped("cone", ShapeKind::cone, {6, 5, 15}, {0, 0, -1});
    cone.shape.side = ShapeSide::outside;
    cone.shape.radius = 3 * diameter, cone.shape.end_radius = 0, cone.shape.axial = {0, 4 * diameter};
    cone.motion = WallMotion::piston, cone.mass = 5e-5, cone.force = 2e-3;
    cone.most_speed = 0.3, cone.given_velocity = {0.02, 0, 0};
    result.setup.walls.push_back(wheel);
    result.setup.walls.push_back(cone);
    fill_between(result, spheres(result.setup.box, 420, 0.2, 0, 0.85));
    result.steps = 150;
    return result;
}

/// A circle and a line that turns in it.
inline RankCase mixer_of_discs() {
    RankCase result = start_case(make_box(30, 30, 0, {open, open, open}));
    Wall drum = shaped("drum", ShapeKind::cylinder, {15, 15, 0}, {0, 0, 1});
    drum.shape.radius = 14.5 * diameter, drum.motion = WallMotion::driven, drum.rotation.speed = -8;
    Wall blade = shaped("blade", ShapeKind::rectangle, {15, 10, 0}, {0, 1, 0});
    blade.shape.half_edges = {Vec3{6 * diameter, 0, 0}, Vec3{0, 0, 0.5}};
    blade.motion = WallMotion::driven;
    blade.rotation = {.pivot = drum.point, .axis = {0, 0, 1}, .speed = 20};
    result.setup.walls.push_back(drum);
    result.setup.walls.push_back(blade);
    fill_between(result, spheres(result.setup.box, 330, 0.3));
    result.setup.neighbours.tile = 4 * diameter;
    return result;
}

/// Rolling, torsion, cohesion and rebounds at walls that turn.
template <RankCase (*make)()>
RankCase with_all_laws() {
    RankCase result = make();
    const RankCase laws = result.setup.box.dimension == 3 ? all_laws_of_spheres() : all_laws_of_discs();
    result.setup.materials = laws.setup.materials;
    for (std::size_t i = 1; i < result.grains.size(); i += 3)
        result.grains[i].material = 1;
    return result;
}

} // namespace tamp::test
