#include "tamp/world/world.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/wall_motion.hpp"

namespace tamp {
namespace {

constexpr int searches_between_balances = 20;

} // namespace

World::World(const Communicator& ranks, const WorldSetup& world_setup, const EngineNeeds& engine_needs,
             const StartSizes& at_start)
    : communicator(ranks), setup(world_setup), needs(engine_needs), sizes_at_start(at_start), sizes(at_start),
      gravity(setup.gravity), walls(setup.walls),
      particles(setup.materials, setup.box.dimension, needs.attributes),
      neighbours(communicator, setup.box, setup.neighbours, sizes, needs) {
    // Columns share groups of files with those that are always there.
    std::vector<ColumnInfo> of_particles(particles.columns().begin(), particles.columns().end()),
        of_contacts = needs.history;
    for (const char* name :
         {"reference", "mass", "angular_velocity", "speed", "coordination", "pressure", "stress", "vertex"})
        of_particles.push_back({name});
    for (const char* name : {"first", "second", "wall", "tile", "normal", "gap", "ends", "force",
                             "normal_force", "tangential_force", "mobilisation", "line"})
        of_contacts.push_back({name});
    for (const auto& columns : {of_particles, of_contacts})
        if (const std::string problem = name_problem(columns); !problem.empty())
            throw std::logic_error("World: " + problem);
}

World::World(const Communicator& ranks, const WorldSetup& world_setup, const EngineNeeds& engine_needs,
             std::span<const Grain> grains, const WordTable& remembered)
    : World(ranks, world_setup, engine_needs,
            start_sizes(grains, world_setup.box.dimension, &world_setup.materials)) {
    deal_out(grains);
    neighbours.set_first_history(matched_rows(remembered, history_columns(needs.history)));
}

double World::fastest_wall() const {
    double speed = 0;
    for (const Wall& wall : walls)
        speed = std::max(speed, approach_speed(wall, box()));
    return speed;
}

/// Before anything is measured, a particle costs the same everywhere.
void World::deal_out(std::span<const Grain> grains) {
    const TileGrid& grid = neighbours.grid();
    const auto tile_of = [&](const Grain& grain) {
        return grid.number(grid.tile_of(setup.box.wrapped(grain.position)));
    };
    std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 0);
    for (const Grain& grain : grains)
        ++costs[static_cast<std::size_t>(tile_of(grain))];
    neighbours.set_partition(Partition(costs, communicator.size()));
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < grains.size(); ++i) {
        motion.local_speed = std::max(motion.local_speed, norm(grains[i].velocity));
        if (neighbours.partition().owner(tile_of(grains[i])) == communicator.rank())
            mine.push_back(i);
    }
    particles.resize(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        Grain grain = grains[mine[i]];
        grain.position = setup.box.wrapped(grain.position);
        particles.set(i, grain);
    }
    particles.owned = mine.size();
}

double World::gather_motion(double* largest) {
    double extremes[3] = {motion.local_speed, motion.local_displacement, largest ? *largest : 0.0};
    communicator.max(std::span<double>(extremes).first(largest ? 3 : 2));
    motion.displacement = std::max(extremes[1], motion.wall_displacement);
    if (largest)
        *largest = extremes[2];
    return extremes[0];
}

void World::set_growth(const Growth& wanted) {
    if (wanted.any() && sizes_at_start.growing.share < 0)
        throw FileError("particles cannot grow from here on: the checkpoint is of an earlier version, which "
                        "knew nothing of growth; start the run again");
    growth_ = wanted;
}

double World::growth_speed() const {
    // A stage may have told particles to stop since they grew.
    return std::max(last_growth_speed_, growth_.speed(0.5 * sizes.largest));
}

void World::grow(double time_step) {
    last_growth_ = growth_.over(time_step);
    last_growth_speed_ = 0;
    if (!growth_.any())
        return;
    particles.grow(last_growth_);
    grown_.now = grown_.now.then(last_growth_);
    sizes = grown_sizes(sizes_at_start, grown_.now, dimension());
    last_growth_speed_ = growth_.speed(0.5 * sizes.largest);
}

double World::grown_since_search() const {
    const double radius = 0.5 * sizes.largest;
    return radius - grown_.now.since(grown_.at_search).before(radius);
}

/// Tiles and cells for what particles have grown to. True if tiles were made anew, and dealt out by the
/// particles in them. Collective.
bool World::follow_growth() {
    const bool grew = grown_.now != grown_.at_search;
    grown_.at_search = grown_.now;
    if (!grew)
        return false;
    neighbours.set_sizes(sizes);
    if (neighbours.tiles_fit())
        return false;
    for (int axis = 0; axis < dimension(); ++axis)
        if (const double needed = 2 * neighbours.least_tile_edge();
            box().periodic(axis) && box().length(axis) < needed)
            throw NumericalError(fmt::format(
                "particles have grown too large for the box after step {} (t = {:.6g} s): it is {:.6g} m "
                "long along {}, which is periodic, and must be at least {:.6g} m for diameters of {:.6g} m; "
                "end the growth sooner, or start with more particles in a longer box",
                totals.steps, clock.time, box().length(axis), "xyz"[axis], needed, sizes.largest));
    neighbours.make_tiles(sizes);
    grown_.at_tiles = grown_.now;
    std::vector<std::int64_t> costs(static_cast<std::size_t>(neighbours.grid().count()), 0);
    for (std::size_t i = 0; i < particles.owned; ++i)
        ++costs[static_cast<std::size_t>(
            neighbours.grid().number(neighbours.grid().tile_of(box().wrapped(particles.sphere[i].centre))))];
    communicator.sum(std::span<std::int64_t>(costs));
    neighbours.set_partition(Partition(costs, communicator.size()));
    return true;
}

void World::search_neighbours(const SearchRequest& request) {
    const bool dealt_out = follow_growth();
    if (request.margin > neighbours.largest_skin())
        throw NumericalError(
            fmt::format("particles or walls move up to {:.2g} mean diameters in step {}, more than the "
                        "neighbour search can follow; choose a smaller time.step, or leave it out so "
                        "that the step adapts",
                        0.5 * request.margin / sizes.mean, totals.steps));
    neighbours.choose_skin(request.margin, request.skin);
    if (!dealt_out && totals.searches > 0 && totals.searches % searches_between_balances == 0)
        rebalance(request);
    totals.lost += communicator.sum(neighbours.search(communicator, particles, walls, request));
    walls_at_search_ = walls;
    motion.displacement = motion.local_displacement = motion.wall_displacement = 0;
    totals.skin_sum += neighbours.skin();
    ++totals.searches;
#ifndef NDEBUG
    validate();
#endif
}

void World::move(double time_step) {
    double speed = 0, displacement = 0; // squared
    bool finite = true;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3& velocity = particles.body[i].velocity;
        particles.sphere[i].centre += velocity * time_step;
        if (i < particles.owned) {
            const Vec3 moved = particles.sphere[i].centre - particles.reference[i];
            speed = std::max(speed, dot(velocity, velocity));
            displacement = std::max(displacement, dot(moved, moved));
            finite &= std::isfinite(dot(velocity, velocity)); // a maximum may step over a NaN
        }
    }
    motion.local_speed = finite ? std::sqrt(speed) : HUGE_VAL;
    motion.local_displacement = std::sqrt(displacement);
    move_walls(time_step);
}

void World::move_walls(double time_step) {
    double wall_move = 0;
    for (Wall& wall : walls) {
        wall_move = std::max(wall_move, approach_speed(wall, box()) * time_step);
        advance(wall, time_step);
    }
    motion.wall_displacement += wall_move;
}

void World::advance_clock(double time_step, double end_time) {
    clock.time = end_time - clock.time - time_step < 1e-9 * time_step ? end_time : clock.time + time_step;
    clock.last_step = time_step;
    ++totals.steps;
    has_stepped_ = true;
}

LoadCost World::load_cost() const {
    // With a clock in it, no run whose results depend on who owns what could be repeated.
    const LoadCost wanted = setup.neighbours.load_balance;
    return wanted == LoadCost::measured && needs.depends_on_ranks ? LoadCost::counted : wanted;
}

BusySeconds World::busy_seconds() const {
    const auto seconds = [&](const std::vector<std::string>& parts) {
        double sum = 0;
        for (const std::string& part : parts) {
            const auto entry = std::ranges::find(profile.entries(), part, &Profile::Entry::name);
            assert(entry != profile.entries().end()); // else the balance would know nothing of it
            sum += entry != profile.entries().end() ? entry->seconds : 0.0;
        }
        return sum;
    };
    return {seconds(needs.contact_parts), seconds(needs.particle_parts)};
}

/// Tiles change hands when the cost of the ranks differs.
void World::rebalance(const SearchRequest& request) {
    const LoadCost cost = load_cost();
    const BusySeconds now = busy_seconds(), since = now - std::exchange(busy_at_balance_, now);
    if (cost == LoadCost::never || (cost == LoadCost::measured && !has_stepped_))
        return; // the latter: a run that goes on from a file has nothing measured yet
    const std::vector<TileWork> work = request.work();
    const double sweeps_a_step =
        static_cast<double>(totals.sweeps) / static_cast<double>(std::max<std::int64_t>(1, totals.steps));
    const std::vector<std::int64_t> costs =
        tile_costs(communicator, neighbours.grid().count(), work,
                   cost == LoadCost::counted ? expected_seconds(work, sweeps_a_step) : since);
    const Partition better(costs, communicator.size());
    const LoadBalanceRecord::Change change{neighbours.partition().imbalance(costs), better.imbalance(costs)};
    if (change.before > 1.05 * change.after) {
        neighbours.set_partition(better);
        ++totals.balances;
        load_balance_.add(change);
    }
}

double World::imbalance() const {
    const std::int64_t most = communicator.max(contact_work);
    const std::int64_t total = communicator.sum(contact_work);
    return total > 0 ? static_cast<double>(most) * communicator.size() / static_cast<double>(total) : 1.0;
}

double World::busy_imbalance() const { return imbalance_of(communicator, busy_seconds() - busy_at_balance_); }

} // namespace tamp
