#include "tamp/config/parse_case.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "tamp/config/document.hpp"
#include "tamp/config/readers.hpp"
#include "tamp/config/section.hpp"
#include "tamp/config/validate.hpp"

namespace tamp {
namespace {

/// 0 if it was written but is wrong: then vectors of either length pass.
int read_dimension(const Node& root) {
    const Node* node = root.find("dimension");
    if (node == nullptr)
        return 3;
    return value_fault(*find_key("", "dimension"), *node, 0).empty() ? static_cast<int>(node->integer) : 0;
}

/// Of every key below this table.
void list_places(const Node& table, const std::string& path, std::map<std::string, std::string>& places) {
    for (std::size_t i = 0; i < table.children.size(); ++i) {
        const Node& child = table.children[i];
        const std::string name = table.kind == Node::Kind::list
                                     ? fmt::format("{}[{}]", path, i)
                                     : fmt::format("{}{}{}", path, path.empty() ? "" : ".", child.name);
        const bool holds_tables = child.kind == Node::Kind::list && !child.children.empty() &&
                                  child.children.front().kind == Node::Kind::table;
        if (child.kind == Node::Kind::table || holds_tables)
            list_places(child, name, places);
        else
            places[name] = fmt::format("{}: {}", child.place.text(), name);
    }
}

std::vector<std::array<int, 2>> read_pair_materials(const Section& top, const MaterialTable& materials) {
    std::vector<std::array<int, 2>> pairs;
    for (const Section& pair : top.entries("pair"))
        if (const auto between = pair.strings("between"); between && between->size() == 2)
            pairs.push_back({materials.find(between->front()), materials.find(between->back())});
    return pairs;
}

} // namespace

Case parse_case(std::string_view text, const std::string& file_name, std::span<const std::string> overrides) {
    Problems problems;
    const Document document = read_document(text, file_name, overrides, problems);
    const int dimension = read_dimension(document.root);
    validate(document.root, dimension, problems);
    const Section top(document.root, dimension, problems);

    Case result;
    result.source = document.source;
    assign(result.title, top.string("title"));
    assign(result.seed, top.integer("seed"));
    assign(result.gravity, top.vector("gravity"));
    const std::optional<Box> box = dimension != 0 ? read_box(top, dimension) : std::nullopt;
    result.materials = read_materials(top);
    if (top.string("engine") == "soft") {
        result.engine = EngineKind::soft;
        read_soft_laws(top, dimension, result.materials);
    }
    result.soft = read_soft_settings(top.inner("soft"));
    SizeRange sizes;
    result.generators = read_generators(top, box, result.materials, sizes);
    result.walls = read_walls(top, box, result.materials);
    if (box) {
        result.box = *box;
        check_box(top, *box, sizes);
        check_walls(top, *box, result.walls, result.generators, result.materials, sizes);
    }
    result.solver = read_solver(top.inner("solver"));
    if (result.engine == EngineKind::soft)
        result.solver.scheme = SweepScheme::phases; // it has no sweeps that could be another scheme's
    result.time = read_time(top.inner("time"));
    assign(result.max_overlap, top.inner("time").number("max_overlap"));
    result.neighbours = read_neighbours(top.inner("neighbours"), box, sizes, result.solver.scheme);
    result.output = read_output(top.inner("output"));
    result.measure = read_measure(top, dimension);
    result.snapshots = read_snapshots(top);
    result.pictures = read_pictures(top);
    result.checkpoint = read_checkpoint_plan(top.inner("checkpoint"));
    result.stages = read_stages(top, box, result.walls);
    check_engine(top, result);
    check_effects(top, result, box);
    problems.throw_if_any();
    result.warnings = problems.warnings();
    result.pairs = read_pair_materials(top, result.materials);
    list_places(document.root, "", result.places);
    return result;
}

std::string resolve_path(const std::string& case_file, const std::string& path) {
    const std::filesystem::path given(path);
    if (given.is_absolute())
        return path;
    return (std::filesystem::path(case_file).parent_path() / given).lexically_normal().string();
}

} // namespace tamp
