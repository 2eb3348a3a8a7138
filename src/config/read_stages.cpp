#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "read_limits.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/config/readers.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

/// Exactly one of the ways to move.
void check_motion(const Section& section) {
    std::string given;
    int count = 0;
    for (const char* motion : {"velocity", "force", "stress", "moment", "hold", "remove"})
        if (section.has(motion)) {
            given += fmt::format("{}'{}'", count == 0 ? "" : ", ", motion);
            ++count;
        }
    if (count == 0 && !section.has("rotation_speed") && !section.has("amplitude"))
        section.problem("", "gives no motion; add one of velocity, rotation_speed, amplitude, force, stress, "
                            "moment, hold = true or remove = true");
    if (count > 1)
        section.problem("", fmt::format("gives several motions, {}; keep one", given));
    for (const char* motion : {"hold", "remove"})
        if (section.boolean(motion) == false)
            section.problem(
                motion,
                fmt::format("only '{} = true' has a meaning; remove it or give another motion", motion));
    if (section.has("mass") && !section.has("force") && !section.has("stress"))
        section.problem("mass", "goes with force or stress only; remove it");
}

/// A table of one point is a value that stays; the others begin with `first`.
template <class Value>
TimeTable<Value> changing(TimeTable<Value> table, Value& first) {
    if (!table.empty())
        first = table.at(0);
    return table.times.size() > 1 ? table : TimeTable<Value>{};
}

/// `wall` is as the stages before have left it. A stress becomes a force when all walls have their commands.
WallCommand read_command(const Section& section, const Wall& wall) {
    WallCommand command;
    command.wall = wall.name;
    if (wall.motion == WallMotion::removed)
        section.problem("name",
                        fmt::format("'{}' was removed by an earlier stage and cannot come back; drop this "
                                    "entry, or move the wall away there instead of removing it",
                                    wall.name));
    command.mass = wall.mass;
    assign(command.mass, section.number("mass"));
    const bool pushed = section.has("force") || section.has("stress");
    read_further_motion(section, command);
    refuse_impossible(section, wall);
    for (const char* still : {"hold", "remove"})
        for (const char* key : {"rotation_speed", "amplitude"})
            if (section.has(still) && section.has(key))
                section.problem(
                    key, fmt::format("moves the wall, and {} = true does not; keep one of the two", still));
    if (section.has("moment") && wall.rotation.inertia == 0)
        section.problem("moment",
                        fmt::format("'{}' has no inertia; add 'inertia' to its [[wall]]", wall.name));
    if (pushed) {
        command.motion = WallMotion::piston;
        command.force_table = changing(section.number_table("force"), command.force);
        if (wall.mass == 0 && !section.has("mass"))
            section.problem(section.has("force") ? "force" : "stress",
                            fmt::format("'{}' has no mass yet; add 'mass'", wall.name));
    } else if (section.has("moment")) {
        command.motion = WallMotion::turning;
    } else if (section.has("velocity") || section.has("rotation_speed") || section.has("amplitude")) {
        command.motion = WallMotion::driven;
        command.velocity_table = changing(section.vector_table("velocity"), command.velocity);
    } else if (section.has("remove")) {
        command.motion = WallMotion::removed;
    }
    return command;
}

/// Walls from stage to stage, as far as a case tells.
class WallHistory {
public:
    WallHistory(const Section& top, const std::optional<Box>& box, const std::vector<Wall>& walls)
        : box_(box), walls_(walls), moved_(walls.size()), stress_(walls.size()) {
        const std::vector<Section> sections = top.entries("wall");
        for (std::size_t i = 0; i < sections.size(); ++i)
            if (const std::size_t w = walls.size() - sections.size() + i;
                sections[i].has("stress") && box && cross_section(*box, walls, w).obstacle.empty())
                stress_[w] = sections[i];
    }

    void read_stage(const Section& section, Stage& stage) {
        const std::vector<Section> entries = section.entries("wall");
        check_names(entries);
        std::vector<Section> known;
        for (const Section& entry : entries) {
            check_motion(entry);
            const std::optional<std::string> name = entry.string("name");
            if (!name)
                continue;
            const auto wall = std::ranges::find(walls_, *name, &Wall::name);
            if (wall == walls_.end()) {
                if (box_ || !is_automatic_name(*name)) // without a box its walls are not known
                    report_unknown_wall(entry, "name", *name, walls_);
                continue;
            }
            stage.walls.push_back(read_command(entry, *wall));
            if (box_)
                check_periodic_motion(entry, *wall, *box_);
            known.push_back(entry);
        }
        std::vector<std::size_t> told;
        for (const WallCommand& command : stage.walls) {
            told.push_back(static_cast<std::size_t>(std::ranges::find(walls_, command.wall, &Wall::name) -
                                                    walls_.begin()));
            stress_[told.back()].reset();
        }
        // Stresses of stages before act while a wall beside them goes; those of this one act after that.
        for (std::size_t i = 0; i < told.size(); ++i)
            if (stage.walls[i].motion == WallMotion::removed)
                report_beside(told[i], "is removed by the stage '" + stage.name + "'");
        for (const WallCommand& command : stage.walls)
            apply_command(command, walls_);
        for (std::size_t i = 0; i < told.size(); ++i)
            for (const Vec3& velocity : stage.walls[i].velocity_table.values)
                moved_[told[i]] = moved_[told[i]] || goes_along_normal(walls_[told[i]], velocity);
        for (std::size_t i = 0; i < told.size(); ++i)
            read_stress(known[i], told[i], stage.walls[i]);
        for (std::size_t w = 0; w < walls_.size(); ++w) {
            moved_[w] = moved_[w] || moves(walls_[w]);
            if (moved_[w] && walls_[w].motion != WallMotion::removed)
                report_beside(w, "moves in the stage '" + stage.name + "' or before");
        }
    }

    /// As the stages so far have left them.
    const std::vector<Wall>& walls() const { return walls_; }

private:
    void read_stress(const Section& entry, std::size_t w, WallCommand& command) {
        double stress = 0;
        const TimeTable<double> given = entry.number_table("stress"), table = changing(given, stress);
        if (given.empty())
            return;
        if (const std::optional<double> area = piston_area(entry, box_, walls_, w)) {
            command.force = stress * *area;
            command.stress = stress;
            command.stress_table = table;
            stress_[w] = entry;
        }
    }

    /// What a piston under a stress covers must not change: its force would be that of another stress.
    void report_beside(std::size_t changing, const std::string& what) {
        for (std::size_t w = 0; w < walls_.size(); ++w)
            if (stress_[w] && walls_[w].area == 0 && walls_[changing].is_plane() &&
                std::abs(dot(walls_[w].normal, walls_[changing].normal)) < 1 - 1e-12) {
                report_unknown_area(*stress_[w], walls_[w],
                                    fmt::format("the wall '{}' beside it {}", walls_[changing].name, what));
                stress_[w].reset();
            }
    }

    static bool moves(const Wall& wall) {
        return wall.motion == WallMotion::piston ||
               (wall.motion == WallMotion::turning && !turns_in_itself(wall)) ||
               (wall.motion == WallMotion::driven &&
                (wall.oscillation.any() || (wall.rotation.speed != 0 && !turns_in_itself(wall)) ||
                 goes_along_normal(wall, wall.velocity)));
    }
    static bool goes_along_normal(const Wall& wall, const Vec3& velocity) {
        return std::abs(dot(velocity, wall.normal)) > 1e-12 * norm(velocity);
    }

    const std::optional<Box>& box_;
    std::vector<Wall> walls_;
    std::vector<bool> moved_;                    ///< along the normal
    std::vector<std::optional<Section>> stress_; ///< where the stress on a wall was given that is in force
};

void read_growth(const Section& section, bool soft, Stage& stage) {
    assign(stage.growth.rate, section.number("growth_rate"));
    assign(stage.growth.relative_rate, section.number("relative_growth_rate"));
    if (section.has("growth_rate") && section.has("relative_growth_rate"))
        section.problem("relative_growth_rate",
                        "radii cannot grow in two ways at once; keep this or growth_rate");
    for (const char* key : {"growth_rate", "relative_growth_rate"})
        if (!soft && section.has(key))
            section.problem(key, "only soft grains grow; set engine = \"soft\", or remove it");
}

} // namespace

std::vector<Stage> read_stages(const Section& top, const std::optional<Box>& box,
                               const std::vector<Wall>& walls) {
    const std::vector<Section> sections = top.entries("stage");
    check_names(sections);
    WallHistory history(top, box, walls);
    std::vector<Stage> stages;
    for (const Section& section : sections) {
        Stage& stage = stages.emplace_back();
        assign(stage.name, section.string("name"));
        stage.gravity = section.vector_table("gravity");
        const bool soft = top.string("engine") == "soft";
        read_growth(section, soft, stage);
        history.read_stage(section, stage);
        read_limits(section, soft, {history.walls(), box.has_value()}, stage);
    }
    return stages;
}

} // namespace tamp
