#pragma once

#include <string>
#include <tuple>
#include <vector>

namespace tamp {

/// Where something was written: a place in the case file, or a `--set` on the command line.
struct Place {
    std::string source; ///< name of the file, or the whole `--set ...`
    int line = 0;       ///< 0: not from a file
    int column = 0;

    std::string text() const;
    /// As they stand in the file, those of `--set` last.
    auto order() const { return std::make_tuple(line == 0, line, column); }
};

/// All mistakes of one case, so that a user mends them in one go.
class Problems {
public:
    /// `path` names the key as `--set` would: "stage[0].steps". May be empty.
    void add(const Place& place, const std::string& path, const std::string& what);
    /// So many more of the same kind, which are only counted.
    void leave_out(std::size_t count) { left_out_ += count; }
    /// Like `add`, of what does not keep the case from running.
    void warn(const Place& place, const std::string& path, const std::string& what);
    bool empty() const { return entries_.empty(); }

    /// Throws an InputError with one line a problem, in the order of the file, if there is any.
    void throw_if_any() const;
    /// A line each, in the order of the file.
    std::vector<std::string> warnings() const;

private:
    struct Entry {
        Place place;
        std::string message;
    };
    static Entry entry(const Place& place, const std::string& path, const std::string& what);
    static std::vector<std::string> lines(std::vector<Entry> entries, std::size_t left_out);

    std::vector<Entry> entries_, warnings_;
    std::size_t left_out_ = 0;
};

} // namespace tamp
