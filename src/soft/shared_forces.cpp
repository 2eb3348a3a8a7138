#include "tamp/soft/shared_forces.hpp"

#include <bit>

namespace tamp::soft {

void start_exchange(NeighbourExchange& exchange, std::span<const ForceSum> sums) {
    for (auto& message : exchange.outgoing()) {
        double* out = message.buffer.data();
        for (const std::int32_t item : message.items) {
            const ForceSum& sum = sums[static_cast<std::size_t>(item)];
            for (int axis = 0; axis < 3; ++axis)
                *out++ = std::bit_cast<double>(sum.force[axis]);
            for (int axis = 0; axis < 3; ++axis)
                *out++ = std::bit_cast<double>(sum.turn[axis]);
        }
    }
    exchange.start();
}

void finish_exchange(NeighbourExchange& exchange, std::span<ForceSum> sums) {
    exchange.finish();
    for (const auto& message : exchange.incoming()) {
        const double* in = message.buffer.data();
        for (const std::int32_t item : message.items) {
            ForceSum& sum = sums[static_cast<std::size_t>(item)];
            for (int axis = 0; axis < 3; ++axis)
                sum.force[axis] += std::bit_cast<std::int64_t>(*in++);
            for (int axis = 0; axis < 3; ++axis)
                sum.turn[axis] += std::bit_cast<std::int64_t>(*in++);
        }
    }
}

} // namespace tamp::soft
