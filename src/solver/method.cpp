#include "tamp/solver/method.hpp"

namespace tamp {

void Iteration::sweep(SweepPass pass) {
    rooms_.sweeper.sweep(pass, sweeps_, rooms_.pistons.states());
    rooms_.pistons.update(rooms_.task.wall_batches());
    if (pass != SweepPass::apply)
        ++sweeps_;
}

bool Iteration::ends() {
    return rooms_.stopping.looks_after(sweeps_) &&
           rooms_.stopping.ends(sweeps_, rooms_.totals.collect(rooms_.task, rooms_.pistons.states()));
}

/// Nonlinear Gauss-Seidel: one sweep after the other.
void plain_method(Iteration& iteration, const SolverSettings& settings);

Method method_of(const SolverSettings&) { return plain_method; }

} // namespace tamp
