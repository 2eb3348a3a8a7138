#pragma once

#include <cmath>
#include <cstdint>

#include "tamp/base/random.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/measure/view.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

inline Vec3 three(double a) { return {a, 2 * a, -3 * a}; }

/// A state whose numbers all follow from the id of the particle or the two ids of the contact, so that every
/// reader can check them; see tests/system/check_snapshots.py. Ids have gaps: they are 3 i + 1.
inline void add_particle(View& view, std::uint64_t i) {
    const double x = static_cast<double>(3 * i + 1) / 64;
    ParticleView& to = view.particles;
    to.id.push_back(3 * i + 1);
    to.position.push_back(three(x + view.time));
    to.radius.push_back(0.25 + x);
    to.mass.push_back(2 + x);
    to.velocity.push_back(three(x - 1));
    to.angular_velocity.push_back(three(-x));
    to.material.push_back(static_cast<std::int32_t>(i % 3));
    to.coordination.push_back(static_cast<std::int32_t>(i % 7));
    to.stress.push_back({x, 2 * x, 3 * x, 4 * x, 5 * x, 6 * x});
    to.contact_force.push_back(three(2 * x));
}

/// Contact c joins particle c / 2 with one of the next two, or with wall 1; ordered by its ids like c itself.
inline void add_contact(View& view, std::uint64_t c) {
    const std::uint64_t i = c / 2, j = i + 1 + c % 2;
    const double x = static_cast<double>(3 * i + 1) / 64, f = static_cast<double>(c) / 8;
    ContactView& to = view.contacts;
    to.first.push_back(3 * i + 1);
    to.second.push_back(c % 10 == 3 ? wall_bit | 1 : 3 * j + 1);
    to.from.push_back(three(x + view.time));
    to.to.push_back(three(x + view.time + 0.5 * static_cast<double>(1 + c % 2)));
    to.normal.push_back(three(1.0 / 4));
    to.gap.push_back(-f / 1024);
    to.force.push_back(three(f));
    to.normal_force.push_back(f - 2);
    to.tangential_force.push_back(f / 2);
    to.mobilisation.push_back(static_cast<double>(c % 4) / 4);
    to.history.resize(to.size());
    to.history.integers(0).back() = static_cast<std::int64_t>(c % 3);
}

inline View empty_view(std::int64_t step) {
    View view;
    view.step = step;
    view.time = static_cast<double>(step) / 4;
    view.time_step = 0.25;
    view.box.upper = {1, 2, 3};
    view.box.boundary = {Boundary::periodic, Boundary::open, Boundary::wall};
    view.contacts.history = ColumnTable({{.name = "bond",
                                          .kind = WordKind::signed_integer,
                                          .description = "Of cohesion; 0: none, 1: made, 2: held"}});
    return view;
}

/// The part of a state that the dice give to this rank, in no order; all of it on one rank.
inline View synthetic_view(const Communicator& world, std::int64_t step, std::uint64_t particles,
                           std::uint64_t contacts, std::uint64_t dice) {
    const auto ranks = static_cast<std::uint64_t>(world.size());
    const auto mine = [&](std::uint64_t i, std::uint64_t kind) {
        Random random(dice + kind, i, Purpose::test);
        const auto owner = dice % 4 == 0 ? ranks - 1 : random.below(ranks); // sometimes one rank has all
        return owner == static_cast<std::uint64_t>(world.rank());
    };
    View view = empty_view(step);
    for (std::uint64_t i = particles; i-- > 0;)
        if (mine(i, 0))
            add_particle(view, i);
    for (std::uint64_t c = contacts; c-- > 0;)
        if (mine(c, 1000))
            add_contact(view, c);
    return view;
}

} // namespace tamp
