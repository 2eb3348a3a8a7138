#include "tamp/app/run_position.hpp"

#include <algorithm>

namespace tamp {

StageMemory memory_of(const RunPosition& position) {
    return {.solid_volume = position.solid_volume,
            .solid_volume_lost = position.solid_volume_lost,
            .balanced_since = position.balanced_since,
            .calm_since = position.calm_since,
            .slow_since = position.slow_since,
            .pressed_since = position.pressed_since,
            .height = position.start_height};
}

void remember(const StageMemory& memory, RunPosition& position) {
    position.solid_volume = memory.solid_volume;
    position.solid_volume_lost = memory.solid_volume_lost;
    position.balanced_since = memory.balanced_since;
    position.calm_since = memory.calm_since;
    position.slow_since = memory.slow_since;
    position.pressed_since = memory.pressed_since;
    position.start_height = memory.height;
}

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
