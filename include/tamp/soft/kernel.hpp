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

/// What is chosen for all contacts.
struct KernelOptions {
    bool rotate_springs = false; ///< into the tangent plane, instead of projecting them
    bool follow_energy = false;  ///< for the energy budget
};

/// What the forces of a step are made of. Memory of contacts is brought up to date.
struct KernelTask {
    const Box& box;
    std::span<const Sphere> spheres;
    std::span<const Body> bodies;
    std::span<ForceSum> sums; ///< forces are added here
    const HistoryLayout& layout;
    ForceUnit unit;
    double moved_for = 0; ///< s: how long the present velocities moved the particles to where they are
    KernelOptions options{};
};

/// Energy that went where in a step, J: stored by springs, dissipated, and work of growing radii.
struct ContactHeats {
    double elastic = 0, dashpots = 0, hysteresis = 0, sliding = 0, rolling = 0, torsion = 0, growth = 0;
};

/// What one call found.
struct KernelReport {
    double overlap = 0;        ///< largest, m
    std::int64_t touching = 0; ///< contacts
    bool too_strong = false;   ///< a force beyond `ForceUnit::largest`, or not a number: sums are worthless
    ContactHeats heats{};      ///< zeros unless `KernelOptions::follow_energy`
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
