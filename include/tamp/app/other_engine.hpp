#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamp/app/start.hpp"

namespace tamp {

/// A case as the engine would run it that it does not ask for.
struct OtherEngine {
    std::optional<Case> settings;
    std::string refusal{}; ///< why there is none
    std::string note{};    ///< what was added to the case
};

/// `text`: the case file; `own`: what it says with its own engine. Materials that do not say how stiff they
/// are get a stiffness. A fixed step is left out: none fits both engines.
OtherEngine with_other_engine(const std::string& text, const std::string& case_path,
                              const std::vector<std::string>& overrides, const Case& own, const Start& start);

struct ChosenStiffness {
    double value = 0; ///< N/m; 0: there is neither a load nor motion to choose it by
    std::string reason{};
};

/// Grains this stiff overlap by a thousandth of a diameter under the load of the case, and where they meet at
/// the speed of a fall, or of what is driven, by no more than half of what stops a run.
ChosenStiffness choose_stiffness(const Case& settings, const Start& start);

} // namespace tamp
