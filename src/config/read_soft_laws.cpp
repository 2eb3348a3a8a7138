#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace tamp {
namespace {

struct LawName {
    std::string_view name;
    NormalLaw law;
};
constexpr std::array<LawName, 5> law_names{{{"linear", NormalLaw::linear},
                                            {"hertz", NormalLaw::hertz},
                                            {"yielding", NormalLaw::yielding},
                                            {"latching", NormalLaw::latching},
                                            {"adhesive", NormalLaw::adhesive}}};

std::string_view name_of(NormalLaw law) {
    for (const LawName& known : law_names)
        if (known.law == law)
            return known.name;
    return {};
}

/// A key of a normal law, where its number goes, and the laws that use it; `needed`: they cannot do without.
struct NumberKey {
    std::string_view name;
    double SoftLaws::*number;
    std::array<bool, 5> used, needed; ///< by NormalLaw
};
constexpr std::array<NumberKey, 8> number_keys{{
    {"stiffness", &SoftLaws::stiffness, {true, false, false, true, true}, {true, false, false, true, true}},
    {"unloading_stiffness",
     &SoftLaws::unloading_stiffness,
     {false, false, false, true, true},
     {false, false, false, true, true}},
    {"unloading_growth", &SoftLaws::unloading_growth, {false, false, false, true, false}, {}},
    {"adhesion_stiffness", &SoftLaws::adhesion_stiffness, {false, false, false, false, true}, {}},
    {"plasticity_depth", &SoftLaws::plasticity_depth, {false, false, false, false, true}, {}},
    {"contact_modulus",
     &SoftLaws::modulus,
     {false, true, true, false, false},
     {false, true, true, false, false}},
    {"yield_pressure",
     &SoftLaws::yield_pressure,
     {false, false, true, false, false},
     {false, false, true, false, false}},
    {"viscosity", &SoftLaws::viscosity, {true, true, true, true, true}, {}},
}};

double harmonic(double a, double b) { return a == b ? a : a + b > 0 ? 2 * a * b / (a + b) : 0.0; }
double geometric(double a, double b) { return a == b ? a : std::sqrt(a * b); }

SoftLaws::Spring mixed(const SoftLaws::Spring& a, const SoftLaws::Spring& b) {
    return {harmonic(a.stiffness, b.stiffness), geometric(a.viscosity, b.viscosity),
            geometric(a.friction, b.friction)};
}

/// Two springs in a row are half as stiff; what is no stiffness has the geometric mean.
SoftLaws mixed(const SoftLaws& a, const SoftLaws& b) {
    SoftLaws laws;
    laws.normal = a.normal;
    laws.stiffness = harmonic(a.stiffness, b.stiffness);
    laws.unloading_stiffness = harmonic(a.unloading_stiffness, b.unloading_stiffness);
    laws.unloading_growth = geometric(a.unloading_growth, b.unloading_growth);
    laws.adhesion_stiffness = harmonic(a.adhesion_stiffness, b.adhesion_stiffness);
    laws.plasticity_depth = geometric(a.plasticity_depth, b.plasticity_depth);
    laws.modulus = harmonic(a.modulus, b.modulus);
    laws.yield_pressure = geometric(a.yield_pressure, b.yield_pressure);
    laws.viscosity = geometric(a.viscosity, b.viscosity);
    laws.damping_ratio = geometric(a.damping_ratio, b.damping_ratio);
    laws.damping_exponent = a.damping_exponent;
    laws.speed_exponent = a.speed_exponent;
    laws.sliding_law = a.sliding_law;
    laws.shear_modulus = harmonic(a.shear_modulus, b.shear_modulus);
    laws.attraction_energy = geometric(a.attraction_energy, b.attraction_energy);
    laws.attraction_range = geometric(a.attraction_range, b.attraction_range);
    laws.attraction_cutoff = geometric(a.attraction_cutoff, b.attraction_cutoff);
    laws.sliding = mixed(a.sliding, b.sliding);
    laws.rolling = mixed(a.rolling, b.rolling);
    laws.torsion = mixed(a.torsion, b.torsion);
    laws.dynamic_ratio = geometric(a.dynamic_ratio, b.dynamic_ratio);
    return laws;
}

double damping_ratio(NormalLaw law, double restitution) {
    return law == NormalLaw::linear ? soft::damping_ratio_of(restitution)
                                    : soft::hertz_damping_ratio_of(restitution);
}

/// D, l and m of [002 eq. 10].
void read_damping_exponents(const Section& section, SoftLaws& laws) {
    for (const char* key : {"damping_exponent", "speed_exponent"})
        if (section.has(key) && laws.normal != NormalLaw::hertz)
            section.problem(
                key, fmt::format("has no meaning with normal_law = \"{}\"; remove it", name_of(laws.normal)));
        else if (section.has(key) && laws.viscosity == 0)
            section.problem(key, "belongs to the dashpot that 'viscosity' gives; add viscosity");
    if (const auto l = section.number("damping_exponent")) {
        if (*l * 4 != std::floor(*l * 4))
            section.problem("damping_exponent",
                            fmt::format("{} is not a multiple of 1/4; choose 0, 0.25, 0.5, 1 ...", *l));
        laws.damping_exponent = static_cast<int>(*l * 4);
    }
    if (const auto m = section.number("speed_exponent")) {
        if (*m != 0.5 && *m != 1 && *m != 2)
            section.problem("speed_exponent", fmt::format("{} is none of 0.5, 1 and 2; choose one", *m));
        laws.speed_exponent = *m;
    }
}

void read_normal(const Section& section, const ContactLaws& rigid, bool is_pair, SoftLaws& laws) {
    if (const auto name = section.string("normal_law"))
        for (const LawName& known : law_names)
            if (known.name == *name)
                laws.normal = known.law;
    const auto law = static_cast<std::size_t>(laws.normal);
    for (const NumberKey& key : number_keys) {
        assign(laws.*key.number, section.number(key.name));
        if (section.has(key.name) && !key.used[law])
            section.problem(key.name, fmt::format("has no meaning with normal_law = \"{}\"; remove it",
                                                  name_of(laws.normal)));
        if (key.needed[law] && laws.*key.number == 0 && !section.has(key.name))
            section.problem(is_pair ? "" : "name",
                            fmt::format("engine = \"soft\" with normal_law = \"{}\" needs '{}'; add it",
                                        name_of(laws.normal), key.name));
    }
    if (laws.normal == NormalLaw::latching || laws.normal == NormalLaw::adhesive)
        if (laws.unloading_stiffness > 0 && laws.unloading_stiffness < laws.stiffness)
            section.problem(
                section.has("unloading_stiffness") ? "unloading_stiffness" : "stiffness",
                fmt::format("unloading_stiffness = {} is less than stiffness = {}: the contact would "
                            "gain energy; make it larger",
                            laws.unloading_stiffness, laws.stiffness));
    const bool dissipates = laws.normal != NormalLaw::linear && laws.normal != NormalLaw::hertz;
    if (section.has("restitution") && dissipates)
        section.problem("restitution",
                        fmt::format("follows from the plastic law \"{}\" here; remove it, or give "
                                    "viscosity for small oscillations",
                                    name_of(laws.normal)));
    if (section.has("restitution") && section.has("viscosity"))
        section.problem("viscosity", "says with 'restitution' the same thing twice; keep one of the two");
    if (dissipates || section.has("viscosity"))
        laws.damping_ratio = 0;
    else if (!is_pair || section.has("restitution")) {
        laws.damping_ratio = damping_ratio(laws.normal, rigid.restitution);
        laws.viscosity = 0;
    }
    read_damping_exponents(section, laws);
}

/// `friction` is that of the rigid laws, which have the same meaning. `needed`: nothing else tells the
/// stiffness.
void read_spring(const Section& section, const std::string& prefix, double friction, double preset_stiffness,
                 bool needed, SoftLaws::Spring& spring) {
    spring.friction = friction;
    if (spring.stiffness == 0)
        spring.stiffness = preset_stiffness;
    assign(spring.stiffness, section.number(prefix + "_stiffness"));
    assign(spring.viscosity, section.number(prefix + "_viscosity"));
    if (needed && friction > 0 && spring.stiffness == 0 && !section.has(prefix + "_stiffness"))
        section.problem("",
                        fmt::format("friction needs '{}_stiffness' with this normal_law; add it", prefix));
    if (friction == 0)
        for (const char* part : {"_stiffness", "_viscosity"})
            if (section.has(prefix + part) && prefix != "sliding")
                section.warning(prefix + part, fmt::format("has no effect, since {}_ratio is 0", prefix));
}

/// Whether sliding takes its stiffness from a shear modulus.
bool read_sliding_law(const Section& section, bool is_pair, SoftLaws& laws) {
    if (const auto name = section.string("sliding_law"))
        laws.sliding_law = *name == "mindlin"  ? SlidingLaw::mindlin
                           : *name == "walton" ? SlidingLaw::walton
                                               : SlidingLaw::spring;
    assign(laws.shear_modulus, section.number("contact_shear_modulus"));
    if (laws.sliding_law == SlidingLaw::spring) {
        if (section.has("contact_shear_modulus"))
            section.problem(
                "contact_shear_modulus",
                "has no meaning with sliding_law = \"spring\"; remove it, or choose \"mindlin\" or "
                "\"walton\"");
        laws.shear_modulus = 0;
        return false;
    }
    if (laws.sliding_law == SlidingLaw::mindlin && laws.shear_modulus == 0 &&
        !section.has("contact_shear_modulus"))
        section.problem(is_pair ? "" : "name",
                        "sliding_law = \"mindlin\" needs 'contact_shear_modulus'; add it");
    if (laws.shear_modulus > 0 && section.has("sliding_stiffness"))
        section.problem("sliding_stiffness",
                        "says with 'contact_shear_modulus' the same thing twice; keep one of the two");
    if (laws.sliding_law == SlidingLaw::walton)
        for (const char* key : {"sliding_viscosity", "dynamic_friction_ratio"})
            if (section.has(key))
                section.problem(key, "has no meaning with sliding_law = \"walton\"; remove it");
    return laws.shear_modulus > 0;
}

void read_attraction(const Section& section, SoftLaws& laws) {
    assign(laws.attraction_energy, section.number("attraction_energy"));
    assign(laws.attraction_range, section.number("attraction_range"));
    assign(laws.attraction_cutoff, section.number("attraction_cutoff"));
    if (laws.attraction_energy == 0) {
        for (const char* key : {"attraction_range", "attraction_cutoff"})
            if (section.has(key))
                section.warning(key, "has no effect, since attraction_energy is 0");
        return;
    }
    if (laws.attraction_cutoff <= 1)
        section.problem("attraction_cutoff",
                        fmt::format("{} lies inside of the contact, which begins at 1; choose more",
                                    laws.attraction_cutoff));
    // The attraction ends where the potential is least, at 2^(1/6) r_0.
    constexpr double least_at = 1.122462048309373;
    if (laws.attraction_range * least_at >= 1)
        section.problem("attraction_range",
                        fmt::format("{} makes grains that touch repel each other; choose less than 0.89",
                                    laws.attraction_range));
}

SoftLaws read_one(const Section& section, const ContactLaws& rigid, const SoftLaws* mean, int dimension) {
    SoftLaws laws = mean ? *mean : SoftLaws{};
    read_normal(section, rigid, mean != nullptr, laws);
    // In step with the normal oscillation [002 eq. 14].
    const double in_step = (dimension == 3 ? 2.0 / 7 : 1.0 / 3) * laws.stiffness;
    const bool by_modulus = laws.normal == NormalLaw::hertz || laws.normal == NormalLaw::yielding;
    const bool by_shear_modulus = read_sliding_law(section, mean != nullptr, laws);
    read_attraction(section, laws);
    read_spring(section, "sliding", rigid.friction, in_step, by_modulus && !by_shear_modulus, laws.sliding);
    read_spring(section, "rolling", rigid.rolling.value, laws.sliding.stiffness, false, laws.rolling);
    read_spring(section, "torsion", dimension == 3 ? rigid.torsion.value : 0.0, laws.sliding.stiffness, false,
                laws.torsion);
    assign(laws.dynamic_ratio, section.number("dynamic_friction_ratio"));
    return laws;
}

/// The rigid law has the same force. A Bond number counts in 2 g/(1/m1 + 1/m2), which is 2 g times the
/// reduced mass.
void set_cohesion(const Cohesion& cohesion, double gravity, SoftLaws& laws) {
    laws.cohesion_force = cohesion.scale == CohesionScale::force ? cohesion.value : 0;
    laws.cohesion_per_radius = cohesion.scale == CohesionScale::radius ? cohesion.value : 0;
    laws.cohesion_per_mass = cohesion.scale == CohesionScale::bond ? 2 * gravity * cohesion.value : 0;
}

} // namespace

void read_soft_laws(const Section& top, int dimension, MaterialTable& materials) {
    const std::vector<Section> sections = top.entries("material"), pairs = top.entries("pair");
    const double gravity = norm(top.vector("gravity").value_or(Vec3{0, 0, 0}));
    const auto set = [&](int a, int b, const SoftLaws& soft) {
        ContactLaws laws = materials.laws(a, b);
        laws.soft = soft;
        set_cohesion(laws.cohesion, gravity, laws.soft);
        materials.set(a, b, laws);
    };
    for (int b = 0; b < materials.size(); ++b) {
        const Section& section = sections[static_cast<std::size_t>(b)];
        set(b, b, read_one(section, materials.laws(b, b), nullptr, dimension));
        for (int a = 0; a < b; ++a) {
            const SoftLaws &one = materials.laws(a, a).soft, &two = materials.laws(b, b).soft;
            const Section* pair = nullptr;
            for (const Section& entry : pairs)
                if (const auto names = entry.strings("between");
                    names && names->size() == 2 &&
                    ((materials.find(names->front()) == a && materials.find(names->back()) == b) ||
                     (materials.find(names->front()) == b && materials.find(names->back()) == a)))
                    pair = &entry;
            if (one.normal != two.normal && (!pair || !pair->has("normal_law")))
                section.problem("normal_law", fmt::format("'{}' has another law, \"{}\"; add a [[pair]] with "
                                                          "between = [\"{}\", \"{}\"] and its normal_law",
                                                          materials[a].name, name_of(one.normal),
                                                          materials[a].name, materials[b].name));
            if (one.sliding_law != two.sliding_law && (!pair || !pair->has("sliding_law")))
                section.problem("sliding_law",
                                fmt::format("'{}' has another sliding law; add a [[pair]] with "
                                            "between = [\"{}\", \"{}\"] and its sliding_law",
                                            materials[a].name, materials[a].name, materials[b].name));
            const bool by_restitution = one.damping_ratio > 0 || two.damping_ratio > 0;
            if (by_restitution && (one.viscosity > 0 || two.viscosity > 0) &&
                (!pair || (!pair->has("restitution") && !pair->has("viscosity"))))
                section.problem("name",
                                fmt::format("'{}' and '{}' have a restitution and a viscosity, which have "
                                            "no mean; add a [[pair]] of the two with one of them",
                                            materials[a].name, materials[b].name));
            if (one.normal == two.normal &&
                (one.damping_exponent != two.damping_exponent || one.speed_exponent != two.speed_exponent) &&
                (!pair || !pair->has("damping_exponent") || !pair->has("speed_exponent")))
                section.problem("name", fmt::format("'{}' and '{}' have dashpots with other exponents; add a "
                                                    "[[pair]] of the two with both exponents",
                                                    materials[a].name, materials[b].name));
            SoftLaws mean = mixed(one, two);
            if (by_restitution) // the mean that rigid grains have
                mean.damping_ratio = damping_ratio(mean.normal, materials.laws(a, b).restitution);
            set(a, b, pair ? read_one(*pair, materials.laws(a, b), &mean, dimension) : mean);
        }
    }
}

SoftSettings read_soft_settings(const Section& section) {
    SoftSettings settings;
    assign(settings.steps_per_contact, section.number("steps_per_contact"));
    settings.rotate_springs = section.string("springs") == "rotated";
    settings.dashpot_after_slip = section.string("after_slip") == "with_dashpot";
    assign(settings.background_viscosity, section.number("background_viscosity"));
    assign(settings.background_rotation_viscosity, section.number("background_rotation_viscosity"));
    return settings;
}

} // namespace tamp
