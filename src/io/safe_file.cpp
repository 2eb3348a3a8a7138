#include "tamp/io/safe_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace tamp {

namespace {

class Descriptor {
public:
    Descriptor(const std::string& path, int flags) : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    operator int() const { return id_; }
    bool close() {
        const int id = id_;
        id_ = -1;
        return id < 0 || ::close(id) == 0;
    }

private:
    int id_;
};

std::string folder_of(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

bool write_all(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// Zeros from the end of the file on, on the disk; zero or an errno. It costs a write of all that is
/// reserved, and is the only way to meet a quota before the ranks do: free space is asked first, but sees no
/// quota.
int write_zeros(int file, std::size_t total) {
    const auto end = ::lseek(file, 0, SEEK_END);
    if (end < 0)
        return errno;
    const auto size = static_cast<std::size_t>(end);
    std::size_t left = total > size ? total - size : 0;
    struct statvfs space {};
    const bool known = ::fstatvfs(file, &space) == 0 && space.f_blocks > 0;
    if (known && left / space.f_frsize > space.f_bavail)
        return ENOSPC;
    const std::vector<std::byte> zeros(std::min(left, std::size_t{1} << 20));
    for (; left > 0; left -= std::min(left, zeros.size()))
        if (!write_all(file, std::span(zeros).first(std::min(left, zeros.size()))))
            return errno;
    return ::fsync(file) == 0 ? 0 : errno; // network file systems speak of a quota only now
}

/// Lets the file be `total` bytes long, all of them on the disk; zero or an errno. Some file systems cannot
/// reserve (some NFS, some Lustre).
int reserve_space(int file, std::size_t total) {
    while (::fallocate(file, 0, 0, static_cast<off_t>(total)) != 0) {
        if (errno == EINTR)
            continue;
        const bool refused = errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL;
        return refused ? write_zeros(file, total) : errno;
    }
    return 0;
}

} // namespace

std::string writing_problem(const std::string& path, int error) {
    std::string remedy;
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        remedy = fmt::format("Make the folder {} or choose another output directory", folder_of(path));
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        remedy = fmt::format("Ask for permission to write in {} or choose another output directory",
                             folder_of(path));
        break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        remedy =
            "Free some space or choose another output directory; an earlier file of this name is untouched";
        break;
    case EISDIR:
        remedy = "There is a folder of this name: move it or choose another output directory";
        break;
    default:
        remedy = "Check the file system or choose another output directory";
    }
    return fmt::format("cannot write {}: {}. {}.", path, std::strerror(error), remedy);
}

std::string partial_path(const std::string& path) { return path + ".partial"; }

std::string reserve_partial(const std::string& path, std::span<const std::byte> beginning,
                            std::size_t total) {
    Descriptor file(partial_path(path), O_RDWR | O_CREAT | O_TRUNC);
    if (file < 0)
        return writing_problem(path, errno);
    const int error = write_all(file, beginning) ? reserve_space(file, total) : errno;
    if (error != 0) {
        auto problem = writing_problem(path, error);
        problem += fmt::format(" It needs {:.3g} MB.", static_cast<double>(total) * 1e-6);
        return problem;
    }
    if (!file.close())
        return writing_problem(path, errno);
    return {};
}

std::string publish_partial(const std::string& path) {
    Descriptor file(partial_path(path), O_RDWR);
    if (file < 0 || ::fsync(file) != 0 || !file.close())
        return writing_problem(path, errno);
    if (std::rename(partial_path(path).c_str(), path.c_str()) != 0)
        return writing_problem(path, errno);
    // The new name is in the folder, which has a cache of its own. Some file systems refuse, and then need
    // none.
    Descriptor folder(folder_of(path), O_RDONLY | O_DIRECTORY);
    if (folder >= 0)
        ::fsync(folder);
    return {};
}

std::string write_whole(const std::string& path, std::span<const std::byte> bytes) {
    auto problem = reserve_partial(path, bytes, bytes.size());
    if (problem.empty())
        problem = publish_partial(path);
    if (!problem.empty())
        discard_partial(path);
    return problem;
}

std::string reserve_behind(const std::string& path, std::size_t bytes) {
    const Descriptor file(path, O_RDWR);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0)
        return writing_problem(path, errno);
    int error = 0;
    char last = 0;
    if (status.st_size > 0 && (::pread(file, &last, 1, status.st_size - 1) != 1 ||
                               ::pwrite(file, &last, 1, status.st_size - 1) != 1))
        error = errno;
    else if (bytes > 0)
        error = reserve_space(file, static_cast<std::size_t>(status.st_size) + bytes);
    if (error == 0)
        return {};
    (void)!::ftruncate(file, status.st_size);
    return writing_problem(path, error);
}

void discard_partial(const std::string& path) { ::unlink(partial_path(path).c_str()); }

std::string probe_partial(const std::string& path) {
    const Descriptor file(partial_path(path), O_RDWR);
    return file < 0 ? writing_problem(path, errno) : std::string();
}

} // namespace tamp
