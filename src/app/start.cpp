#include "tamp/app/start.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tamp/app/first_step.hpp"
#include "tamp/app/growth_check.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/rigid_outlook.hpp"
#include "tamp/app/start_file.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/config/parse_case.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/particles/csv.hpp"
#include "tamp/particles/generate.hpp"
#include "tamp/particles/limits.hpp"
#include "tamp/world/start_check.hpp"

namespace tamp {
namespace {

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string> names_of(const MaterialTable& materials) {
    std::vector<std::string> names;
    for (int i = 0; i < materials.size(); ++i)
        names.push_back(materials[i].name);
    return names;
}

/// The columns of Start::contacts: of all that engines remember, bonds are what the law of cohesion knows of
/// the past. Impulses and torques are guesses, which the solver finds anew.
std::vector<ColumnInfo> remembered_columns() {
    const ColumnInfo bond{.name = "bond", .kind = WordKind::signed_integer};
    return history_columns(std::span(&bond, 1));
}

/// Fits a file to the case that starts from it. One process does that.
class FileFitter {
public:
    FileFitter(const Case& settings, const GeneratorSettings& generator, const std::string& path,
               std::uint64_t first_id, Start& start)
        : settings_(settings), generator_(generator), path_(path), first_id_(first_id), start_(start),
          file_(read_start_file(path)) {}

    void fit() {
        if (file_.dimension != settings_.box.dimension)
            throw InputError(fmt::format("{}: holds a state in {} dimensions, the case has {}; set dimension",
                                         path_, file_.dimension, settings_.box.dimension));
        set_materials();
        fit_walls();
        take_bonds();
        std::vector<Grain>& all = start_.grains;
        for (Grain& grain : file_.grains)
            grain.id = first_id_ + static_cast<std::uint64_t>(&grain - file_.grains.data());
        all.insert(all.end(), file_.grains.begin(), file_.grains.end());
    }

private:
    void note(const std::string& text) { start_.notes.push_back(path_ + ": " + text); }

    /// By name: the case may list its materials in another order.
    void set_materials() {
        if (generator_.material_given) {
            for (Grain& grain : file_.grains)
                grain.material = generator_.material;
            note(fmt::format("all of its {} particles become '{}', as the key material says",
                             file_.grains.size(), settings_.materials[generator_.material].name));
            return;
        }
        const std::vector<std::string> names = names_of(settings_.materials);
        for (Grain& grain : file_.grains) {
            const auto index = static_cast<std::size_t>(grain.material);
            if (grain.material < 0 || index >= file_.materials.size())
                throw InputError(fmt::format(
                    "{}: material number {} of a particle has no name in the file; add the key material, "
                    "which then holds for all of its particles",
                    path_, grain.material));
            const auto same = std::ranges::find(names, file_.materials[index]);
            if (same == names.end())
                throw InputError(fmt::format(
                    "{}: the case has no material '{}'; the file has {}, the case has {}; add a "
                    "[[material]] of that name, or the key material, which then holds for all of the "
                    "file's particles",
                    path_, file_.materials[index], listed(file_.materials), listed(names)));
            grain.material = same - names.begin();
        }
    }

    /// The wall of the file that has this name and still stands.
    const Wall* wall_in_file(const std::string& name) const {
        const auto found = std::ranges::find(file_.walls, name, &Wall::name);
        return found == file_.walls.end() || found->motion == WallMotion::removed ? nullptr : &*found;
    }

    void fit_walls() {
        std::vector<std::string> taken, moved, unknown;
        for (Wall& wall : start_.walls) {
            const Wall* there = wall_in_file(wall.name);
            if (!there) {
                unknown.push_back(wall.name);
                continue;
            }
            const bool parallel = dot(wall.normal, there->normal) > 1 - 1e-9 &&
                                  wall.shape.kind == there->shape.kind;
            if (generator_.take_walls && !parallel)
                throw InputError(fmt::format("{}: wall '{}' has another normal or shape there than in the case; "
                                             "correct it, give the wall another name, or leave out walls",
                                             path_, wall.name));
            const double way = dot(wall.normal, there->point - wall.point);
            if (parallel && way != 0)
                moved.push_back(fmt::format("{} ({:.6g} m along its normal)", wall.name, way));
            if (generator_.take_walls)
                wall.point = there->point;
            taken.push_back(wall.name);
        }
        for (std::size_t w = 0; w < start_.walls.size(); ++w)
            if (Wall& wall = start_.walls[w]; wall.stress != 0 && wall.motion == WallMotion::piston)
                wall.force = wall.stress * stress_area(settings_.box, start_.walls, w);
        if (generator_.take_walls)
            note(fmt::format("walls that stand where the file had them: {}; moved from where the case puts "
                             "them: {}; not in the file: {}",
                             listed(taken), listed(moved), listed(unknown)));
        else if (!moved.empty())
            note(fmt::format("walls that stood elsewhere than the case puts them: {}; walls = true beside "
                             "path takes their positions",
                             listed(moved)));
    }

    void take_bonds() {
        const auto column = offset_of(file_.contacts.columns, "bond"),
                   first = offset_of(file_.contacts.columns, "first"),
                   second = offset_of(file_.contacts.columns, "second");
        if (!column || !first || !second)
            return;
        std::unordered_map<std::uint64_t, std::uint64_t> number; // of a particle here, by its id there
        for (const Grain& grain : file_.grains)
            number.emplace(grain.id, first_id_ + number.size());
        std::int64_t taken = 0, without_wall = 0;
        std::vector<std::uint64_t>& words = start_.contacts.words;
        for (std::size_t r = 0; r < file_.contacts.rows(); ++r) {
            const auto row = file_.contacts.row(r);
            if (row[*column] == 0 || !number.contains(row[*first]))
                continue;
            const auto partner = partner_here(row[*second], number);
            if (!partner) {
                ++without_wall;
                continue;
            }
            words.insert(words.end(), {number[row[*first]], *partner, row[*column]});
            ++taken;
        }
        if (taken + without_wall == 0)
            return;
        if (!settings_.materials.has_cohesion()) {
            words.clear(); // nobody would remember them
            note(fmt::format("{} cohesive bonds are not taken over: no material of the case has cohesion",
                             taken + without_wall));
            return;
        }
        note(fmt::format("{} cohesive bonds are taken over{}", taken,
                         without_wall == 0 ? ""
                                           : fmt::format("; {} bonds with walls that the case does not have "
                                                         "are not",
                                                         without_wall)));
    }

    std::optional<std::uint64_t>
    partner_here(std::uint64_t there, const std::unordered_map<std::uint64_t, std::uint64_t>& number) const {
        if (!is_wall(there)) {
            const auto found = number.find(there);
            return found == number.end() ? std::nullopt : std::optional(found->second);
        }
        if (wall_index(there) >= file_.walls.size())
            return {};
        const auto wall = std::ranges::find(start_.walls, file_.walls[wall_index(there)].name, &Wall::name);
        if (wall == start_.walls.end())
            return {};
        return wall_partner(static_cast<std::int32_t>(wall - start_.walls.begin()));
    }

    const Case& settings_;
    const GeneratorSettings& generator_;
    const std::string& path_;
    std::uint64_t first_id_;
    Start& start_;
    StartFile file_;
};

template <class T>
void broadcast(const Communicator& communicator, std::vector<T>& values, std::size_t from = 0) {
    auto count = static_cast<std::int64_t>(values.size());
    communicator.broadcast(std::span<std::int64_t>(&count, 1));
    values.resize(static_cast<std::size_t>(count));
    communicator.broadcast(std::span<T>(values).subspan(from));
}

/// Rank 0 reads, all get the same.
void add_file(const Communicator& communicator, const Case& settings, const GeneratorSettings& generator,
              const std::string& path, Start& start) {
    std::string problem;
    const std::size_t grains = start.grains.size(), contacts = start.contacts.words.size();
    if (communicator.rank() == 0) {
        try {
            FileFitter(settings, generator, path, grains, start).fit();
        } catch (const std::exception& error) {
            problem = error.what();
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw InputError(problem);
    broadcast(communicator, start.grains, grains);
    broadcast(communicator, start.contacts.words, contacts);
    for (Wall& wall : start.walls) {
        communicator.broadcast(std::span<Vec3>(&wall.point, 1));
        communicator.broadcast(std::span<double>(&wall.force, 1));
    }
}

/// Grains of generators keep clear of shapes; planes must not cut their regions, which has been checked.
FreeSpace room_between(std::span<const Wall> walls) {
    if (std::ranges::all_of(walls, &Wall::is_plane))
        return {};
    return [walls](const Vec3& centre, double radius) {
        return std::ranges::all_of(
            walls, [&](const Wall& wall) { return wall.is_plane() || wall.gap(centre, radius) >= 0; });
    };
}

void add_entry(const Communicator& communicator, const Case& settings, const GeneratorSettings& generator,
               const std::string& case_path, Start& start) {
    const std::string path = resolve_path(case_path, generator.path);
    if (generator.kind == GeneratorKind::file && !path.ends_with(".csv")) {
        add_file(communicator, settings, generator, path, start);
        return;
    }
    const std::vector<Grain> grains =
        generator.kind == GeneratorKind::file
            ? parse_grains_csv(read_text(communicator, path, "particle file"), path, settings.box.dimension,
                               names_of(settings.materials), generator.material, start.grains.size())
            : generate(generator, settings.box, settings.seed, start.grains.size(), room_between(start.walls));
    start.grains.insert(start.grains.end(), grains.begin(), grains.end());
}

/// Particles of files must fit the box as those of generators do, whose sizes were known with the case.
void check_box_of(const Case& settings, std::span<const Grain> grains) {
    double largest = 0;
    for (const Grain& grain : grains)
        largest = std::max(largest, 2 * grain.radius);
    for (const BoxFault& fault : box_faults(settings.box, largest))
        throw InputError(fmt::format("{}: {}", settings.named("domain." + fault.key), fault.what));
}

/// Particles that a run would stop at are no start for it. Rigid grains hardly overlap; soft ones do under
/// load.
double largest_start_overlap(const Case& settings) {
    const double share = settings.engine == EngineKind::soft ? 0.5 : 0.01;
    return settings.max_overlap > 0 ? std::min(share, settings.max_overlap) : share;
}

} // namespace

Start make_start(const Communicator& communicator, const Case& settings, const std::string& case_path) {
    Start start{.grains = {}, .walls = settings.walls, .contacts = {remembered_columns()}};
    for (std::size_t i = 0; i < settings.generators.size(); ++i) {
        try {
            add_entry(communicator, settings, settings.generators[i], case_path, start);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: particles[{}]: {}", case_path, i, error.what()));
        }
    }
    if (!start.grains.empty())
        check_box_of(settings, start.grains);
    try {
        check_start(settings.box, settings.materials, start.walls, start.grains,
                    largest_start_overlap(settings));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: particles: {}", case_path, error.what()));
    }
    check_first_step(settings, start.grains);
    check_growth(settings, start.grains, start.walls);
    for (const std::string& line : rigid_outlook(settings, start.grains))
        start.notes.push_back(line);
    return start;
}

World starting_world(const Communicator& communicator, const Case& settings, const Start& start) {
    WorldSetup setup = world_setup(settings);
    setup.walls = start.walls;
    return World(
        communicator, setup,
        engine_needs(setup, engine_settings(settings), start_sizes(start.grains, settings.box.dimension)),
        start.grains, start.contacts);
}

} // namespace tamp
