#include <set>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

/// -1, and a report, if there is no such material.
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

void read_friction(const Section& top, MaterialTable& materials) {
    std::set<std::pair<int, int>> seen;
    for (const Section& section : top.entries("friction")) {
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
        if (!seen.emplace(std::min(a, b), std::max(a, b)).second)
            section.problem("between",
                            fmt::format("the pair '{}', '{}' was given before; keep one of the two",
                                        between->front(), between->back()));
        if (a == b)
            section.problem("between",
                            fmt::format("names '{}' twice; its friction against itself is 'friction' in its "
                                        "[[material]]",
                                        between->front()));
        if (const std::optional<double> value = section.number("value"))
            materials.set_friction(a, b, *value);
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
        list.push_back(material);
    }
    MaterialTable materials(std::move(list));
    read_friction(top, materials);
    return materials;
}

int read_material(const Section& section, std::string_view key, const MaterialTable& materials) {
    const std::optional<std::string> name = section.string(key);
    return name ? std::max(0, find_material(section, key, *name, materials)) : 0;
}

} // namespace tamp
