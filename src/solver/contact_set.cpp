#include "tamp/solver/contact_set.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "tamp/laws/rigid/warm_start.hpp"

namespace tamp {
namespace {

/// Candidates ahead whose spheres are called for: else every wrong guess about a gap waits for memory again.
constexpr std::size_t prefetch_distance = 16;

/// What a contact of the laws starts from; nothing stays exactly nothing.
Vec3 start(const Vec3& old, const Vec3& normal, double friction, const StepScales& scales, double strength) {
    return old == Vec3{0, 0, 0} ? old
                                : rigid::warm_start(old, normal, friction, scales.impulse_scale, strength);
}

} // namespace

ContactSet::Place ContactSet::take_lane(std::int32_t first, std::int32_t second) {
    std::uint64_t& used_first = used_[static_cast<std::size_t>(first)];
    std::uint64_t& used_second = used_[static_cast<std::size_t>(second)];
    std::uint64_t free = ~(used_first | used_second);
    if (free == 0) { // a body in all open batches: make room by closing the fullest
        const auto fullest = std::max_element(open_.begin(), open_.end(),
                                              [](const Open& a, const Open& b) { return a.count < b.count; });
        finish(static_cast<std::size_t>(fullest - open_.begin()));
        free = ~(used_first | used_second);
    }
    const auto slot = static_cast<std::size_t>(std::countr_zero(free));
    Open& open = open_[slot];
    if (open.count == 0) {
        open.batch = batches_.size();
        batches_.emplace_back();
        sources_.emplace_back();
        law_store_.add_batch();
    }
    const Place result{slot, open.batch, open.count++};
    batches_[result.batch].first[result.lane] = first;
    batches_[result.batch].second[result.lane] = second;
    used_first |= std::uint64_t{1} << slot;
    used_second |= std::uint64_t{1} << slot;
    return result;
}

/// Lanes that nobody took become null contacts.
void ContactSet::finish(std::size_t slot) {
    ContactBatch& batch = batches_[open_[slot].batch];
    if (laws_.plain())
        complete(batch, open_[slot].count);
    const std::uint64_t others = ~(std::uint64_t{1} << slot);
    const auto null_body = static_cast<std::int32_t>(used_.size() - 1);
    for (int lane = 0; lane < open_[slot].count; ++lane) {
        used_[static_cast<std::size_t>(batch.first[lane])] &= others;
        used_[static_cast<std::size_t>(batch.second[lane])] &= others;
    }
    for (int lane = open_[slot].count; lane < lanes; ++lane) {
        batch.first[lane] = batch.second[lane] = null_body;
        set_lane(batch.normal, lane, {0, 0, 0});
        set_lane(batch.impulse, lane, {0, 0, 0});
        batch.closing_speed[lane] = never_closes;
        batch.friction[lane] = 0;
        sources_[open_[slot].batch][static_cast<std::size_t>(lane)] = -1;
    }
    open_[slot].count = 0;
}

/// Eight contacts at once: where `add_pairs` left branch, radii and the old impulse come normal, closing
/// speed and the impulse to start from.
void ContactSet::complete(ContactBatch& batch, int count) {
    for (int lane = count; lane < lanes; ++lane) { // any numbers that do no harm
        set_lane(batch.normal, lane, {1, 0, 0});
        set_lane(batch.impulse, lane, {0, 0, 0});
        batch.closing_speed[lane] = batch.friction[lane] = 0;
    }
    const PackVec3 branch = load(batch.normal), old = load(batch.impulse);
    const Pack distance = square_root(dot(branch, branch));
    const Pack gap = distance - Pack::load(batch.closing_speed);
    const PackVec3 normal = (Pack(1.0) / distance) * branch;
    store(normal, batch.normal);
    (larger(gap, Pack(0.0)) * Pack(per_step_)).store(batch.closing_speed);
    largest_overlap_ = std::max(largest_overlap_, max_lanes(-gap));

    store(rigid::warm_start(old, normal, Pack::load(batch.friction), Pack(impulse_scale_), Pack(0.0)),
          batch.impulse);
}

void ContactSet::finish_tile() {
    for (std::size_t slot = 0; slot < open_.size(); ++slot)
        if (open_[slot].count > 0)
            finish(slot);
}

struct ContactSet::Step {
    const ParticleStore& store;
    const MaterialTable& materials;
    std::span<const Wall> walls;
    NearestImage nearest;
    StepScales scales;

    LawTerms pair_terms(std::size_t i, std::size_t j, double gap, const Vec3& normal,
                        rigid::Bond past) const {
        const Body &one = store.body[i], &two = store.body[j];
        const double r1 = store.sphere[i].radius, r2 = store.sphere[j].radius;
        const double m1 = store.nominal_mass(i), m2 = store.nominal_mass(j);
        return law_terms(materials.laws(store.material[i], store.material[j]),
                         {.gap = gap,
                          .normal = normal,
                          .velocity = two.velocity - one.velocity - cross(one.surface + two.surface, normal),
                          .spin = two.surface * two.inverse_radius - one.surface * one.inverse_radius,
                          .partners = {r1 * r2 / (r1 + r2), 2 * m1 * m2 / (m1 + m2), scales.gravity},
                          .past = past},
                         store.dimension(), scales.time_step);
    }

    /// Where a particle touches a wall, or would.
    Vec3 foot(std::size_t i, double gap, const Vec3& normal) const {
        return store.sphere[i].centre - (store.sphere[i].radius + gap) * normal;
    }

    LawTerms wall_terms(std::size_t i, const Wall& wall, double gap, const Vec3& normal,
                        rigid::Bond past) const {
        const Body& body = store.body[i];
        Vec3 surface = wall.velocity, spin = body.surface * body.inverse_radius;
        if (wall.turns()) {
            surface = wall.surface_velocity(foot(i, gap, normal));
            spin -= wall.rotation.spin();
        }
        return law_terms(materials.laws(store.material[i], wall.material),
                         {.gap = gap,
                          .normal = normal,
                          .velocity = body.velocity - surface - cross(body.surface, normal),
                          .spin = spin,
                          .partners = {store.sphere[i].radius, 2 * store.nominal_mass(i), scales.gravity},
                          .past = past},
                         store.dimension(), scales.time_step);
    }
};

void ContactSet::update(const Box& box, const ParticleStore& store, const MaterialTable& materials,
                        std::span<const Wall> walls, const rigid::LawUse& laws, ContactLists& lists,
                        const StepScales& scales, std::span<const int> tile_order) {
    laws_ = laws;
    const PairList& pairs = lists.pairs;
    RigidHistory history(lists.pair_history), wall_history(lists.wall_history);
    const std::size_t tiles = pairs.tile_begin.size() - 1;
    assert(lists.walls.tile_begin.size() == tiles + 1 && history.impulse.size() == pairs.size() &&
           wall_history.impulse.size() == lists.walls.size());
    used_.assign(store.size() + 1, 0);
    batches_.clear(), sources_.clear(), wall_batches_.clear(), wall_sources_.clear();
    ranges_.assign(tiles, {}), wall_ranges_.assign(tiles, {});
    // More than enough: memory that is never touched costs nothing, growing by doubling does.
    const std::size_t room = pairs.size() / 6 + 16 * tiles;
    batches_.reserve(room), sources_.reserve(room);
    law_store_.start(laws_.set, room);
    wall_law_store_.start(laws_.set, 0);
    contacts_of_wall_.assign(walls.size(), 0);
    pair_count_ = wall_count_ = 0;
    largest_overlap_ = 0;
    per_step_ = 1.0 / scales.time_step;
    impulse_scale_ = scales.impulse_scale;

    const Step step{store, materials, walls, NearestImage(box), scales};
    for (std::size_t k = 0; k < (tile_order.empty() ? tiles : tile_order.size()); ++k) {
        const std::size_t tile = tile_order.empty() ? k : static_cast<std::size_t>(tile_order[k]);
        add_pairs(pairs, history, tile, step);
        add_walls(lists.walls, wall_history, tile, step);
    }
    batch_count_ = static_cast<std::int64_t>(batches_.size());
}

void ContactSet::add_pairs(const PairList& pairs, RigidHistory& history, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    ranges_[tile].begin = static_cast<std::int32_t>(batches_.size());
    const bool plain = laws_.plain(), one_material = step.materials.size() == 1;
    const double only_friction = step.materials.friction(0, 0);
    for (auto c = static_cast<std::size_t>(pairs.tile_begin[tile]);
         c < static_cast<std::size_t>(pairs.tile_begin[tile + 1]); ++c) {
        if (c + prefetch_distance < pairs.size()) {
            __builtin_prefetch(&store.sphere[static_cast<std::size_t>(pairs.first[c + prefetch_distance])]);
            __builtin_prefetch(&store.sphere[static_cast<std::size_t>(pairs.second[c + prefetch_distance])]);
            __builtin_prefetch(&history.impulse[c + prefetch_distance], 1);
        }
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Vec3 branch = step.nearest(store.sphere[j].centre - store.sphere[i].centre);
        const double reach = store.sphere[i].radius + store.sphere[j].radius;
        const double square = dot(branch, branch);
        if (square >= (reach + step.scales.margin) * (reach + step.scales.margin)) {
            history.forget(c);
            continue;
        }
        const double friction =
            one_material ? only_friction : step.materials.friction(store.material[i], store.material[j]);
        const Place at = take_lane(pairs.first[c], pairs.second[c]);
        ContactBatch& batch = batches_[at.batch];
        batch.friction[at.lane] = friction;
        sources_[at.batch][static_cast<std::size_t>(at.lane)] = static_cast<std::int32_t>(c);
        if (plain) { // see `complete`
            set_lane(batch.normal, at.lane, branch);
            batch.closing_speed[at.lane] = reach;
            set_lane(batch.impulse, at.lane, history.impulse[c]);
        } else {
            const double distance = std::sqrt(square), gap = distance - reach;
            const Vec3 normal = branch * (1.0 / distance);
            const LawTerms terms = step.pair_terms(i, j, gap, normal, history.last_bond(c));
            history.set_bond(c, terms.bond);
            set_lane(batch.normal, at.lane, normal);
            batch.closing_speed[at.lane] = terms.closing_speed;
            law_store_.set(at.batch, at.lane, terms, history.last_torque(c) * step.scales.impulse_scale);
            set_lane(batch.impulse, at.lane,
                     start(history.impulse[c], normal, friction, step.scales, terms.strength));
            largest_overlap_ = std::max(largest_overlap_, -gap);
        }
        if (open_[at.slot].count == lanes)
            finish(at.slot);
        ++pair_count_;
    }
    finish_tile();
    ranges_[tile].end = static_cast<std::int32_t>(batches_.size());
}

void ContactSet::add_walls(const WallList& list, RigidHistory& history, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    wall_ranges_[tile].begin = static_cast<std::int32_t>(wall_batches_.size());
    const bool plain = laws_.plain();
    int lane = lanes; // no batch open
    for (auto c = static_cast<std::size_t>(list.tile_begin[tile]);
         c < static_cast<std::size_t>(list.tile_begin[tile + 1]); ++c) {
        const auto i = static_cast<std::size_t>(list.body[c]);
        const std::int32_t w = list.wall[c];
        const Wall& wall = step.walls[static_cast<std::size_t>(w)];
        const auto [gap, normal] = wall.touch(store.sphere[i].centre, store.sphere[i].radius);
        if (gap >= step.scales.margin) {
            history.forget(c);
            continue;
        }
        if (lane == lanes || wall_batches_.back().wall != w) {
            WallBatch& batch = wall_batches_.emplace_back();
            std::fill_n(batch.body, lanes, store.null_body());
            for (int unused = 0; unused < lanes; ++unused)
                set_lane(batch.normal, unused, normal);
            std::fill_n(batch.closing_speed, lanes, never_closes);
            std::fill_n(batch.friction, lanes, 0.0);
            std::fill_n(&batch.impulse[0][0], 3 * lanes, 0.0);
            std::fill_n(&batch.arm[0][0], 3 * lanes, 0.0);
            batch.wall = w;
            wall_sources_.emplace_back().fill(-1);
            wall_law_store_.add_batch();
            lane = 0;
        }
        WallBatch& batch = wall_batches_.back();
        const double friction = step.materials.friction(store.material[i], wall.material);
        batch.body[lane] = list.body[c];
        set_lane(batch.normal, lane, normal);
        if (wall.turns())
            set_lane(batch.arm, lane, wall.arm(step.foot(i, gap, normal)));
        double strength = 0;
        if (plain) {
            batch.closing_speed[lane] = std::max(gap, 0.0) * per_step_;
        } else {
            const LawTerms terms = step.wall_terms(i, wall, gap, normal, history.last_bond(c));
            history.set_bond(c, terms.bond);
            strength = terms.strength;
            batch.closing_speed[lane] = terms.closing_speed;
            wall_law_store_.set(wall_batches_.size() - 1, lane, terms,
                                history.last_torque(c) * step.scales.impulse_scale);
        }
        batch.friction[lane] = friction;
        set_lane(batch.impulse, lane, start(history.impulse[c], normal, friction, step.scales, strength));
        wall_sources_.back()[static_cast<std::size_t>(lane++)] = static_cast<std::int32_t>(c);
        largest_overlap_ = std::max(largest_overlap_, -gap);
        ++contacts_of_wall_[static_cast<std::size_t>(w)];
        ++wall_count_;
    }
    wall_ranges_[tile].end = static_cast<std::int32_t>(wall_batches_.size());
}

void ContactSet::release() {
    std::vector<ContactBatch>().swap(batches_);
    std::vector<Sources>().swap(sources_);
    law_store_.release();
}

void ContactSet::remember(ContactLists& lists, const ParticleStore& store, const MaterialTable& materials,
                          std::span<const Wall> walls) const {
    RigidHistory pairs(lists.pair_history), wall_contacts(lists.wall_history);
    const auto write_impulses = [](const auto& batches, const auto& sources, std::span<Vec3> impulse) {
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane)
                if (const std::int32_t source = sources[b][static_cast<std::size_t>(lane)]; source >= 0)
                    impulse[static_cast<std::size_t>(source)] = lane_of(batches[b].impulse, lane);
    };
    write_impulses(batches_, sources_, pairs.impulse);
    write_impulses(wall_batches_, wall_sources_, wall_contacts.impulse);
    const auto material = [&](std::int32_t body) { return store.material[static_cast<std::size_t>(body)]; };
    remember_laws(batches_, sources_, law_store_, pairs, [&](const ContactBatch& batch, int lane) {
        return std::pair(
            lane_of(batch.normal, lane),
            materials.laws(material(batch.first[lane]), material(batch.second[lane])).cohesion.value > 0);
    });
    remember_laws(
        wall_batches_, wall_sources_, wall_law_store_, wall_contacts, [&](const WallBatch& batch, int lane) {
            const Wall& wall = walls[static_cast<std::size_t>(batch.wall)];
            return std::pair(lane_of(batch.normal, lane),
                             materials.laws(material(batch.body[lane]), wall.material).cohesion.value > 0);
        });
}

/// `cohesive` tells the normal of a lane, and whether its materials stick to each other.
template <class Batch, class Cohesive>
void ContactSet::remember_laws(const std::vector<Batch>& batches, std::span<const Sources> sources,
                               const LawBatchStore& laws_of_batches, RigidHistory history,
                               const Cohesive& cohesive) const {
    if (!laws_.set.torques && !laws_.set.cohesion)
        return;
    for (std::size_t b = 0; b < batches.size(); ++b)
        for (int lane = 0; lane < lanes; ++lane) {
            if (sources[b][static_cast<std::size_t>(lane)] < 0)
                continue;
            const auto c = static_cast<std::size_t>(sources[b][static_cast<std::size_t>(lane)]);
            if (laws_.set.torques)
                history.torque[c] = laws_of_batches.torque(b, lane);
            if (laws_.set.cohesion) {
                const auto [normal, sticks] = cohesive(batches[b], lane);
                history.set_bond(c, sticks ? rigid::bond_after(history.last_bond(c),
                                                               dot(history.impulse[c], normal),
                                                               laws_of_batches.strength(b, lane))
                                           : rigid::Bond::none);
            }
        }
}

} // namespace tamp
