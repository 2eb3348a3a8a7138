#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/particles/growth.hpp"
#include "tamp/protocol/limits.hpp"
#include "tamp/protocol/stage_end.hpp"
#include "tamp/protocol/time_table.hpp"

namespace tamp {

/// What a stage changes about one wall.
struct WallCommand {
    std::string wall;
    WallMotion motion = WallMotion::fixed;
    Vec3 velocity{0, 0, 0};
    double mass = 0;
    double force = 0;
    std::optional<double> stress{}; ///< Pa (2-D: N/m); the force is then that of the area as the walls stand
    double rotation_speed = 0;      ///< rad/s; free walls: only where they have none yet
    double moment = 0;              ///< N m
    WallOscillation oscillation{};
    Vec3 shear_velocity{0, 0, 0};
    double speed_limit = 0; ///< m/s; 0: none
    /// What changes while the stage runs; the numbers above are then those at its begin.
    TimeTable<Vec3> velocity_table{};
    TimeTable<double> force_table{}, stress_table{};

    /// In the whole stage.
    double largest_speed() const {
        double largest = norm(velocity);
        for (const Vec3& value : velocity_table.values)
            largest = std::max(largest, norm(value));
        return largest;
    }
    double largest_force() const { return largest_of(force, force_table); }
    double largest_stress() const { return largest_of(stress.value_or(0), stress_table); }

private:
    static double largest_of(double size, const TimeTable<double>& table) {
        size = std::abs(size);
        for (const double value : table.values)
            size = std::max(size, std::abs(value));
        return size;
    }
};

/// One `[[stage]]`: runs until the first of its limits is reached.
struct Stage {
    std::string name;
    std::optional<double> duration{}; ///< s
    std::optional<std::int64_t> steps{};
    std::optional<double> until_balance{};      ///< ends when forces are balanced to this, see ForceBalance
    std::optional<double> until_speed{};        ///< m/s; ends when the fastest particle is slower
    std::optional<double> until_fraction{};     ///< ends when the volume fraction is reached
    std::optional<double> until_energy_ratio{}; ///< ends when kinetic over elastic energy falls below this
    std::optional<double> until_coordination{}; ///< ends when particles have so many contacts, on average
    std::vector<WallCommand> walls{};
    Growth growth{};           ///< of radii, while the stage runs
    TimeTable<Vec3> gravity{}; ///< m/s^2, from the begin of the stage on; empty: it stays
    std::optional<StrainLimit> until_strain{};
    std::optional<StressLimit> until_stress{};
    std::optional<double> until_kinetic_energy{};  ///< J; ends when all particles have less
    std::optional<double> until_inertial_number{}; ///< ends when it is less, see Agitation
    std::optional<Bound> until_count{};            ///< of particles
    std::optional<Bound> until_mass{};             ///< kg, of particles that are free to move
    bool until_all = false; ///< ends when all that is named `until_` holds together, not the first of it

    /// Whether it may end before its time.
    bool may_end_sooner() const {
        return until_balance || until_speed || until_fraction || until_strain || until_stress ||
               looks_at_state();
    }
    /// Whether a limit needs the energies and contacts of the whole packing, which cost too much in every
    /// step.
    bool looks_at_state() const {
        return until_energy_ratio || until_coordination || until_kinetic_energy || until_inertial_number ||
               until_count || until_mass;
    }
};

/// What a stage waited for in vain, because its time or its steps ran out; empty if it did not.
std::string missed(const Stage& stage, StageEnd end);

/// Why this stage ended, and what it missed.
std::string end_text(const Stage& stage, StageEnd end);

} // namespace tamp
