#include "tamp/io/set_aside.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace tamp {

std::string set_aside(const std::string& path, const std::string& suffix) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(path, error))
        return {};
    const fs::path original(path);
    const auto named = [&](const std::string& end) {
        return (original.parent_path() / (original.stem().string() + end + original.extension().string()))
            .string();
    };
    std::string to = named("-" + suffix);
    for (int number = 2; fs::exists(to, error); ++number)
        to = named(fmt::format("-{}-{}", suffix, number));
    fs::rename(path, to, error);
    return error ? std::string() : to;
}

} // namespace tamp
