#pragma once

namespace tamp {

/// How contact forces are found.
enum class EngineKind {
    rigid, ///< contact dynamics
    soft,  ///< explicit particle dynamics
};

struct TimeSettings {
    double step = 0;            ///< s; fixed step; 0: adaptive
    double max_step = 0;        ///< s; adaptive: the largest step; 0: from grains and load, see step_rule.hpp
    double displacement = 0.05; ///< adaptive: largest move in a step, in smallest diameters
};

/// What tiles cost when they are rebalanced over the ranks.
enum class LoadCost {
    measured, ///< the time that their ranks took
    counted,  ///< by their contacts and particles: the same in every run
    never,    ///< tiles stay where they are
};

struct NeighbourSettings {
    double skin = 0; ///< m; 0: chosen at every rebuild from the displacement per step
    double tile = 0; ///< m; wanted tile edge; 0: chosen from the number of particles
    LoadCost load_balance = LoadCost::measured;
};

} // namespace tamp
