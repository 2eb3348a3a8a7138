#include "tamp/engine/rigid_engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/laws/rigid/cohesion.hpp"

namespace tamp {
namespace {

constexpr const char *last_sweeps_name = "last_sweeps", *pressure_name = "pressure", *energy_name = "energy";

/// The largest gap over which a bond may last: its range, or what a held one may have, see cohesion.hpp.
double cohesion_reach(const WorldSetup& world, const rigid::LawUse& laws, const StartSizes& sizes) {
    if (!laws.set.cohesion)
        return 0;
    return std::max(rigid::held_gap * 0.5 * sizes.largest,
                    rigid::longest_range(world.materials, 0.5 * sizes.smallest, world.box.dimension,
                                         norm(world.gravity)));
}

std::span<const std::int64_t> find(std::span<const SavedWords> saved, const char* name) {
    const auto found = std::ranges::find(saved, name, &SavedWords::name);
    return found == saved.end() ? std::span<const std::int64_t>{} : found->words;
}

} // namespace

EngineNeeds RigidEngine::needs(const WorldSetup& world, const EngineSettings& settings,
                               const StartSizes& sizes) {
    const rigid::LawUse laws = rigid::laws_used(world.materials, world.box.dimension);
    return {.reach = cohesion_reach(world, laws, sizes),
            .what_reaches = "cohesion",
            .shorter_reach =
                "less cohesion_energy, a larger force, a shorter cohesion_range, or larger tiles",
            .history = RigidHistory::columns(laws.set),
            .contact_parts = {"sweeps", "residual"},
            .particle_parts = {"geometry", "move", "energy"},
            .depends_on_ranks = settings.solver.scheme == SweepScheme::block};
}

RigidEngine::RigidEngine(World& world, const EngineSettings& settings, std::span<const SavedWords> saved)
    : world_(world), settings_(settings), laws_(rigid::laws_used(world.setup.materials, world.dimension())),
      relaxation_(world.communicator, settings_.solver, world.dimension(), world.setup.seed, world.profile),
      search_part_(world.profile.part("neighbours")), geometry_part_(world.profile.part("geometry")),
      move_part_(world.profile.part("move")), solve_part_(world.profile.part("solve")),
      energy_part_(world.profile.part("energy")) {
    if (const auto words = find(saved, last_sweeps_name); !words.empty())
        relaxation_.set_last_sweeps(static_cast<int>(words.front()));
    if (const auto words = find(saved, pressure_name); !words.empty())
        pressure_ = std::bit_cast<double>(words.front());
    if (settings.energy_budget)
        energy_.restore(world.communicator, find(saved, energy_name));
    if (world.neighbours.searched())
        plan_exchange();
}

std::vector<SavedWords> RigidEngine::save() const {
    std::vector<SavedWords> saved{{last_sweeps_name, {relaxation_.last_sweeps()}},
                                  {pressure_name, {std::bit_cast<std::int64_t>(pressure_)}}};
    if (settings_.energy_budget)
        saved.push_back({energy_name, energy_.words(world_.communicator)});
    return saved;
}

StepReport RigidEngine::step(double end_time) {
    StepReport report;
    choose_time_step(end_time);
    if (world_.neighbours_are_stale(margin_)) {
        const Profile::Scope scope(world_.profile, search_part_);
        search_neighbours();
        plan_exchange();
        report.searched = true;
    }
    relaxation_.set_load(world_.walls, world_.gravity);
    const double h = time_step_ / substeps_;
    double before = world_.clock.last_step; // of the impulses to start from
    for (int i = 0; i < substeps_; ++i) {
        for (Wall& wall : world_.walls)
            set_velocity(wall, world_.clock.time + i * h, h);
        find_contacts(i > 0, h, before > 0 ? h / before : 1.0);
        substep(h, i == substeps_ - 1, report.solve);
        before = h;
    }
    world_.advance_clock(time_step_, end_time);
    world_.clock.last_step = h; // what impulses are divided by to give forces

    report.time_step = time_step_;
    report.contacts = world_.communicator.sum(contacts_.pair_count() + contacts_.wall_count());
    report.overlap = world_.communicator.max(contacts_.largest_overlap());
    count(report);
    return report;
}

/// From where particles are; or, where the step has its geometry already, from how they moved since.
void RigidEngine::find_contacts(bool has_geometry, double time_step, double impulse_scale) {
    if (has_geometry && !contacts_.can_advance())
        remember();
    const Profile::Scope scope(world_.profile, geometry_part_);
    if (has_geometry && contacts_.can_advance())
        return contacts_.advance(world_.particles.body, world_.walls);
    contacts_.update(world_.box(), world_.particles, world_.setup.materials, world_.walls, laws_,
                     world_.lists(),
                     {.time_step = time_step,
                      .margin = margin_,
                      .impulse_scale = impulse_scale,
                      .gravity = norm(world_.setup.gravity)},
                     exchange_->tile_order());
}

/// Gravity acts, impulses are found, everything moves.
void RigidEngine::substep(double time_step, bool last, SolveReport& report) {
    if (settings_.energy_budget) {
        const Profile::Scope scope(world_.profile, energy_part_);
        energy_.begin_step(world_.particles, world_.walls);
    }
    add_free_velocity(time_step);
    if (observer_ && last)
        observer_({world_, contacts_, time_step, false});
    {
        const Profile::Scope scope(world_.profile, solve_part_);
        report += relaxation_.solve(world_.particles.body, contacts_, *exchange_, world_.neighbours.tiles(),
                                    world_.walls, time_step, world_.totals.steps, limits_);
    }
    if (observer_ && last)
        observer_({world_, contacts_, time_step, true});
    if (settings_.energy_budget) {
        const Profile::Scope scope(world_.profile, energy_part_);
        energy_.end_step(world_.particles, world_.neighbours.tiles(), contacts_, world_.walls, world_.gravity,
                         time_step);
    }
    if (last) {
        remember();
        find_wall_torques(time_step);
    }
    const Profile::Scope scope(world_.profile, move_part_);
    world_.move(time_step);
}

void RigidEngine::remember() {
    const Profile::Scope scope(world_.profile, geometry_part_);
    contacts_.remember(world_.lists(), world_.particles, world_.setup.materials, world_.walls);
}

void RigidEngine::count(const StepReport& report) {
    Totals& totals = world_.totals;
    totals.sweeps += report.solve.sweeps;
    totals.capped_steps += report.solve.capped ? 1 : 0;
    totals.shortened_steps += report.solve.shortened ? 1 : 0;
    totals.contact_updates += static_cast<double>(report.contacts) * report.solve.sweeps;
    totals.largest_overlap = std::max(totals.largest_overlap, report.overlap);
    totals.largest_residual = std::max(totals.largest_residual, report.solve.residual);
    totals.residual_sum += report.solve.residual;
    totals.force_error_sum += report.solve.force_error;
    totals.resets += report.solve.resets;
    totals.fallbacks += report.solve.fallbacks;
    world_.contact_work = contacts_.batch_count();
    // Slowly: steps that follow the pressure of single steps would make a packing ring.
    constexpr double kept = 0.99;
    pressure_ = kept * pressure_ + (1 - kept) * report.solve.pressing / world_.clock.last_step;
}

double RigidEngine::largest_acceleration() const {
    double acceleration = norm(world_.gravity);
    for (const Wall& wall : world_.walls)
        if (wall.motion == WallMotion::piston)
            acceleration = std::max(acceleration, std::abs(wall.force) / wall.mass);
        else if (wall.motion == WallMotion::turning && !turns_in_itself(wall))
            acceleration = std::max(acceleration, std::abs(wall.rotation.moment) / wall.rotation.inertia *
                                                      turning_reach(wall, world_.box()));
    return acceleration;
}

/// No particle and no wall moves further than a share of the smallest diameter, nor than the neighbour search
/// can follow.
double RigidEngine::displacement_bound() const {
    return std::min(settings_.time.displacement * world_.sizes.smallest,
                    0.49 * world_.neighbours.largest_skin());
}

double RigidEngine::step_within_bound(double speed, double longest) const {
    if (settings_.time.step > 0)
        return settings_.time.step;
    const double bound = displacement_bound();
    // speed dt + acceleration dt^2 = bound
    const double acceleration = largest_acceleration();
    constexpr double steps_a_period = 20;
    for (const Wall& wall : world_.walls)
        if (wall.motion == WallMotion::driven && wall.oscillation.any())
            longest = std::min(longest, 1 / (steps_a_period * wall.oscillation.frequency));
    return std::min(longest,
                    2 * bound / (speed + std::sqrt(speed * speed + 4 * acceleration * bound) + 1e-300));
}

double RigidEngine::with_walls(double speed) const { return std::max(speed, world_.fastest_wall()); }

double RigidEngine::largest_time_step() const {
    const StepRule rule(packing_under({}));
    return step_within_bound(with_walls(world_.largest_speed()),
                             rule.longest_step(settings_.time, chosen_method(settings_.solver)));
}

void RigidEngine::choose_time_step(double end_time) {
    const double speed = with_walls(world_.gather_motion());
    if (!std::isfinite(speed))
        throw NumericalError(fmt::format("velocities are no longer finite after step {} (t = {:.6g} s)",
                                         world_.totals.steps, world_.clock.time));
    choose_substeps(speed);
    // Never a tiny last step: its impulses would drown in the velocity errors of the step before.
    const double left = end_time - world_.clock.time;
    if (left < time_step_ * (1 + 1e-9))
        time_step_ = left;
    else if (left < 2 * time_step_)
        time_step_ = 0.5 * left;
    if (speed * time_step_ > 1.001 * displacement_bound())
        ++world_.totals.fast_steps;
    margin_ = std::max({2 * (speed + largest_acceleration() * time_step_) * time_step_,
                        1e-4 * world_.sizes.smallest, world_.needs.reach});
}

void RigidEngine::choose_substeps(double speed) {
    const SolverSettings& solver = settings_.solver;
    const StaticLoad load = exchange_ ? relaxation_.set_load(world_.walls, world_.gravity) : StaticLoad{};
    const StepRule rule(packing_under(load));
    substeps_ = std::max(1, solver.substeps);
    limits_ = {};
    double longest = rule.longest_step(settings_.time, chosen_method(solver));
    int solves = 1; // that may each let overlaps grow as a step may
    if (solver.substeps == 0 && settings_.time.step == 0 && rule.is_deep()) {
        // More sub-steps would save little, and grains that collapse move too far for one geometry.
        const int most = laws_.gaps_suffice() ? 2 : 1;
        const double by_rule = rule.longest_step(std::max(load.pressure, pressure_));
        const double given = settings_.time.max_step > 0 ? settings_.time.max_step : most * by_rule;
        longest = std::min(given, by_rule);
        time_step_ = step_within_bound(speed, std::min(given, most * by_rule));
        substeps_ = time_step_ > longest ? most : 1;
        limits_.sweeps = rule.sweeps(time_step_ / substeps_ / by_rule);
        solves = substeps_; // `longest` is that of one of them
    } else {
        time_step_ = step_within_bound(speed, longest);
    }
    const double growth = solver.overlap_tolerance > 0 ? solver.overlap_tolerance * world_.sizes.mean
                                                       : rule.overlap_growth(longest) * solves;
    limits_.approach = growth / time_step_;
    limits_.insists = solver.overlap_tolerance > 0;
}

/// A load that is far larger than the weight drives grains faster than gravity does.
LoadedPacking RigidEngine::packing_under(const StaticLoad& load) const {
    constexpr double share_of_load = 0.05;
    const double pushed = load.mass > 0 ? load.pressure / load.mass : largest_acceleration();
    return {.dimension = world_.dimension(),
            .mass = load.grain,
            .diameter = world_.sizes.mean,
            .acceleration = std::max(norm(world_.gravity), share_of_load * pushed),
            .load_mass = load.mass};
}

void RigidEngine::search_neighbours() {
    SearchRequest request{.margin = margin_,
                          .spare = contacts_.lend(), // only what is in the batches had an impulse
                          .loaded = static_cast<std::size_t>(contacts_.pair_count() + contacts_.wall_count()),
                          .work = [this] { return work_of_tiles(); }};
    if (settings_.energy_budget) // those who leave take their energy with them
        request.leaving = [this](std::size_t i) { energy_.leave(world_.particles.kinetic_energy(i)); };
    world_.search_neighbours(request);
}

void RigidEngine::plan_exchange() {
    assert(world_.neighbours.searched());
    exchange_.reset(); // its requests go before others are made
    const Neighbours& neighbours = world_.neighbours;
    exchange_.emplace(world_.communicator, neighbours.grid(), neighbours.partition(), neighbours.tiles(),
                      world_.particles, neighbours.lists().pairs, neighbours.lists().walls,
                      settings_.solver.scheme == SweepScheme::block ? ExchangeRhythm::sweep
                                                                    : ExchangeRhythm::phase);
    relaxation_.plan(neighbours.grid(), neighbours.tiles(), world_.particles);
}

/// By the batches of the last step; where the clock may not decide, by the contacts that bear a force, which
/// a run that goes on from a file knows as well. A batch of wall contacts is half the work of another: it has
/// half as many bodies.
std::vector<TileWork> RigidEngine::work_of_tiles() const {
    const ContactLists& lists = world_.lists();
    const LocalTiles& tiles = world_.neighbours.tiles();
    const auto loaded = [](const auto& list, std::span<const Vec3> impulse, std::size_t slot) {
        const auto begin = impulse.begin() + list.tile_begin[slot],
                   end = impulse.begin() + list.tile_begin[slot + 1];
        return static_cast<double>(end - begin - std::count(begin, end, Vec3{0, 0, 0})) / lanes;
    };
    std::vector<TileWork> work;
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        const auto s = static_cast<std::size_t>(slot);
        const double batches = world_.load_cost() == LoadCost::counted
                                   ? loaded(lists.pairs, lists.pair_history.vectors(0), s) +
                                         0.5 * loaded(lists.walls, lists.wall_history.vectors(0), s)
                                   : static_cast<double>(contacts_.batch_count(slot)) +
                                         0.5 * static_cast<double>(contacts_.wall_batch_count(slot));
        work.push_back({tiles.tile(slot), batches, static_cast<double>(tiles.end(slot) - tiles.begin(slot))});
    }
    return work;
}

void RigidEngine::add_free_velocity(double time_step) {
    const Profile::Scope scope(world_.profile, move_part_);
    ParticleStore& particles = world_.particles;
    const Vec3 kick = world_.gravity * time_step;
    for (std::size_t i = 0; i < particles.size(); ++i)
        if (!particles.is_fixed(i))
            particles.body[i].velocity += kick;
}

/// From what was remembered, before anything moves. An impulse p acts on a particle at a radius from its
/// centre c along the normal n, beside the impulse t of the torques of rolling and torsion: the wall gets
/// -((c - r n - point) x p + t).
void RigidEngine::find_wall_torques(double time_step) {
    if (world_.walls.empty())
        return;
    torques_.assign(3 * world_.walls.size(), {});
    ContactLists& lists = world_.lists();
    const RigidHistory history(lists.wall_history);
    for (std::size_t c = 0; c < lists.walls.size(); ++c) {
        const Vec3& impulse = history.impulse[c];
        if (impulse == Vec3{0, 0, 0})
            continue;
        const auto w = static_cast<std::size_t>(lists.walls.wall[c]);
        const Wall& wall = world_.walls[w];
        const auto& [centre, radius] = world_.particles.sphere[static_cast<std::size_t>(lists.walls.body[c])];
        const Vec3 normal = wall.touch(centre, radius).normal;
        const Vec3 at = world_.box().wrapped(centre) - radius * normal;
        const Vec3 torque = cross(at - wall.point, impulse) + history.last_torque(c);
        for (int axis = 0; axis < 3; ++axis)
            torques_[3 * w + static_cast<std::size_t>(axis)].add(torque[axis]);
    }
    world_.communicator.sum(std::span<ExactSum>(torques_));
    const double per_step = -1.0 / time_step;
    for (std::size_t w = 0; w < world_.walls.size(); ++w)
        world_.walls[w].torque =
            Vec3{torques_[3 * w].value(), torques_[3 * w + 1].value(), torques_[3 * w + 2].value()} *
            per_step;
}

ContactForces RigidEngine::forces() const {
    const ContactLists& lists = world_.lists();
    const double time_step = world_.clock.last_step, per_step = time_step > 0 ? 1.0 / time_step : 0.0;
    ContactForces forces{.pairs = lists.pair_history.vectors(0),
                         .walls = lists.wall_history.vectors(0),
                         .scale = per_step,
                         .age = time_step,
                         .column = 0,
                         .sliding_limit = {}};
    const auto bond_column = laws_.set.cohesion ? lists.pair_history.find("bond") : std::nullopt;
    forces.sliding_limit = [this, per_step, time_step, bond_column](const TouchingContact& contact,
                                                                    double normal_force) {
        const ContactLaws& laws =
            world_.setup.materials.laws(contact.first_material, contact.second_material);
        const auto bond = bond_column
                              ? static_cast<rigid::Bond>(contact.history.integers(*bond_column)[contact.row])
                              : rigid::Bond::none;
        double strength = 0;
        if (laws.cohesion.value > 0 && bond != rigid::Bond::none) {
            const double full = rigid::cohesion_force(
                laws.cohesion, {contact.reduced_radius, contact.mean_mass, norm(world_.setup.gravity)});
            strength = per_step * rigid::cohesion_strength(laws.cohesion, bond, full,
                                                           rigid::cohesion_range(laws.cohesion, full),
                                                           contact.gap, 0.0, time_step);
        }
        return laws.friction * (normal_force + strength);
    };
    return forces;
}

std::optional<EnergyFlows> RigidEngine::energy_flows() const {
    if (!settings_.energy_budget)
        return {};
    EnergyFlows flows = energy_.flows(world_.communicator);
    flows.with_torques = laws_.set.torques;
    flows.with_cohesion = laws_.set.cohesion;
    return flows;
}

} // namespace tamp
