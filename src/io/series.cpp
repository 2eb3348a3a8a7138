#include "tamp/io/series.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/set_aside.hpp"

namespace tamp {

namespace {

constexpr std::chrono::seconds flush_interval{2};

} // namespace

Series::Series(const Communicator& communicator, std::string path, const std::vector<std::string>& columns,
               Warning warn, std::size_t most_waiting, std::optional<double> goes_on_after)
    : path_(std::move(path)), warn_(std::move(warn)), columns_(columns.size()), most_waiting_(most_waiting) {
    std::string problem;
    if (communicator.rank() == 0) {
        const auto header = fmt::format("{}\n", fmt::join(columns, ","));
        try {
            if (!goes_on_after || !go_on(header, *goes_on_after)) {
                file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
                if (file_ < 0)
                    problem = writing_problem(path_, errno);
                waiting_ = header;
            }
        } catch (const FileError& error) {
            problem = error.what();
        }
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw FileError(problem);
    flush();
}

/// False if a new file is to be made.
bool Series::go_on(const std::string& header, double after) {
    std::ifstream old(path_, std::ios::binary);
    if (!old)
        return false;
    const std::string text{std::istreambuf_iterator<char>(old), {}};
    if (!text.starts_with(header)) {
        const auto where = set_aside(path_, "old");
        if (warn_)
            warn_(fmt::format("{} has other columns than this run; it is now {}, and a new one begins", path_,
                              where));
        return false;
    }
    std::size_t end = header.size(); // of what stays
    while (true) {
        const auto next = text.find('\n', end);
        double time = 0;
        if (next == std::string::npos ||
            std::from_chars(text.data() + end, text.data() + next, time).ec != std::errc{} || time > after)
            break;
        end = next + 1;
    }
    file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(end)) != 0 || ::lseek(file_, 0, SEEK_END) < 0)
        throw FileError(writing_problem(path_, errno));
    return true;
}

Series::~Series() {
    flush();
    if (file_ >= 0)
        ::close(file_);
}

bool Series::row(std::span<const double> values) {
    assert(values.size() == columns_);
    if (file_ < 0)
        return true;
    // A line that finds no room has its last chance before it is lost.
    if (std::chrono::steady_clock::now() - last_flush_ >= flush_interval ||
        (!failing_ && waiting_.size() >= most_waiting_))
        flush();
    if (waiting_.size() < most_waiting_) {
        fmt::format_to(std::back_inserter(waiting_), "{}\n", fmt::join(values, ","));
    } else if (!std::exchange(lost_, true) && warn_) {
        warn_(fmt::format("{} still cannot be written, and too many lines wait in memory: from now on they "
                          "are lost until it can. Free some space; the run goes on.",
                          path_));
    }
    return !failing_;
}

bool Series::flush() {
    last_flush_ = std::chrono::steady_clock::now();
    if (file_ < 0)
        return true;
    failing_ = false;
    while (!waiting_.empty()) {
        const auto written = ::write(file_, waiting_.data(), waiting_.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            failing_ = true;
            if (!warned_ && warn_)
                warn_(writing_problem(path_, errno) + " The run goes on; lines wait in memory.");
            warned_ = true;
            return false;
        }
        waiting_.erase(0, static_cast<std::size_t>(written)); // a half-written line goes on where it stopped
    }
    return !lost_;
}

} // namespace tamp
