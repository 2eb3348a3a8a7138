#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/contacts/history.hpp"
#include "tamp/soft/kernel.hpp"
#include "tamp/soft/settings.hpp"

namespace tamp::soft {

/// The candidates that touch, or nearly so, in batches with their memory: what a step works on. The others
/// are looked at again only when something has moved far enough to touch.
///
/// The lists of the world keep what contacts remember from one search to the next; in between it lies here.
class ActiveContacts {
public:
    ActiveContacts(const MaterialTable& materials, const SoftSettings& settings, bool follow_energy);

    const HistoryLayout& layout() const { return layout_; }
    const LawTable& laws() const { return laws_; }

    /// Takes over candidates with a gap below `margin`, which is so wide that all that touched in the last
    /// step are among them: only those remember something. Tiles lie in the order of `tile_order`; the first
    /// `boundary` of them are worked on first.
    void take(const Box& box, const ParticleStore& store, std::span<const Wall> walls, ContactLists& lists,
              double margin, std::span<const int> tile_order, std::size_t boundary);
    /// Gives the lists back what contacts remember.
    void give_back(ContactLists& lists) const;
    /// After that: gives back the memory of the batches, until they are taken again. Counts stay.
    void release();
    /// The same memory for others to use until then.
    std::span<std::byte> lend();

    /// Adds the forces of the tiles at the boundary; then those of the others. `on_walls` has an entry a
    /// wall.
    void add_boundary_forces(const KernelTask& task, std::span<const Wall> walls,
                             std::span<ForceSum> on_walls) {
        report_ = {};
        add_forces(task, walls, on_walls, std::span(ranges_).first(boundary_end_));
    }
    void add_other_forces(const KernelTask& task, std::span<const Wall> walls, std::span<ForceSum> on_walls) {
        add_forces(task, walls, on_walls, std::span(ranges_).subspan(boundary_end_));
    }

    /// Since the last `add_boundary_forces`.
    const KernelReport& report() const { return report_; }
    /// Contacts in batches, touching or nearly so.
    std::int64_t count() const { return count_; }
    /// Of these, the batches of a tile.
    std::int64_t batch_count(int slot) const { return batches_of_tile_[static_cast<std::size_t>(slot)]; }

private:
    class WordPlaces;
    struct Candidate {
        std::int32_t kind, row, first, second;
        bool across; ///< a period of the box lies between the two
    };
    void add_range(std::span<const Candidate> contacts, int wall, const WordPlaces& place);
    void add_tile(std::vector<Candidate>& contacts, int wall, const WordPlaces& place, std::size_t slot);
    void add_forces(const KernelTask& task, std::span<const Wall> walls, std::span<ForceSum> on_walls,
                    std::span<const BatchRange> ranges);
    void note(const KernelReport& report);

    HistoryLayout layout_;
    LawTable laws_;
    std::vector<Batch> batches_;
    std::vector<std::int32_t> rows_; ///< of the lists, by batch and lane; -1: unused
    PackColumns memory_;
    std::vector<BatchRange> ranges_; ///< boundary tiles first
    std::size_t boundary_end_ = 0;
    std::vector<std::int64_t> batches_of_tile_;
    std::int64_t count_ = 0;
    KernelReport report_;
};

} // namespace tamp::soft
