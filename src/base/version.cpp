#include "tamp/base/version.hpp"

namespace tamp {

// CMake defines both for this file alone, so that a new commit recompiles nothing else.
const char* version() { return TAMP_VERSION; }

const char* revision() { return TAMP_REVISION; }

} // namespace tamp
