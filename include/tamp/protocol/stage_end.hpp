#pragma once

namespace tamp {

/// Why a stage ended. Files have the numbers: a new reason goes to the end.
enum class StageEnd {
    none,
    duration,
    steps,
    fraction,
    balance,
    rest,
    energy_ratio,
    coordination,
    strain,
    stress,
    kinetic_energy,
    inertial_number,
    count,
    mass,
    all,
};

/// For people.
constexpr const char* text_of(StageEnd end) {
    switch (end) {
    case StageEnd::none:
        break;
    case StageEnd::duration:
        return "its duration";
    case StageEnd::steps:
        return "its steps";
    case StageEnd::fraction:
        return "the volume fraction";
    case StageEnd::balance:
        return "balance";
    case StageEnd::rest:
        return "rest";
    case StageEnd::energy_ratio:
        return "the energy ratio";
    case StageEnd::coordination:
        return "the coordination number";
    case StageEnd::strain:
        return "the strain";
    case StageEnd::stress:
        return "the stress";
    case StageEnd::kinetic_energy:
        return "the kinetic energy";
    case StageEnd::inertial_number:
        return "the inertial number";
    case StageEnd::count:
        return "the number of particles";
    case StageEnd::mass:
        return "the mass";
    case StageEnd::all:
        return "all of its conditions";
    }
    return "";
}

} // namespace tamp
