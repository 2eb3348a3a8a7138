#pragma once

#include <cstdint>

#include "tamp/config/case.hpp"
#include "tamp/world/engine_needs.hpp"

namespace tamp {

/// The peak of all processes together, in bytes, as a run will need it: files and measures included.
struct MemoryEstimate {
    double apart = 0;  ///< while hardly any particles touch
    double packed = 0; ///< in a dense packing, with as many contacts a particle as directions
    double contacts_a_particle = 0;
    double pictures = 0; ///< of these two, what ParaView takes
};

/// Of N particles with c contacts each on R ranks:
///
///   M = R program + max(R start N, (particle + (contact + word w + look) c) N) + R pictures
///
/// w: words that are remembered of a contact beside its impulse; look: only with [measure], [snapshots] or
/// [[picture]]; pictures: only with [[picture]]. The constants are in the source, with what they were
/// measured from; tests/system/memory.sh compares M with runs.
MemoryEstimate expected_memory(const Case& settings, const EngineNeeds& needs, std::int64_t particles,
                               int ranks);

} // namespace tamp
