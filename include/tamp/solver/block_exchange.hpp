#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/mpi/neighbour_exchange.hpp"
#include "tamp/particles/body.hpp"

namespace tamp {

/// One exchange a sweep: every rank relaxes its tiles with the velocities that it has, then tells the other
/// holders of the bodies that it may have changed by how much it did. All holders add the changes to what the
/// body had before, in the order of the ranks, and so have the same bits. A contact pushes both of its bodies
/// on the same rank, so that momentum is conserved however many ranks change a body.
class BlockExchange {
public:
    static constexpr int width = 6; ///< changes of velocity and surface velocity

    /// `exchange` (which is to outlive this) sends the bodies that this rank may change to their other
    /// holders, and receives what those may change.
    BlockExchange(NeighbourExchange& exchange, int rank, std::size_t bodies);

    /// Ranks that may change a body in a sweep; 1 if it is held nowhere else.
    int sharers(std::int32_t body) const { return sharers_[static_cast<std::size_t>(body)]; }
    int most_sharers() const { return most_sharers_; }

    /// Velocities from which changes count. To be called once before the first sweep: those of later sweeps
    /// are what `take` left.
    void begin(std::span<const Body> bodies);
    /// After all shared bodies have changed; only others may change until `take`.
    void start(std::span<const Body> bodies);
    void wait() { exchange_->finish(); }
    void take(std::span<Body> bodies);

private:
    struct Shared {
        std::int32_t body;
        std::int32_t terms_end; ///< in terms_; they begin where those of the body before end
    };
    struct Changed {
        std::int32_t body;
        std::int32_t shared; ///< index in shared_
    };

    NeighbourExchange* exchange_;
    std::vector<Shared> shared_;
    std::vector<const double*> terms_;            ///< where the change by each rank will be found
    std::vector<double> before_;                  ///< `width` numbers a shared body
    std::vector<Changed> changed_;                ///< those that this rank may change
    std::vector<double> changes_;                 ///< `width` numbers each
    std::vector<std::vector<std::int32_t>> sent_; ///< by message: indices in changed_
    std::vector<std::uint8_t> sharers_;
    int most_sharers_ = 1;
};

} // namespace tamp
