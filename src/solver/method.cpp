#include "tamp/solver/method.hpp"

namespace tamp {

void Iteration::sweep(SweepPass pass) {
    rooms_.sweeper.sweep(pass, sweeps_, rooms_.pistons.states());
    rooms_.pistons.update(rooms_.task.wall_batches(), nullptr, rooms_.task.wall_law_batches());
    if (pass != SweepPass::apply)
        ++sweeps_;
}

double Iteration::sweep_with_momentum(SweepPass pass, double momentum) {
    rooms_.pistons.advance(momentum);
    ExactSum change = rooms_.sweeper.sweep_with_momentum(pass, sweeps_, rooms_.pistons.states(), momentum);
    rooms_.pistons.update(rooms_.task.wall_batches(), &change, rooms_.task.wall_law_batches());
    ++sweeps_;
    return change.value();
}

bool Iteration::ends(double squared_change, const Momentum& momentum) {
    StoppingRule& stopping = rooms_.stopping;
    stopping.note(momentum);
    return stopping.looks_after(sweeps_, squared_change) &&
           stopping.ends(sweeps_, rooms_.totals.collect(rooms_.task, rooms_.pistons.states()));
}

bool Iteration::ends() {
    return rooms_.stopping.looks_after(sweeps_) &&
           rooms_.stopping.ends(sweeps_, rooms_.totals.collect(rooms_.task, rooms_.pistons.states()));
}

/// Nonlinear Gauss-Seidel: one sweep after the other.
void plain_method(Iteration& iteration, const SolverSettings& settings);
/// Sweeps that start beyond the last one, in its direction.
void momentum_method(Iteration& iteration, const SolverSettings& settings);

Method method_of(const SolverSettings& settings) {
    return chosen_method(settings) == SweepMethod::plain ? plain_method : momentum_method;
}

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

} // namespace tamp
