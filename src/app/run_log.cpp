#include "tamp/app/run_log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "tamp/base/errors.hpp"

namespace tamp {

std::shared_ptr<spdlog::logger> make_logger(const Communicator& communicator, const std::string& folder) {
    std::vector<spdlog::sink_ptr> sinks;
    std::string problem;
    if (communicator.rank() == 0) {
        sinks.push_back(std::make_shared<spdlog::sinks::stdout_sink_st>());
        sinks.back()->set_pattern("%v");
        try {
            sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_st>(folder + "/run.log"));
            sinks.back()->set_pattern("%Y-%m-%d %H:%M:%S %v");
        } catch (const spdlog::spdlog_ex& error) {
            problem = fmt::format("{}: cannot write the log here: {}; choose another --output", folder,
                                  error.what());
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    auto logger = std::make_shared<spdlog::logger>("tamp", sinks.begin(), sinks.end());
    logger->flush_on(spdlog::level::info);
    return logger;
}

} // namespace tamp
