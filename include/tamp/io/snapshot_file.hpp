#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/io/run_identity.hpp"
#include "tamp/io/snapshot_index.hpp"
#include "tamp/io/snapshot_layout.hpp"
#include "tamp/measure/view.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

struct SnapshotSettings {
    bool contacts = true;            ///< the force network too
    int compression = 1;             ///< deflate level after a byte shuffle, 1 to 9; 0: none. Higher levels
                                     ///< save hardly more, because most digits of a state are noise
    std::size_t chunk_rows = 16'384; ///< particles or contacts that are compressed together by one rank
};

/// The snapshots of a run, in its output folder:
///
///   snapshots/STEP.h5   one a snapshot: particles, contacts, walls
///   snapshots.h5        finds them: /STEP is a link to the file; /time, /step, ... are tables
///   snapshots.xmf       for ParaView: opens all of them as a series in time
///
/// Data are sorted by id, so they do not depend on how the particles are spread over the ranks. Every file
/// appears whole or not at all, and none is opened for writing again: a run that is killed damages nothing.
/// (It may leave a file that ends in .partial, or a last snapshot that the index does not list yet.)
class SnapshotFile {
public:
    /// Writes nothing yet.
    SnapshotFile(const Communicator& communicator, std::string folder, RunIdentity identity,
                 SnapshotSettings settings = {});

    /// Goes on with the snapshots that the folder lists up to this step. `expected` are the steps of those
    /// that the run has written; of files that are gone `warn` is told, and the index leaves them out. An
    /// index that cannot be read is set aside, and `warn` told. Collective.
    void go_on_after(std::int64_t step, std::span<const std::int64_t> expected,
                     const std::function<void(const std::string&)>& warn);

    /// Collective, ranks without particles included; `walls` and `stage` are taken from rank 0. A step that
    /// was written before is replaced. If it cannot be written, a FileError that is the same on every rank:
    /// nothing is left behind, earlier snapshots stay as they are, and the next one may be tried.
    void write(const View& view, std::span<const Wall> walls, const std::string& stage);

    const std::vector<SnapshotEntry>& entries() const { return entries_; }

private:
    /// Index and XDMF file. Rank 0 alone; returns what is wrong.
    std::string publish_index(const SnapshotGroups& groups, const std::vector<SnapshotEntry>& entries) const;

    Communicator communicator_;
    std::string folder_;
    RunIdentity identity_;
    SnapshotSettings settings_;
    std::vector<SnapshotEntry> entries_; ///< by step
    OlderSnapshots older_;               ///< that were there before
};

} // namespace tamp
