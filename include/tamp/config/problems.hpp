#pragma once

#include <string>
#include <vector>

namespace tamp {

/// Where something was written: a place in the case file, or a `--set` on the command line.
struct Place {
    std::string source; ///< name of the file, or the whole `--set ...`
    int line = 0;       ///< 0: not from a file
    int column = 0;

    std::string text() const;
};

/// All mistakes of one case, so that a user mends them in one go.
class Problems {
public:
    /// `path` names the key as `--set` would: "stage[0].steps". May be empty.
    void add(const Place& place, const std::string& path, const std::string& what);
    /// The same of what does not keep the case from running.
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
    static std::vector<std::string> lines(std::vector<Entry> entries);

    std::vector<Entry> entries_, warnings_;
};

} // namespace tamp
