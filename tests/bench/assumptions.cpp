#include "assumptions.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <ranges>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

double number(const std::string& text, const std::string& argument) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= 0))
        throw InputError(fmt::format("{}: not a number of zero or more", argument));
    return value;
}

/// `batches:seconds`, with commas between: from a small share of a rank to a large one.
std::vector<std::pair<double, double>> batch_table(const std::string& text, const std::string& argument) {
    std::vector<std::pair<double, double>> table;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string entry = text.substr(begin, comma - begin);
        const std::size_t colon = entry.find(':');
        if (colon == std::string::npos)
            table.emplace_back(1.0, number(entry, argument));
        else
            table.emplace_back(number(entry.substr(0, colon), argument),
                               number(entry.substr(colon + 1), argument));
        begin = comma + 1;
    }
    return table;
}

} // namespace

Assumptions read_assumptions(std::span<const std::string> arguments) {
    Assumptions all;
    double ranks_a_node = all.machine.ranks_a_node, sweeps_a_look = all.rhythm.sweeps_a_look,
           walls = all.rhythm.walls, pistons = all.rhythm.pistons;
    const std::map<std::string, double*> numbers{{"ranks_a_node", &ranks_a_node},
                                                 {"latency", &all.machine.latency},
                                                 {"bandwidth", &all.machine.bandwidth},
                                                 {"inner_latency", &all.machine.inner_latency},
                                                 {"inner_bandwidth", &all.machine.inner_bandwidth},
                                                 {"message_overhead", &all.machine.message_overhead},
                                                 {"body_seconds", &all.machine.body_seconds},
                                                 {"overlap", &all.machine.overlap},
                                                 {"sweeps_a_look", &sweeps_a_look},
                                                 {"walls", &walls},
                                                 {"pistons", &pistons},
                                                 {"tile_particles", &all.tile_particles},
                                                 {"least_ranks", &all.least_ranks},
                                                 {"most_ranks", &all.most_ranks}};
    for (const std::string& argument : arguments) {
        const std::size_t equal = argument.find('=');
        const std::string name = argument.substr(0, equal);
        const std::string value = equal == std::string::npos ? "" : argument.substr(equal + 1);
        if (const auto found = numbers.find(name); found != numbers.end())
            *found->second = number(value, argument);
        else if (name == "batch_seconds")
            all.machine.batch_seconds = batch_table(value, argument);
        else if (name == "csv")
            all.csv = value;
        else
            throw InputError(fmt::format("{}: no such assumption; there are batch_seconds, csv, {}", argument,
                                         fmt::join(std::views::keys(numbers), ", ")));
    }
    all.machine.ranks_a_node = std::max(1, static_cast<int>(ranks_a_node));
    all.rhythm.sweeps_a_look = std::max(1, static_cast<int>(sweeps_a_look));
    all.rhythm.walls = static_cast<int>(walls);
    all.rhythm.pistons = static_cast<int>(pistons);
    return all;
}

Json json(const Assumptions& all) {
    const Machine& m = all.machine;
    return {{"batch_seconds", m.batch_seconds},
            {"ranks_a_node", m.ranks_a_node},
            {"latency", m.latency},
            {"bandwidth", m.bandwidth},
            {"inner_latency", m.inner_latency},
            {"inner_bandwidth", m.inner_bandwidth},
            {"message_overhead", m.message_overhead},
            {"body_seconds", m.body_seconds},
            {"overlap", m.overlap},
            {"sweeps_a_look", all.rhythm.sweeps_a_look},
            {"walls", all.rhythm.walls},
            {"pistons", all.rhythm.pistons}};
}

} // namespace tamp
