#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tamp/base/state_hash.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/contacts/memory.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Set in `ContactRecord::second` when the partner is a wall; the other bits are then its index.
inline constexpr std::uint64_t wall_contact_bit = wall_memory;

struct ContactRecord {
    std::uint64_t first = 0, second = 0; ///< ids; `second` may be a wall
    Vec3 normal{0, 0, 0};                ///< from first to second
    double gap = 0;                      ///< m; negative: overlap
    Vec3 impulse{0, 0, 0};               ///< N s, of the last step, on second
    Vec3 torque{0, 0, 0};                ///< N m s, of rolling and torsion friction
    std::int64_t bond = 0;               ///< of cohesion; 0: none, 1: made, 2: made and not pulled open

    friend bool operator==(const ContactRecord&, const ContactRecord&) = default;
};

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

    friend bool operator==(const StateHeader&, const StateHeader&) = default;
};

/// Writes the state of a run. Collective, ranks without particles included; `header` and `walls` are taken
/// from rank 0. The file is sorted by id, so its data do not depend on how the particles are spread over the
/// ranks. It appears whole or not at all: until it is complete an earlier file of the same name stays. Every
/// failure is the same FileError on every rank.
void write_state(const Communicator& communicator, const std::string& path, const StateHeader& header,
                 std::span<const Grain> owned, std::span<const ContactRecord> contacts,
                 std::span<const Wall> walls);

struct State {
    StateHeader header;
    std::vector<Grain> grains;           ///< by id
    std::vector<ContactRecord> contacts; ///< by (first, second)
    std::vector<Wall> walls;
    StateHash hash;
    std::string version, revision; ///< of the tamp that wrote it
};

/// One process reads. A file that is missing, foreign, truncated or damaged, also one whose data do not match
/// its hash, is a FileError that says what is wrong.
State read_state(const std::string& path);

/// What `tamp info` says about a state file, and about the other HDF5 files of a run: checkpoints, snapshots,
/// their index, series. One process reads.
std::string describe_state(const std::string& path);

/// What two runs must share to be the same bit by bit: positions, velocities and spins by id, impulses,
/// torques and bonds by both ids. Contacts without any are left out: how many of them are listed depends on
/// the neighbour search. This is the part of one rank; parts merge.
StateHash state_hash(std::span<const Grain> grains, std::span<const ContactRecord> contacts);

/// Over all ranks. Collective.
StateHash state_hash(const Communicator& communicator, std::span<const Grain> owned,
                     std::span<const ContactRecord> contacts);

/// Collective sum of a hash over all ranks.
StateHash merge_over_ranks(const Communicator& communicator, const StateHash& part);

} // namespace tamp
