#include "tamp/solver/method.hpp"

namespace tamp {

void plain_method(Iteration& iteration, const SolverSettings& settings) {
    iteration.sweep(SweepPass::apply);
    do
        iteration.sweep(pass_of(settings.order, iteration.sweeps()));
    while (!iteration.ends());
}

} // namespace tamp
