#pragma once

#include "tamp/solver/contact_totals.hpp"
#include "tamp/solver/momentum.hpp"
#include "tamp/solver/pistons.hpp"
#include "tamp/solver/stopping.hpp"
#include "tamp/solver/sweeper.hpp"

namespace tamp {

/// The rooms of the solver, begun for the task at hand.
struct SolverRooms {
    const SolveTask& task;
    Sweeper& sweeper;
    PistonCoupling& pistons;
    TotalsOverRanks& totals;
    StoppingRule& stopping;
};

/// One solve as a method sees it: sweeps, and looks whether they are enough.
class Iteration {
public:
    explicit Iteration(const SolverRooms& rooms) : rooms_(rooms) {}

    /// A sweep, after which the pistons have the velocities that belong to the impulses.
    void sweep(SweepPass pass);
    /// A sweep with momentum, see momentum.hpp. Returns |change|^2 over all contacts of all ranks.
    double sweep_with_momentum(SweepPass pass, double momentum);
    /// Sweeps so far that relaxed.
    int sweeps() const { return sweeps_; }
    /// Whether to stop here; looks at the contacts only where the rule wants it.
    bool ends();
    /// The same where the change of the last sweep is known: it tells when a look is worth its time.
    bool ends(double squared_change, const Momentum& momentum);

    /// Whose bodies and impulses a method may change between two sweeps.
    const SolveTask& task() const { return rooms_.task; }

private:
    SolverRooms rooms_;
    int sweeps_ = 0;
};

/// A method strings sweeps together until the iteration ends. Bodies come with their free velocities,
/// contacts with the impulses to start from. A new one is a file with such a function, and
/// its name in method.cpp.
using Method = void (*)(Iteration& iteration, const SolverSettings& settings);

/// How the sweep with this number passes the contacts.
SweepPass pass_of(SweepOrder order, int sweep);

Method method_of(const SolverSettings& settings);

} // namespace tamp
