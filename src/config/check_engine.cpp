// A case may be meant for both engines. What only tells the other one how to compute, or how soft its grains
// are, has no effect, which is said once. A law that the engine does not have is an error, since the result
// would be another one.

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"
#include "tamp/config/schema.hpp"

namespace tamp {
namespace {

/// A law of one engine, and what to do about it with the other one.
struct LoneLaw {
    std::string_view key, remedy;
};

constexpr std::string_view no_range = "remove it: cohesion ends with the contact there; normal_law = "
                                      "\"adhesive\" has another one";
constexpr std::array<LoneLaw, 9> rigid_laws{{{"rolling_length", "remove it, or give rolling_ratio"},
                                             {"rolling_hertz", "remove it, or give rolling_ratio"},
                                             {"torsion_length", "remove it, or give torsion_ratio"},
                                             {"torsion_hertz", "remove it, or give torsion_ratio"},
                                             {"coupled_torsion", "remove it"},
                                             {"tangential_restitution", "remove it"},
                                             {"cohesion_energy", no_range},
                                             {"cohesion_range", no_range},
                                             {"cohesion_impulse_time", no_range}}};

constexpr std::string_view both_take = "give restitution instead, which both engines take";
constexpr std::string_view no_background = "remove it: nothing is between rigid grains";

/// Zero and false are the same as no law.
bool acts(const Section& section, std::string_view key) {
    return section.number(key).value_or(0) != 0 || section.boolean(key).value_or(false);
}

void refuse(const Section& section, std::string_view key, const char* engine, std::string_view remedy) {
    section.problem(key, fmt::format("has no counterpart in engine = \"{}\"; {}", engine, remedy));
}

/// The first section and key of those that only the rigid solver uses.
void warn_of_solver(const Section& top) {
    constexpr const char* text =
        "has no effect with engine = \"soft\", as all of [solver], time.max_step and "
        "time.displacement: forces follow from overlaps, and the step from the "
        "contact time (soft.steps_per_contact)";
    if (top.has("solver")) {
        top.warning("solver", text);
        return;
    }
    for (const char* key : {"max_step", "displacement"})
        if (const Section time = top.inner("time"); time.has(key)) {
            time.warning(key, text);
            return;
        }
}

void check_soft(const Section& top, Case& settings) {
    for (const char* name : {"material", "pair"})
        for (const Section& laws : top.entries(name)) {
            for (const LoneLaw& law : rigid_laws)
                if (acts(laws, law.key))
                    refuse(laws, law.key, "soft", law.remedy);
            if (acts(laws, "restitution_speed"))
                laws.warning("restitution_speed",
                             "has no effect with engine = \"soft\": slow impacts rebound there as fast ones");
        }
    warn_of_solver(top);
    for (PicturePlan& picture : settings.pictures)
        picture.stress_change.reset();
    for (const Section& picture : top.entries("picture"))
        if (picture.has("stress_change"))
            picture.warning("stress_change",
                            "has no effect: it is not available with engine = \"soft\"; give "
                            "'every' or 'interval'");
    constexpr std::int64_t series_every = 1000; // steps are short
    if (!top.inner("output").has("series_every"))
        settings.output.series_every = series_every;
}

/// One word is enough.
void warn_of_softness(const Section& top) {
    const auto warned = [](const Section& section, std::string_view schema) {
        for (const KeySchema* key : keys_of(schema))
            if (key->only_soft() && key->name != "damping" && section.has(key->name)) {
                section.warning(key->name,
                                "has no effect with engine = \"rigid\", as all keys of soft grains; "
                                "set engine = \"soft\" to use them");
                return true;
            }
        return false;
    };
    for (const char* name : {"material", "pair"})
        for (const Section& laws : top.entries(name))
            if (warned(laws, name))
                return;
    warned(top.inner("soft"), "soft");
}

void refuse_soft_laws(const Section& laws) {
    const std::optional<std::string> normal = laws.string("normal_law");
    if (normal && *normal != "linear" && *normal != "hertz")
        refuse(laws, "normal_law", "rigid",
               "choose \"linear\" or \"hertz\" with a restitution, and a cohesion_force if grains stick");
    else if (laws.has("viscosity"))
        refuse(laws, "viscosity", "rigid", both_take);
    if (acts(laws, "attraction_energy"))
        refuse(laws, "attraction_energy", "rigid", "remove it, or give cohesion_force and cohesion_range");
    if (laws.number("dynamic_friction_ratio").value_or(1) != 1)
        refuse(laws, "dynamic_friction_ratio", "rigid", "remove it: friction is the same while sliding");
}

void check_rigid(const Section& top) {
    for (const char* name : {"material", "pair"})
        for (const Section& laws : top.entries(name))
            refuse_soft_laws(laws);
    for (const char* key : {"background_viscosity", "background_rotation_viscosity"})
        if (const Section soft = top.inner("soft"); acts(soft, key))
            refuse(soft, key, "rigid", no_background);
    for (const Section& wall : top.entries("wall"))
        if (acts(wall, "damping"))
            wall.warning("damping", "has no effect with engine = \"rigid\": a free wall comes to rest there "
                                    "without it");
    warn_of_softness(top);
}

} // namespace

void check_engine(const Section& top, Case& settings) {
    if (settings.engine == EngineKind::soft)
        check_soft(top, settings);
    else
        check_rigid(top);
}

} // namespace tamp
