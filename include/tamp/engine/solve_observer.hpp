#pragma once

#include <functional>

namespace tamp {

class ContactSet;
class World;

/// The contact problem of a rigid step, around its solve. Before it, bodies have their free velocities and
/// contacts the impulses to start from; after it, both have the solution, and nothing has moved yet.
struct RigidSolve {
    const World& world;
    ContactSet& contacts; ///< only to be looked at
    double time_step;     ///< s
    bool solved;          ///< after the solve
};

/// Called on every rank, before and after the solve.
using SolveObserver = std::function<void(const RigidSolve& solve)>;

} // namespace tamp
