#include "tamp/protocol/time_table.hpp"

#include <algorithm>
#include <cstddef>

#include "tamp/base/vec3.hpp"

namespace tamp {

template <class Value>
Value TimeTable<Value>::at(double time) const {
    const auto next = static_cast<std::size_t>(std::ranges::upper_bound(times, time) - times.begin());
    if (next == 0)
        return values.front();
    if (next == times.size())
        return values.back();
    const double share = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return values[next - 1] + share * (values[next] - values[next - 1]);
}

template struct TimeTable<double>;
template struct TimeTable<Vec3>;

} // namespace tamp
