#include "read_laws.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tamp/materials/mixing.hpp"

namespace tamp {
namespace {

template <class Scale>
struct ScaleKey {
    std::string_view name;
    Scale scale;
};

using TorqueKeys = std::array<ScaleKey<TorqueScale>, 3>;
constexpr TorqueKeys rolling_keys{{{"rolling_length", TorqueScale::length},
                                   {"rolling_ratio", TorqueScale::ratio},
                                   {"rolling_hertz", TorqueScale::hertz}}};
constexpr TorqueKeys torsion_keys{{{"torsion_length", TorqueScale::length},
                                   {"torsion_ratio", TorqueScale::ratio},
                                   {"torsion_hertz", TorqueScale::hertz}}};
constexpr std::array<ScaleKey<CohesionScale>, 3> cohesion_keys{
    {{"cohesion_force", CohesionScale::force},
     {"cohesion_bond", CohesionScale::bond},
     {"cohesion_per_radius", CohesionScale::radius}}};
constexpr std::array<std::string_view, 3> cohesion_details{"cohesion_energy", "cohesion_range",
                                                           "cohesion_impulse_time"};

template <class Keys>
bool gives_any(const Section& section, const Keys& keys) {
    for (const auto& key : keys)
        if (section.has(key.name))
            return true;
    return false;
}

std::string_view first_detail(const Section& section) {
    for (const std::string_view key : cohesion_details)
        if (section.has(key))
            return key;
    return {};
}

bool gives_cohesion(const Section& section) {
    return gives_any(section, cohesion_keys) || !first_detail(section).empty();
}

template <class Keys, class Scale>
std::string_view name_of(const Keys& keys, Scale scale) {
    for (const auto& key : keys)
        if (key.scale == scale)
            return key.name;
    return {};
}

void report_twice(const Section& section, std::string_view first, std::string_view second) {
    section.problem(second, fmt::format("says with '{}' the same thing twice; keep one of the two", first));
}

/// Reads the one key that is given of several that exclude each other, into `limit.scale` and `limit.value`.
template <class Keys, class Limit>
void read_one(const Section& section, const Keys& keys, Limit& limit) {
    std::string_view given;
    for (const auto& key : keys) {
        if (!section.has(key.name))
            continue;
        if (!given.empty()) {
            report_twice(section, given, key.name);
            continue;
        }
        given = key.name;
        limit = {};
        const double value = section.number(key.name).value_or(0);
        if (value > 0) { // zero is none, however it is written
            limit.scale = key.scale;
            limit.value = value;
        }
    }
}

/// A contact has one modulus: also a torque that the mean of the materials gives takes that of the pair.
void read_modulus(const Section& section, ContactLaws& laws) {
    std::string_view given;
    for (const std::string_view key : {"rolling_hertz", "torsion_hertz"})
        if (given.empty() && section.has(key))
            given = key;
    const bool needed = !given.empty() || laws.rolling.scale == TorqueScale::hertz ||
                        laws.torsion.scale == TorqueScale::hertz;
    if (section.has("hertz_modulus") && !needed)
        section.problem("hertz_modulus", "goes with rolling_hertz or torsion_hertz only; remove it");
    if (!section.has("hertz_modulus") && !given.empty())
        section.problem(given, "needs 'hertz_modulus', the effective modulus of the contact; add it");
    for (TorqueLimit* limit : {&laws.rolling, &laws.torsion})
        if (limit->scale == TorqueScale::hertz)
            assign(limit->modulus, section.number("hertz_modulus"));
}

void read_coupling(const Section& section, ContactLaws& laws, bool friction_is_known) {
    const bool demanded = section.boolean("coupled_torsion") == true;
    assign(laws.coupled_torsion, section.boolean("coupled_torsion"));
    if (demanded && !gives_any(section, torsion_keys) && laws.torsion.value == 0)
        section.problem("coupled_torsion",
                        "couples torsion, of which there is none; add torsion_length, torsion_ratio or "
                        "torsion_hertz, or remove it");
    if (demanded && friction_is_known && laws.friction == 0)
        section.problem("coupled_torsion",
                        "couples torsion with friction, which is zero; raise friction or remove it");
    laws.coupled_torsion = laws.coupled_torsion && laws.torsion.value > 0 && laws.friction > 0;
}

void read_cohesion(const Section& section, bool has_gravity, Cohesion& cohesion) {
    if (!gives_cohesion(section))
        return;
    cohesion = {};
    read_one(section, cohesion_keys, cohesion);
    if (!gives_any(section, cohesion_keys))
        section.problem(first_detail(section), "needs the force of the cohesion; add cohesion_force, "
                                               "cohesion_bond or cohesion_per_radius");
    if (section.has("cohesion_energy") && section.has("cohesion_range"))
        report_twice(section, "cohesion_energy", "cohesion_range");
    if (section.has("cohesion_bond") && !has_gravity)
        section.problem("cohesion_bond",
                        "counts in weights, but gravity is zero; set 'gravity' at the top of the "
                        "file, or give cohesion_force");
    if (cohesion.value == 0)
        return;
    assign(cohesion.energy, section.number("cohesion_energy"));
    assign(cohesion.range, section.number("cohesion_range"));
    assign(cohesion.impulse_time, section.number("cohesion_impulse_time"));
}

/// The keys of two cohesions that have no mean.
std::array<std::string_view, 2> clash(const Cohesion& a, const Cohesion& b) {
    if (a.scale != b.scale)
        return {name_of(cohesion_keys, a.scale), name_of(cohesion_keys, b.scale)};
    return a.energy > 0 ? std::array<std::string_view, 2>{"cohesion_energy", "cohesion_range"}
                        : std::array<std::string_view, 2>{"cohesion_range", "cohesion_energy"};
}

} // namespace

ContactLaws read_laws(const Section& section, bool has_gravity, const ContactLaws* mean) {
    ContactLaws laws = mean != nullptr ? *mean : ContactLaws{};
    assign(laws.friction, section.number("friction"));
    assign(laws.restitution, section.number("restitution"));
    assign(laws.tangential_restitution, section.number("tangential_restitution"));
    assign(laws.restitution_speed, section.number("restitution_speed"));
    read_one(section, rolling_keys, laws.rolling);
    read_one(section, torsion_keys, laws.torsion);
    read_modulus(section, laws);
    // A material whose friction is missing or wrong has been told so.
    read_coupling(section, laws, mean != nullptr || section.number("friction").has_value());
    read_cohesion(section, has_gravity, laws.cohesion);
    return laws;
}

void check_mixable(const Section& section, const Section* pair, const TwoMaterials& materials) {
    const auto& [a, b, name_a, name_b] = materials;
    const std::string place =
        pair != nullptr ? std::string("here")
                        : fmt::format("a [[pair]] with between = [\"{}\", \"{}\"] and", name_a, name_b);
    const auto report = [&](std::string_view key_a, std::string_view key_b, std::string_view group) {
        section.problem(
            pair != nullptr ? "" : key_b,
            fmt::format("'{}' has {} and '{}' has {}, which have no mean; add {} the {} between the "
                        "two, or give both the same key",
                        name_a, key_a, name_b, key_b, place, group));
    };
    const auto check_torque = [&](const TorqueLimit& limit_a, const TorqueLimit& limit_b,
                                  const TorqueKeys& keys, std::string_view group) {
        if (!mixable(limit_a, limit_b) && (pair == nullptr || !gives_any(*pair, keys)))
            report(name_of(keys, limit_a.scale), name_of(keys, limit_b.scale), group);
    };
    check_torque(a.rolling, b.rolling, rolling_keys, "rolling");
    check_torque(a.torsion, b.torsion, torsion_keys, "torsion");
    if (!mixable(a.cohesion, b.cohesion) && (pair == nullptr || !gives_cohesion(*pair))) {
        const auto [key_a, key_b] = clash(a.cohesion, b.cohesion);
        report(key_a, key_b, "cohesion");
    }
}

} // namespace tamp
