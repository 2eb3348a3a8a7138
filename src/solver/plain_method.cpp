#include "tamp/solver/method.hpp"

namespace tamp {
namespace {

SweepPass pass_of(SweepOrder order, int sweep) {
    switch (order) {
    case SweepOrder::random:
        return SweepPass::shuffled;
    case SweepOrder::symmetric:
        return sweep % 2 == 1 ? SweepPass::backward : SweepPass::forward;
    case SweepOrder::fixed:
        break;
    }
    return SweepPass::forward;
}

} // namespace

void plain_method(Iteration& iteration, const SolverSettings& settings) {
    iteration.sweep(SweepPass::apply);
    do
        iteration.sweep(pass_of(settings.order, iteration.sweeps()));
    while (!iteration.ends());
}

} // namespace tamp
