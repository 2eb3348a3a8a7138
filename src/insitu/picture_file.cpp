#include "tamp/insitu/picture_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace tamp {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view png_beginning = "\x89PNG\r\n\x1a\n";
constexpr std::string_view png_end = "IEND\xae\x42\x60\x82"; // name and checksum of the last chunk

bool whole_png(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 8> first{}, last{};
    file.read(first.data(), first.size());
    file.seekg(-static_cast<std::streamoff>(last.size()), std::ios::end);
    file.read(last.data(), last.size());
    return file && std::string_view(first.data(), 8) == png_beginning &&
           std::string_view(last.data(), 8) == png_end;
}

} // namespace

std::string picture_path(const std::string& folder, const std::string& name, std::int64_t step) {
    return (fs::path(folder) / fmt::format("{}-{:08}.png", name, step)).string();
}

std::string unfinished_path(const std::string& path) {
    const fs::path whole(path);
    return (whole.parent_path() / fmt::format(".{}.unfinished.png", whole.stem().string())).string();
}

std::string publish_picture(const std::string& path) {
    const std::string unfinished = unfinished_path(path);
    std::error_code error;
    if (!fs::exists(unfinished, error))
        return fmt::format("{} was not written", path);
    if (!whole_png(unfinished)) {
        discard_picture(path);
        return fmt::format("{} could not be written whole: is the disk full?", path);
    }
    fs::rename(unfinished, path, error);
    return error ? fmt::format("cannot write {}: {}", path, error.message()) : std::string();
}

void discard_picture(const std::string& path) {
    std::error_code ignored;
    fs::remove(unfinished_path(path), ignored);
}

} // namespace tamp
