#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamp/app/case_piece.hpp"
#include "tamp/app/trial_run.hpp"

namespace tamp {

/// Short runs of a case by both engines, and what they mean for the whole of it. `try_rigid` goes before
/// `try_soft`, where rigid grains can run the case: soft ones go on from where these came to.
class EngineTrials {
public:
    /// `seconds` of CPU time for all trials together, about.
    EngineTrials(const Communicator& self, const Start& start, double seconds, ProgressStyle progress)
        : self_(self), start_(start), seconds_(seconds), progress_(progress) {}

    void try_rigid(const Case& settings);
    void try_soft(const Case& settings);

    /// Nothing of an engine that was not tried.
    std::optional<ExpectedCost> rigid, rigid_from_scratch, soft;
    std::vector<std::string> notes; ///< for people: what was measured on

private:
    struct Trial {
        CasePiece piece;
        TrialRun run;
        std::int64_t wanted = 0; ///< particles, when the piece was cut
    };

    Trial run_rigid(const Case& settings, std::int64_t particles, double seconds);
    TrialRun run(const CasePiece& piece, const char* engine, double seconds);
    void expect_rigid(const Case& settings);

    const Communicator& self_;
    const Start& start_;
    double seconds_;
    Progress progress_;
    std::optional<Trial> trial_; ///< of rigid grains, that the estimate rests on
};

} // namespace tamp
