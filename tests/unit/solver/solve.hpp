#pragma once

#include <gtest/gtest.h>

#include "bed.hpp"
#include "tamp/solver/method.hpp"

namespace tamp::checks {

/// A whole solver around a bed or a chain.
template <class Packing>
struct Solve {
    static constexpr double time_step = 1e-3;

    explicit Solve(Packing& of) : packing(of), task(of.task()) {}

    const SolveReport& run(const SolverSettings& settings) {
        stopping.emplace(settings);
        pistons.begin(packing.walls, packing.contacts.contacts_of_wall(), time_step);
        stopping->begin();
        sweeper.begin(task);
        Iteration iteration({task, sweeper, pistons, totals, *stopping});
        method_of(settings)(iteration, settings);
        EXPECT_EQ(iteration.sweeps(), stopping->report().sweeps);
        return stopping->report();
    }

    Packing& packing;
    SolveTask task;
    Profile profile;
    Sweeper sweeper{7, profile};
    TotalsOverRanks totals{self(), profile};
    PistonCoupling pistons{self(), profile};
    std::optional<StoppingRule> stopping;
};

} // namespace tamp::checks
