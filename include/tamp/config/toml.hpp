#pragma once

// toml++ 3.3 trips over one of its own assertions when a case holds a line such as `[=`; in optimised builds
// it assumes that the assertion holds and does anything. So its code is compiled here, not taken from its
// library, with assertions that throw: `read_document` turns them into an error message. Only this header
// includes toml++.

#include <cassert>
#include <stdexcept>

namespace tamp {

struct TomlAssertion : std::logic_error {
    using std::logic_error::logic_error;
};

} // namespace tamp

#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition)                                                                               \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            throw ::tamp::TomlAssertion(#condition);                                                         \
    } while (false)

#pragma push_macro("NDEBUG")
#undef NDEBUG // else toml++ makes assumptions of its assertions
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate" // some of its assertions stand in noexcept functions
#include <toml++/toml.h>
#pragma GCC diagnostic pop
#pragma pop_macro("NDEBUG")
