#include "tamp/config/schema.hpp"

#include <algorithm>
#include <array>

#include "placement_keys.hpp"
#include "protocol_keys.hpp"
#include "schema_ranges.hpp"
#include "soft_law_keys.hpp"
#include "wall_keys.hpp"

namespace tamp {
namespace {

using enum KeyType;

/// What the generators can number; more is a slip of the keyboard.
constexpr Range particle_count{1, 4e9, false, false};

constexpr SectionSchema sections[] = {
    {"", false, true, "", "", "The top of the file, before the first section"},
    {"domain", false, true, "", "", "The box that is simulated"},
    {"material", true, true, "", "", "A material of particles or walls, and its contact law against itself"},
    {"pair", true, false, "", "",
     "Contact law between two materials; else, and for what it leaves out, the geometric mean of their own "
     "(rolling, torsion, cohesion: each as a whole)"},
    {"particles", true, true, "generator", "", "Particles that the run starts with"},
    {"particles.size", false, true, "distribution", "random|lattice",
     "Diameters of the particles, by number"},
    {"particles.turn", false, false, "", "file", "Turns the packing of a file, its velocities and its spins"},
    {"wall", true, false, "shape", "",
     "A wall of any shape besides the planes of domain.boundary (named x-, x+, y-, ...)"},
    {"soft", false, false, "", "", "Soft grains (engine = \"soft\"), besides their contact laws"},
    {"solver", false, false, "", "", "When the contact forces of a step count as found"},
    {"time", false, false, "", "",
     "Length of a time step, fixed or adapted to the fastest particle, and the overlap at which a run stops"},
    {"neighbours", false, false, "", "", "Search for contacts; changes the speed of a run, not its physics"},
    {"output", false, false, "", "", "What is written where"},
    {"measure", false, false, "", "",
     "Distributions, profiles and fields in series.h5: at the end of each stage, and in a rhythm"},
    {"snapshots", false, false, "", "",
     "Particles and forces for ParaView and Python: at the end of each stage, and in a rhythm"},
    {"picture", true, false, "", "",
     "Pictures by ParaView Catalyst, images/NAME-STEP.png: at the end of each stage, and in a rhythm"},
    {"checkpoint", false, false, "", "",
     "Saves the run so that tamp resume goes on with the same bits: checkpoint-STEP.h5, the last two are "
     "kept"},
    {"stage", true, true, "", "", "What happens, in this order; a stage ends at the first limit that is met"},
    {"stage.wall", true, false, "", "",
     "How a wall moves from this stage on; what is not given stops. A table { time = [...], value = [...] } "
     "instead "
     "of a value changes it while the stage runs"},
    {"stage.until_strain", false, false, "", "",
     "Ends when the height between a wall and what is opposite has changed by this"},
    {"stage.until_stress", false, false, "", "", "Ends by the stress of the particles on a wall"},
    {"stage.until_count", false, false, "", "", "Ends by the number of particles, at a look"},
    {"stage.until_mass", false, false, "", "", "Ends by the mass of particles that are not fixed, at a look"},
};

constexpr KeySchema keys[] = {
    {"", "title", string, "", "\"\"", any, "", "", "Free text, shown in the log and stored with the results"},
    {"", "engine", choice, "", "\"rigid\"", any, "rigid|soft", "",
     "rigid: contact dynamics; soft: explicit particle dynamics, forces by overlaps"},
    {"", "dimension", integer, "", "3", {2, 3}, "", "", "3: spheres; 2: discs in the x-y plane"},
    {"", "seed", integer, "", "1", non_negative, "", "", "Start of all random numbers"},
    {"", "gravity", vector, "m/s^2", "[0, 0, 0]", any, "", "", "Acceleration of every particle"},

    {"domain", "lower", vector, "m", "required", any, "", "", "Corner with the smallest coordinates"},
    {"domain", "upper", vector, "m", "required", any, "", "", "Corner with the largest coordinates"},
    {"domain", "boundary", strings, "", "required", any, "open|periodic|wall", "",
     "One word a direction; \"wall\": a fixed wall on both faces"},
    {"domain", "wall_material", string, "", "first material", any, "", "",
     "Material of the walls that boundary makes"},

    {"material", "name", string, "", "required", any, "", "", "Unique name"},
    {"material", "density", number, "kg/m^3", "required", positive, "", "", "Mass density (2-D: kg/m^2)"},
    {"material", "fixed", boolean, "", "false", any, "", "", "Particles of this material never move"},

    {"soft", "steps_per_contact", number, "", "50", positive, "", "",
     "Time steps in the shortest contact time, unless time.step is given; a fifth of it (8 at least) in "
     "m/gamma of "
     "a dashpot"},
    {"soft", "springs", choice, "", "\"projected\"", any, "projected|rotated", "",
     "How springs of friction follow a contact that turns: projected into its tangent plane, or rotated into "
     "it with their length"},
    {"soft", "after_slip", choice, "", "\"full_spring\"", any, "full_spring|with_dashpot", "",
     "full_spring: a spring that slips takes all of the Coulomb force, as in Luding's paper, which feeds a "
     "little energy to contacts with a tangential viscosity; with_dashpot: it leaves out what the dashpot "
     "bears, as LAMMPS does"},
    {"soft", "background_viscosity", number, "N s/m", "0", non_negative, "", "",
     "Force on every particle: minus this times its velocity"},
    {"soft", "background_rotation_viscosity", number, "N s/m", "0", non_negative, "", "",
     "Torque on every particle: minus this times radius squared and angular velocity"},

    {"pair", "between", strings, "", "required", any, "", "", "Names of the two materials"},

    {"particles", "generator", choice, "", "required", any, "random|lattice|file", "",
     "random: without overlap, anywhere; lattice: on a square grid; file: as listed"},
    {"particles", "material", string, "", "first material", any, "", "",
     "Name of a [[material]]; particles of an .h5 file keep theirs, by name, unless this is given"},
    {"particles", "count", integer, "", "", particle_count, "", "random|lattice",
     "Number of particles (random: this or fraction)"},
    {"particles", "fraction", number, "", "", between_zero_and_one, "", "random|lattice",
     "Volume fraction of the region (2-D: area fraction)"},
    {"particles", "lower", vector, "m", "domain.lower", any, "", "random|lattice",
     "Corner of the filled region"},
    {"particles", "upper", vector, "m", "domain.upper", any, "", "random|lattice",
     "Opposite corner of the region"},
    {"particles", "spacing", number, "m", "1.02 largest", positive, "", "lattice",
     "Distance of lattice sites"},
    {"particles", "jitter", number, "", "0", share, "", "lattice",
     "Largest random shift from a site, as a share of the free space"},
    {"particles", "velocity", vector, "m/s", "[0, 0, 0]", any, "", "random|lattice", "Velocity at the start"},
    {"particles", "speed", number, "m/s", "0", non_negative, "", "random|lattice",
     "Random velocity: each component between minus this and this; their total momentum is not zero"},
    {"particles", "path", string, "", "required", any, "", "file",
     "Relative to the case file: a table of particles (.csv), or a state or a checkpoint of a run (.h5)"},
    {"particles", "walls", boolean, "", "false", any, "", "file",
     "true: walls stand where the .h5 file had walls of the same name, not at their point"},

    {"particles.size", "distribution", choice, "", "required", any, "mono|uniform|normal|lognormal|mixture",
     "", "How the diameters are distributed"},
    {"particles.size", "diameter", number, "m", "required", positive, "", "mono", "The one diameter"},
    {"particles.size", "mean", number, "m", "required", positive, "", "normal|lognormal",
     "Mean diameter before the cut"},
    {"particles.size", "deviation", number, "m", "required", positive, "", "normal|lognormal",
     "Standard deviation before the cut"},
    {"particles.size", "min", number, "m", "required", positive, "", "uniform|normal|lognormal",
     "Smallest diameter (normal, lognormal: cut here)"},
    {"particles.size", "max", number, "m", "required", positive, "", "uniform|normal|lognormal",
     "Largest diameter (normal, lognormal: cut here)"},
    {"particles.size", "diameters", numbers, "m", "required", positive, "", "mixture", "List of diameters"},
    {"particles.size", "weights", numbers, "", "required", positive, "", "mixture",
     "Share of each diameter by number; need not sum to one"},

    {"solver", "scheme", choice, "", "\"phases\"", any, "phases|block", "",
     "phases: 2^d exchanges a sweep, the same bits on any number of ranks; block: one exchange a sweep, "
     "other "
     "bits on other numbers of ranks"},
    {"solver", "method", choice, "", "\"auto\"", any, "auto|plain|ratio|nesterov", "",
     "plain: one sweep after the other; ratio, nesterov: sweeps with momentum, which take far fewer; auto: "
     "ratio, with order = \"symmetric\" plain"},
    {"solver", "order", choice, "", "\"fixed\"", any, "fixed|random|symmetric", "",
     "Order of the contacts in a sweep"},
    {"solver", "tolerance", number, "", "1e-3", between_zero_and_one, "", "",
     "Mean residual relative to the mean normal impulse"},
    {"solver", "force_tolerance", number, "", "0.1", between_zero_and_one, "", "",
     "Estimated relative error of stress and wall forces"},
    {"solver", "overlap_tolerance", number, "", "automatic", between_zero_and_one, "", "",
     "By how much an overlap may grow in a step, in mean diameters; automatic: 0.005 "
     "times the longest step over sqrt(d/g)"},
    {"solver", "min_sweeps", integer, "", "4", sweeps, "", "", "Sweeps made at least"},
    {"solver", "substeps", integer, "", "automatic", substep_count, "", "",
     "Sub-steps of a step, which share its contact geometry; automatic: two at most, of few sweeps each, in "
     "packings "
     "of more than 30 layers along the load"},
    {"solver", "max_sweeps", integer, "", "500", sweeps, "", "", "Cap; steps that hit it are reported"},

    {"time", "step", number, "s", "adaptive", positive, "", "", "Fixed step; not with the two below"},
    {"time", "max_step", number, "s", "of grains and load", positive, "", "",
     "Adaptive: the largest step. Left out, it is 0.009 sqrt(d/g); plain sweeps: 1e-3"},
    {"time",
     "displacement",
     number,
     "",
     "0.05",
     {0, 0.5, true, false},
     "",
     "",
     "Adaptive: largest move in a step, in smallest diameters"},
    {"time", "max_overlap", number, "", "0.1", non_negative, "", "",
     "The run stops when an overlap exceeds this share of the smaller diameter; 0: never"},

    {"neighbours", "skin", number, "m", "automatic", positive, "", "",
     "Pairs with a smaller gap are remembered between searches"},
    {"neighbours", "tile", number, "m", "automatic", positive, "", "",
     "Wanted edge of a tile; at least largest diameter + skin; longer where a nearly empty box would need "
     "too many tiles"},
    {"neighbours", "load_balance", choice, "", "\"measured\"", any, "measured|counted|never", "",
     "What tiles cost when they are rebalanced over the ranks: their time, or by contacts and particles "
     "(default with scheme = \"block\")"},

    {"output", "directory", string, "", "output/CASE", any, "", "",
     "Folder of the results; CASE is the case file's name without .toml"},
    {"output", "series_every", integer, "", "10 (soft: 1000)", at_least_one, "", "",
     "Steps between lines of series.csv"},

    {"measure", "every", integer, "", "", at_least_one, "", "", "Steps from one to the next"},
    {"measure", "interval", number, "s", "", positive, "", "", "Simulated time from one to the next"},
    {"measure", "energy_budget", boolean, "", "false", any, "", "",
     "Follow what each law dissipates and what walls do in every step; costs about one sweep a step"},
    {"measure", "profile_axis", choice, "", "last", any, "x|y|z", "", "Direction of the profile"},
    {"measure", "profile_bins", integer, "", "automatic", bins, "", "",
     "Slices of the profile; automatic: about a mean diameter each"},
    {"measure", "force_bins", integer, "", "60", bins, "", "", "Of the distributions of forces"},
    {"measure", "largest_force", number, "", "6", positive, "", "", "Where they end, in mean forces"},
    {"measure", "pair_range", number, "", "5", positive, "", "",
     "Of the pair correlation, in mean diameters; less in a small box"},
    {"measure", "pair_bins", integer, "", "100", {0, 10000}, "", "", "Of the pair correlation; 0: none"},
    {"measure",
     "cells",
     numbers,
     "",
     "automatic",
     {0, 1024},
     "",
     "",
     "Cells of the fields along x, y (and z); 0: about three mean diameters each"},
    {"measure",
     "width",
     number,
     "",
     "1",
     {0, 100},
     "",
     "",
     "Half width over which a particle is spread in the fields, in mean diameters"},

    {"snapshots", "every", integer, "", "", at_least_one, "", "", "Steps from one to the next"},
    {"snapshots", "interval", number, "s", "", positive, "", "", "Simulated time from one to the next"},
    {"snapshots", "contacts", boolean, "", "true", any, "", "", "The force network too"},
    {"snapshots", "compression", integer, "", "1", {0, 9}, "", "", "0: none; 9: smallest and slowest"},

    {"picture", "name", string, "", "required", any, "", "", "Unique name"},
    {"picture", "pipeline", string, "", "required", any, "", "",
     "Catalyst script, relative to the case file, or particles, chains, slice or profile of inputs/catalyst"},
    {"picture", "colour", string, "", "\"speed\"", any, "", "",
     "Quantity that is shown. particles, slice: speed, pressure, coordination, radius, diameter or material; "
     "chains: "
     "normal_force, tangential_force, mobilisation or gap; profile: volume_fraction, velocity, displacement, "
     "temperature, coordination or contact_stress"},
    {"picture", "range", numbers, "", "of the state", any, "", "", "[least, most] of the colours"},
    {"picture", "camera", vector, "", "the script's", any, "", "",
     "Direction in which the camera looks, for example [0, 1, 0] along y or [-1, 2, -1] from above"},
    {"picture", "frame", choice, "", "\"grains\"", any, "grains|box", "",
     "What fills the picture; box: the whole domain, the same in all pictures of a series"},
    {"picture", "zoom", number, "", "1", zooms, "", "",
     "Enlargement from the middle of the frame, for example 3; the profile has none"},
    {"picture", "width", integer, "", "1280", pixels, "", "", "Pixels"},
    {"picture", "height", integer, "", "720", pixels, "", "", "Pixels"},
    {"picture", "every", integer, "", "", at_least_one, "", "", "Steps from one to the next"},
    {"picture", "interval", number, "s", "", positive, "", "", "Simulated time from one to the next"},
    {"picture", "stress_change", number, "", "", positive, "", "",
     "Also when the mean stress has changed by this share since the last one, for example 0.05"},
    {"picture", "pause", integer, "", "20", at_least_one, "", "",
     "Steps that must lie between two for stress_change"},

    {"checkpoint", "interval", number, "s", "1800", non_negative, "", "",
     "Wall time from one to the next; 0: none"},
    {"checkpoint", "every", integer, "", "", at_least_one, "", "", "Steps from one to the next, besides"},
    {"checkpoint", "stage_ends", boolean, "", "true", any, "", "", "At the end of each stage too"},

    {"stage", "name", string, "", "required", any, "", "", "Unique name"},
    {"stage", "duration", number, "s", "", positive, "", "",
     "Ends after this time (this or steps is needed)"},
    {"stage", "steps", integer, "", "", at_least_one, "", "", "Ends after this many steps"},
    {"stage", "until_balance", number, "", "", positive, "", "",
     "Ends when forces are balanced to this share, at three looks, 10 steps apart: the resultant force of "
     "particles with two contacts or more (root mean square) against the mean contact force, the force on "
     "each free wall against the applied one, and that on all particles together against the largest load. "
     "1e-3 is strict"},
    {"stage", "until_speed", number, "m/s", "", positive, "", "",
     "Ends when all particles and free walls are slower, but not in the first 10 steps, nor before gravity "
     "and the forces on free walls had time to make something faster. Drift and rattlers count, spin does "
     "not; to find a packing at rest under its load use until_balance"},
    {"stage", "until_fraction", number, "", "", between_zero_and_one, "", "",
     "Ends when this volume fraction of the region between the walls is reached"},
    {"stage", "until_energy_ratio", number, "", "", positive, "", "",
     "Soft: ends when the kinetic energy over that of the contacts' springs is below this, such as 1e-2"},
    {"stage", "until_coordination", number, "", "", positive, "", "",
     "Ends when particles have this many contacts on average; one between two particles counts for both"},
    {"stage", "growth_rate", number, "m/s", "", positive, "", "",
     "Soft: all radii grow at this rate while the stage runs, and masses with them; particles of a fixed "
     "material do not grow"},
    {"stage", "relative_growth_rate", number, "1/s", "", positive, "", "",
     "Soft: radii grow at this rate times themselves, so that sizes keep their ratios; instead of "
     "growth_rate"},

};

/// What happens where particles touch: in a material against itself, in a pair against each other.
constexpr auto law_keys(std::string_view section) {
    const bool pair = section == "pair";
    const auto preset = [&](std::string_view of_material, std::string_view of_pair = "mean") {
        return pair ? of_pair : of_material;
    };
    return std::to_array<KeySchema>({
        {section, "friction", number, "", preset("required"), non_negative, "", "", "Coulomb coefficient"},
        {section, "restitution", number, "", preset("0"), share, "", "", "Coefficient of restitution"},
        {section, "tangential_restitution", number, "", preset("0"), share, "", "",
         "The same of the tangential velocity"},
        {section, "restitution_speed", number, "m/s", preset("0", "larger"), non_negative, "", "",
         "Slower impacts are inelastic"},
        {section, "rolling_length", number, "m", preset(""), non_negative, "", "",
         "Largest rolling torque: this times the normal force; 0: none"},
        {section, "rolling_ratio", number, "", preset(""), non_negative, "", "",
         "The same in reduced radii r1 r2/(r1 + r2); instead of rolling_length"},
        {section, "rolling_hertz", number, "", preset(""), non_negative, "", "",
         "The same in Hertz's contact radii; instead of rolling_length"},
        {section, "torsion_length", number, "m", preset(""), non_negative, "", "",
         "Largest torque about the normal: this times the normal force; 0: none (discs have none)"},
        {section, "torsion_ratio", number, "", preset(""), non_negative, "", "",
         "The same in reduced radii; instead of torsion_length"},
        {section, "torsion_hertz", number, "", preset(""), non_negative, "", "",
         "The same in Hertz's contact radii; instead of torsion_length"},
        {section, "hertz_modulus", number, "Pa", preset(""), positive, "", "",
         "Effective modulus of the contact for rolling_hertz and torsion_hertz (2-D: N/m)"},
        {section, "coupled_torsion", boolean, "", preset("false", "if both"), any, "", "",
         "Sliding and torsion share one limit, an ellipse; needs torsion and friction"},
        {section, "cohesion_force", number, "N", preset(""), non_negative, "", "",
         "Largest force that a contact bears in tension; 0: none"},
        {section, "cohesion_bond", number, "", preset(""), non_negative, "", "",
         "The same in units of 2 g/(1/m1 + 1/m2); instead of cohesion_force, needs gravity"},
        {section, "cohesion_per_radius", number, "N/m", preset(""), non_negative, "", "",
         "The same per reduced radius; instead of cohesion_force"},
        {section, "cohesion_energy", number, "J", preset(""), non_negative, "", "",
         "Energy that opens a contact; with a cohesion force; 0: none"},
        {section, "cohesion_range", number, "m", preset(""), non_negative, "", "",
         "The same as a distance, energy/force; instead of cohesion_energy"},
        {section, "cohesion_impulse_time", number, "s", preset(""), positive, "", "",
         "Bears the impulse force times this time in every step, however long; with a cohesion force"},
    });
}

template <std::size_t... sizes>
constexpr auto joined(const std::array<KeySchema, sizes>&... parts) {
    std::array<KeySchema, (sizes + ...)> all{};
    auto end = all.begin();
    ((end = std::ranges::copy(parts, end).out), ...);
    return all;
}

constexpr auto every_key =
    joined(std::to_array(keys), law_keys("material"), law_keys("pair"), soft_law_keys("material"),
           soft_law_keys("pair"), wall_keys(), protocol_keys(), placement_keys());

} // namespace

std::span<const SectionSchema> all_sections() { return sections; }
std::span<const KeySchema> all_keys() { return every_key; }

} // namespace tamp
