#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "read_laws.hpp"
#include "tamp/base/nearest_name.hpp"
#include "tamp/config/readers.hpp"
#include "tamp/materials/mixing.hpp"

namespace tamp {

int find_material(const Section& section, std::string_view key, const std::string& name,
                  const MaterialTable& materials) {
    const int index = materials.find(name);
    if (index >= 0)
        return index;
    std::vector<std::string> names;
    std::string list;
    for (int i = 0; i < materials.size(); ++i) {
        names.push_back(materials[i].name);
        list += fmt::format("{}'{}'", i == 0 ? "" : ", ", materials[i].name);
    }
    const std::string nearest = nearest_name(name, names);
    section.problem(key, fmt::format("no material is named '{}'; {}{}", name,
                                     nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                                     list.empty() ? "add a [[material]]" : "the materials are " + list));
    return -1;
}

namespace {

using PairSections = std::map<std::pair<int, int>, Section>;

/// The usable [[pair]] entries by their materials, the smaller index first.
PairSections read_pairs(const Section& top, const MaterialTable& materials) {
    PairSections pairs;
    for (const Section& section : top.entries("pair")) {
        const auto between = section.strings("between");
        if (!between)
            continue;
        if (between->size() != 2) {
            section.problem("between", fmt::format("got {} names; give two", between->size()));
            continue;
        }
        const int a = find_material(section, "between", between->front(), materials);
        const int b = find_material(section, "between", between->back(), materials);
        if (a < 0 || b < 0)
            continue;
        if (a == b)
            section.problem("between",
                            fmt::format("names '{}' twice; its law against itself belongs into its "
                                        "[[material]]",
                                        between->front()));
        else if (!pairs.emplace(std::minmax(a, b), section).second)
            section.problem("between",
                            fmt::format("the pair '{}', '{}' was given before; keep one of the two",
                                        between->front(), between->back()));
    }
    return pairs;
}

void read_contact_laws(const Section& top, const std::vector<Section>& sections, MaterialTable& materials) {
    // Gravity that is wrong has been told so.
    const bool has_gravity = top.has("gravity") && top.vector("gravity") != Vec3{0, 0, 0};
    const PairSections pairs = read_pairs(top, materials);
    for (int b = 0; b < materials.size(); ++b) {
        const Section& section = sections[static_cast<std::size_t>(b)];
        materials.set(b, b, read_laws(section, has_gravity, nullptr));
        for (int a = 0; a < b; ++a) {
            const ContactLaws &laws_a = materials.laws(a, a), &laws_b = materials.laws(b, b);
            const auto found = pairs.find({a, b});
            const Section* pair = found != pairs.end() ? &found->second : nullptr;
            check_mixable(pair != nullptr ? *pair : section, pair,
                          {laws_a, laws_b, materials[a].name, materials[b].name});
            const ContactLaws mean = mixed(laws_a, laws_b);
            materials.set(a, b, pair != nullptr ? read_laws(*pair, has_gravity, &mean) : mean);
        }
    }
}

} // namespace

MaterialTable read_materials(const Section& top) {
    const std::vector<Section> sections = top.entries("material");
    check_names(sections);
    std::vector<Material> list;
    for (const Section& section : sections) {
        Material material;
        assign(material.name, section.string("name"));
        assign(material.density, section.number("density"));
        assign(material.friction, section.number("friction"));
        assign(material.fixed, section.boolean("fixed"));
        list.push_back(material);
    }
    MaterialTable materials(std::move(list));
    read_contact_laws(top, sections, materials);
    return materials;
}

int read_material(const Section& section, std::string_view key, const MaterialTable& materials) {
    const std::optional<std::string> name = section.string(key);
    return name ? std::max(0, find_material(section, key, *name, materials)) : 0;
}

} // namespace tamp
