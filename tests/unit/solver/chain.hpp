#pragma once

#include <algorithm>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "bed.hpp"

namespace tamp::checks {

/// Spheres of diameter 1 that stand on one another, without friction, in tiles that are `height` of them
/// high, two at least. Contact j is below sphere j: contact 0 with a wall at z = 0, the last one with a wall
/// on top.
class Chain {
public:
    static constexpr double radius = 0.5, density = 2500, time_step = 1e-3;
    static constexpr double mass = density * 4 / 3 * std::numbers::pi * radius * radius * radius;

    /// `fixed`: this sphere never moves.
    Chain(int count, int height, std::vector<Wall> chain_walls, int fixed = -1)
        : walls(std::move(chain_walls)), count_(count), cloud_(make(count, height)) {
        cloud_.search(1.0, 0.1, walls);
        for (std::size_t i = 0; i < cloud_.store.size(); ++i)
            if (cloud_.store.id[i] == static_cast<std::uint64_t>(fixed))
                cloud_.store.body[i].inverse_mass = 0;
        exchange_.emplace(self(), cloud_.grid, cloud_.partition, *cloud_.tiles, cloud_.store,
                          cloud_.lists.pairs, cloud_.lists.walls, ExchangeRhythm::phase);
        const MaterialTable materials({{"glass", density, 0.0}});
        contacts.update(cloud_.grid.box(), cloud_.store, materials, walls, {}, cloud_.lists,
                        {.time_step = time_step, .margin = 0.01}, exchange_->tile_order());
        bodies = cloud_.store.body;
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    int count() const { return count_; }
    const TileGrid& grid() const { return cloud_.grid; }
    const LocalTiles& tiles() const { return *cloud_.tiles; }
    const ParticleStore& store() const { return cloud_.store; }
    SolveTask task() {
        return {bodies, contacts, *exchange_, *cloud_.tiles, KernelLaws(inertia_ratio(3)), 0};
    }

    /// Sphere i moves up with `speed(i)`, and contact j has the normal impulse `impulse(j)`.
    void set(const std::function<double(int)>& speed, const std::function<double(int)>& impulse) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (i < cloud_.store.size())
                bodies[i].velocity = {0, 0, speed(static_cast<int>(cloud_.store.sphere[i].centre.z))};
        const auto push = [&](auto& batch, const ContactSet::Sources& sources, const auto& contact_of) {
            for (int lane = 0; lane < lanes; ++lane)
                if (sources[static_cast<std::size_t>(lane)] >= 0)
                    set_lane(batch.impulse, lane, impulse(contact_of(lane)) * lane_of(batch.normal, lane));
        };
        const auto sphere = [&](std::int32_t body) {
            return static_cast<int>(cloud_.store.sphere[static_cast<std::size_t>(body)].centre.z);
        };
        for (const int slot : exchange_->tile_order()) {
            for (std::size_t b = 0; b < contacts.batches(slot).size(); ++b) {
                ContactBatch& batch = contacts.batches(slot)[b];
                push(batch, contacts.sources(slot)[b], [&](int lane) {
                    return std::max(sphere(batch.first[lane]), sphere(batch.second[lane]));
                });
            }
            for (std::size_t b = 0; b < contacts.wall_batches(slot).size(); ++b) {
                WallBatch& batch = contacts.wall_batches(slot)[b];
                push(batch, contacts.wall_sources(slot)[b],
                     [&](int lane) { return sphere(batch.body[lane]) == 0 ? 0 : count_; });
            }
        }
    }

    std::vector<Wall> walls;
    ContactSet contacts;
    std::vector<Body> bodies;

private:
    static test::Cloud make(int count, int height) {
        const double width = height; // one tile across
        const Box box{.upper = {width, width, static_cast<double>(count)},
                      .boundary = {Boundary::wall, Boundary::wall, Boundary::wall}};
        const TileGrid grid(box, height, 1.1);
        std::vector<Grain> grains(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < grains.size(); ++i)
            grains[i] = {.id = i,
                         .position = {0.5 * width, 0.5 * width, static_cast<double>(i) + radius},
                         .radius = radius};
        const std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 1);
        return {self(), grid, Partition(costs, 1), grains};
    }

    int count_;
    test::Cloud cloud_;
    std::optional<PhaseExchange> exchange_;
};

inline Wall floor_of_chain() { return {.name = "floor", .point = {0, 0, 0}, .normal = {0, 0, 1}}; }
inline Wall ceiling_of_chain(int count) {
    return {.name = "ceiling", .point = {0, 0, static_cast<double>(count)}, .normal = {0, 0, -1}};
}
inline Wall as_piston(Wall wall, double mass, double force) {
    wall.motion = WallMotion::piston;
    wall.mass = mass, wall.force = force;
    return wall;
}

} // namespace tamp::checks
