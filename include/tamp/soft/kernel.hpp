#pragma once

#include <span>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/particles/growth.hpp"
#include "tamp/particles/store.hpp"
#include "tamp/soft/batch.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/heat_sums.hpp"
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
    double moved_for = 0;        ///< s: how long the present velocities moved the particles to where they are
    bool rotate_springs = false; ///< into the tangent plane, instead of projecting them
    HeatSums* heats = nullptr;   ///< for an energy budget: what contacts do with energy is added here
    Grown grown{};               ///< what radii have become since the last step
};

/// What one call found.
struct KernelReport {
    double overlap = 0;        ///< largest, m
    std::int64_t touching = 0; ///< contacts
    bool too_strong = false;   ///< a force beyond `ForceUnit::largest`, or not a number: sums are worthless
};

/// Forces of the contacts of a range between particles. `batches` and `history` are those of the range; a
/// batch has `layout.words` rows of eight numbers in `history`.
KernelReport add_pair_forces(const KernelTask& task, const PairLaws& laws, const BatchRange& range,
                             const Batch* batches, double* history);

/// The same between particles and one wall; what the particles do to the wall is added to `on_wall`.
KernelReport add_wall_forces(const KernelTask& task, const PairLaws& laws, const Wall& wall,
                             const BatchRange& range, const Batch* batches, double* history,
                             ForceSum& on_wall);

} // namespace tamp::soft
