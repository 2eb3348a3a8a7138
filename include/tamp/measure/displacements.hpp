#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tamp/measure/view.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// How far every particle went since it was first seen, whatever rank owns it now. Particles change their
/// rank, so each has a home (its id modulo the number of ranks) that keeps where it was last and how far it
/// had come. Exact as long as no particle goes further than half the box along a periodic direction between
/// two looks.
class Displacements {
public:
    /// A look: the displacement of each particle of the view, zero at its first. Collective.
    std::vector<Vec3> update(const Communicator& communicator, const View& view);

    /// What is known of a particle.
    struct Record {
        std::uint64_t id;
        Vec3 last, way; ///< m; where it was last seen, and how far it had come
    };
    /// All that this rank keeps, by id; together with that of the other ranks it is all there is.
    std::vector<Record> records() const;
    /// Goes on from records, whichever rank has them, instead of from nothing. Collective.
    void restore(const Communicator& communicator, std::span<const Record> records);

private:
    struct Track {
        Vec3 last, way;
    };
    std::unordered_map<std::uint64_t, Track> home_;
};

} // namespace tamp
