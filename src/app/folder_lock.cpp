#include "tamp/app/folder_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

/// A process that was killed may take a moment to end.
constexpr int attempts = 20;
constexpr std::chrono::milliseconds pause_between{100};

/// 0, or the error number. The lock belongs to the open file, not to the process: nothing else that this
/// process opens and closes can release it.
int try_to_lock(int file, bool writable) {
    struct flock whole_file {};
    whole_file.l_type = static_cast<short>(writable ? F_WRLCK : F_RDLCK);
    whole_file.l_whence = SEEK_SET;
    return ::fcntl(file, F_OFD_SETLK, &whole_file) == 0 ? 0 : errno;
}

bool is_held_by_another(int error) { return error == EAGAIN || error == EACCES; }

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string job_text() {
    for (const char* variable : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
        if (const char* job = std::getenv(variable))
            return fmt::format(" (job {})", job);
    return {};
}

std::string this_process() {
    return fmt::format("process {} on host {}{}, since {:%Y-%m-%d %H:%M:%S} UTC", ::getpid(), host_name(),
                       job_text(), fmt::gmtime(std::time(nullptr)));
}

/// The first line of the file: what its holder wrote.
std::string holder_in(int file) {
    std::array<char, 512> text{};
    const ssize_t length = ::pread(file, text.data(), text.size(), 0);
    std::string line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    line.erase(std::min(line.find('\n'), line.size()));
    std::ranges::replace_if(
        line, [](unsigned char letter) { return letter < 0x20; }, ' ');
    return line.empty() ? "a process that has not told its name" : line;
}

/// A text that cannot be written, on a full disk for example, locks no less.
void write_holder(int file, const std::string& holder) {
    const std::string text =
        holder +
        "\nThe operating system holds the lock itself. It ends with the process; this text may stay.\n";
    if (::ftruncate(file, 0) == 0 && ::pwrite(file, text.data(), text.size(), 0) > 0)
        ::fsync(file); // other nodes read it
}

} // namespace

FolderLock::FolderLock(const Communicator& communicator, const std::string& folder) {
    std::string refused;
    if (communicator.rank() == 0) {
        const std::string path = folder + "/" + name;
        // Closed in programs that this one starts: they must not keep the lock. Never through a link: the
        // text would replace another file.
        constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
        file_ = ::open(path.c_str(), O_RDWR | O_CREAT | flags, 0666);
        int error = file_ < 0 ? errno : 0;
        const bool writable = error != EACCES && error != EROFS;
        if (!writable) // somebody else's: is it held?
            file_ = ::open(path.c_str(), O_RDONLY | flags);
        if (file_ >= 0)
            error = try_to_lock(file_, writable);
        for (int attempt = 1; file_ >= 0 && is_held_by_another(error) && attempt < attempts; ++attempt) {
            std::this_thread::sleep_for(pause_between);
            error = try_to_lock(file_, writable);
        }
        if (file_ >= 0 && is_held_by_another(error))
            refused =
                fmt::format("{}: a run is at work in this folder: {}; wait for its end, or stop it with kill "
                            "-USR1 and the number of the process, or choose another folder with --output",
                            folder, holder_in(file_));
        else if (error != 0)
            problem_ = fmt::format("{} cannot be locked: {}. The run goes on, but nothing keeps a second run "
                                   "out of its folder",
                                   path, std::strerror(error));
        else if (writable)
            write_holder(file_, this_process());
        if (error != 0 && file_ >= 0)
            ::close(std::exchange(file_, -1));
    }
    if (refused = communicator.first_problem(refused); !refused.empty())
        throw InputError(refused);
    problem_ = communicator.first_problem(problem_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), problem_(std::move(other.problem_)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(problem_, other.problem_);
    return *this;
}

FolderLock::~FolderLock() {
    if (file_ < 0)
        return;
    // While it is still locked: the text of the next holder must not be lost.
    [[maybe_unused]] const int ignored = ::ftruncate(file_, 0);
    ::close(file_);
}

} // namespace tamp
