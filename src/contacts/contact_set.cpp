#include "tamp/contacts/contact_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tamp {
namespace {

/// The impulse of the last step as a start for this one: turned with the contact, inside the friction cone.
Vec3 warm_start(const Vec3& old, const Vec3& normal, double friction, double scale) {
    if (old == Vec3{0, 0, 0})
        return old;
    const double old_n = dot(old, normal);
    const double p_n = std::max(0.0, old_n) * scale;
    Vec3 p_t = (old - old_n * normal) * scale;
    const double size = norm(p_t), limit = friction * p_n;
    if (size > limit)
        p_t *= limit / size;
    return p_n * normal + p_t;
}

void set_lane(double (&values)[3][lanes], int lane, const Vec3& v) {
    values[0][lane] = v.x, values[1][lane] = v.y, values[2][lane] = v.z;
}

Vec3 lane_of(const double (&values)[3][lanes], int lane) {
    return {values[0][lane], values[1][lane], values[2][lane]};
}

} // namespace

ContactSet::Place ContactSet::place(std::int32_t first, std::int32_t second) {
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
    }
    const Place result{open.batch, open.count++};
    batches_[result.batch].first[result.lane] = first;
    batches_[result.batch].second[result.lane] = second;
    used_first |= std::uint64_t{1} << slot;
    used_second |= std::uint64_t{1} << slot;
    if (open.count == lanes)
        finish(slot);
    return result;
}

/// Lanes that nobody took become null contacts.
void ContactSet::finish(std::size_t slot) {
    ContactBatch& batch = batches_[open_[slot].batch];
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
    double margin, per_step, impulse_scale;
};

void ContactSet::update(const Box& box, const ParticleStore& store, const MaterialTable& materials,
                        std::span<const Wall> walls, PairCandidates& pairs, WallCandidates& wall_candidates,
                        double time_step, double margin, double impulse_scale,
                        std::span<const int> tile_order) {
    const std::size_t tiles = pairs.tile_begin.size() - 1;
    used_.assign(store.size() + 1, 0);
    batches_.clear(), sources_.clear(), wall_batches_.clear(), wall_sources_.clear();
    ranges_.assign(tiles, {}), wall_ranges_.assign(tiles, {});
    // More than enough: memory that is never touched costs nothing, growing by doubling does.
    const std::size_t room = pairs.size() / 6 + 16 * tiles;
    batches_.reserve(room), sources_.reserve(room);
    contacts_of_wall_.assign(walls.size(), 0);
    pair_count_ = wall_count_ = 0;
    largest_overlap_ = 0;

    const Step step{store, materials, walls, NearestImage(box), margin, 1.0 / time_step, impulse_scale};
    for (std::size_t k = 0; k < (tile_order.empty() ? tiles : tile_order.size()); ++k) {
        const std::size_t tile = tile_order.empty() ? k : static_cast<std::size_t>(tile_order[k]);
        add_pairs(pairs, tile, step);
        add_walls(wall_candidates, tile, step);
    }
    batch_count_ = static_cast<std::int64_t>(batches_.size());
}

/// Candidates whose gap may close in the step. Which ones do is hard to guess for the processor: no branch
/// here depends on it.
void ContactSet::find_near(PairCandidates& pairs, std::size_t tile, const Step& step) {
    const auto begin = static_cast<std::size_t>(pairs.tile_begin[tile]),
               end = static_cast<std::size_t>(pairs.tile_begin[tile + 1]);
    const Sphere* sphere = step.store.sphere.data();
    near_.resize(end - begin);
    std::size_t count = 0;
    for (std::size_t c = begin; c < end; ++c) {
        const Sphere &one = sphere[pairs.first[c]], &two = sphere[pairs.second[c]];
        const Vec3 branch = step.nearest(two.centre - one.centre);
        const double reach = one.radius + two.radius + step.margin;
        const double square = dot(branch, branch);
        near_[count] = {branch, square, static_cast<std::int32_t>(c)};
        const bool is_near = square < reach * reach;
        count += is_near ? 1 : 0;
        if (!is_near & (pairs.impulse[c] != Vec3{0, 0, 0}))
            pairs.impulse[c] = {0, 0, 0};
    }
    near_.resize(count);
}

void ContactSet::add_pairs(PairCandidates& pairs, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    ranges_[tile].begin = static_cast<std::int32_t>(batches_.size());
    find_near(pairs, tile, step);
    for (const Near& near : near_) {
        const auto c = static_cast<std::size_t>(near.candidate);
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const double distance = std::sqrt(near.square);
        const double gap = distance - (store.sphere[i].radius + store.sphere[j].radius);
        const Vec3 normal = near.branch * (1.0 / distance);
        const double friction = step.materials.friction(store.material[i], store.material[j]);
        const Place at = place(pairs.first[c], pairs.second[c]);
        ContactBatch& batch = batches_[at.batch];
        set_lane(batch.normal, at.lane, normal);
        batch.closing_speed[at.lane] = std::max(gap, 0.0) * step.per_step;
        batch.friction[at.lane] = friction;
        set_lane(batch.impulse, at.lane, warm_start(pairs.impulse[c], normal, friction, step.impulse_scale));
        sources_[at.batch][static_cast<std::size_t>(at.lane)] = near.candidate;
        largest_overlap_ = std::max(largest_overlap_, -gap);
        ++pair_count_;
    }
    finish_tile();
    ranges_[tile].end = static_cast<std::int32_t>(batches_.size());
}

void ContactSet::add_walls(WallCandidates& candidates, std::size_t tile, const Step& step) {
    const ParticleStore& store = step.store;
    wall_ranges_[tile].begin = static_cast<std::int32_t>(wall_batches_.size());
    int lane = lanes; // no batch open
    for (auto c = static_cast<std::size_t>(candidates.tile_begin[tile]);
         c < static_cast<std::size_t>(candidates.tile_begin[tile + 1]); ++c) {
        const auto i = static_cast<std::size_t>(candidates.body[c]);
        const std::int32_t w = candidates.wall[c];
        const Wall& wall = step.walls[static_cast<std::size_t>(w)];
        const double gap = wall.gap(store.sphere[i].centre, store.sphere[i].radius);
        if (gap >= step.margin) {
            candidates.impulse[c] = {0, 0, 0};
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
            lane = 0;
        }
        WallBatch& batch = wall_batches_.back();
        const double friction = step.materials.friction(store.material[i], wall.material);
        batch.body[lane] = candidates.body[c];
        batch.closing_speed[lane] = std::max(gap, 0.0) * step.per_step;
        batch.friction[lane] = friction;
        set_lane(batch.impulse, lane,
                 warm_start(candidates.impulse[c], wall.normal, friction, step.impulse_scale));
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
}

void ContactSet::remember(PairCandidates& pairs, WallCandidates& wall_candidates) const {
    const auto write_back = [](const auto& batches, const auto& sources, std::vector<Vec3>& impulse) {
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane)
                if (const std::int32_t source = sources[b][static_cast<std::size_t>(lane)]; source >= 0)
                    impulse[static_cast<std::size_t>(source)] = lane_of(batches[b].impulse, lane);
    };
    write_back(batches_, sources_, pairs.impulse);
    write_back(wall_batches_, wall_sources_, wall_candidates.impulse);
}

} // namespace tamp
