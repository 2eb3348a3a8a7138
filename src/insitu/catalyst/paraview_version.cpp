#include "paraview_version.hpp"

#include <vtkSMProxyManager.h>

#include <fmt/format.h>

namespace tamp {
namespace {

constexpr int known_major = 5, known_minor = 11;

} // namespace

bool may_replace_functions() {
    // Of the library that is loaded, which may not be the one that tamp was compiled with.
    return vtkSMProxyManager::GetVersionMajor() == known_major &&
           vtkSMProxyManager::GetVersionMinor() == known_minor;
}

std::string version_warning() {
    if (may_replace_functions())
        return {};
    return fmt::format(
        "this is ParaView {}.{}.{}, and tamp corrects the pictures of ParaView {}.{} only: on "
        "several ranks spheres may be cut off where the parts of two ranks meet, and a script "
        "that fails on one rank alone may leave the others waiting. Compare a picture with one "
        "that a single rank draws, or build tamp with ParaView {}.{}",
        vtkSMProxyManager::GetVersionMajor(), vtkSMProxyManager::GetVersionMinor(),
        vtkSMProxyManager::GetVersionPatch(), known_major, known_minor, known_major, known_minor);
}

} // namespace tamp
