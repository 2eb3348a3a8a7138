#include "tamp/solver/relaxation.hpp"

#include <algorithm>

namespace tamp {

Relaxation::Relaxation(const Communicator& communicator, const SolverSettings& settings, int dimension,
                       std::uint64_t seed, Profile& profile)
    : communicator_(communicator), settings_(settings), kappa_(inertia_ratio(dimension)),
      method_(method_of(settings)),
      sweeper_(seed, profile, chosen_method(settings) == SweepMethod::plain ? 2 : 1),
      totals_(communicator, profile), pistons_(communicator, profile), stopping_(settings) {}

SolveReport Relaxation::solve(std::span<Body> bodies, ContactSet& contacts, PhaseExchange& exchange,
                              const LocalTiles& tiles, std::span<Wall> walls, double time_step,
                              std::int64_t step, const SolveLimits& limits) {
    KernelLaws laws(kappa_, contacts.laws().set, contacts.laws().options);
    if (limits.approach > 0)
        laws.approach_limit = limits.approach;
    const SolveTask task{bodies, contacts, exchange, tiles, laws, step};
    const std::int64_t count = communicator_.sum(contacts.pair_count() + contacts.wall_count());
    pistons_.begin(walls, contacts.contacts_of_wall(), time_step);
    stopping_.begin(limits);
    totals_.begin(task);
    if (count > 0) {
        sweeper_.begin(task);
        Iteration iteration({task, sweeper_, pistons_, totals_, stopping_});
        method_(iteration, settings_);
    }
    pistons_.finish(task.wall_batches(), walls, time_step);
    return stopping_.report();
}

} // namespace tamp
