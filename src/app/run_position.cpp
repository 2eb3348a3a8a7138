#include "tamp/app/run_position.hpp"

#include <algorithm>

namespace tamp {

bool gravity_is_of_case(std::span<const Stage> stages, const RunPosition& position) {
    const auto begun = std::min(stages.size(), static_cast<std::size_t>(position.stage) + 1);
    return std::ranges::all_of(stages.first(begun), [](const Stage& stage) { return stage.gravity.empty(); });
}

void note_block_ranks(std::int64_t ranks, RunPosition& position) {
    auto& legs = position.block_ranks;
    if (legs.empty() || legs.back() != ranks)
        legs.push_back(ranks);
}

} // namespace tamp
