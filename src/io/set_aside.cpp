#include "tamp/io/set_aside.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {

namespace {

namespace fs = std::filesystem;

/// "series.csv" as "series-old.csv", or "series-old-2.csv", …: the first one that is free.
std::string free_name(const std::string& path, const std::string& suffix) {
    const fs::path original(path);
    const auto named = [&](const std::string& end) {
        return (original.parent_path() / (original.stem().string() + end + original.extension().string()))
            .string();
    };
    std::error_code error;
    std::string to = named("-" + suffix);
    for (int number = 2; fs::exists(to, error); ++number)
        to = named(fmt::format("-{}-{}", suffix, number));
    return to;
}

template <class Action>
std::string put(const std::string& path, const std::string& suffix, Action&& action) {
    std::error_code error;
    if (!fs::exists(path, error))
        return {};
    std::string to = free_name(path, suffix);
    action(to, error);
    if (error)
        throw FileError(fmt::format("cannot keep {} as {}: {}. Move it elsewhere, or choose another output "
                                    "directory.",
                                    path, to, error.message()));
    return to;
}

} // namespace

std::string set_aside(const std::string& path, const std::string& suffix) {
    return put(path, suffix,
               [&](const std::string& to, std::error_code& error) { fs::rename(path, to, error); });
}

std::string keep_copy(const std::string& path, const std::string& suffix) {
    return put(path, suffix, [&](const std::string& to, std::error_code& error) {
        // Half a copy must not look like one.
        const std::string partial = to + ".partial";
        fs::copy_file(path, partial, fs::copy_options::overwrite_existing, error);
        if (!error)
            fs::rename(partial, to, error);
        std::error_code ignored;
        fs::remove(partial, ignored);
    });
}

} // namespace tamp
