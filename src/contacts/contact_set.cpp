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

void ContactSet::add(const Contact& c) {
    std::uint64_t& used_first = used_[static_cast<std::size_t>(c.first)];
    std::uint64_t& used_second = used_[static_cast<std::size_t>(c.second)];
    std::uint64_t free = ~(used_first | used_second);
    if (free == 0) { // a body in all open batches: make room by closing the fullest
        const auto fullest = std::max_element(open_.begin(), open_.end(),
                                              [](const Open& a, const Open& b) { return a.count < b.count; });
        emit(static_cast<std::size_t>(fullest - open_.begin()));
        free = ~(used_first | used_second);
    }
    const auto slot = static_cast<std::size_t>(std::countr_zero(free));
    Open& open = open_[slot];
    const auto lane = static_cast<std::size_t>(open.count++);
    open.batch.first[lane] = c.first;
    open.batch.second[lane] = c.second;
    set_lane(open.batch.normal, static_cast<int>(lane), c.normal);
    open.batch.closing_speed[lane] = c.closing_speed;
    open.batch.friction[lane] = c.friction;
    set_lane(open.batch.impulse, static_cast<int>(lane), c.impulse);
    open.sources[lane] = c.source;
    used_first |= std::uint64_t{1} << slot;
    used_second |= std::uint64_t{1} << slot;
    if (open.count == lanes)
        emit(slot);
}

void ContactSet::emit(std::size_t slot) {
    Open& open = open_[slot];
    const std::uint64_t others = ~(std::uint64_t{1} << slot);
    const auto null_body = static_cast<std::int32_t>(used_.size() - 1);
    for (int lane = 0; lane < lanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        if (lane < open.count) {
            used_[static_cast<std::size_t>(open.batch.first[l])] &= others;
            used_[static_cast<std::size_t>(open.batch.second[l])] &= others;
            continue;
        }
        open.batch.first[l] = open.batch.second[l] = null_body;
        set_lane(open.batch.normal, lane, {0, 0, 0});
        set_lane(open.batch.impulse, lane, {0, 0, 0});
        open.batch.closing_speed[l] = never_closes;
        open.batch.friction[l] = 0;
        open.sources[l] = -1;
    }
    batches_.push_back(open.batch);
    sources_.push_back(open.sources);
    open.count = 0;
}

void ContactSet::close_batches() {
    for (std::size_t slot = 0; slot < open_.size(); ++slot)
        if (open_[slot].count > 0)
            emit(slot);
}

void ContactSet::update(const Box& box, const ParticleStore& store, const MaterialTable& materials,
                        std::span<const Wall> walls, const PairCandidates& pairs,
                        const WallCandidates& wall_candidates, double time_step, double margin, double impulse_scale) {
    open_.resize(open_batches);
    used_.assign(store.size() + 1, 0);
    batches_.clear(), sources_.clear(), begin_.clear();
    wall_batches_.clear(), wall_sources_.clear(), wall_begin_.clear();
    contacts_of_wall_.assign(walls.size(), 0);
    pair_count_ = wall_count_ = 0;
    largest_overlap_ = 0;
    const double per_step = 1.0 / time_step;

    for (std::size_t tile = 0; tile + 1 < pairs.tile_begin.size(); ++tile) {
        begin_.push_back(static_cast<std::int32_t>(batches_.size()));
        for (auto c = static_cast<std::size_t>(pairs.tile_begin[tile]);
             c < static_cast<std::size_t>(pairs.tile_begin[tile + 1]); ++c) {
            const auto i = static_cast<std::size_t>(pairs.first[c]), j = static_cast<std::size_t>(pairs.second[c]);
            const Vec3 branch = box.nearest(store.sphere[j].centre - store.sphere[i].centre);
            const double reach = store.sphere[i].radius + store.sphere[j].radius;
            const double square = dot(branch, branch);
            if (square >= (reach + margin) * (reach + margin))
                continue;
            const double distance = std::sqrt(square);
            const double gap = distance - reach;
            const Vec3 normal = branch * (1.0 / distance);
            const double friction = materials.friction(store.material[i], store.material[j]);
            largest_overlap_ = std::max(largest_overlap_, -gap);
            ++pair_count_;
            add({pairs.first[c], pairs.second[c], static_cast<std::int32_t>(c), normal,
                 std::max(gap, 0.0) * per_step, friction,
                 warm_start(pairs.impulse[c], normal, friction, impulse_scale)});
        }
        close_batches();
    }
    begin_.push_back(static_cast<std::int32_t>(batches_.size()));

    for (std::size_t tile = 0; tile + 1 < wall_candidates.tile_begin.size(); ++tile) {
        wall_begin_.push_back(static_cast<std::int32_t>(wall_batches_.size()));
        int lane = lanes; // no batch open
        for (auto c = static_cast<std::size_t>(wall_candidates.tile_begin[tile]);
             c < static_cast<std::size_t>(wall_candidates.tile_begin[tile + 1]); ++c) {
            const auto i = static_cast<std::size_t>(wall_candidates.body[c]);
            const std::int32_t w = wall_candidates.wall[c];
            const Wall& wall = walls[static_cast<std::size_t>(w)];
            const double gap = wall.gap(store.sphere[i].centre, store.sphere[i].radius);
            if (gap >= margin)
                continue;
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
            const double friction = materials.friction(store.material[i], wall.material);
            batch.body[lane] = wall_candidates.body[c];
            batch.closing_speed[lane] = std::max(gap, 0.0) * per_step;
            batch.friction[lane] = friction;
            set_lane(batch.impulse, lane, warm_start(wall_candidates.impulse[c], wall.normal, friction, impulse_scale));
            wall_sources_.back()[static_cast<std::size_t>(lane++)] = static_cast<std::int32_t>(c);
            largest_overlap_ = std::max(largest_overlap_, -gap);
            ++contacts_of_wall_[static_cast<std::size_t>(w)];
            ++wall_count_;
        }
    }
    wall_begin_.push_back(static_cast<std::int32_t>(wall_batches_.size()));
}

void ContactSet::remember(PairCandidates& pairs, WallCandidates& wall_candidates) const {
    std::fill(pairs.impulse.begin(), pairs.impulse.end(), Vec3{0, 0, 0});
    std::fill(wall_candidates.impulse.begin(), wall_candidates.impulse.end(), Vec3{0, 0, 0});
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
