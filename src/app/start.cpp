#include "tamp/app/start.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "tamp/app/file_fitter.hpp"
#include "tamp/app/first_step.hpp"
#include "tamp/app/growth_check.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/rigid_outlook.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/particles/generate.hpp"
#include "tamp/particles/limits.hpp"
#include "tamp/world/start_check.hpp"

namespace tamp {
namespace {

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
            fit_file(settings, generator, path, start);
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
        communicator.broadcast(std::span<Vec3>(&wall.rotation.pivot, 1));
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
    if (generator.kind != GeneratorKind::file) {
        const std::vector<Grain> grains =
            generate(generator, settings.box, settings.seed, start.grains.size(), room_between(start.walls));
        start.grains.insert(start.grains.end(), grains.begin(), grains.end());
    } else if (path.ends_with(".csv")) {
        fit_table(settings, generator, read_text(communicator, path, "particle file"), path, start);
    } else {
        add_file(communicator, settings, generator, path, start);
    }
}

/// Particles of files must fit the box as those of generators do, whose sizes were known with the case.
void check_box_of(const Case& settings, std::span<const Grain> grains) {
    double largest = 0;
    for (const Grain& grain : grains)
        largest = std::max(largest, 2 * grain.radius);
    for (const BoxFault& fault : box_faults(settings.box, largest))
        throw InputError(fmt::format("{}: {}", settings.named("domain." + fault.key), fault.what));
}

/// Packings that were moved may be the reason for what is wrong with a start.
std::string placing_hint(const Case& settings) {
    const auto moved = [](const GeneratorSettings& one) { return one.placement.any(); };
    if (std::ranges::none_of(settings.generators, moved))
        return {};
    return ". A packing of this case is copied, turned or shifted: copies must not be closer than the period "
           "of the packing, and must fill a periodic side exactly";
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
        const std::size_t first = start.grains.size();
        try {
            add_entry(communicator, settings, settings.generators[i], case_path, start);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: particles[{}]: {}", case_path, i, error.what()));
        }
        check_placed(settings, i, start, first);
    }
    if (!start.grains.empty())
        check_box_of(settings, start.grains);
    try {
        check_start(settings.box, settings.materials, start.walls, start.grains,
                    largest_start_overlap(settings));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: particles: {}{}", case_path, error.what(), placing_hint(settings)));
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
