#include "tamp/domain/hilbert.hpp"

#include <array>

namespace tamp {

std::uint64_t hilbert_index(Int3 tile, int dimension, int bits) {
    std::array<std::uint32_t, 3> x{};
    const auto n = static_cast<std::size_t>(dimension);
    for (std::size_t i = 0; i < n; ++i)
        x[i] = static_cast<std::uint32_t>(tile[i]);

    // Undo the reflections and exchanges of axes, from the coarsest level to the finest.
    for (std::uint32_t level = 1u << (bits - 1); level > 1; level >>= 1) {
        const std::uint32_t below = level - 1;
        for (std::size_t i = 0; i < n; ++i) {
            if (x[i] & level) {
                x[0] ^= below;
            } else {
                const std::uint32_t swap = (x[0] ^ x[i]) & below;
                x[0] ^= swap;
                x[i] ^= swap;
            }
        }
    }
    // Gray code.
    for (std::size_t i = 1; i < n; ++i)
        x[i] ^= x[i - 1];
    std::uint32_t flip = 0;
    for (std::uint32_t level = 1u << (bits - 1); level > 1; level >>= 1)
        if (x[n - 1] & level)
            flip ^= level - 1;
    for (std::size_t i = 0; i < n; ++i)
        x[i] ^= flip;

    std::uint64_t index = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
        for (std::size_t i = 0; i < n; ++i)
            index = index << 1 | ((x[i] >> bit) & 1u);
    return index;
}

} // namespace tamp
