#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/insitu/pictures.hpp"
#include "tamp/io/snapshot_file.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/measure/settings.hpp"
#include "tamp/particles/generator.hpp"
#include "tamp/protocol/stage.hpp"
#include "tamp/soft/settings.hpp"
#include "tamp/solver/settings.hpp"
#include "tamp/world/settings.hpp"

namespace tamp {

/// When something is due besides the end of each stage: after every so many steps, or after the step that
/// reaches the next multiple of a time.
struct Rhythm {
    std::int64_t every = 0;
    double interval = 0; ///< s

    /// After step number `step`, which ended at `time` and took `time_step`. Knows no past, so that a run
    /// that was stopped and goes on is due at the same steps.
    bool due(std::int64_t step, double time, double time_step) const;
};

struct MeasurePlan {
    MeasureSettings settings;
    Rhythm rhythm;
    bool wanted = false; ///< distributions, profiles and fields
    bool energy_budget = false;
};

struct SnapshotPlan {
    SnapshotSettings settings;
    Rhythm rhythm;
    bool wanted = false;
};

struct PicturePlan {
    PictureSettings settings; ///< the script as it was written in the case
    Rhythm rhythm;
    std::optional<double> stress_change; ///< share
    std::int64_t pause = 20;             ///< steps between two that a change of stress causes
    std::string place;                   ///< where the pipeline was named, for errors
    bool colour_given = false;
};

/// When a run saves itself so that it can go on, besides when a signal stops it.
struct CheckpointPlan {
    double interval = 1800; ///< s of wall time from one to the next; 0: none
    std::int64_t every = 0; ///< steps; 0: none
    bool stage_ends = true;
};

struct OutputSettings {
    std::string directory;          ///< empty: `output/<stem of the case file>`
    std::int64_t series_every = 10; ///< steps between lines of series.csv
};

/// Everything that a case file says, checked: nothing behind this border checks it again.
struct Case {
    std::string title;
    std::vector<std::string> warnings; ///< what is allowed, but hardly meant, with its place
    /// "case.toml:12:3: time.step" of "time.step", for each key that was written: for what can only be
    /// checked later, with the particles.
    std::map<std::string, std::string> places;
    std::string source; ///< effective input as TOML, stored in every file that is written
    std::uint64_t seed = 1;
    Vec3 gravity{0, 0, 0};
    Box box;
    MaterialTable materials;
    std::vector<std::array<int, 2>> pairs; ///< the materials of each [[pair]]
    std::vector<GeneratorSettings> generators;
    std::vector<Wall> walls; ///< those made by `boundary = "wall"` first: x-, x+, y-, y+, z-, z+
    EngineKind engine = EngineKind::rigid;
    SoftSettings soft;
    SolverSettings solver;
    TimeSettings time;
    double max_overlap = 0.1; ///< at which a run stops, in diameters of the smaller partner; 0: never
    NeighbourSettings neighbours;
    OutputSettings output;
    MeasurePlan measure;
    SnapshotPlan snapshots;
    std::vector<PicturePlan> pictures;
    CheckpointPlan checkpoint;
    std::vector<Stage> stages;

    /// A key for a message: with its place if it was written.
    std::string named(const std::string& key) const {
        const auto found = places.find(key);
        return found != places.end() ? found->second : key;
    }
};

} // namespace tamp
