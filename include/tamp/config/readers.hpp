#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/config/section.hpp"

namespace tamp {

/// Diameters over all generators that tell them; those of particle files are not known yet.
struct SizeRange {
    double smallest = 0;
    double largest = 0;

    bool known() const { return largest > 0; }
    void include(double least, double most);
};

// Each reads one part of a case from the top section and reports what the schema alone cannot see. They go
// on after a mistake, so that all mistakes are reported at once.

/// Nothing if the box is unusable; checks that need it are then left out.
std::optional<Box> read_box(const Section& top, int dimension);
/// After the particles: a box must be long enough for them where it is periodic.
void check_box(const Section& top, const Box& box, const SizeRange& sizes);

/// Materials, and the contact laws of every two of them.
MaterialTable read_materials(const Section& top);
/// The material named by a key; the first one if the key was not written.
int read_material(const Section& section, std::string_view key, const MaterialTable& materials);
/// -1, and a report at the key, if there is no such material.
int find_material(const Section& section, std::string_view key, const std::string& name,
                  const MaterialTable& materials);

/// The laws of soft grains; `materials` has the rigid ones, some of which mean the same.
void read_soft_laws(const Section& top, int dimension, MaterialTable& materials);
SoftSettings read_soft_settings(const Section& section);

SizeDistribution read_size(const Section& section);
std::vector<GeneratorSettings> read_generators(const Section& top, const std::optional<Box>& box,
                                               const MaterialTable& materials, SizeRange& sizes);

/// Walls of the box first, then each [[wall]] in the order of the file.
std::vector<Wall> read_walls(const Section& top, const std::optional<Box>& box,
                             const MaterialTable& materials);
/// Planes that miss the box, leave no room, or cut through a region that is to be filled.
void check_walls(const Section& top, const Box& box, const std::vector<Wall>& walls,
                 const std::vector<GeneratorSettings>& generators, const MaterialTable& materials,
                 const SizeRange& sizes);
/// Whether it can be told where a [[wall]] stands.
bool stands(const Section& section);
/// What a wall of this shape cannot do.
void refuse_impossible(const Section& section, const Wall& wall);
void check_periodic_motion(const Section& section, const Wall& wall, const Box& box);
/// Rotation, oscillation, and what goes with force and stress.
void read_further_motion(const Section& section, WallCommand& command);
/// What turns the stress on a wall into a force: its 'area', else what it covers between the other walls.
/// Nothing where that would change as the wall moves, which is reported at 'stress'.
std::optional<double> piston_area(const Section& section, const std::optional<Box>& box,
                                  const std::vector<Wall>& walls, std::size_t piston);
/// Reports at 'stress' that there is no such area, and what to do. `reason`: a clause.
void report_unknown_area(const Section& section, const Wall& wall, const std::string& reason);
/// Whether `boundary = "wall"` makes walls of this name: x-, x+, y-, ...
bool is_automatic_name(const std::string& name);

SolverSettings read_solver(const Section& section);
TimeSettings read_time(const Section& section);
NeighbourSettings read_neighbours(const Section& section, const std::optional<Box>& box,
                                  const SizeRange& sizes, SweepScheme scheme);
OutputSettings read_output(const Section& section);
MeasurePlan read_measure(const Section& top, int dimension);
SnapshotPlan read_snapshots(const Section& top);
std::vector<PicturePlan> read_pictures(const Section& top);
CheckpointPlan read_checkpoint_plan(const Section& section);

std::vector<Stage> read_stages(const Section& top, const std::optional<Box>& box,
                               const std::vector<Wall>& walls);

/// After all else: laws that the engine of the case does not have, and keys that only the other engine uses.
void check_engine(const Section& top, Case& settings);
/// After all else: what is well written and does nothing. An error where something else must be meant, a
/// warning where a study may leave it in while it changes other keys. No box: it is unusable.
void check_effects(const Section& top, const Case& settings, const std::optional<Box>& box);

} // namespace tamp
