#include "tamp/measure/tensor.hpp"

#include <cmath>

namespace tamp {

double deviator_of(const SymmetricTensor& t, int dimension) {
    if (dimension == 2)
        return std::hypot(0.5 * (t[0] - t[1]), t[3]);
    const double mean = mean_of(t, 3);
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k)
        squares += (t[k] - mean) * (t[k] - mean) + 2 * t[k + 3] * t[k + 3];
    return std::sqrt(1.5 * squares);
}

} // namespace tamp
