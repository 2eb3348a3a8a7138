#include "tamp/io/seal.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/state_hash.hpp"
#include "tamp/io/safe_file.hpp"

namespace tamp {

namespace {

constexpr std::size_t seal_length = 64;

/// The seal that the first bytes of the file deserve; empty if the file is shorter.
std::string seal_of(std::istream& file, std::size_t length) {
    std::vector<std::uint64_t> words(length / 8 + 1);
    if (!file.seekg(0).read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(length)))
        return {};
    StateHash hash;
    hash.add(words);
    return fmt::format("{:<63}\n", fmt::format("tamp-seal {} {}", length, hash.text()));
}

/// What the file ends in, if that looks like a seal.
std::string last_line(std::istream& file) {
    std::string seal(seal_length, ' ');
    const bool is_there =
        file.seekg(-static_cast<std::streamoff>(seal_length), std::ios::end).read(seal.data(), seal_length) &&
        seal.starts_with("tamp-seal ");
    return is_there ? seal : std::string();
}

} // namespace

std::string append_seal(const std::string& path, std::size_t length) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto seal = seal_of(file, length);
    errno = 0;
    if (seal.empty() || !file.seekp(0, std::ios::end).write(seal.data(), seal_length).flush())
        return writing_problem(path, errno ? errno : EIO);
    return {};
}

bool has_seal(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return !last_line(file).empty();
}

bool seal_is_broken(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto seal = last_line(file);
    if (seal.empty())
        return false;
    std::size_t length = 0;
    std::from_chars(seal.data() + std::strlen("tamp-seal "), seal.data() + seal_length, length);
    file.seekg(0, std::ios::end);
    // A damaged length may ask for more memory than there is.
    return length > static_cast<std::size_t>(file.tellg()) || seal_of(file, length) != seal;
}

} // namespace tamp
