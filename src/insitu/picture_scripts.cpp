#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tamp/base/beside_executable.hpp"
#include "tamp/insitu/pictures.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

/// The folder of the scripts that come with tamp.
fs::path shipped() { return find_beside_executable("share/tamp/catalyst"); }

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

} // namespace

std::string find_picture_script(const std::string& named, const std::string& case_folder) {
    for (const fs::path& folder : {fs::path(case_folder), shipped()})
        for (const char* ending : {"", ".py"})
            if (const fs::path path = folder / (named + ending); is_file(path))
                return fs::absolute(path).lexically_normal().string();
    return {};
}

std::vector<std::string> colours_of(const std::string& script) {
    const fs::path path(script);
    std::error_code ignored;
    if (!fs::equivalent(path.parent_path(), shipped(), ignored))
        return {};
    const auto list = [](const auto& names) { return std::vector<std::string>(names.begin(), names.end()); };
    return path.stem() == "chains"    ? list(contact_colours)
           : path.stem() == "profile" ? list(field_names)
                                      : list(particle_colours);
}

std::vector<std::string> picture_scripts() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(shipped(), error))
        if (entry.path().extension() == ".py" && entry.path().filename() != "tamp_picture.py")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace tamp
