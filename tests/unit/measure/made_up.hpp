#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../laws/random_vectors.hpp"
#include "rigid_run.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/measure/view.hpp"

/// States that no engine went through, for measures whose answer is known.
namespace tamp::made_up {

inline const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

inline const Quantity& find(const std::vector<Quantity>& list, const std::string& name) {
    for (const Quantity& quantity : list)
        if (quantity.name == name)
            return quantity;
    throw std::out_of_range("no quantity " + name);
}

inline double value(const std::vector<Quantity>& list, const std::string& name) {
    const Quantity& quantity = find(list, name);
    EXPECT_TRUE(quantity.shape.empty() && quantity.values.size() == 1) << name;
    return quantity.values.at(0);
}

inline void expect_whole(const std::vector<Quantity>& list) {
    for (const Quantity& quantity : list) {
        std::size_t size = 1;
        for (const std::size_t n : quantity.shape)
            size *= n;
        EXPECT_EQ(quantity.values.size(), size) << quantity.name;
        EXPECT_FALSE(quantity.unit.empty()) << quantity.name;
        EXPECT_FALSE(quantity.description.empty()) << quantity.name;
        for (const double x : quantity.values)
            EXPECT_TRUE(std::isfinite(x)) << quantity.name;
    }
}

/// An engine that lends its box, walls and materials: one sphere of diameter 1, far from whatever is made up.
inline RigidSetup setup_of(const Box& box, std::vector<Wall> walls = {}) {
    RigidSetup setup;
    setup.box = box;
    setup.walls = std::move(walls);
    setup.materials = MaterialTable({{"light", 1.0, 0.5}, {"heavy", 8.0, 0.5}, {"held", 1.0, 0.5, true}});
    return setup;
}

inline RigidRun engine_of(const RigidSetup& setup) {
    const Vec3 middle = 0.5 * (setup.box.lower + setup.box.upper);
    const std::vector<Grain> grains{{.id = 1, .position = middle, .radius = 0.5}};
    return RigidRun(self(), setup, grains);
}

inline View empty_view(const Box& box) {
    View view;
    view.box = box;
    return view;
}

inline void add_particle(View& view, const Vec3& position, double radius, const Vec3& velocity = {0, 0, 0},
                         int material = 0, int coordination = 0) {
    ParticleView& p = view.particles;
    p.id.push_back(p.size() + 1);
    p.position.push_back(view.box.wrapped(position)), p.radius.push_back(radius);
    p.mass.push_back(1);
    p.velocity.push_back(velocity), p.angular_velocity.push_back({0, 0, 0});
    p.material.push_back(material), p.coordination.push_back(coordination);
    p.stress.push_back({}), p.contact_force.push_back({0, 0, 0});
}

inline constexpr std::uint64_t no_wall = wall_bit - 1;

inline void add_contact(View& view, const Vec3& from, const Vec3& to, const Vec3& force,
                        std::uint64_t wall = no_wall) {
    ContactView& c = view.contacts;
    c.first.push_back(2 * c.size()), c.second.push_back(wall == no_wall ? 2 * c.size() + 1 : wall);
    const Vec3 inside = view.box.wrapped(from);
    c.from.push_back(inside), c.to.push_back(to + inside - from);
    c.normal.push_back((to - from) * (1 / norm(to - from)));
    c.gap.push_back(0), c.force.push_back(force);
    c.normal_force.push_back(dot(force, c.normal.back()));
    c.tangential_force.push_back(norm(force - c.normal_force.back() * c.normal.back()));
    c.mobilisation.push_back(0);
}

/// Any mix of periodic and open directions, two or three dimensions, a corner that is not the origin.
inline Box random_box(Random& random) {
    Box box;
    box.dimension = random.below(3) == 0 ? 2 : 3;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = random.uniform(-5, 5);
        box.upper[axis] = box.lower[axis] + random.uniform(3, 10);
        box.boundary[static_cast<std::size_t>(axis)] =
            random.below(2) == 0 ? Boundary::periodic : Boundary::open;
    }
    if (box.dimension == 2) {
        box.lower.z = box.upper.z = 0;
        box.boundary[2] = Boundary::open;
    }
    return box;
}

inline Vec3 random_position(Random& random, const Box& box) {
    Vec3 at{0, 0, 0};
    for (int axis = 0; axis < box.dimension; ++axis)
        at[axis] = random.uniform(box.lower[axis], box.upper[axis]);
    return at;
}

inline Vec3 flat_vector(Random& random, const Box& box) {
    Vec3 v = checks::random_vector(random);
    if (box.dimension == 2)
        v.z = 0;
    return v;
}

} // namespace tamp::made_up
