#include "messages.hpp"

#include <vtkObjectFactory.h>

#include <cstdio>
#include <utility>

namespace tamp {

vtkStandardNewMacro(Messages);

void Messages::add(const char* text) {
    constexpr std::size_t enough = 64 << 10; // an error in every cell must not fill the memory
    if (text && collected_.size() < enough)
        collected_ += text;
}

void Messages::DisplayText(const char* text) {
    if (GetCurrentMessageType() == MESSAGE_TYPE_ERROR)
        add(text);
    else if (GetCurrentMessageType() == MESSAGE_TYPE_TEXT && text)
        std::fputs(text, stderr); // what scripts print; never among the output of the run
}

std::string Messages::take() { return std::exchange(collected_, {}); }

} // namespace tamp
