#pragma once

#include "rigid_run.hpp"

namespace tamp {

/// A dense packing of about `count` spheres (diameters 9 to 10 mm) on a floor with periodic sides: a
/// face-centred cubic arrangement with the gaps that the smaller ones leave, about to fall together.
struct DensePacking {
    RigidSetup setup;
    std::vector<Grain> grains;
};
DensePacking dense_packing(std::int64_t count);

/// CPU seconds of this process: what one core works, whoever else is on the machine.
double cpu_seconds();
/// Largest memory of this process so far, bytes.
double peak_memory();

} // namespace tamp
