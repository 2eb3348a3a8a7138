#include <dlfcn.h>

#include <cstdlib>

#include <fmt/format.h>

#include "tamp/insitu/pictures.hpp"

namespace tamp {
namespace {

constexpr const char* remedy =
    "start the run with jobscripts/with-display.sh, which provides one where there is none (it needs Xvfb; "
    "Debian: apt install xvfb xauth)";

/// Of the X library, which only builds with ParaView have; hence no link to it.
class XLibrary {
public:
    XLibrary() : library_(::dlopen("libX11.so.6", RTLD_NOW)) {}
    ~XLibrary() {
        if (library_)
            ::dlclose(library_);
    }
    XLibrary(const XLibrary&) = delete;
    XLibrary& operator=(const XLibrary&) = delete;

    explicit operator bool() const { return library_; }
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(::dlsym(library_, name));
    }

private:
    void* library_;
};

} // namespace

std::string display_problem() {
    const char* name = std::getenv("DISPLAY");
    if (!name || !*name)
        return fmt::format("there is no X display (DISPLAY is not set): {}", remedy);
    const XLibrary x;
    if (!x)
        return "the X library (libX11.so.6) is not installed here";
    auto* open = x.function<void*(const char*)>("XOpenDisplay");
    auto* query = x.function<int(void*, const char*, int*, int*, int*)>("XQueryExtension");
    auto* close = x.function<int(void*)>("XCloseDisplay");
    if (!open || !query || !close)
        return "the X library (libX11.so.6) lacks what it should have";
    void* display = open(name);
    if (!display)
        return fmt::format("the X display '{}' does not answer: unset DISPLAY and {}", name, remedy);
    int opcode = 0, event = 0, error = 0;
    const bool draws = query(display, "GLX", &opcode, &event, &error) != 0;
    close(display);
    if (!draws)
        return fmt::format(
            "the X display '{}' cannot draw in three dimensions (no GLX): unset DISPLAY and {}", name,
            remedy);
    return {};
}

} // namespace tamp
