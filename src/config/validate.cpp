#include "tamp/config/validate.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/config/keys.hpp"

namespace tamp {
namespace {

/// What a key of earlier versions is called today; empty if it has no new name.
std::string_view renamed(std::string_view section, std::string_view key) {
    if (section == "solver" && key == "balance")
        return "force_tolerance";
    if (section == "neighbours" && key == "balance")
        return "load_balance";
    return {};
}

/// What others call a key, and what it is called here.
struct OtherWord {
    std::string_view section, word, key;
};
constexpr OtherWord other_words[] = {
    {"", "g", "gravity"},
    {"domain", "boundaries", "boundary"},
    {"domain", "periodic", "boundary"},
    {"domain", "size", "upper"},
    {"material", "mu", "friction"},
    {"pair", "mu", "friction"},
    {"pair", "materials", "between"},
    {"particles", "position", "lower"},
    {"particles", "number", "count"},
    {"particles", "file", "path"},
    {"particles", "porosity", "fraction"},
    {"particles.size", "radius", "diameter"},
    {"particles.size", "radii", "diameters"},
    {"particles.size", "sigma", "deviation"},
    {"wall", "position", "point"},
    {"wall", "origin", "point"},
    {"wall", "direction", "normal"},
    {"wall", "pressure", "stress"},
    {"stage.wall", "pressure", "stress"},
    {"stage.wall", "speed", "velocity"},
    {"wall", "speed", "velocity"},
    {"time", "dt", "step"},
    {"stage", "time", "duration"},
    {"stage", "until_pressure", "until_stress"},
    {"stage", "until_energy", "until_kinetic_energy"},
    {"stage", "until_particles", "until_count"},
};

/// "did you mean 'a', 'b' or 'c'?"
std::string question(std::span<const std::string> names) {
    std::string text = "did you mean ";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
    return text + "?";
}

/// The known names that an unknown one may stand for; at most three, empty if there are none.
std::vector<std::string> likely_names(std::string_view word, const SectionSchema& section,
                                      std::span<const std::string> known) {
    for (const OtherWord& other : other_words)
        if (other.section == section.name && other.word == word)
            return {std::string(other.key)};
    if (const std::string nearest = nearest_name(word, known); !nearest.empty())
        return {nearest};
    std::vector<std::string> longer; // cohesion: cohesion_force, ...
    for (const std::string& name : known)
        if (longer.size() < 3 && name.starts_with(fmt::format("{}_", word)))
            longer.push_back(name);
    return longer;
}

std::string joined(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

/// Where a key or section of this name is known, if it is elsewhere.
std::string home_of(std::string_view name) {
    std::vector<std::string> homes;
    for (const KeySchema& key : all_keys())
        if (key.name == name)
            homes.push_back(key.section.empty() ? "the top of the file, above the first section"
                                                : find_section(key.section)->heading());
    std::string list;
    for (std::size_t i = 0; i < homes.size(); ++i)
        list += fmt::format("{}{}", i == 0 ? "" : i + 1 == homes.size() ? " or " : ", ", homes[i]);
    if (!list.empty())
        return fmt::format("it belongs to {}", list);
    for (const SectionSchema& section : all_sections())
        if (!section.name.empty() && section.last_name() == name)
            return fmt::format("it is a section of its own, {}", section.heading());
    return {};
}

class Validator {
public:
    Validator(int dimension, Problems& problems) : dimension_(dimension), problems_(problems) {}

    void check_table(const Node& table, const SectionSchema& section, const std::string& path) {
        const std::optional<std::string> selected = selected_value(table, section);
        std::vector<const Node*> unknown;
        for (const Node& child : table.children) {
            const std::string child_path = joined(path, child.name);
            if (const KeySchema* key = find_key(section.name, child.name)) {
                if (check_use(child, child_path, section, key->only_for, selected))
                    if (const std::string fault = value_fault(*key, child, dimension_); !fault.empty())
                        problems_.add(child.place, child_path, fault);
            } else if (const SectionSchema* inner =
                           find_section(joined(std::string(section.name), child.name))) {
                if (check_use(child, child_path, section, inner->only_for, selected))
                    check_form(child, *inner, child_path);
            } else {
                unknown.push_back(&child);
            }
        }
        const std::vector<std::string> meant = report_unknown(std::move(unknown), section, path);
        report_missing(table, section, path, selected, meant);
    }

private:
    /// The valid value of the section's selector, written or by default; nothing if it has none or it is
    /// wrong.
    std::optional<std::string> selected_value(const Node& table, const SectionSchema& section) const {
        if (section.selector.empty())
            return {};
        const Node* node = table.find(section.selector);
        const KeySchema& key = *find_key(section.name, section.selector);
        if (node == nullptr && key.preset.starts_with('"'))
            return std::string(key.preset.substr(1, key.preset.size() - 2));
        const bool valid = node != nullptr && value_fault(key, *node, dimension_).empty();
        return valid ? std::optional(node->text) : std::nullopt;
    }

    bool check_use(const Node& child, const std::string& path, const SectionSchema& section,
                   std::string_view only_for, const std::optional<std::string>& selected) {
        if (!selected || list_holds(only_for, *selected))
            return true;
        std::string used;
        for (const KeySchema* key : keys_of(section.name))
            if (list_holds(key->only_for, *selected))
                used += fmt::format("{}{}", used.empty() ? "" : ", ", key->name);
        for (const SectionSchema* inner : sections_in(section.name))
            if (list_holds(inner->only_for, *selected))
                used += fmt::format(", {}", inner->last_name());
        problems_.add(child.place, path,
                      fmt::format("belongs to {0} = {1}, not to {0} = \"{2}\"; that one takes {3}",
                                  section.selector, quoted_list(only_for), *selected, used));
        return false;
    }

    /// [name] for a section that stands once, [[name]] for a repeated one.
    void check_form(const Node& node, const SectionSchema& section, const std::string& path) {
        if (!section.repeated) {
            if (node.kind == Node::Kind::table)
                check_table(node, section, path);
            else
                problems_.add(node.place, path,
                              fmt::format("got {}, wanted one section; write {} once", node.description(),
                                          section.heading()));
            return;
        }
        bool is_list_of_tables = node.kind == Node::Kind::list && !node.children.empty();
        for (const Node& entry : node.children)
            is_list_of_tables = is_list_of_tables && entry.kind == Node::Kind::table;
        if (!is_list_of_tables) {
            problems_.add(node.place, path,
                          fmt::format("got {}, wanted one or more entries; write each under {}",
                                      node.description(), section.heading()));
            return;
        }
        for (std::size_t i = 0; i < node.children.size(); ++i)
            check_table(node.children[i], section, fmt::format("{}[{}]", path, i));
    }

    /// Returns the names that were probably meant. Advice for a file that is not a case at all would take
    /// long, and nobody would read it.
    std::vector<std::string> report_unknown(std::vector<const Node*> children, const SectionSchema& section,
                                            const std::string& path) {
        constexpr std::size_t most_told = 100;
        std::vector<std::string> meant;
        std::ranges::stable_sort(children, {}, [](const Node* child) { return child->place.order(); });
        for (std::size_t i = 0; i < std::min(children.size(), most_told); ++i)
            report_unknown(*children[i], section, joined(path, children[i]->name), meant);
        if (children.size() > most_told)
            problems_.leave_out(children.size() - most_told);
        return meant;
    }

    void report_unknown(const Node& child, const SectionSchema& section, const std::string& path,
                        std::vector<std::string>& meant) {
        const bool is_section =
            child.kind == Node::Kind::table || (child.kind == Node::Kind::list && !child.children.empty() &&
                                                child.children[0].kind == Node::Kind::table);
        std::vector<std::string> names;
        for (const KeySchema* key : keys_of(section.name))
            names.emplace_back(key->name);
        for (const SectionSchema* inner : sections_in(section.name))
            names.emplace_back(inner->last_name());
        std::string advice;
        if (const std::string_view now = renamed(section.name, child.name); !now.empty())
            advice = fmt::format("it is called '{}' now", now);
        else if (const std::vector<std::string> likely = likely_names(child.name, section, names);
                 !likely.empty()) {
            advice = question(likely);
            if (likely.size() == 1)
                meant.push_back(likely.front());
        } else if (advice = home_of(child.name); advice.empty())
            advice = "remove it";
        const bool all = is_section && section.name.empty();
        problems_.add(child.place, path,
                      fmt::format("unknown {}; {} (`tamp keys{}` lists {})", is_section ? "section" : "key",
                                  advice, all ? "" : fmt::format(" {}", shown_name(section)),
                                  all ? "all sections" : "all that are known here"));
    }

    void report_missing(const Node& table, const SectionSchema& section, const std::string& path,
                        const std::optional<std::string>& selected, std::span<const std::string> meant) {
        // One message for one mistake: a name that was misspelt is not missing.
        const auto missing = [&](std::string_view name) {
            return table.find(name) == nullptr && std::ranges::find(meant, name) == meant.end();
        };
        const auto wanted = [&](std::string_view only_for) {
            return only_for.empty() || (selected && list_holds(only_for, *selected));
        };
        for (const KeySchema* key : keys_of(section.name))
            if (key->required() && wanted(key->only_for) && missing(key->name))
                problems_.add(table.place, joined(path, key->name),
                              fmt::format("missing; add '{} = ...' ({}; `tamp keys {}` tells more)",
                                          key->name,
                                          key->choices.empty() ? std::string(type_name(key->type))
                                                               : quoted_list(key->choices),
                                          shown_name(section)));
        for (const SectionSchema* inner : sections_in(section.name))
            if (inner->required && wanted(inner->only_for) && missing(inner->last_name()))
                problems_.add(table.place, joined(path, inner->last_name()),
                              fmt::format("section missing; add {} (`tamp keys {}` lists its keys)",
                                          inner->heading(), inner->name));
    }

    int dimension_;
    Problems& problems_;
};

} // namespace

void validate(const Node& root, int dimension, Problems& problems) {
    Validator(dimension, problems).check_table(root, *find_section(""), "");
}

} // namespace tamp
