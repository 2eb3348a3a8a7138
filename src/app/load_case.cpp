#include "tamp/app/load_case.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"

namespace tamp {

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

Case load_case(const Communicator& communicator, const std::string& path,
               const std::vector<std::string>& overrides) {
    return parse_case(read_text(communicator, path, "case file"), path, overrides);
}

WorldSetup world_setup(const Case& settings) {
    return {settings.box,   settings.gravity,    settings.materials,
            settings.walls, settings.neighbours, settings.seed};
}

EngineSettings engine_settings(const Case& settings) {
    return {settings.engine, settings.soft, settings.solver, settings.time, settings.measure.energy_budget};
}

} // namespace tamp
