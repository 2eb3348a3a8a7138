#include "tamp/config/compare.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "tamp/config/document.hpp"

namespace tamp {
namespace {

constexpr std::array<std::string_view, 6> observing{"title",     "output",  "measure",
                                                    "snapshots", "picture", "checkpoint"};
constexpr std::array<std::string_view, 5> structure{"dimension", "domain", "particles", "wall", "neighbours"};

/// Of values and names; places do not matter.
bool same(const Node& a, const Node& b) {
    if (a.is_number() && b.is_number())
        return a.number == b.number; // 1 and 1.0
    return a.kind == b.kind && a.name == b.name && a.boolean == b.boolean && a.text == b.text &&
           std::ranges::equal(a.children, b.children, same);
}

bool same(const Node* a, const Node* b) { return a && b ? same(*a, *b) : a == b; }

} // namespace

CaseChanges compare_cases(const std::string& before, const std::string& after) {
    Problems none;
    const Document old_case = read_document(before, "the case", {}, none),
                   new_case = read_document(after, "the case", {}, none);
    std::set<std::string> names;
    for (const Document* document : {&old_case, &new_case})
        for (const Node& child : document->root.children)
            names.insert(child.name);
    CaseChanges changes;
    for (const std::string& name : names) {
        if (same(old_case.root.find(name), new_case.root.find(name)))
            continue;
        auto& list = std::ranges::count(observing, name) > 0   ? changes.observing
                     : std::ranges::count(structure, name) > 0 ? changes.structure
                                                               : changes.physics;
        list.push_back(name);
        changes.measures |= name == "measure";
    }
    return changes;
}

} // namespace tamp
