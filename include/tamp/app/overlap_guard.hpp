#pragma once

#include <string>

#include "tamp/world/step_report.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Stops a run in which walls or solver errors press particles into each other. Rigid particles do not
/// overlap: a large overlap is no state that can be believed, and it does not go away by itself.
///
/// A step reports the largest overlap at its beginning at no cost. Only when that is above half of the limit
/// are all contacts looked at, as they are after the step.
class OverlapGuard {
public:
    /// `limit`: share of the smaller diameter; 0: none.
    explicit OverlapGuard(double limit) : limit_(limit) {}

    /// True once when an overlap passes half of the limit: the time to write a checkpoint. Again after the
    /// largest overlap has been below a quarter of it. A NumericalError on every rank where an overlap is
    /// above the limit, or where walls have passed each other. Collective.
    bool should_save(const World& world, const StepReport& report, const std::string& last_checkpoint);

    /// The same error, whatever the last report said: before a state is written that others start from.
    /// Collective.
    void check(const World& world, const std::string& last_checkpoint) const;

private:
    double limit_;
    bool saved_ = false;
};

} // namespace tamp
