#include <dlfcn.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "processor.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

/// Beside the executable, where an installation has it, or in the folder of the build.
std::vector<fs::path> places() {
    constexpr const char* name = "libtamp_catalyst.so";
    std::vector<fs::path> result;
    std::error_code error;
    if (const fs::path self = fs::read_symlink("/proc/self/exe", error); !error)
        result = {self.parent_path() / name, self.parent_path().parent_path() / "lib" / name};
    result.push_back(fs::path(TAMP_BUILD_FOLDER) / name);
    return result;
}

} // namespace

std::string load_processor(MakeProcessor*& make) {
    for (const fs::path& path : places()) {
        std::error_code error;
        if (!fs::exists(path, error))
            continue;
        // Global: Python's own modules look there for the interpreter.
        void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library)
            make = reinterpret_cast<MakeProcessor*>(::dlsym(library, make_processor_name));
        return library && make ? std::string() : fmt::format("ParaView cannot be loaded: {}", ::dlerror());
    }
    return fmt::format("the library {} is missing", places().back().string());
}

} // namespace tamp
