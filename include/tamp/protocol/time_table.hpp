#pragma once

#include <vector>

namespace tamp {

/// Values over time: linear between the points, constant before the first and after the last one. A function
/// of the time alone, hence the same on all ranks, and in a run that goes on from a checkpoint.
template <class Value> // double or Vec3
struct TimeTable {
    std::vector<double> times{}; ///< s, since the stage began; they rise
    std::vector<Value> values{};

    bool empty() const { return times.empty(); }

    Value at(double time) const;
};

} // namespace tamp
