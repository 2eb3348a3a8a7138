#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamp/contacts/batch.hpp"
#include "tamp/contacts/candidates.hpp"
#include "tamp/materials/material.hpp"

namespace tamp {

/// The contacts of one step, by owned tile, as batches that the solver relaxes: those candidates whose gap may close in
/// the step. Where a lane came from is kept apart from what the sweep reads.
class ContactSet {
    template <class Vector, class T = std::remove_reference_t<decltype(std::declval<Vector&>()[0])>>
    static std::span<T> part(Vector& all, const std::vector<std::int32_t>& begin, int slot) {
        const auto s = static_cast<std::size_t>(slot);
        return std::span<T>(all).subspan(static_cast<std::size_t>(begin[s]),
                                         static_cast<std::size_t>(begin[s + 1] - begin[s]));
    }

public:
    using Sources = std::array<std::int32_t, lanes>; ///< candidate of each lane, -1 for null contacts

    /// Geometry of all candidates; the impulses of the last step, times `impulse_scale`, are what the solver starts
    /// from. `margin` is the largest gap that can close within the step.
    void update(const Box& box, const ParticleStore& store, const MaterialTable& materials, std::span<const Wall> walls,
                const PairCandidates& pairs, const WallCandidates& wall_candidates, double time_step, double margin,
                double impulse_scale);

    /// Writes the impulses back to the candidates.
    void remember(PairCandidates& pairs, WallCandidates& wall_candidates) const;

    std::span<ContactBatch> batches(int slot) { return part(batches_, begin_, slot); }
    std::span<WallBatch> wall_batches(int slot) { return part(wall_batches_, wall_begin_, slot); }
    std::span<const Sources> sources(int slot) const { return part(sources_, begin_, slot); }
    std::span<const Sources> wall_sources(int slot) const { return part(wall_sources_, wall_begin_, slot); }
    int tiles() const { return static_cast<int>(begin_.size()) - 1; }

    std::int64_t pair_count() const { return pair_count_; }
    std::int64_t wall_count() const { return wall_count_; }
    std::int64_t batch_count() const { return static_cast<std::int64_t>(batches_.size()); }
    /// Contacts with each wall on this rank.
    const std::vector<std::int64_t>& contacts_of_wall() const { return contacts_of_wall_; }
    double largest_overlap() const { return largest_overlap_; }

private:
    struct Contact {
        std::int32_t first, second, source;
        Vec3 normal;
        double closing_speed, friction;
        Vec3 impulse;
    };
    void add(const Contact& contact);
    void close_batches();
    void emit(std::size_t open_slot);

    std::vector<ContactBatch> batches_;
    std::vector<Sources> sources_;
    std::vector<std::int32_t> begin_;
    std::vector<WallBatch> wall_batches_;
    std::vector<Sources> wall_sources_;
    std::vector<std::int32_t> wall_begin_;
    std::vector<std::int64_t> contacts_of_wall_;
    std::int64_t pair_count_ = 0, wall_count_ = 0;
    double largest_overlap_ = 0;

    // Batches being filled: contacts go to the first one that has neither of their bodies. `used_` has, for each body,
    // a bit for each open batch that it is in.
    static constexpr std::size_t open_batches = 64;
    struct Open {
        ContactBatch batch;
        Sources sources;
        int count = 0;
    };
    std::vector<Open> open_;
    std::vector<std::uint64_t> used_;
};

} // namespace tamp
