#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tamp/geometry/box.hpp"
#include "tamp/particles/grain.hpp"
#include "tamp/particles/placement.hpp"

namespace tamp {

enum class SizeKind { mono, uniform, normal, lognormal, mixture };

/// Distribution of diameters by number. Lengths in metres.
struct SizeDistribution {
    SizeKind kind = SizeKind::mono;
    double diameter = 0;             ///< mono
    double mean = 0, deviation = 0;  ///< normal and lognormal: of the diameter itself, before the cut
    double min = 0, max = 0;         ///< uniform: the range; normal and lognormal: where it is cut
    std::vector<double> diameters{}; ///< mixture
    std::vector<double> weights{};   ///< mixture: share by number, need not sum to one
};

/// Whether a particle of that radius may be at a place; empty: anywhere.
using FreeSpace = std::function<bool(const Vec3& centre, double radius)>;

enum class GeneratorKind { random, lattice, file };

/// One `[[particles]]` entry of a case.
struct GeneratorSettings {
    GeneratorKind kind = GeneratorKind::random;
    int material = 0;
    SizeDistribution size;
    Vec3 lower{0, 0, 0}, upper{0, 0, 0}; ///< region that is filled
    std::int64_t count = 0; ///< number of particles; 0: as many as `fraction` or the region asks for
    double fraction = 0;    ///< volume fraction of the region
    double spacing = 0;     ///< lattice: distance of sites; 0: 1.02 largest diameters
    double jitter = 0;      ///< lattice: largest shift of a site as a share of the free space
    Vec3 velocity{0, 0, 0};
    double speed = 0;            ///< largest random speed added in each direction
    std::string path;            ///< file: absolute or relative to the case file
    bool material_given = false; ///< .h5 file: all particles get `material`; else each the one of its name
    bool take_walls = false;     ///< .h5 file: walls of the same name stand where the file had them
    Placement placement{};       ///< file
    /// File: what its materials of these names are here.
    std::vector<std::pair<std::string, int>> renamed{};
};

} // namespace tamp
