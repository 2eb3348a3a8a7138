#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/contacts/contact_set.hpp"
#include "tamp/contacts/phase_exchange.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/solver/convergence.hpp"
#include "tamp/solver/kernel.hpp"
#include "tamp/solver/settings.hpp"

namespace tamp {

/// How the solution of one step went.
struct SolveReport {
    int sweeps = 0;
    double residual = 0;       ///< mean natural-map residual over the mean normal impulse
    double largest = 0;        ///< largest residual over the mean normal impulse
    double balance = 0;        ///< estimated relative error of stress and wall forces
    bool capped = false;       ///< stopped by max_sweeps
    double normal_impulse = 0; ///< N s, sum of p_n over all contacts; tension is negative
};

/// The coloured nonlinear Gauss-Seidel of the rigid step: sweeps of 2^d phases until residual and balance are
/// met. With an exchange after each phase it is exactly the serial algorithm on any number of ranks.
///
/// With one exchange a sweep (an exchange in that rhythm) ranks do not see what others do in the same sweep:
/// changes of a body that k of them push add up, which may be more than was wanted by a factor of k. Contacts
/// of bodies with k > 2 therefore make only a share 2/k of each change of their impulse, k being that of the
/// busier body. The impulse itself is damped, so that both bodies feel it, and momentum is conserved.
class Relaxation {
public:
    Relaxation(const Communicator& communicator, const SolverSettings& settings, int dimension,
               std::uint64_t seed, Profile& profile);

    /// Bodies come with their free velocities, contacts with the impulses to start from. Velocities of free
    /// pistons and the reactions of all walls are updated. `tiles` tells the global number of each slot.
    SolveReport solve(std::span<Body> bodies, ContactSet& contacts, PhaseExchange& exchange,
                      const LocalTiles& tiles, std::span<Wall> walls, double time_step, std::int64_t step);

    /// Of the step before: decides when the next one looks at its residual first, hence belongs to the state.
    int last_sweeps() const { return last_sweeps_; }
    void set_last_sweeps(int sweeps) { last_sweeps_ = sweeps; }

private:
    enum class Pass { apply, forward, backward, shuffled };
    /// In sums_; after them the force of each wall.
    enum { residual_sum, normal_sum, loaded_sum, stress_sum, sum_count = stress_sum + 3 };

    void sweep(Pass pass);
    void sweep_block(std::span<const int> phases, Pass pass);
    void run_phase(int phase, Pass pass);
    void relax_tiles(std::span<const int> slots, Pass pass);
    void prepare_damping();
    void shuffle_batches(int slot, std::size_t count);
    void update_pistons();
    bool converged(SolveReport& report, BalanceEstimate& balance);
    double add_residuals();
    void sum_over_ranks();
    /// Impulses that each wall gave, exactly summed; three numbers a wall.
    std::vector<double> wall_impulses();

    const Communicator& communicator_;
    SolverSettings settings_;
    KernelLaws laws_;
    std::uint64_t seed_;
    Profile& profile_;
    ProfilePart sweep_part_, exchange_part_, waiting_part_, residual_part_, reduction_part_;

    // The step at hand.
    std::span<Body> bodies_;
    ContactSet* contacts_ = nullptr;
    PhaseExchange* exchange_ = nullptr;
    const LocalTiles* tiles_ = nullptr;
    std::span<Wall> walls_;
    std::vector<WallState> wall_states_;
    std::vector<double> free_speed_;    ///< of pistons, along the normal
    std::vector<std::int32_t> pistons_; ///< indices of free walls
    std::uint64_t step_key_ = 0, sweep_key_ = 0;

    int last_sweeps_ = 0;
    std::vector<std::int32_t> order_;
    std::vector<ExactSum> sums_;
    // Of the contacts of boundary tiles, in the order of their batches; empty: no body has more than two
    // sharers.
    std::vector<DampingBatch> damping_, wall_damping_;
};

} // namespace tamp
