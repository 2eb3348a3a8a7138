#include "tamp/app/start_file.hpp"

#include <algorithm>
#include <bit>

#include "tamp/config/stored_input.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {
namespace {

bool is_checkpoint(const std::string& path) {
    const QuietHdf5 quiet;
    return Reader(path).format() == checkpoint_format;
}

/// As a state file would have them, bit by bit: see `ParticleStore::grain`.
std::vector<Grain> grains_of_checkpoint(const WordTable& particles) {
    const auto at = [&](const char* name) { return offset_of(particles.columns, name).value(); };
    const std::size_t id = at("id"), material = at("material"), position = at("position"),
                      radius = at("radius"), velocity = at("velocity"), surface = at("surface_velocity");
    std::vector<Grain> grains;
    grains.reserve(particles.rows());
    for (std::size_t r = 0; r < particles.rows(); ++r) {
        const auto row = particles.row(r);
        const auto number = [&](std::size_t k) { return std::bit_cast<double>(row[k]); };
        const auto vector = [&](std::size_t k) { return Vec3{number(k), number(k + 1), number(k + 2)}; };
        grains.push_back({.id = row[id],
                          .position = vector(position),
                          .radius = number(radius),
                          .velocity = vector(velocity),
                          .spin = vector(surface) * (1.0 / number(radius)),
                          .material = static_cast<std::int64_t>(row[material])});
    }
    std::ranges::sort(grains, {}, &Grain::id);
    return grains;
}

StartFile from_checkpoint(const std::string& path) {
    Checkpoint checkpoint = read_checkpoint(Communicator(MPI_COMM_SELF), path);
    StoredInput input = read_stored_input(checkpoint.identity.input, path);
    return {input.dimension,
            grains_of_checkpoint(checkpoint.world.particles),
            std::move(input.materials),
            std::move(checkpoint.world.walls),
            std::move(checkpoint.world.contacts),
            std::move(checkpoint.identity.input)};
}

} // namespace

StartFile read_start_file(const std::string& path) {
    if (is_checkpoint(path))
        return from_checkpoint(path);
    State state = read_state(path);
    std::vector<std::string>& materials = state.header.materials;
    if (materials.empty()) // a file of the time when they stood in the input alone
        materials = read_stored_input(state.header.input, path).materials;
    return {state.header.dimension, grains_of(state.tables.particles), std::move(materials),
            std::move(state.walls), std::move(state.tables.contacts),  std::move(state.header.input)};
}

} // namespace tamp
