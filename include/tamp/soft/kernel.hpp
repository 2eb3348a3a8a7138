#pragma once

#include <span>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/particles/store.hpp"
#include "tamp/soft/batch.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/history_layout.hpp"
#include "tamp/soft/pair_laws.hpp"

namespace tamp::soft {

/// What the forces of a step are made of. Memory of contacts is brought up to date.
struct KernelTask {
    const Box& box;
    std::span<const Sphere> spheres;
    std::span<const Body> bodies;
    std::span<ForceSum> sums; ///< forces are added here
    const HistoryLayout& layout;
    ForceUnit unit;
    double moved_for = 0; ///< s: how long the present velocities moved the particles to where they are
};

/// What one call found.
struct KernelReport {
    double overlap = 0;        ///< largest, m
    std::int64_t touching = 0; ///< contacts
    bool too_strong = false;   ///< a force beyond `ForceUnit::largest`, or not a number: sums are worthless
};

/// Forces of the contacts of a range between particles. `history` has `layout.words` rows a batch, from the
/// first batch of the range on.
KernelReport add_pair_forces(const KernelTask& task, const PairLaws& laws, std::span<const Batch> batches,
                             int contacts, PackColumns& history, std::size_t first_row);

/// The same between particles and one wall; what the particles do to the wall is added to `on_wall`.
KernelReport add_wall_forces(const KernelTask& task, const PairLaws& laws, const Wall& wall,
                             std::span<const Batch> batches, int contacts, PackColumns& history,
                             std::size_t first_row, ForceSum& on_wall);

} // namespace tamp::soft
