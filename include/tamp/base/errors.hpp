#pragma once

#include <stdexcept>
#include <string>

namespace tamp {

/// What a user can mend in the case file or on the command line. Exit code 2.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file or folder that cannot be read or written. Exit code 3.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A state that the method cannot go on from. Exit code 4.
struct NumericalError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace tamp
