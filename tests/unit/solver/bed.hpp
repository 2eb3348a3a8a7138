#pragma once

#include <cstring>
#include <vector>

#include "../../parallel/cloud.hpp"
#include "../laws/random_vectors.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/solver/task.hpp"

/// A small bed on one rank for the tests of the solver's rooms.
namespace tamp::checks {

inline const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// Overlapping grains of random velocity in many tiles, with a floor and a wall through the middle. Contacts
/// have impulses to start from.
class Bed {
public:
    explicit Bed(ExchangeRhythm rhythm = ExchangeRhythm::phase, std::uint64_t seed = 1)
        : random_(seed, 0, Purpose::test), cloud_(make(random_)) {
        walls = {{.name = "floor", .point = {0, 0, 0.3}, .normal = {0, 0, 1}},
                 {.name = "middle", .point = {0, 3, 0}, .normal = {0, 0.6, 0.8}}};
        cloud_.search(largest, skin, walls);
        for (std::size_t i = 0; i < cloud_.store.size(); ++i) {
            cloud_.store.body[i].velocity = random_vector(random_);
            cloud_.store.body[i].surface = random_vector(random_);
        }
        exchange_.emplace(self(), cloud_.grid, cloud_.partition, *cloud_.tiles, cloud_.store,
                          cloud_.lists.pairs, cloud_.lists.walls, rhythm);
        const MaterialTable materials({{"glass", 2500, 0.3}});
        contacts.update(cloud_.grid.box(), cloud_.store, materials, walls, {}, cloud_.lists,
                        {.time_step = 1e-3, .margin = 0.1}, exchange_->tile_order());
        bodies = cloud_.store.body;
        for (const int slot : exchange_->tile_order()) {
            for (std::size_t b = 0; b < contacts.batches(slot).size(); ++b)
                push(contacts.batches(slot)[b].impulse, contacts.sources(slot)[b]);
            for (std::size_t b = 0; b < contacts.wall_batches(slot).size(); ++b)
                push(contacts.wall_batches(slot)[b].impulse, contacts.wall_sources(slot)[b]);
        }
    }
    Bed(const Bed&) = delete;
    Bed& operator=(const Bed&) = delete;

    SolveTask task(std::int64_t step = 0) {
        return {bodies, contacts, *exchange_, *cloud_.tiles, KernelLaws(inertia_ratio(3)), step};
    }
    std::vector<WallState> wall_states() const {
        std::vector<WallState> states;
        for (const Wall& wall : walls)
            states.push_back({wall.normal, wall.velocity, 0.0});
        return states;
    }

    std::vector<Wall> walls;
    ContactSet contacts;
    std::vector<Body> bodies;

private:
    static constexpr double largest = 1, skin = 0.2;

    static test::Cloud make(Random& random) {
        const Box box{.upper = {6, 6, 6}, .boundary = {Boundary::periodic, Boundary::wall, Boundary::wall}};
        const TileGrid grid(box, 1.5, largest + skin);
        return {self(), grid, test::random_partition(random, grid, 1),
                test::random_grains(random, box, 400, 0.3, 0.5)};
    }

    void push(double (&impulse)[3][lanes], const ContactSet::Sources& sources) {
        for (int lane = 0; lane < lanes; ++lane)
            if (sources[static_cast<std::size_t>(lane)] >= 0)
                set_lane(impulse, lane, 100.0 * random_vector(random_));
    }

    Random random_;
    test::Cloud cloud_;
    std::optional<PhaseExchange> exchange_;
};

/// Bodies and impulses, bit by bit.
inline bool same_bits(Bed& a, Bed& b) {
    const auto same = [](auto one, auto two) {
        return one.size() == two.size() && std::memcmp(one.data(), two.data(), one.size_bytes()) == 0;
    };
    const std::span<const int> order = a.task().exchange.tile_order();
    return same(std::span(a.bodies), std::span(b.bodies)) &&
           same(a.contacts.batches(order), b.contacts.batches(order));
}

} // namespace tamp::checks
