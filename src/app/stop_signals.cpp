#include "tamp/app/stop_signals.hpp"

#include <csignal>
#include <unistd.h>

namespace tamp {
namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::sig_atomic_t interrupted = 0;

constexpr int watched[] = {SIGUSR1, SIGTERM, SIGINT};

extern "C" void note_signal(int signal) {
    if (signal == SIGINT && interrupted)
        _exit(128 + SIGINT);
    if (signal == SIGINT)
        interrupted = 1;
    if (first_signal == 0)
        first_signal = signal;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART; // a write or a wait goes on where it was
    sigaction(signal, &action, nullptr);
}

} // namespace

StopSignals::StopSignals() {
    for (const int signal : watched)
        handle(signal, note_signal);
    handle(SIGXFSZ, SIG_IGN);
}

StopSignals::~StopSignals() {
    for (const int signal : watched)
        handle(signal, SIG_DFL);
}

int StopSignals::received() { return first_signal; }

std::string signal_name(int signal) {
    switch (signal) {
    case SIGUSR1:
        return "SIGUSR1";
    case SIGTERM:
        return "SIGTERM";
    case SIGINT:
        return "SIGINT";
    default:
        return "a signal";
    }
}

} // namespace tamp
