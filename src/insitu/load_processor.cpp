#include <dlfcn.h>

#include <fmt/format.h>

#include "tamp/base/beside_executable.hpp"

#include "processor.hpp"

namespace tamp {

std::string load_processor(MakeProcessor*& make) {
    constexpr const char* name = "lib/tamp/libtamp_catalyst.so";
    const std::string path = find_beside_executable(name);
    if (path.empty())
        return fmt::format("the library that draws is missing, looked for {}",
                           places_beside_executable(name));
    // Global: Python's own modules look there for the interpreter.
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library)
        make = reinterpret_cast<MakeProcessor*>(::dlsym(library, make_processor_name));
    return library && make ? std::string() : fmt::format("ParaView cannot be loaded: {}", ::dlerror());
}

} // namespace tamp
