#pragma once

#include <span>
#include <string>

namespace tamp {

/// Starts Python such that it leaves the signals to the run and finds modules beside the scripts.
void start_python(std::span<const std::string> scripts);

} // namespace tamp
