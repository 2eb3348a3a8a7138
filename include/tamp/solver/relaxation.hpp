#pragma once

#include <cstdint>
#include <span>

#include "tamp/solver/method.hpp"
#include "tamp/solver/settings.hpp"

namespace tamp {

/// The solver of the rigid step, put together from its rooms: a coloured nonlinear Gauss-Seidel, whose sweeps
/// go on until residual and estimated force error are small enough.
class Relaxation {
public:
    Relaxation(const Communicator& communicator, const SolverSettings& settings, int dimension,
               std::uint64_t seed, Profile& profile);

    /// After a search. Collective.
    void plan(const TileGrid& grid, const LocalTiles& tiles, const ParticleStore& store) {
        if (uses_slabs())
            totals_.slabs().plan(communicator_, grid, tiles, store);
    }
    /// What presses in the next solves; known where sweeps have momentum.
    StaticLoad set_load(std::span<const Wall> walls, const Vec3& gravity) {
        if (!uses_slabs())
            return {};
        totals_.slabs().begin(walls, gravity);
        return totals_.slabs().static_load();
    }
    /// Bodies come with their free velocities, contacts with the impulses to start from. Velocities of free
    /// pistons and the reactions of all walls are updated. `tiles` tells the global number of each slot.
    SolveReport solve(std::span<Body> bodies, ContactSet& contacts, PhaseExchange& exchange,
                      const LocalTiles& tiles, std::span<Wall> walls, double time_step, std::int64_t step,
                      const SolveLimits& limits = {});

    /// See StoppingRule.
    int last_sweeps() const { return stopping_.last_sweeps(); }
    void set_last_sweeps(int sweeps) { stopping_.set_last_sweeps(sweeps); }

private:
    /// Plain sweeps tell from the forces of several looks what is missing: they do without longer messages.
    bool uses_slabs() const { return chosen_method(settings_) != SweepMethod::plain; }

    const Communicator& communicator_;
    SolverSettings settings_;
    double kappa_;
    Method method_;
    Sweeper sweeper_;
    TotalsOverRanks totals_;
    PistonCoupling pistons_;
    StoppingRule stopping_;
};

} // namespace tamp
