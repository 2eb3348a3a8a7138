#pragma once

namespace tamp {

/// What the program of try_display.cpp found out, as its exit code.
enum DisplayTrial {
    display_draws = 0,
    display_lacks_library = 10,
    display_does_not_answer,
    display_lacks_glx,
    display_gives_no_context
};

} // namespace tamp
