#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamp/contacts/history.hpp"
#include "tamp/laws/rigid/law_use.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/solver/batch.hpp"
#include "tamp/solver/law_batches.hpp"
#include "tamp/solver/rigid_history.hpp"

namespace tamp {

/// What `ContactSet::update` needs to know of a step.
struct StepScales {
    double time_step;
    double margin;            ///< the largest gap that can close within the step, or that cohesion bridges
    double impulse_scale = 1; ///< of the impulses of the last step as a start for this one
    double gravity = 0;       ///< m/s^2
};

/// The contacts of one step, by owned tile, as batches that the solver relaxes: those entries of the lists
/// whose gap may close in the step. Where a lane came from is kept apart from what the sweep reads.
class ContactSet {
    struct Range {
        std::int32_t begin = 0, end = 0;
    };
    template <class Vector, class T = std::remove_reference_t<decltype(std::declval<Vector&>()[0])>>
    static std::span<T> part(Vector& all, const Range& from, const Range& to) {
        return std::span<T>(all).subspan(static_cast<std::size_t>(from.begin),
                                         static_cast<std::size_t>(to.end - from.begin));
    }

public:
    using Sources = std::array<std::int32_t, lanes>; ///< candidate of each lane, -1 for null contacts

    /// Geometry of all entries of the lists; the impulses of the last step are what the solver starts from.
    /// Those beyond the margin forget what they had. Tiles that are relaxed one after the other are to be
    /// neighbours in `tile_order`, so that a phase streams through memory; empty: by slot.
    void update(const Box& box, const ParticleStore& store, const MaterialTable& materials,
                std::span<const Wall> walls, const rigid::LawUse& laws, ContactLists& lists,
                const StepScales& scales, std::span<const int> tile_order = {});

    /// Whether `advance` will do between two sub-steps; else they need an update.
    bool can_advance() const { return laws_.gaps_suffice(); }
    /// After a sub-step: gaps have changed by the normal velocities, g' = g + h u_n, while normals stay. In
    /// closing speeds c = g+/h that is c' = max(0, c + u_n): what overlaps may come back to where it was, and
    /// not beyond. Impulses are what the next sub-step starts from.
    void advance(std::span<const Body> bodies, std::span<const Wall> walls);

    /// Gives back the memory of the batches, until the next update.
    void release();
    /// The same memory for others to use until then, where giving it back and asking for it anew costs time.
    std::span<std::byte> lend() { return std::as_writable_bytes(std::span(batches_)); }

    /// Writes impulses, torques and bonds into the history.
    void remember(ContactLists& lists, const ParticleStore& store, const MaterialTable& materials,
                  std::span<const Wall> walls) const;

    std::span<ContactBatch> batches(int slot) { return part(batches_, range(slot), range(slot)); }
    std::span<WallBatch> wall_batches(int slot) {
        return part(wall_batches_, wall_range(slot), wall_range(slot));
    }
    std::span<const Sources> sources(int slot) const { return part(sources_, range(slot), range(slot)); }
    std::span<const Sources> wall_sources(int slot) const {
        return part(wall_sources_, wall_range(slot), wall_range(slot));
    }
    /// Batches of tiles that follow each other in the tile order.
    std::span<ContactBatch> batches(std::span<const int> slots) {
        return slots.empty() ? std::span<ContactBatch>{}
                             : part(batches_, range(slots.front()), range(slots.back()));
    }
    std::span<WallBatch> wall_batches(std::span<const int> slots) {
        return slots.empty() ? std::span<WallBatch>{}
                             : part(wall_batches_, wall_range(slots.front()), wall_range(slots.back()));
    }
    /// What the laws add to the batches of these tiles.
    LawBatches law_batches(std::span<const int> slots) {
        return slots.empty() ? LawBatches{} : law_batches(slots.front());
    }
    LawBatches law_batches(int slot) { return law_store_.rows(static_cast<std::size_t>(range(slot).begin)); }
    LawBatches wall_law_batches(std::span<const int> slots) {
        return slots.empty() ? LawBatches{} : wall_law_batches(slots.front());
    }
    LawBatches wall_law_batches(int slot) {
        return wall_law_store_.rows(static_cast<std::size_t>(wall_range(slot).begin));
    }
    /// The laws of the last update.
    const rigid::LawUse& laws() const { return laws_; }
    int tiles() const { return static_cast<int>(ranges_.size()); }

    std::int64_t pair_count() const { return pair_count_; }
    std::int64_t wall_count() const { return wall_count_; }
    /// Counts of the last update; they outlive `release` and `lend`.
    std::int64_t batch_count() const { return batch_count_; }
    std::int64_t batch_count(int slot) const { return range(slot).end - range(slot).begin; }
    std::int64_t wall_batch_count(int slot) const { return wall_range(slot).end - wall_range(slot).begin; }
    /// Contacts with each wall on this rank.
    const std::vector<std::int64_t>& contacts_of_wall() const { return contacts_of_wall_; }
    double largest_overlap() const { return largest_overlap_; }

private:
    const Range& range(int slot) const { return ranges_[static_cast<std::size_t>(slot)]; }
    const Range& wall_range(int slot) const { return wall_ranges_[static_cast<std::size_t>(slot)]; }

    struct Step; ///< what `update` was given

    struct Place {
        std::size_t slot; ///< of the open batches
        std::size_t batch;
        int lane;
    };
    /// Whoever has filled the last lane of a batch is to finish it.
    Place take_lane(std::int32_t first, std::int32_t second);
    void finish(std::size_t open_slot);
    void complete(ContactBatch& batch, int count);
    void finish_tile();
    void add_pairs(const PairList& pairs, RigidHistory& history, std::size_t tile, const Step& step);
    void add_walls(const WallList& list, RigidHistory& history, std::size_t tile, const Step& step);
    template <class Batch, class Cohesive>
    void remember_laws(const std::vector<Batch>& batches, std::span<const Sources> sources,
                       const LawBatchStore& columns, RigidHistory history, const Cohesive& cohesive) const;

    std::vector<ContactBatch> batches_;
    std::vector<Sources> sources_;
    std::vector<Range> ranges_, wall_ranges_;
    std::vector<WallBatch> wall_batches_;
    std::vector<Sources> wall_sources_;
    rigid::LawUse laws_;
    LawBatchStore law_store_, wall_law_store_;
    std::vector<std::int64_t> contacts_of_wall_;
    std::int64_t pair_count_ = 0, wall_count_ = 0, batch_count_ = 0;
    double largest_overlap_ = 0;
    double per_step_ = 0, impulse_scale_ = 1; ///< of the last update

    // Batches being filled: contacts go to the first one that has neither of their bodies. `used_` has, for
    // each body, a bit for each open batch that it is in.
    static constexpr std::size_t open_batches = 64;
    struct Open {
        std::size_t batch = 0;
        int count = 0; ///< lanes filled; 0: no batch here yet
    };
    std::array<Open, open_batches> open_{};
    std::vector<std::uint64_t> used_;
};

} // namespace tamp
