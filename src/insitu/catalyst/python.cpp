#include "python.hpp"

#include <vtkPythonInterpreter.h>

#include <filesystem>

#include <fmt/format.h>

namespace tamp {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\n'                  ? std::string("\\n")
                  : (c == '\'' || c == '\\') ? std::string{'\\', c}
                                             : std::string{c};
    return result + "'";
}

/// Scripts become modules called after their file. A script called profile.py or random.py must not stand in
/// for the module of that name in Python's library.
///
/// ParaView's own log is for its developers, and its handler fails in this version.
constexpr const char* prepare = R"(
def _tamp_prepare():
    import logging, paraview
    logging.raiseExceptions = False
    paraview.logger.setLevel(logging.ERROR)
    import os, re
    from paraview.catalyst import importers
    add_file = importers.add_file
    def add_picture(filename, modulename=None):
        stem = os.path.splitext(os.path.basename(filename))[0]
        return add_file(filename, modulename or 'picture_' + re.sub(r'\W', '_', stem))
    importers.add_file = add_picture
_tamp_prepare()
del _tamp_prepare
)";

} // namespace

void start_python(std::span<const std::string> scripts) {
    vtkPythonInterpreter::Initialize(0); // 0: signal handlers stay as they are
    // At the end of the path, for the same reason as above.
    std::string paths = "import sys\n";
    for (const std::string& script : scripts)
        paths += fmt::format("sys.path.append({})\n",
                             quoted(std::filesystem::absolute(script).parent_path().string()));
    paths += fmt::format("sys.path.append({})\n", quoted(TAMP_PICTURE_SCRIPTS));
    vtkPythonInterpreter::RunSimpleString(paths.c_str());
    vtkPythonInterpreter::RunSimpleString(prepare);
}

} // namespace tamp
