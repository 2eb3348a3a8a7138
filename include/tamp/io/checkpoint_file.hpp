#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/io/run_identity.hpp"
#include "tamp/measure/displacements.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/world/saved_world.hpp"

namespace tamp {

/// How far a run has come, besides its world.
struct RunPosition {
    std::int64_t stage = 0;       ///< number of the present one, from 0; as many as there are: all are done
    std::int64_t stage_steps = 0; ///< made in it; 0: it has not begun
    double stage_begin = 0;       ///< s; time
    double solid_volume = 0;      ///< m^3, as the stage's limits see it; 0: not needed yet
    std::int64_t solid_volume_lost = 0; ///< particles that had left when it was found
    std::int64_t balanced_since = 0;    ///< step of the stage, see StageMemory
    // The same of other limits, and the height that a strain is measured against, m; see StageMemory.
    std::int64_t calm_since = 0, slow_since = 0, pressed_since = 0;
    double start_height = 0;
    double bed_height = 0;              ///< m; after the first step of the stage
    double kinetic_energy_at_start = 0; ///< J; of the whole run
    std::int64_t follows_energy = 0;    ///< 1: the energy budget was followed before the checkpoint
    double wall_seconds = 0;            ///< of computing, all legs
    std::int64_t legs = 1;              ///< times that the run was started or resumed
    std::int64_t failed_writes = 0;     ///< 1: some file of the run could not be written
    /// Ranks of the legs with the block scheme, whose results depend on them; one entry for equal neighbours.
    std::vector<std::int64_t> block_ranks{};
};

/// When a picture that waits for a change of stress was last drawn.
struct PictureMoment {
    std::int64_t step = 0;
    double stress = 0;
};

/// All that a run needs to go on as if it had never stopped. Particles, contacts and displacements are the
/// share of one rank, whichever.
struct Checkpoint {
    RunIdentity identity;
    std::string case_path;  ///< absolute: scripts are found beside it
    std::string stage_name; ///< for people
    std::string state_hash;
    RunPosition run;
    SavedWorld world{};
    std::vector<SavedWords> engine{}; ///< what the engine saves beyond the world
    WordTable
        stages{}; ///< what the stages so far came to, a row each, for the summary; the same on all ranks
    std::vector<PictureMoment> pictures{};
    std::vector<std::int64_t> snapshots{}; ///< steps of all that were written
    bool follows = false;                  ///< displacements
    std::vector<Displacements::Record> displacements{};
};

inline constexpr const char* checkpoint_format = "tamp-checkpoint";
inline constexpr std::int64_t checkpoint_format_version = 2;

/// Writes a checkpoint aside, reads it back and compares checksums, and gives it its name. Collective; if
/// anything fails, the same FileError on every rank, and what was there before stays.
void write_checkpoint(const Communicator& communicator, const std::string& path,
                      const Checkpoint& checkpoint);

/// Every rank gets a share. A file that is missing, foreign, truncated or damaged is the same FileError on
/// every rank. Collective.
Checkpoint read_checkpoint(const Communicator& communicator, const std::string& path);

/// "checkpoint-00001200.h5"
std::string checkpoint_name(std::int64_t step);

/// The paths of the checkpoints in a folder, the newest one first; of the file system's names alone.
std::vector<std::string> checkpoints_in(const std::string& folder);

/// Those of later steps than this one.
std::vector<std::string> checkpoints_after(const std::string& folder, std::int64_t step);

/// Removes all but the newest `kept` checkpoints of a folder, and what killed runs left half-written. One
/// process calls; what cannot be removed stays.
void clean_checkpoints(const std::string& folder, std::size_t kept);

} // namespace tamp
