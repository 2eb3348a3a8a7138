#include "packing.hpp"

#include <sys/resource.h>

#include <cmath>
#include <ctime>

#include "tamp/base/random.hpp"

namespace tamp {

DensePacking dense_packing(std::int64_t count) {
    constexpr double diameter = 0.01;
    const double cell = std::sqrt(2.0) * diameter * 1.002; // four spheres a cubic cell
    const int side = static_cast<int>(std::round(std::cbrt(static_cast<double>(count) / 4)));
    DensePacking packing;
    RigidSetup& setup = packing.setup;
    setup.box.upper = {side * cell, side * cell, side * cell * 1.05};
    setup.box.boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall};
    setup.gravity = {0, 0, -9.81};
    setup.materials = MaterialTable({{"grain", 2500, 0.5}});
    setup.walls.push_back({.name = "floor"});
    setup.solver.tolerance = 1e-3;

    const Vec3 corner[4] = {{0.25, 0.25, 0.4}, {0.75, 0.75, 0.4}, {0.25, 0.75, 0.9}, {0.75, 0.25, 0.9}};
    packing.grains.reserve(static_cast<std::size_t>(4 * side * side * side));
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                for (const Vec3& c : corner) {
                    Grain grain;
                    grain.id = packing.grains.size();
                    Random random(1, grain.id, Purpose::position);
                    grain.radius = 0.5 * diameter * random.uniform(0.9, 1.0);
                    grain.position = {(x + c.x) * cell, (y + c.y) * cell, (z + c.z) * cell};
                    grain.velocity = {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1),
                                      random.uniform(-0.1, 0.1)};
                    packing.grains.push_back(grain);
                }
    return packing;
}

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

} // namespace tamp
