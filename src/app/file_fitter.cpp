#include "tamp/app/file_fitter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tamp/app/start_file.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/nearest_name.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/config/stored_input.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/particles/csv.hpp"
#include "tamp/particles/placement.hpp"

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

/// -1: it keeps its name.
int renamed_to(const GeneratorSettings& generator, const std::string& name) {
    const auto found = std::ranges::find(generator.renamed, name, &std::pair<std::string, int>::first);
    return found == generator.renamed.end() ? -1 : found->second;
}

std::string unknown_rename(const std::string& path, const std::string& name,
                           const std::vector<std::string>& known) {
    const std::string nearest = nearest_name(name, known);
    return fmt::format("{}: materials: the file has no particles of '{}'; {}it has {}", path, name,
                       nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest), listed(known));
}

void note_placement(const std::string& path, const Placement& placement, std::size_t particles,
                    std::vector<std::string>& notes) {
    if (!placement.any())
        return;
    std::vector<std::string> done;
    if (placement.copy_count() > 1)
        done.push_back(fmt::format("copied {} x {} x {} times", placement.copies[0], placement.copies[1],
                                   placement.copies[2]));
    if (placement.degrees != 0)
        done.push_back(fmt::format("turned by {:.6g} degrees", placement.degrees));
    if (placement.shift != Vec3{0, 0, 0})
        done.push_back(fmt::format("shifted by ({:.6g}, {:.6g}, {:.6g}) m", placement.shift.x,
                                   placement.shift.y, placement.shift.z));
    notes.push_back(fmt::format("{}: its {} particles are {}", path, particles, fmt::join(done, ", then ")));
}

/// Fits a file to the case that starts from it. One process does that.
class FileFitter {
public:
    FileFitter(const Case& settings, const GeneratorSettings& generator, const std::string& path,
               Start& start)
        : settings_(settings), generator_(generator), placement_(generator.placement), path_(path),
          first_id_(start.grains.size()), start_(start), file_(read_start_file(path)) {}

    void fit() {
        if (file_.dimension != settings_.box.dimension)
            throw InputError(fmt::format("{}: holds a state in {} dimensions, the case has {}; set dimension",
                                         path_, file_.dimension, settings_.box.dimension));
        set_materials();
        fit_walls();
        if (placement_.copy_count() > 1)
            find_box();
        take_bonds();
        const std::vector<Grain> grains = placed(file_.grains, placement_, period_, first_id_);
        note_placement(path_, placement_, file_.grains.size(), start_.notes);
        start_.grains.insert(start_.grains.end(), grains.begin(), grains.end());
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
        for (const auto& [there, here] : generator_.renamed)
            if (std::ranges::find(file_.materials, there) == file_.materials.end())
                throw InputError(unknown_rename(path_, there, file_.materials));
        for (Grain& grain : file_.grains) {
            const auto index = static_cast<std::size_t>(grain.material);
            if (grain.material < 0 || index >= file_.materials.size())
                throw InputError(fmt::format(
                    "{}: material number {} of a particle has no name in the file; add the key material, "
                    "which then holds for all of its particles",
                    path_, grain.material));
            if (const int renamed = renamed_to(generator_, file_.materials[index]); renamed >= 0) {
                grain.material = renamed;
                continue;
            }
            const auto same = std::ranges::find(names, file_.materials[index]);
            if (same == names.end())
                throw InputError(fmt::format(
                    "{}: the case has no material '{}'; the file has {}, the case has {}; add a "
                    "[[material]] of that name, its name here to the key materials, or the key material, "
                    "which then holds for all of the file's particles",
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
            const bool parallel =
                dot(wall.normal, there->normal) > 1 - 1e-9 && wall.shape.kind == there->shape.kind;
            if (generator_.take_walls && !parallel)
                throw InputError(
                    fmt::format("{}: wall '{}' has another normal or shape there than in the case; "
                                "correct it, give the wall another name, or leave out walls",
                                path_, wall.name));
            const double way = dot(wall.normal, there->point - wall.point);
            if (parallel && way != 0)
                moved.push_back(fmt::format("{} ({:.6g} m along its normal)", wall.name, way));
            if (generator_.take_walls)
                wall.rotation.pivot += there->point - wall.point, wall.point = there->point;
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

    /// What the case inside the file says about its box: how far copies are apart, and which bonds reach
    /// across a periodic border.
    void find_box() {
        box_ = read_stored_input(file_.input, path_).box;
        if (placement_.period)
            period_ = *placement_.period;
        else if (box_)
            period_ = {box_->length(0), box_->length(1), box_->length(2)};
        else
            throw InputError(
                fmt::format("{}: the file does not say how large its box was; add the key period, "
                            "the way from one copy to the next",
                            path_));
    }

    void take_bonds() {
        const auto column = offset_of(file_.contacts.columns, "bond"),
                   first = offset_of(file_.contacts.columns, "first"),
                   second = offset_of(file_.contacts.columns, "second");
        if (!column || !first || !second)
            return;
        std::unordered_map<std::uint64_t, std::size_t> place; // in `grains`, by the id there
        for (const Grain& grain : file_.grains)
            place.emplace(grain.id, place.size());
        BondCount count;
        for (std::size_t r = 0; r < file_.contacts.rows(); ++r) {
            const auto row = file_.contacts.row(r);
            if (row[*column] == 0 || !place.contains(row[*first]))
                continue;
            if (is_wall(row[*second]))
                take_wall_bond(place[row[*first]], row[*second], row[*column], count);
            else if (place.contains(row[*second]))
                take_bond(place[row[*first]], place[row[*second]], row[*column], count);
            else
                ++count.without_wall;
        }
        note_bonds(count);
    }

    struct BondCount {
        std::int64_t taken = 0, without_wall = 0, moved_away = 0;
    };

    /// Once in each copy. What reached across a periodic border of the file's box reaches into the next copy;
    /// from the last one, into the first: they touch if the case is periodic there as well.
    void take_bond(std::size_t a, std::size_t b, std::uint64_t bond, BondCount& count) {
        const Vec3 way = file_.grains[b].position - file_.grains[a].position;
        std::array<std::int64_t, 3> across{0, 0, 0};
        for (int axis = 0; axis < 3; ++axis)
            if (box_ && box_->periodic(axis))
                across[static_cast<std::size_t>(axis)] =
                    -static_cast<std::int64_t>(std::nearbyint(way[axis] / box_->length(axis)));
        for (std::int64_t number = 0; number < placement_.copy_count(); ++number) {
            auto copy = placement_.copy_at(number);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::int64_t copies = placement_.copies[axis];
                copy[axis] = ((copy[axis] + across[axis]) % copies + copies) % copies;
            }
            const std::uint64_t one = id_of(a, number), other = id_of(b, placement_.copy_number(copy));
            add_bond(std::min(one, other), std::max(one, other), bond); // as contact lists have them
            ++count.taken;
        }
    }

    void take_wall_bond(std::size_t grain, std::uint64_t wall, std::uint64_t bond, BondCount& count) {
        if (placement_.any()) {
            ++count.moved_away;
            return;
        }
        const auto partner = wall_here(wall);
        count.without_wall += partner ? 0 : 1;
        count.taken += partner ? 1 : 0;
        if (partner)
            add_bond(id_of(grain, 0), *partner, bond);
    }

    std::uint64_t id_of(std::size_t grain, std::int64_t copy) const {
        return first_id_ + static_cast<std::uint64_t>(copy) * file_.grains.size() + grain;
    }

    void add_bond(std::uint64_t first, std::uint64_t second, std::uint64_t bond) {
        start_.contacts.words.insert(start_.contacts.words.end(), {first, second, bond});
    }

    void note_bonds(const BondCount& count) {
        const auto& [taken, without_wall, moved_away] = count;
        if (moved_away > 0)
            note(fmt::format("{} cohesive bonds with walls are not taken over: the packing is moved",
                             moved_away));
        if (taken + without_wall == 0)
            return;
        if (!settings_.materials.has_cohesion()) {
            start_.contacts.words.clear(); // nobody would remember them
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

    std::optional<std::uint64_t> wall_here(std::uint64_t there) const {
        if (wall_index(there) >= file_.walls.size())
            return {};
        const auto wall = std::ranges::find(start_.walls, file_.walls[wall_index(there)].name, &Wall::name);
        if (wall == start_.walls.end())
            return {};
        return wall_partner(static_cast<std::int32_t>(wall - start_.walls.begin()));
    }

    const Case& settings_;
    const GeneratorSettings& generator_;
    const Placement& placement_;
    const std::string& path_;
    std::uint64_t first_id_;
    Start& start_;
    StartFile file_;
    std::optional<Box> box_{}; ///< of the file; only where there are copies
    Vec3 period_{0, 0, 0};
};

} // namespace

std::vector<ColumnInfo> remembered_columns() {
    const ColumnInfo bond{.name = "bond", .kind = WordKind::signed_integer};
    return history_columns(std::span(&bond, 1));
}

void fit_file(const Case& settings, const GeneratorSettings& generator, const std::string& path,
              Start& start) {
    FileFitter(settings, generator, path, start).fit();
}

void fit_table(const Case& settings, const GeneratorSettings& generator, const std::string& text,
               const std::string& path, Start& start) {
    // Names that only the file has come behind those of the case; what has no name is the material of the
    // key.
    std::vector<std::string> names = names_of(settings.materials);
    const std::size_t known = names.size();
    for (const auto& [there, here] : generator.renamed)
        if (std::ranges::find(names, there) == names.end())
            names.push_back(there);
    const auto nameless = static_cast<int>(names.size());
    std::vector<Grain> grains =
        parse_grains_csv(text, path, settings.box.dimension, names, nameless, start.grains.size());
    std::vector<bool> used(names.size() + 1);
    for (const Grain& grain : grains)
        used[static_cast<std::size_t>(grain.material)] = true;
    for (const auto& [there, here] : generator.renamed)
        if (const auto index = std::ranges::find(names, there) - names.begin();
            !used[static_cast<std::size_t>(index)]) {
            std::vector<std::string> found;
            for (std::size_t i = 0; i < known; ++i)
                if (used[i])
                    found.push_back(names[i]);
            throw InputError(unknown_rename(path, there, found));
        }
    for (Grain& grain : grains)
        if (grain.material == nameless)
            grain.material = generator.material;
        else if (const int here = renamed_to(generator, names[static_cast<std::size_t>(grain.material)]);
                 here >= 0)
            grain.material = here;
    note_placement(path, generator.placement, grains.size(), start.notes);
    grains = placed(grains, generator.placement, generator.placement.period.value_or(Vec3{0, 0, 0}),
                    start.grains.size());
    start.grains.insert(start.grains.end(), grains.begin(), grains.end());
}

void check_placed(const Case& settings, std::size_t number, const Start& start, std::size_t first) {
    const Placement& placement = settings.generators[number].placement;
    if (!placement.any())
        return;
    const Box& box = settings.box;
    const char* key = placement.shift != Vec3{0, 0, 0} ? "shift"
                      : placement.degrees != 0         ? "turn.angle"
                                                       : "replicate";
    for (std::size_t i = first; i < start.grains.size(); ++i)
        for (int axis = 0; axis < box.dimension; ++axis) {
            const double at = start.grains[i].position[axis];
            if (box.periodic(axis) || (at >= box.lower[axis] && at <= box.upper[axis]))
                continue;
            throw InputError(fmt::format(
                "{}: puts particle {} at {:.6g} along {}, outside the domain, which reaches from {:.6g} to "
                "{:.6g}; correct it, or make the domain wider",
                settings.named(fmt::format("particles[{}].{}", number, key)), start.grains[i].id, at,
                "xyz"[axis], box.lower[axis], box.upper[axis]));
        }
}

} // namespace tamp
