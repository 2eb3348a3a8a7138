#include "tamp/io/series.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/safe_file.hpp"

namespace tamp {

namespace {

constexpr std::chrono::seconds flush_interval{2};

} // namespace

Series::Series(const Communicator& communicator, std::string path, const std::vector<std::string>& columns,
               Warning warn, std::size_t most_waiting)
    : path_(std::move(path)), warn_(std::move(warn)), columns_(columns.size()), most_waiting_(most_waiting) {
    std::string problem;
    if (communicator.rank() == 0) {
        file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file_ < 0)
            problem = writing_problem(path_, errno);
        waiting_ = fmt::format("{}\n", fmt::join(columns, ","));
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw FileError(problem);
    flush();
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
