#include "large_packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tamp/base/random.hpp"

namespace tamp {
namespace {

constexpr double diameter = 0.01;               // m, the largest
constexpr double spacing = 0.945 * diameter;    // of nearest neighbours
constexpr double skin = 0.05 * 0.95 * diameter; // as the engine chooses it for a slow bed
constexpr double margin = 2e-4 * diameter;

double cube_edge() { return 2 / std::sqrt(3.0) * spacing; } // of the lattice; two spheres each
double number_density() { return 2 / std::pow(cube_edge(), 3); }

/// Three orthogonal directions that are parallel to nothing.
std::array<Vec3, 3> turned_axes() {
    const Vec3 a = Vec3{1.0, 0.37, 0.21} * (1 / norm(Vec3{1.0, 0.37, 0.21}));
    const Vec3 c = cross(a, Vec3{0.13, 1.0, 0.59});
    const Vec3 z = c * (1 / norm(c));
    return {a, cross(z, a), z};
}

class TurnedLattice {
public:
    TurnedLattice(const TileGrid& grid) : grid_(grid), axes_(turned_axes()) {}

    void operator()(int number, std::vector<Grain>& grains) const {
        const Int3 tile = grid_.tile(number);
        Vec3 lower, edge;
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            edge[axis] = grid_.box().length(axis) / grid_.size()[a];
            lower[axis] = tile[a] * edge[axis];
        }
        // The lattice cubes that the tile may reach: the shadow of its corners on each axis.
        Int3 first, last;
        for (std::size_t a = 0; a < 3; ++a) {
            double least = dot(lower, axes_[a]), most = least;
            for (int axis = 0; axis < 3; ++axis) {
                const double reach = edge[axis] * axes_[a][axis];
                least += std::min(0.0, reach);
                most += std::max(0.0, reach);
            }
            first[a] = static_cast<int>(std::floor(least / cube_edge())) - 1;
            last[a] = static_cast<int>(std::ceil(most / cube_edge()));
        }
        for (int k = first[2]; k <= last[2]; ++k)
            for (int j = first[1]; j <= last[1]; ++j)
                for (int i = first[0]; i <= last[0]; ++i)
                    for (int centre = 0; centre < 2; ++centre)
                        add({i, j, k}, centre, tile, grains);
    }

private:
    void add(Int3 cube, int centre, Int3 tile, std::vector<Grain>& grains) const {
        const double half = 0.5 * centre;
        const Vec3 position = cube_edge() * ((cube[0] + half) * axes_[0] + (cube[1] + half) * axes_[1] +
                                             (cube[2] + half) * axes_[2]);
        const Box& box = grid_.box();
        for (int axis = 0; axis < 3; ++axis)
            if (!(position[axis] >= (axis == 2 ? 0.5 * diameter : 0.0) && position[axis] < box.upper[axis]))
                return;
        if (grid_.tile_of(position) != tile)
            return;
        constexpr std::uint64_t shift = 1 << 20; // cubes before the origin count too
        std::uint64_t id = static_cast<std::uint64_t>(centre);
        for (const int index : cube)
            id = id << 21 | (static_cast<std::uint64_t>(index + static_cast<int>(shift)));
        Random random(1, id, Purpose::position);
        grains.push_back(
            {.id = id, .position = position, .radius = 0.5 * diameter * random.uniform(0.9, 1.0)});
    }

    TileGrid grid_;
    std::array<Vec3, 3> axes_;
};

} // namespace

CountedPacking large_packing(std::int64_t particles, double tile_particles) {
    const double length = std::cbrt(static_cast<double>(particles) / number_density());
    const Box box{.upper = {length, length, length},
                  .boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall}};
    // The volume of a particle in a bed of the density that tiles are chosen for.
    const double edge = tile_particles > 0 ? std::cbrt(tile_particles / number_density())
                                           : suitable_tile_edge(particles, 0.6 / number_density(), 3);
    TileGrid grid(box, edge, 1.1 * diameter);
    grid.set_cells(diameter + skin);
    return {
        grid, MaterialTable({{"grain", 2500, 0.5}}), {{.name = "floor"}}, skin, margin, TurnedLattice(grid)};
}

std::vector<std::int64_t> tile_costs(const Communicator& world, const CountedPacking& packing) {
    std::vector<std::int64_t> costs(static_cast<std::size_t>(packing.grid.count()), 0);
    std::vector<Grain> grains;
    for (int tile = world.rank(); tile < packing.grid.count(); tile += world.size()) {
        grains.clear();
        packing.add_particles(tile, grains);
        costs[static_cast<std::size_t>(tile)] = static_cast<std::int64_t>(grains.size());
    }
    world.sum(std::span<std::int64_t>(costs));
    return costs;
}

} // namespace tamp
