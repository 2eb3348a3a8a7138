#include "tamp/contacts/contact_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tamp {
namespace {

/// The impulse of the last step as a start for this one: turned with the contact, inside its limits.
Vec3 warm_start(const Vec3& old, const Vec3& normal, double friction, double scale, double strength) {
    if (old == Vec3{0, 0, 0})
        return old;
    const double old_n = dot(old, normal);
    const double p_n = std::max(0.0 - strength, old_n * scale);
    Vec3 p_t = (old - old_n * normal) * scale;
    const double size = norm(p_t), limit = friction * (p_n + strength);
    if (size > limit)
        p_t *= limit / size;
    return p_n * normal + p_t;
}

/// Candidates ahead whose spheres are called for: else every wrong guess about a gap waits for memory again.
constexpr std::size_t prefetch_distance = 16;

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
        law_columns_.add_batch();
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

    // As `warm_start`, without cohesion.
    const Pack old_n = dot(old, normal), scale = impulse_scale_;
    const Pack p_n = larger(old_n * scale, Pack(0.0));
    const PackVec3 p_t = scale * (old - old_n * normal);
    const Pack size = square_root(dot(p_t, p_t)), limit = Pack::load(batch.friction) * p_n;
    const Pack share = select(size > limit, limit / size, Pack(1.0));
    store(p_n * normal + share * p_t, batch.impulse);
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

    ContactTerms pair_terms(std::size_t i, std::size_t j, double gap, const Vec3& normal,
                            rigid::Bond past) const {
        const Body &one = store.body[i], &two = store.body[j];
        const double r1 = store.sphere[i].radius, r2 = store.sphere[j].radius;
        const double m1 = store.nominal_mass(i), m2 = store.nominal_mass(j);
        return contact_terms(
            materials.laws(store.material[i], store.material[j]),
            {.gap = gap,
             .normal = normal,
             .velocity = two.velocity - one.velocity - cross(one.surface + two.surface, normal),
             .spin = two.surface * two.inverse_radius - one.surface * one.inverse_radius,
             .partners = {r1 * r2 / (r1 + r2), 2 * m1 * m2 / (m1 + m2), scales.gravity},
             .past = past},
            store.dimension(), scales.time_step);
    }

    ContactTerms wall_terms(std::size_t i, const Wall& wall, double gap, rigid::Bond past) const {
        const Body& body = store.body[i];
        return contact_terms(materials.laws(store.material[i], wall.material),
                             {.gap = gap,
                              .normal = wall.normal,
                              .velocity = body.velocity - wall.velocity - cross(body.surface, wall.normal),
                              .spin = body.surface * body.inverse_radius,
                              .partners = {store.sphere[i].radius, 2 * store.nominal_mass(i), scales.gravity},
                              .past = past},
                             store.dimension(), scales.time_step);
    }
};

void ContactSet::update(const Box& box, const ParticleStore& store, const MaterialTable& materials,
                        std::span<const Wall> walls, PairCandidates& pairs, WallCandidates& wall_candidates,
                        const StepScales& scales, std::span<const int> tile_order) {
    laws_ = rigid::laws_used(materials, store.dimension());
    pairs.remember_for(laws_.set);
    wall_candidates.remember_for(laws_.set);
    const std::size_t tiles = pairs.tile_begin.size() - 1;
    used_.assign(store.size() + 1, 0);
    batches_.clear(), sources_.clear(), wall_batches_.clear(), wall_sources_.clear();
    ranges_.assign(tiles, {}), wall_ranges_.assign(tiles, {});
    // More than enough: memory that is never touched costs nothing, growing by doubling does.
    const std::size_t room = pairs.size() / 6 + 16 * tiles;
    batches_.reserve(room), sources_.reserve(room);
    law_columns_.start(laws_.set, room);
    wall_law_columns_.start(laws_.set, 0);
    contacts_of_wall_.assign(walls.size(), 0);
    pair_count_ = wall_count_ = 0;
    largest_overlap_ = 0;
    per_step_ = 1.0 / scales.time_step;
    impulse_scale_ = scales.impulse_scale;

    const Step step{store, materials, walls, NearestImage(box), scales};
    for (std::size_t k = 0; k < (tile_order.empty() ? tiles : tile_order.size()); ++k) {
        const std::size_t tile = tile_order.empty() ? k : static_cast<std::size_t>(tile_order[k]);
        add_pairs(pairs, tile, step);
        add_walls(wall_candidates, tile, step);
    }
    batch_count_ = static_cast<std::int64_t>(batches_.size());
}

void ContactSet::add_pairs(PairCandidates& pairs, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    ranges_[tile].begin = static_cast<std::int32_t>(batches_.size());
    const bool plain = laws_.plain(), one_material = step.materials.size() == 1;
    const double only_friction = step.materials.friction(0, 0);
    for (auto c = static_cast<std::size_t>(pairs.tile_begin[tile]);
         c < static_cast<std::size_t>(pairs.tile_begin[tile + 1]); ++c) {
        if (c + prefetch_distance < pairs.size()) {
            __builtin_prefetch(&store.sphere[static_cast<std::size_t>(pairs.first[c + prefetch_distance])]);
            __builtin_prefetch(&store.sphere[static_cast<std::size_t>(pairs.second[c + prefetch_distance])]);
            __builtin_prefetch(&pairs.impulse[c + prefetch_distance], 1);
        }
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Vec3 branch = step.nearest(store.sphere[j].centre - store.sphere[i].centre);
        const double reach = store.sphere[i].radius + store.sphere[j].radius;
        const double square = dot(branch, branch);
        if (square >= (reach + step.scales.margin) * (reach + step.scales.margin)) {
            pairs.impulse[c] = {0, 0, 0};
            if (!plain)
                pairs.forget(c);
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
            set_lane(batch.impulse, at.lane, pairs.impulse[c]);
        } else {
            const double distance = std::sqrt(square), gap = distance - reach;
            const Vec3 normal = branch * (1.0 / distance);
            const ContactTerms terms = step.pair_terms(i, j, gap, normal, pairs.last_bond(c));
            pairs.set_bond(c, terms.bond);
            set_lane(batch.normal, at.lane, normal);
            batch.closing_speed[at.lane] = terms.closing_speed;
            law_columns_.set(at.batch, at.lane, terms, pairs.last_torque(c) * step.scales.impulse_scale);
            set_lane(
                batch.impulse, at.lane,
                warm_start(pairs.impulse[c], normal, friction, step.scales.impulse_scale, terms.strength));
            largest_overlap_ = std::max(largest_overlap_, -gap);
        }
        if (open_[at.slot].count == lanes)
            finish(at.slot);
        ++pair_count_;
    }
    finish_tile();
    ranges_[tile].end = static_cast<std::int32_t>(batches_.size());
}

void ContactSet::add_walls(WallCandidates& candidates, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    wall_ranges_[tile].begin = static_cast<std::int32_t>(wall_batches_.size());
    const bool plain = laws_.plain();
    int lane = lanes; // no batch open
    for (auto c = static_cast<std::size_t>(candidates.tile_begin[tile]);
         c < static_cast<std::size_t>(candidates.tile_begin[tile + 1]); ++c) {
        const auto i = static_cast<std::size_t>(candidates.body[c]);
        const std::int32_t w = candidates.wall[c];
        const Wall& wall = step.walls[static_cast<std::size_t>(w)];
        const double gap = wall.gap(store.sphere[i].centre, store.sphere[i].radius);
        if (gap >= step.scales.margin) {
            candidates.impulse[c] = {0, 0, 0};
            candidates.forget(c);
            continue;
        }
        if (lane == lanes || wall_batches_.back().wall != w) {
            WallBatch& batch = wall_batches_.emplace_back();
            std::fill_n(batch.body, lanes, store.null_body());
            std::fill_n(batch.closing_speed, lanes, never_closes);
            std::fill_n(batch.friction, lanes, 0.0);
            std::fill_n(&batch.impulse[0][0], 3 * lanes, 0.0);
            batch.wall = w;
            wall_sources_.emplace_back().fill(-1);
            wall_law_columns_.add_batch();
            lane = 0;
        }
        WallBatch& batch = wall_batches_.back();
        const double friction = step.materials.friction(store.material[i], wall.material);
        batch.body[lane] = candidates.body[c];
        double strength = 0;
        if (plain) {
            batch.closing_speed[lane] = std::max(gap, 0.0) * per_step_;
        } else {
            const ContactTerms terms = step.wall_terms(i, wall, gap, candidates.last_bond(c));
            candidates.set_bond(c, terms.bond);
            strength = terms.strength;
            batch.closing_speed[lane] = terms.closing_speed;
            wall_law_columns_.set(wall_batches_.size() - 1, lane, terms,
                                  candidates.last_torque(c) * step.scales.impulse_scale);
        }
        batch.friction[lane] = friction;
        set_lane(
            batch.impulse, lane,
            warm_start(candidates.impulse[c], wall.normal, friction, step.scales.impulse_scale, strength));
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
    law_columns_.release();
}

void ContactSet::remember(PairCandidates& pairs, WallCandidates& wall_candidates,
                          std::span<const Wall> walls) const {
    const auto write_back = [](const auto& batches, const auto& sources, std::vector<Vec3>& impulse) {
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane)
                if (const std::int32_t source = sources[b][static_cast<std::size_t>(lane)]; source >= 0)
                    impulse[static_cast<std::size_t>(source)] = lane_of(batches[b].impulse, lane);
    };
    write_back(batches_, sources_, pairs.impulse);
    write_back(wall_batches_, wall_sources_, wall_candidates.impulse);
    if (!laws_.set.torques && !laws_.set.cohesion)
        return;

    const auto write_law_memory = [this](const auto& batches, const auto& sources, const LawColumns& columns,
                                         ContactMemory& memory, const auto& normal_of) {
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                if (sources[b][static_cast<std::size_t>(lane)] < 0)
                    continue;
                const auto c = static_cast<std::size_t>(sources[b][static_cast<std::size_t>(lane)]);
                if (laws_.set.torques)
                    memory.torque[c] = columns.torque(b, lane);
                if (laws_.set.cohesion)
                    memory.bond[c] =
                        rigid::bond_after(memory.bond[c], dot(memory.impulse[c], normal_of(batches[b], lane)),
                                          columns.strength(b, lane));
            }
    };
    write_law_memory(batches_, sources_, law_columns_, pairs,
                     [](const ContactBatch& batch, int lane) { return lane_of(batch.normal, lane); });
    write_law_memory(
        wall_batches_, wall_sources_, wall_law_columns_, wall_candidates,
        [&](const WallBatch& batch, int) { return walls[static_cast<std::size_t>(batch.wall)].normal; });
}

} // namespace tamp
