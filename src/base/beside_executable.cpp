#include "tamp/base/beside_executable.hpp"

#include <array>
#include <system_error>

namespace tamp {
namespace {

namespace fs = std::filesystem;

std::array<fs::path, 2> places(const fs::path& part) {
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    return {folder / part, folder.parent_path() / part};
}

} // namespace

fs::path find_beside_executable(const fs::path& part) {
    std::error_code error;
    for (const fs::path& place : places(part))
        if (fs::exists(place, error))
            return place;
    return {};
}

std::string places_beside_executable(const fs::path& part) {
    const std::array<fs::path, 2> both = places(part);
    return both[0].string() + " and " + both[1].string();
}

} // namespace tamp
