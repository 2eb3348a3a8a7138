#pragma once

namespace tamp {

/// The release, for example "0.1.0".
const char* version();

/// What git said when the build was configured, for example "v0.1.0-12-g3f2a1bc-dirty"; "unknown" without
/// git.
const char* revision();

} // namespace tamp
