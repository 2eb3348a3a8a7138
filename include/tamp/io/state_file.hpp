#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/base/state_hash.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Particles and contacts as state files hold them. Contacts are those that carry a force or remember
/// something; the shares of the ranks together are the state.
struct StateTables {
    WordTable particles; ///< `state_particle_columns`
    WordTable contacts;  ///< `state_contact_columns`

    friend bool operator==(const StateTables&, const StateTables&) = default;
};

/// A grain, and what particles have beside that.
std::vector<ColumnInfo> state_particle_columns(std::span<const ColumnInfo> attributes = {});
/// Partners (see `wall_partner`), unit normal from first to second, gap, and what is remembered.
std::vector<ColumnInfo> state_contact_columns(std::span<const ColumnInfo> history);
inline constexpr std::size_t state_grain_words = 12, state_touch_words = 6; ///< before attributes and history

WordTable particle_table(std::span<const Grain> grains);
std::vector<Grain> grains_of(const WordTable& particles);

struct StateHeader {
    double time = 0; ///< s
    std::int64_t step = 0;
    int dimension = 3;
    std::string stage;
    std::string input; ///< the effective case as TOML
    std::uint64_t seed = 0;
    int ranks = 1;
    double time_step = 0; ///< s; the last one
    Vec3 lower{0, 0, 0}, upper{0, 0, 0};
    std::vector<std::string> materials{}; ///< names, in the order of their indices; older files: none
    std::vector<double> densities{}; ///< kg/m^3 (kg/m^2), of the materials; written as masses, not read back
    std::optional<Vec3> gravity{};   ///< m/s^2, of the last step; older files: none

    friend bool operator==(const StateHeader&, const StateHeader&) = default;
};

/// Writes the state of a run. Collective, ranks without particles included; `header` and `walls` are taken
/// from rank 0. The file is sorted by id, so its data do not depend on how the particles are spread over the
/// ranks. It appears whole or not at all: until it is complete an earlier file of the same name stays. Every
/// failure is the same FileError on every rank.
void write_state(const Communicator& communicator, const std::string& path, const StateHeader& header,
                 StateTables owned, std::span<const Wall> walls);

struct State {
    StateHeader header;
    StateTables tables; ///< particles by id, contacts by (first, second)
    std::vector<Wall> walls;
    StateHash hash;
    std::string version, revision; ///< of the tamp that wrote it
};

/// One process reads, also files of versions 2 and 3. A file that is missing, foreign, truncated or damaged,
/// also one whose data do not match its hash, is a FileError that says what is wrong.
State read_state(const std::string& path);

/// What `tamp info` says about a state file, and about the other HDF5 files of a run: checkpoints, snapshots,
/// their index, series. One process reads.
std::string describe_state(const std::string& path);

/// What two runs must share to be the same bit by bit, the part of particles and contacts: all numbers of
/// particles by id, and the history of contacts by both ids: its first column by itself, then all others
/// together, each where it is not zero. How many contacts without any history are listed depends on the
/// neighbour search, and their geometry follows from the rest. This is the part of one rank; parts merge.
StateHash table_hash(const StateTables& tables);
/// The contacts of it alone.
StateHash contact_hash(const WordTable& contacts);
/// The part that all ranks share: time, step, length of the last step, box, and all numbers of the walls.
StateHash shared_hash(const StateHeader& header, std::span<const Wall> walls);

/// Both parts, over all ranks. Collective; `header` and `walls` are taken from rank 0.
StateHash state_hash(const Communicator& communicator, const StateTables& owned, const StateHeader& header,
                     std::span<const Wall> walls);

/// Collective sum of a hash over all ranks.
StateHash merge_over_ranks(const Communicator& communicator, const StateHash& part);

} // namespace tamp
