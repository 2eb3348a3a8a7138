#pragma once

#include <cstdint>
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

private:
    struct Track {
        Vec3 last, way;
    };
    std::unordered_map<std::uint64_t, Track> home_;
};

} // namespace tamp
