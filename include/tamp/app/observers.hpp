#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tamp/app/series_row.hpp"
#include "tamp/config/case.hpp"
#include "tamp/engine/engine.hpp"
#include "tamp/insitu/pictures.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/io/series.hpp"
#include "tamp/io/series_file.hpp"
#include "tamp/io/snapshot_file.hpp"
#include "tamp/measure/distributions.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// The pictures of a case with the paths of their scripts. Whatever is wrong with them is an InputError on
/// every rank. Collective.
std::vector<PictureSettings> picture_settings(const Communicator& communicator, const Case& settings,
                                              const std::string& case_path);

/// Mean normal stress, estimated from the sum of normal forces and the mean diameter: free of cost in every
/// step.
double estimated_stress(const World& world, const StepReport& report);

/// What observers go on from.
struct Continuation {
    const Checkpoint* checkpoint = nullptr; ///< null: a new run
    bool same_folder = false;               ///< files of the earlier legs are there
    bool same_columns = false;              ///< and have the columns of this one
    bool energy = false;                    ///< was followed
};

/// All that watches a run and writes about it: series, distributions, snapshots and pictures. None of it
/// changes the trajectory, and nothing that fails here ends a run. All calls are collective.
class Observers {
public:
    using Warn = std::function<void(const std::string&)>;

    Observers(const Case& settings, std::vector<PictureSettings> pictures, const World& world,
              const Engine& engine, const std::string& folder, Warn warn, const Continuation& from = {});

    struct Moment {
        std::size_t stage = 0;
        bool first = false, last = false; ///< step of the stage
    };
    void after_step(const World& world, Engine& engine, const StepReport& report, const Moment& moment);

    /// Numbers of the last row of the series.
    const Measures& measures() const { return measures_; }
    /// The last row of the series; in the constructor that of the start. There is one at the end of each
    /// stage.
    const std::vector<Quantity>& last_row() const { return last_row_; }
    double kinetic_energy_at_start() const { return origin_.kinetic_energy; }
    std::size_t snapshots() const { return snapshots_ ? snapshots_->entries().size() : 0; }
    double snapshot_seconds() const { return snapshot_seconds_; }
    /// Null if the case asks for none.
    const PictureCost* picture_cost() const { return pictures_ ? &pictures_->cost() : nullptr; }

    /// What a checkpoint must know of them.
    void save(Checkpoint& checkpoint);

    /// Puts on the disk what waits. False if that failed, or if something was left out before.
    bool flush();

private:
    std::vector<std::size_t> pictures_due(const World& world, const StepReport& report, const Moment& moment);
    void write_row(const World& world, const View& view, const Energies& energy, const StepReport& report,
                   const Moment& moment);
    void write_distributions(const World& world, const View& view, const Fields& fields);
    void write_snapshot(const World& world, const View& view, std::size_t stage);

    const Case& settings_;
    Warn warn_;
    Measures measures_;
    std::vector<Quantity> last_row_;
    SeriesOrigin origin_;
    std::optional<Series> series_;
    SeriesFile series_file_;
    Distributions distributions_;
    bool follows_ = false; ///< displacements
    std::optional<SnapshotFile> snapshots_;
    std::optional<Pictures> pictures_;
    std::vector<PictureMoment> last_pictures_;
    bool failed_ = false, snapshots_failing_ = false;
    double snapshot_seconds_ = 0;
};

} // namespace tamp
