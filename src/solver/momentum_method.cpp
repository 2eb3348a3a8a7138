#include "tamp/solver/method.hpp"

namespace tamp {

void momentum_method(Iteration& iteration, const SolverSettings& settings) {
    iteration.sweep(SweepPass::apply);
    Momentum momentum(chosen_method(settings));
    double change = 0;
    do {
        change =
            iteration.sweep_with_momentum(pass_of(settings.order, iteration.sweeps()), momentum.factor());
        momentum.note(change);
    } while (!iteration.ends(change, momentum));
}

} // namespace tamp
