#include "tamp/engine/soft_engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/soft/elastic_energy.hpp"
#include "tamp/soft/integrate.hpp"
#include "tamp/soft/shared_forces.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

constexpr const char *overlap_name = "overlap", *energy_name = "energy", *gravity_name = "gravity_before";

} // namespace

EngineNeeds SoftEngine::needs(const WorldSetup& world, const EngineSettings& settings,
                              const StartSizes& sizes) {
    const double reach = (soft::LawTable(world.materials).largest_reach() - 1) * sizes.largest;
    return {.reach = reach,
            .reaches_far = reach > 0,
            .what_reaches = "attraction",
            .shorter_reach = "a smaller attraction_cutoff or a larger box",
            .history = soft::HistoryLayout(world.materials, settings.energy_budget).columns(),
            .contact_parts = {"forces"},
            .particle_parts = {"move", "screening"}};
}

SoftEngine::SoftEngine(World& world, const EngineSettings& settings, std::span<const SavedWords> saved)
    : world_(world), settings_(settings),
      // Of the start: with every law the contact time grows with the particles, so it stays short enough.
      time_step_(settings.time.step > 0
                     ? settings.time.step
                     : soft::shortest_times(world.setup.materials, world.sizes_at_start, world.dimension())
                           .step(settings.soft.steps_per_contact)),
      unit_(soft::largest_force(world.setup.materials, world.sizes_at_search(), world.dimension())),
      contacts_(world.setup.materials, settings.soft, settings.energy_budget), gravity_before_(world.gravity),
      search_part_(world.profile.part("neighbours")), screen_part_(world.profile.part("screening")),
      force_part_(world.profile.part("forces")), exchange_part_(world.profile.part("exchange")),
      wait_part_(world.profile.part("waiting")), reduction_part_(world.profile.part("reductions")),
      move_part_(world.profile.part("move")) {
    for (const SavedWords& one : saved)
        if (one.name == overlap_name)
            overlap_ = std::bit_cast<double>(one.words.front());
        else if (one.name == energy_name && settings.energy_budget)
            energy_.restore(world.communicator, one.words, world.walls.size());
        else if (one.name == gravity_name)
            for (int axis = 0; axis < 3; ++axis)
                gravity_before_[axis] = std::bit_cast<double>(one.words.at(static_cast<std::size_t>(axis)));
    if (world.neighbours.searched()) {
        plan_exchange();
        take_contacts(std::max(world.largest_speed(), largest_wall_speed()) + world.growth_speed());
    }
}

std::optional<double> SoftEngine::elastic_energy() const {
    contacts_.give_back(world_.lists());
    return soft::elastic_energy(world_, contacts_.laws(), world_.clock.last_step);
}

std::optional<double> SoftEngine::spring_energy() const {
    contacts_.give_back(world_.lists());
    return soft::spring_energy(world_, contacts_.laws(), world_.clock.last_step);
}

std::vector<SavedWords> SoftEngine::save() const {
    std::vector<SavedWords> saved{
        {overlap_name, {std::bit_cast<std::int64_t>(world_.communicator.max(overlap_))}}};
    if (settings_.energy_budget) {
        const auto bits = [&](int axis) { return std::bit_cast<std::int64_t>(gravity_before_[axis]); };
        saved.push_back({energy_name, energy_.words(world_.communicator)});
        saved.push_back({gravity_name, {bits(0), bits(1), bits(2)}});
    }
    return saved;
}

std::optional<EnergyFlows> SoftEngine::energy_flows() const {
    if (!settings_.energy_budget)
        return {};
    EnergyFlows flows = energy_.flows(world_.communicator);
    flows.with_torques = contacts_.layout().rolling >= 0 || contacts_.layout().torsion >= 0;
    return flows;
}

StepReport SoftEngine::step(double end_time) {
    StepReport report;
    report.time_step = step_until(end_time);
    const double speed = gather();
    report.overlap = overlap_;
    prepare_contacts(speed, report);
    find_forces();
    report.contacts = add_up();
    {
        const Profile::Scope scope(world_.profile, move_part_);
        move(0.5 * (world_.clock.last_step + report.time_step), report.time_step);
    }
    world_.advance_clock(report.time_step, end_time);
    world_.totals.contact_updates += static_cast<double>(report.contacts);
    world_.totals.largest_overlap = std::max(world_.totals.largest_overlap, report.overlap);
    return report;
}

/// Forces act for `kick`; then particles and walls move, and grow, for `time_step`.
void SoftEngine::move(double kick, double time_step) {
    const bool follow = settings_.energy_budget;
    ParticleStore& particles = world_.particles;
    if (follow) {
        energy_.fall(particles, 0.5 * (gravity_before_ + world_.gravity), world_.clock.last_step);
        gravity_before_ = world_.gravity;
        energy_.push_walls(world_.walls, world_.clock.last_step);
        energy_.begin_kick(particles);
    }
    push_walls(kick);
    for (Wall& wall : world_.walls)
        set_velocity(wall, world_.clock.time, time_step);
    const soft::Moved moved =
        soft::integrate(particles, sums_, unit_, world_.gravity, settings_.soft, {kick, time_step});
    world_.motion.local_speed = moved.speed;
    world_.motion.local_displacement = moved.displacement;
    if (follow) {
        energy_.end_kick(particles, settings_.soft, kick);
        energy_.note_walls(world_.walls);
    }
    world_.move_walls(time_step);
    const bool follow_growth = follow && world_.growth().any();
    if (follow_growth)
        energy_.begin_growth(particles);
    world_.grow(time_step);
    if (follow_growth)
        energy_.end_growth(particles);
    wall_speed_ = largest_wall_speed();
}

/// Never a tiny remainder before the end.
double SoftEngine::step_until(double end_time) const {
    const double left = end_time - world_.clock.time;
    return left < time_step_ * (1 + 1e-9) ? left : left < 2 * time_step_ ? 0.5 * left : time_step_;
}

/// The largest speed of particles and walls in the last step, and its largest overlap.
double SoftEngine::gather() {
    const Profile::Scope scope(world_.profile, reduction_part_);
    const double speed = world_.gather_motion(&overlap_);
    if (!std::isfinite(speed))
        throw NumericalError(
            fmt::format("velocities are no longer finite after step {} (t = {:.6g} s); choose a "
                        "smaller time.step",
                        world_.totals.steps, world_.clock.time));
    // A stage may have told a wall to stop since it moved. Surfaces come nearer by growth, too.
    return std::max({speed, wall_speed_, largest_wall_speed()}) + world_.growth_speed();
}

double SoftEngine::largest_wall_speed() const { return world_.fastest_wall(); }

/// Whatever touches must be among the contacts that are worked on.
void SoftEngine::prepare_contacts(double speed, StepReport& report) {
    moved_ += speed * world_.clock.last_step;
    if (world_.neighbours_are_stale(world_.neighbours.reach())) {
        const Profile::Scope scope(world_.profile, search_part_);
        search_neighbours(speed);
        report.searched = true;
    } else if (!taken_ || 2 * moved_ > margin_) {
        const Profile::Scope scope(world_.profile, screen_part_);
        contacts_.give_back(world_.lists());
        take_contacts(speed);
    }
}

void SoftEngine::search_neighbours(double speed) {
    contacts_.give_back(world_.lists());
    constexpr double steps_between = 200; // at this speed, until the next search
    const double mean = world_.sizes.mean, reach = world_.neighbours.reach();
    const double skin = std::clamp(2 * steps_between * speed * time_step_, 0.05 * mean, 0.3 * mean);
    SearchRequest request{.margin = std::min(reach, world_.neighbours.largest_skin()),
                          .skin = reach + skin,
                          .spare = contacts_.lend(), // the lists have all that was in it
                          .loaded = static_cast<std::size_t>(contacts_.count()),
                          .work = [this] { return work_of_tiles(); }};
    if (settings_.energy_budget) // those who leave take their energy with them
        request.leaving = [this](std::size_t i) { energy_.leave(world_.particles.kinetic_energy(i)); };
    world_.search_neighbours(request);
    unit_ = soft::ForceUnit(
        soft::largest_force(world_.setup.materials, world_.sizes, world_.dimension())); // they may have grown
    plan_exchange();
    take_contacts(speed);
}

/// The lists then have what contacts remember, and the next step takes it over again.
void SoftEngine::make_room() {
    contacts_.give_back(world_.lists());
    contacts_.release();
    taken_ = false;
}

void SoftEngine::plan_exchange() {
    assert(world_.neighbours.searched());
    exchange_.reset(); // its requests go before others are made
    const Neighbours& neighbours = world_.neighbours;
    exchange_.emplace(world_.communicator, neighbours.grid(), neighbours.partition(), neighbours.tiles(),
                      world_.particles, neighbours.lists().pairs, neighbours.lists().walls,
                      ExchangeRhythm::step);
    sums_.assign(world_.particles.size(), {});
}

void SoftEngine::take_contacts(double speed) {
    constexpr double steps_between = 30;
    const double mean = world_.sizes.mean;
    // What touched in the last step is still nearer than this, so that nothing that remembers is left behind.
    const double parted = 3 * speed * std::max(time_step_, world_.clock.last_step);
    margin_ = std::max(std::clamp(2 * steps_between * speed * time_step_, 0.002 * mean, 0.02 * mean), parted);
    moved_ = 0;
    taken_ = true;
    contacts_.take(world_.box(), world_.particles, world_.walls, world_.lists(), margin_,
                   exchange_->tile_order(), exchange_->boundary_count());
}

/// Forces of contacts on particles and walls, the same on all ranks that hold a particle.
void SoftEngine::find_forces() {
    on_walls_.assign(world_.walls.size(), {});
    const soft::KernelTask task{.box = world_.box(),
                                .spheres = world_.particles.sphere,
                                .bodies = world_.particles.body,
                                .sums = sums_,
                                .layout = contacts_.layout(),
                                .unit = unit_,
                                .moved_for = world_.clock.last_step,
                                .rotate_springs = settings_.soft.rotate_springs,
                                .heats = settings_.energy_budget ? &energy_.heats() : nullptr,
                                .grown = world_.clock.last_step > 0 ? world_.last_growth() : Grown{}};
    {
        const Profile::Scope scope(world_.profile, force_part_);
        contacts_.add_boundary_forces(task, world_.walls, on_walls_);
    }
    {
        const Profile::Scope scope(world_.profile, exchange_part_);
        soft::start_exchange(exchange_->once(), sums_);
    }
    {
        const Profile::Scope scope(world_.profile, force_part_);
        contacts_.add_other_forces(task, world_.walls, on_walls_);
    }
    {
        const Profile::Scope scope(world_.profile, wait_part_);
        soft::finish_exchange(exchange_->once(), sums_);
    }
    overlap_ = contacts_.report().overlap;
}

/// One message a step: what particles do to walls, whether forces are good, and how many contacts there were.
std::int64_t SoftEngine::add_up() {
    const Profile::Scope scope(world_.profile, reduction_part_);
    words_.clear();
    for (const soft::ForceSum& sum : on_walls_) {
        words_.insert(words_.end(), sum.force, sum.force + 3);
        words_.insert(words_.end(), sum.turn, sum.turn + 3);
    }
    words_.push_back(contacts_.report().touching);
    words_.push_back(contacts_.report().too_strong ? 1 : 0);
    world_.communicator.sum(std::span<std::int64_t>(words_));
    if (words_.back() > 0)
        throw NumericalError(
            fmt::format("contact forces are out of all bounds after step {} (t = {:.6g} s): particles "
                        "overlap by more than a "
                        "diameter, or collide too fast; choose a smaller time.step or stiffer grains",
                        world_.totals.steps, world_.clock.time));
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        Wall& wall = world_.walls[w];
        const std::int64_t* const sum = &words_[6 * w];
        wall.reaction = unit_.value(sum);
        wall.torque = soft::wall_lever(world_.box(), wall) * unit_.value(sum + 3);
    }
    return words_[6 * world_.walls.size()];
}

/// Free walls.
void SoftEngine::push_walls(double kick) {
    for (Wall& wall : world_.walls)
        if (wall.motion == WallMotion::piston) {
            const double push = wall.force + dot(wall.reaction, wall.normal), per_mass = kick / wall.mass;
            // Implicit: however strong the damping is, it only slows down.
            double speed =
                (dot(wall.velocity, wall.normal) + per_mass * push) / (1 + per_mass * wall.damping);
            if (wall.most_speed > 0)
                speed = std::clamp(speed, -wall.most_speed, wall.most_speed);
            wall.velocity = speed * wall.normal;
            if (wall.given_velocity != Vec3{0, 0, 0})
                wall.velocity += wall.given_velocity;
        } else if (wall.motion == WallMotion::turning) {
            WallRotation& rotation = wall.rotation;
            rotation.speed += kick * (rotation.moment + turning_moment(wall)) / rotation.inertia;
        }
}

/// Soft grains take many steps to answer, and a look costs as much as some of them. While radii grow, the
/// volume fraction grows by a share of 3e-4 at most between two looks, but never less than 10 steps lie
/// between them.
std::int64_t SoftEngine::steps_between_looks() const {
    constexpr double least = 10, most = 500, resolution = 3e-4;
    const double radius = 0.5 * world_.sizes_at_start.mean; // V ~ a^d, hence dV/V = d da/a
    const double share_of_step = world_.dimension() * world_.growth().speed(radius) / radius * time_step_;
    return static_cast<std::int64_t>(std::clamp(resolution / share_of_step, least, most));
}

std::vector<TileWork> SoftEngine::work_of_tiles() const {
    const LocalTiles& tiles = world_.neighbours.tiles();
    std::vector<TileWork> work;
    for (int slot = 0; slot < tiles.owned(); ++slot)
        work.push_back({tiles.tile(slot), static_cast<double>(contacts_.batch_count(slot)),
                        static_cast<double>(tiles.end(slot) - tiles.begin(slot))});
    return work;
}

ContactForces SoftEngine::forces() const {
    ContactLists& lists = world_.lists();
    contacts_.give_back(lists);
    ContactForces forces;
    forces.pairs = lists.pair_history.vectors(0);
    forces.walls = lists.wall_history.vectors(0);
    forces.age = world_.clock.last_step;
    forces.column = 0;
    forces.sliding_limit = [this](const TouchingContact& contact, double normal_force) {
        const SoftLaws& laws =
            world_.setup.materials.laws(contact.first_material, contact.second_material).soft;
        const double adhesion =
            laws.normal == NormalLaw::adhesive ? laws.adhesion_stiffness * std::max(0.0, -contact.gap) : 0.0;
        const double cohesion =
            laws.cohesion_force + laws.cohesion_per_radius * contact.reduced_radius +
            0.5 * laws.cohesion_per_mass * contact.mean_mass; // half of it is the reduced one
        return laws.sliding.friction * std::max(0.0, normal_force + adhesion + cohesion);
    };
    return forces;
}

} // namespace tamp
