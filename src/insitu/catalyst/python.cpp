#include <vtkPython.h> // first, as Python wants it

#include "python.hpp"

#include <vtkPythonInterpreter.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "paraview_version.hpp"
#include "tamp/base/beside_executable.hpp"

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

/// ParaView's own log is for its developers, and its handler fails in this version.
constexpr const char* prepare = R"(
def _tamp_prepare():
    import logging, paraview
    logging.raiseExceptions = False
    paraview.logger.setLevel(logging.ERROR)
_tamp_prepare()
del _tamp_prepare
)";

/// Scripts become modules called after their file. A script called profile.py or random.py must not stand in
/// for the module of that name in Python's library.
///
/// A script is read, and asked for its data, while its picture is drawn. If either fails on one rank, it
/// fails on all before any of them draws and waits for the others; only the rank that failed has something to
/// say.
constexpr const char* replace_functions = R"(
def _tamp_replace():
    import os, re
    from paraview.catalyst import importers
    add_file = importers.add_file
    def add_picture(filename, modulename=None):
        stem = os.path.splitext(os.path.basename(filename))[0]
        return add_file(filename, modulename or 'picture_' + re.sub(r'\W', '_', stem))
    importers.add_file = add_picture

    import sys
    from paraview.catalyst import v2_internals
    from paraview.vtk.vtkCommonCore import vtkIntArray
    from paraview.vtk.vtkParallelCore import vtkCommunicator, vtkMultiProcessController
    class FailedElsewhere(Exception):
        pass
    def on_any_rank(failed):
        mine, largest = vtkIntArray(), vtkIntArray()
        mine.InsertNextValue(failed)
        largest.InsertNextValue(failed)
        ranks = vtkMultiProcessController.GetGlobalController()
        if ranks is not None:
            ranks.AllReduce(mine, largest, vtkCommunicator.MAX_OP)
        return largest.GetValue(0) != 0
    def agreed(function):
        def call(*arguments):
            try:
                result = function(*arguments)
            except BaseException:
                on_any_rank(1)
                raise
            if on_any_rank(0):
                raise FailedElsewhere()
            return result
        return call
    v2_internals.import_and_validate = agreed(v2_internals.import_and_validate)
    v2_internals.do_request_data_description = agreed(v2_internals.do_request_data_description)
    say = sys.excepthook
    sys.excepthook = lambda kind, *rest: None if kind is FailedElsewhere else say(kind, *rest)
_tamp_replace()
del _tamp_replace
)";

/// Python ends the process if its library is not where PYTHONHOME says, as with one of another version.
void drop_foreign_home() {
    const char* home = std::getenv("PYTHONHOME");
    if (!home)
        return;
    const std::string text(home);
    const std::filesystem::path prefix = text.substr(0, text.find(':'));
    const std::string version = fmt::format("python{}.{}", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    std::error_code error;
    for (const char* folder : {"lib", "lib64"})
        if (std::filesystem::exists(prefix / folder / version / "encodings", error))
            return;
    ::unsetenv("PYTHONHOME");
}

} // namespace

void start_python(std::span<const std::string> scripts) {
    drop_foreign_home();
    vtkPythonInterpreter::Initialize(0); // 0: signal handlers stay as they are
    // At the end of the path, for the same reason as above.
    // No compiled copies of the scripts: they would lie in folders that others own.
    std::string paths = "import sys\nsys.dont_write_bytecode = True\n";
    for (const std::string& script : scripts)
        paths += fmt::format("sys.path.append({})\n",
                             quoted(std::filesystem::absolute(script).parent_path().string()));
    paths += fmt::format("sys.path.append({})\n", quoted(find_beside_executable("share/tamp/catalyst")));
    vtkPythonInterpreter::RunSimpleString(paths.c_str());
    vtkPythonInterpreter::RunSimpleString(prepare);
    if (may_replace_functions())
        vtkPythonInterpreter::RunSimpleString(replace_functions);
}

} // namespace tamp
