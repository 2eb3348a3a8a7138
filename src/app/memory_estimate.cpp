#include "tamp/app/memory_estimate.hpp"

#include <algorithm>

#include "tamp/base/column_table.hpp"

namespace tamp {
namespace {

// Bytes at the peak of runs of 64 000 to 200 000 spheres in a build for release, minus those of 27 spheres.
// They met within 10 % on one rank, within 30 % on 2 to 8.
constexpr double program = 49e6; ///< a rank, with MPI, HDF5 and PETSc
constexpr double start = 320; ///< a particle, on every rank: each begins with all particles and checks them
constexpr double particle = 675; ///< 200 000 spheres with 0.01 contacts each
constexpr double contact =
    340;                     ///< 1290 to 1420 bytes a particle at 2.04 to 2.33 contacts; 1080 at 1.3 (discs)
constexpr double word = 40;  ///< 2230 bytes a particle at 3.03 contacts with rolling, torsion and cohesion
constexpr double look = 150; ///< columns for files and pictures of all contacts: 344 bytes at 2.1 contacts
constexpr double paraview = 0.55e9; ///< a rank

constexpr double words_of_impulse = 3; ///< counted in `contact`

} // namespace

MemoryEstimate expected_memory(const Case& settings, const EngineNeeds& needs, std::int64_t particles,
                               int ranks) {
    const bool draws = !settings.pictures.empty();
    const bool looks = draws || settings.measure.wanted || settings.snapshots.wanted;
    double words = -words_of_impulse;
    for (const ColumnInfo& column : needs.history)
        words += column.kept ? static_cast<double>(column.width) : 0.0;
    const double a_contact = contact + word * words + (looks ? look : 0.0);
    MemoryEstimate estimate{.contacts_a_particle = static_cast<double>(settings.box.dimension),
                            .pictures = draws ? paraview * ranks : 0.0};
    const auto peak = [&](double contacts) {
        return program * ranks + estimate.pictures +
               static_cast<double>(particles) * std::max(start * ranks, particle + a_contact * contacts);
    };
    estimate.apart = peak(0);
    estimate.packed = peak(estimate.contacts_a_particle);
    return estimate;
}

} // namespace tamp
