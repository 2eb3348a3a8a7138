#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/app/stage_table.hpp"
#include "tamp/config/case.hpp"
#include "tamp/insitu/pictures.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/world/energy_flows.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Where the wall time of a run went, over all ranks.
struct Performance {
    double seconds = 0;         ///< of the steps, the slowest rank
    double sweep_seconds = 0;   ///< mean over ranks
    double exchange_share = 0;  ///< of the time of the steps, mean over ranks
    double waiting_seconds = 0; ///< for messages and in sums over ranks during solves, mean over ranks
    double imbalance = 1;       ///< largest share of batches over the mean
    double busy_imbalance = 1;  ///< largest time at work since the last balance over the mean
    double memory = 0;          ///< bytes, all ranks, at the peak
    int ranks = 1;
    std::vector<PartOverRanks> parts;
};

/// What the observers of a run have to say at its end.
struct Observed {
    const StageTable* stages = nullptr;
    std::optional<EnergyFlows> energy;
    double energy_error = 0; ///< J; change of kinetic energy less what the budget expects
    std::size_t snapshots = 0;
    double snapshot_seconds = 0;
    const PictureCost* pictures = nullptr; ///< none asked for
    std::int64_t checkpoints = 0;
    double checkpoint_seconds = 0;
    /// What other legs of the run did before this one.
    struct Earlier {
        std::int64_t legs = 0;
        double seconds = 0;
        std::int64_t steps = 0;
        double contact_updates = 0;
    } earlier{};
    std::vector<std::int64_t> block_ranks{}; ///< see RunPosition
};

/// A state hash with what it may be compared with: the block scheme gives other bits on other numbers of
/// ranks.
std::string labelled_hash(const std::string& hash, std::span<const std::int64_t> block_ranks);

/// As the summary and report.json call what tiles cost.
constexpr const char* name_of(LoadCost cost) {
    return cost == LoadCost::measured ? "measured" : cost == LoadCost::counted ? "counted" : "never";
}

/// Collective.
Performance performance(const World& world, double seconds);

/// What a physicist wants to know at the end of a run.
std::string summary_text(const Case& settings, const World& world, const Measures& measures,
                         const Performance& performance, const Observed& observed, const std::string& hash);

/// The same for programs: `report.json`.
std::string summary_json(const Case& settings, const World& world, const Measures& measures,
                         const Performance& performance, const Observed& observed, const std::string& hash);

} // namespace tamp
