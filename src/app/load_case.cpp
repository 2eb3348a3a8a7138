#include "tamp/app/load_case.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"
#include "tamp/io/state_file.hpp"
#include "tamp/particles/csv.hpp"
#include "tamp/particles/generate.hpp"
#include "tamp/world/start_check.hpp"

namespace tamp {
namespace {

std::string read_text(const Communicator& communicator, const std::string& path, const std::string& what) {
    std::string text, problem;
    if (communicator.rank() == 0) {
        errno = 0; // what happened before is not about this file
        std::ifstream file(path, std::ios::binary);
        std::ostringstream stream;
        if (!file || !(stream << file.rdbuf()) || file.bad())
            problem = fmt::format("{}: cannot read this {}: {}; check the path and its permissions", path,
                                  what, errno != 0 ? std::strerror(errno) : "it is empty");
        text = stream.str();
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw InputError(problem);
    communicator.broadcast(text);
    return text;
}

std::vector<Grain> read_h5(const Communicator& communicator, const std::string& path, int dimension) {
    std::vector<Grain> grains;
    std::string problem;
    if (communicator.rank() == 0) {
        try {
            State state = read_state(path);
            if (state.header.dimension != dimension)
                throw InputError(
                    fmt::format("{}: holds a state in {} dimensions, the case has {}; set dimension", path,
                                state.header.dimension, dimension));
            grains = grains_of(state.tables.particles);
        } catch (const std::exception& error) {
            problem = error.what();
        }
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw InputError(problem);
    auto count = static_cast<std::int64_t>(grains.size());
    communicator.broadcast(std::span<std::int64_t>(&count, 1));
    grains.resize(static_cast<std::size_t>(count));
    communicator.broadcast(std::span<Grain>(grains));
    return grains;
}

std::vector<Grain> grains_of(const Communicator& communicator, const Case& settings,
                             const GeneratorSettings& generator, const std::string& case_path,
                             std::uint64_t first_id) {
    if (generator.kind != GeneratorKind::file)
        return generate(generator, settings.box, settings.seed, first_id);
    const std::string path = resolve_path(case_path, generator.path);
    if (!path.ends_with(".csv")) {
        std::vector<Grain> grains = read_h5(communicator, path, settings.box.dimension);
        for (Grain& grain : grains) {
            grain.id = first_id++;
            if (grain.material < 0 || grain.material >= settings.materials.size())
                throw InputError(
                    fmt::format("{}: material number {} of a particle is not among the {} of the case; add "
                                "a [[material]]",
                                path, grain.material, settings.materials.size()));
        }
        return grains;
    }
    std::vector<std::string> names;
    for (int i = 0; i < settings.materials.size(); ++i)
        names.push_back(settings.materials[i].name);
    return parse_grains_csv(read_text(communicator, path, "particle file"), path, settings.box.dimension,
                            names, generator.material, first_id);
}

/// Particles that a run would stop at are no start for it.
double largest_start_overlap(const Case& settings) {
    constexpr double share = 0.01;
    return settings.max_overlap > 0 ? std::min(share, settings.max_overlap) : share;
}

} // namespace

Case load_case(const Communicator& communicator, const std::string& path,
               const std::vector<std::string>& overrides) {
    return parse_case(read_text(communicator, path, "case file"), path, overrides);
}

WorldSetup world_setup(const Case& settings) {
    return {settings.box,   settings.gravity,    settings.materials,
            settings.walls, settings.neighbours, settings.seed};
}

EngineSettings engine_settings(const Case& settings) {
    return {settings.solver, settings.time, settings.measure.energy_budget};
}

std::vector<Grain> initial_grains(const Communicator& communicator, const Case& settings,
                                  const std::string& case_path) {
    std::vector<Grain> all;
    for (std::size_t i = 0; i < settings.generators.size(); ++i) {
        try {
            std::vector<Grain> grains =
                grains_of(communicator, settings, settings.generators[i], case_path, all.size());
            if (all.empty())
                all.swap(grains);
            else
                all.insert(all.end(), grains.begin(), grains.end());
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: particles[{}]: {}", case_path, i, error.what()));
        }
    }
    try {
        check_start(settings.box, settings.materials, settings.walls, all, largest_start_overlap(settings));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: particles: {}", case_path, error.what()));
    }
    return all;
}

} // namespace tamp
