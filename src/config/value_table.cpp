// A table over time instead of one value: { time = [0, 1], value = [1e3, 1e4] }.

#include <cmath>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/config/validate.hpp"

namespace tamp {
namespace {

std::string times_fault(const Node& times) {
    if (times.kind != Node::Kind::list || times.children.empty())
        return fmt::format("time: got {}, wanted a list of seconds since the stage began, like [0, 1]",
                           times.description());
    double last = -1;
    for (const Node& time : times.children) {
        if (!time.is_number() || !std::isfinite(time.number))
            return fmt::format("time: got {}, wanted a finite number of seconds", time.description());
        if (time.number < 0)
            return fmt::format("time: got {}; times count from the begin of the stage, give 0 or more",
                               time.number);
        if (time.number <= last)
            return fmt::format("time: {} does not come after {}; give times that rise", time.number, last);
        last = time.number;
    }
    return {};
}

} // namespace

std::string table_fault(const KeySchema& key, const Node& table, int dimension) {
    const std::vector<std::string> names{"time", "value"};
    for (const Node& child : table.children)
        if (child.name != "time" && child.name != "value") {
            const std::string nearest = nearest_name(child.name, names);
            return fmt::format("unknown key '{}'; {}a table over time has time and value", child.name,
                               nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest));
        }
    const Node *times = table.find("time"), *values = table.find("value");
    if (times == nullptr || values == nullptr)
        return fmt::format("has no '{}'; write {{ time = [0, 1], value = [{}] }}",
                           times == nullptr ? "time" : "value",
                           key.type == KeyType::vector_table ? "[...], [...]" : "..., ...");
    if (std::string fault = times_fault(*times); !fault.empty())
        return fault;
    if (values->kind != Node::Kind::list || values->children.size() != times->children.size())
        return fmt::format("value: got {}, wanted a list of {}, one for each time",
                           values->kind == Node::Kind::list
                               ? fmt::format("{} of them", values->children.size())
                               : values->description(),
                           times->children.size());
    KeySchema of_one = key;
    of_one.type = key.type == KeyType::vector_table ? KeyType::vector : KeyType::number;
    for (const Node& value : values->children)
        if (const std::string fault = value_fault(of_one, value, dimension); !fault.empty())
            return "value: " + fault;
    return {};
}

} // namespace tamp
