// A program of its own that makes on the X display what ParaView will make there. ParaView ends the process
// where that fails, and so may the X library and the drivers; here only this program ends. See
// display_trial.hpp.

#include <dlfcn.h>
#include <unistd.h>

#include "display_trial.hpp"

namespace {

/// The libraries come with ParaView; their headers may not.
template <class Function>
Function* function(const char* library, const char* name) {
    void* opened = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    void* found = opened ? ::dlsym(opened, name) : nullptr;
    if (!found)
        ::_exit(tamp::display_lacks_library);
    return reinterpret_cast<Function*>(found);
}

template <class Function>
Function* of_x(const char* name) {
    return function<Function>("libX11.so.6", name);
}

template <class Function>
Function* of_gl(const char* name) {
    return function<Function>("libGL.so.1", name);
}

int on_error(void*, void*) { ::_exit(tamp::display_gives_no_context); }
int on_lost_connection(void*) { ::_exit(tamp::display_does_not_answer); }

// As in GL/glx.h. Windows that can show colours, with depth; and OpenGL 3.2 without its past.
constexpr int wanted_window[] = {0x8012, 1, 0x8010, 1, 0x8011, 1, 8, 1, 9, 1, 10, 1, 12, 1, 0};
constexpr int wanted_context[] = {0x2091, 3, 0x2092, 2, 0x9126, 1, 0};

using MakeContext = void*(void*, void*, void*, int, const int*);

} // namespace

int main() {
    ::alarm(30); // a display that hangs
    void* display = of_x<void*(const char*)>("XOpenDisplay")(nullptr);
    if (!display)
        return tamp::display_does_not_answer;
    of_x<void*(int (*)(void*, void*))>("XSetErrorHandler")(on_error);
    of_x<void*(int (*)(void*))>("XSetIOErrorHandler")(on_lost_connection);
    int opcode = 0, event = 0, error = 0;
    auto* query = of_x<int(void*, const char*, int*, int*, int*)>("XQueryExtension");
    if (!query(display, "GLX", &opcode, &event, &error))
        return tamp::display_lacks_glx;

    const int screen = of_x<int(void*)>("XDefaultScreen")(display);
    int count = 0;
    void** windows = of_gl<void**(void*, int, const int*, int*)>("glXChooseFBConfig")(display, screen,
                                                                                      wanted_window, &count);
    auto* make = reinterpret_cast<MakeContext*>(
        of_gl<void*(const char*)>("glXGetProcAddressARB")("glXCreateContextAttribsARB"));
    if (!windows || count == 0 || !make || !make(display, windows[0], nullptr, 1, wanted_context))
        return tamp::display_gives_no_context;
    of_x<int(void*, int)>("XSync")(display, 0); // errors come late
    ::_exit(tamp::display_draws);               // without the drivers' tidying up
}
