#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamp/mpi/profile.hpp"
#include "tamp/solver/task.hpp"

namespace tamp {

/// What a sweep does with the contacts that it comes by.
enum class SweepPass {
    apply,    ///< gives the bodies the impulses to start from
    forward,  ///< relaxes them in the order of the batches
    backward, ///< from the end to the beginning
    shuffled, ///< phases, and the batches of a tile, in an order of chance
};

/// One sweep over all contacts: 2^d phases with an exchange after each, so that it is exactly the serial
/// sweep on any number of ranks.
///
/// With one exchange a sweep (an exchange in that rhythm) ranks do not see what others do in the same sweep:
/// changes of a body that k of them push add up, which may be more than was wanted by a factor of k. Contacts
/// of bodies with k > 2 therefore make only a share 2/k of each change of their impulse, k being that of the
/// busier body. The impulse itself is damped, so that both bodies feel it, and momentum is conserved.
/// Changes that overshoot change sign from sweep to sweep, and momentum would make them grow for ever: with
/// it the share is 1/k, also for k = 2.
class Sweeper {
public:
    /// `full_sharers`: up to so many ranks may push a body without damping, 2 or, with momentum, 1.
    Sweeper(std::uint64_t seed, Profile& profile, int full_sharers = 2);

    /// Before the first sweep of a task; the task is to outlive the last one.
    void begin(const SolveTask& task);
    /// `number` counts the sweeps of the task and decides random orders. `walls` move as these say.
    void sweep(SweepPass pass, int number, std::span<const WallState> walls);
    /// A sweep with momentum (see kernel.hpp): `walls` move as with the impulses that it starts from. Returns
    /// |change|^2 over the contacts of this rank. The first one of a task has none.
    ExactSum sweep_with_momentum(SweepPass pass, int number, std::span<const WallState> walls,
                                 double momentum);

    /// The share of each change that contacts of boundary tiles make, in the order of their batches; empty:
    /// no body has more sharers than that, and all changes are made in full.
    std::span<const DampingBatch> damping() const { return beside_pairs_.damping; }

private:
    void sweep_block(std::span<const int> phases, SweepPass pass);
    void run_phase(int phase, SweepPass pass);
    void relax_tiles(std::span<const int> slots, SweepPass pass);
    double relax_run(std::span<const int> slots, SweepPass pass);
    void prepare_damping();
    void list_pushed();
    void begin_momentum(double momentum);
    void shuffle_batches(int slot, std::size_t count);

    std::uint64_t seed_;
    int full_sharers_;
    Profile& profile_;
    ProfilePart sweep_part_, exchange_part_, waiting_part_;

    const SolveTask* task_ = nullptr;
    std::span<const WallState> walls_;
    std::uint64_t step_key_ = 0, sweep_key_ = 0;
    std::vector<std::int32_t> order_; ///< of the batches of a tile
    /// What is kept beside the batches of pairs, or of walls, in their order.
    struct Beside {
        std::vector<DampingBatch> damping;           ///< of boundary tiles, which lie first in memory
        std::vector<EarlierBatch> impulses, torques; ///< of one sweep ago
    };
    template <class Batch>
    LawBatches with_rows_beside(LawBatches rows, std::span<Batch> batches, std::span<Batch> all,
                                Beside& beside);

    Beside beside_pairs_, beside_walls_;
    bool with_momentum_ = false; ///< this sweep
    double momentum_ = 0;
    std::vector<Body> earlier_bodies_;
    std::vector<std::int32_t> pushed_; ///< bodies of this task that have contacts
    std::vector<char> is_pushed_;
    ExactSum change_; ///< |change|^2 of this sweep
};

} // namespace tamp
