#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/measure/cell_grid.hpp"
#include "tamp/measure/extremes.hpp"
#include "tamp/measure/quantity.hpp"

namespace tamp {

/// How much of a particle counts in a cell. The shares of a particle add up to one.
struct CellShare {
    std::uint32_t particle, cell;
    double share;
};

/// By volume: exact parts of spheres (discs) between the planes of a grid that is cut along one axis only.
std::vector<CellShare> slab_shares(const CellGrid& grid, int axis, int dimension,
                                   const ParticleView& particles);

/// By a product of tents of half width `reach` about the centres, integrated exactly over the cells.
std::vector<CellShare> tent_shares(const CellGrid& grid, int dimension, double reach,
                                   const ParticleView& particles);

/// What averages are made of. `displacements` may be null. `cell_volumes`: what walls leave of each cell, m^3
/// (2-D: m^2); empty: all of it.
struct CoarseGrainInput {
    const World& world;
    const View& view;
    const Extremes& extremes;
    const std::vector<double>& masses;
    const std::vector<Vec3>* displacements;
    std::vector<double> cell_volumes{};
};

/// Averages over cells: volume_fraction, velocity and displacement (weighted by mass; particles that are held
/// fixed have none), temperature, coordination (weighted by number), and contact_stress, for which the ways
/// between centres are cut at the faces of the cells: its mean over cells is that of the whole packing.
/// Averages of cells with less than a thousandth of a particle are zero. One value a cell or k in a row;
/// shapes are {cells} or {cells, k}. The same bits on any number of ranks. Collective.
std::vector<Quantity> coarse_grained(const CoarseGrainInput& input, const CellGrid& grid,
                                     std::span<const CellShare> shares);

} // namespace tamp
