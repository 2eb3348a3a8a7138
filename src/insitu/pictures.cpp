#include "tamp/insitu/pictures.hpp"

#include <sys/resource.h>

#include <array>
#include <cfenv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tamp/insitu/picture_file.hpp"

#include "processor.hpp"

namespace tamp {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int most_failures = 3;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double largest_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Drawing must not change how the run computes, nor what ends it: graphics drivers switch tiny numbers to
/// zero and back, and ParaView takes SIGINT, SIGTERM and others for itself.
class KeepTheRunAsItIs {
public:
    KeepTheRunAsItIs() {
        std::fegetenv(&arithmetic_);
        for (std::size_t s = 1; s < signals_.size(); ++s)
            kept_[s] = sigaction(static_cast<int>(s), nullptr, &signals_[s]) == 0;
    }
    ~KeepTheRunAsItIs() {
        for (std::size_t s = 1; s < signals_.size(); ++s)
            if (kept_[s])
                sigaction(static_cast<int>(s), &signals_[s], nullptr);
        std::fesetenv(&arithmetic_);
    }
    KeepTheRunAsItIs(const KeepTheRunAsItIs&) = delete;
    KeepTheRunAsItIs& operator=(const KeepTheRunAsItIs&) = delete;

private:
    std::fenv_t arithmetic_{};
    std::array<struct sigaction, 32> signals_{};
    std::array<bool, 32> kept_{};
};

std::string make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    return error ? fmt::format("the folder {} cannot be made: {}", path, error.message()) : std::string();
}

/// The end of a longer text, where Python says what happened.
std::string last_lines(std::string text, int lines) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    std::size_t begin = text.size();
    while (begin > 0 && (text[begin - 1] != '\n' || --lines > 0))
        --begin;
    return text.substr(begin);
}

} // namespace

struct Pictures::State {
    const Communicator& communicator;
    std::string folder;
    std::vector<PictureSettings> settings;
    Warn warn;
    std::string problem{}; ///< why nothing can be drawn; the same on every rank
    PictureCost cost{};
    std::vector<int> failures{}; ///< in a row
    std::vector<char> warned{};  ///< of a picture
    std::unique_ptr<Processor> processor{};

    void tell(const std::string& message) const {
        if (communicator.rank() == 0 && warn)
            warn(message);
    }
    bool given_up(std::size_t picture) const { return failures[picture] >= most_failures; }
    bool start();
    void judge(std::size_t picture, const std::string& path, const Processor::Outcome& outcome);
};

bool pictures_available() { return TAMP_HAVE_CATALYST; }

Pictures::Pictures(const Communicator& communicator, std::string image_folder,
                   std::vector<PictureSettings> settings, Warn warn)
    : state_(new State{communicator, std::move(image_folder), std::move(settings), std::move(warn)}) {
    State& state = *state_;
    state.failures.assign(state.settings.size(), 0);
    state.warned.assign(state.settings.size(), 0);
    for (const PictureSettings& picture : state.settings)
        state.cost.each.push_back({.name = picture.name});
    if (state.settings.empty())
        return;
    if (!pictures_available())
        state.problem = "this tamp was built without ParaView";
    else
        state.problem = communicator.first_problem(display_problem());
    if (state.problem.empty())
        state.problem = communicator.first_problem(communicator.rank() == 0 ? make_folder(state.folder) : "");
    if (!state.problem.empty())
        state.tell("no pictures: " + state.problem);
}

Pictures::~Pictures() = default;

const PictureCost& Pictures::cost() const { return state_->cost; }

bool Pictures::active(std::size_t picture) const {
    return state_->problem.empty() && !state_->given_up(picture);
}

/// ParaView, with the first picture.
bool Pictures::State::start() {
    const auto begin = Clock::now();
    MakeProcessor* make = nullptr;
    problem = communicator.first_problem(load_processor(make));
    if (!problem.empty()) {
        tell("no pictures: " + problem);
        return false;
    }
    processor.reset(make(communicator, settings));
    if (const std::string warning = communicator.first_problem(processor->warning()); !warning.empty())
        tell("pictures: " + warning);
    cost.start_seconds = seconds_since(begin);
    return true;
}

void Pictures::State::judge(std::size_t picture, const std::string& path, const Processor::Outcome& outcome) {
    const std::string message = last_lines(outcome.messages, 6);
    std::string wrong;
    if (outcome.failed)
        wrong = message;
    wrong = communicator.first_problem(wrong);
    if (communicator.any(outcome.failed)) {
        if (wrong.empty())
            wrong = "its script failed";
        if (communicator.rank() == 0)
            discard_picture(path); // it may have been saved before
    } else {
        wrong = communicator.first_problem(communicator.rank() == 0 ? publish_picture(path) : "");
    }
    const std::string& name = settings[picture].name;
    PictureCost::Each& each = cost.each[picture];
    each.seconds += outcome.seconds;
    if (wrong.empty()) {
        failures[picture] = 0;
        ++each.pictures, ++cost.pictures;
        return;
    }
    ++each.failures, ++failures[picture];
    if (!std::exchange(warned[picture], 1))
        tell(fmt::format("picture '{}' was not drawn; the run goes on. {}: {}", name,
                         settings[picture].script, wrong));
    if (given_up(picture))
        tell(
            fmt::format("picture '{}' failed {} times in a row and is not tried again", name, most_failures));
}

void Pictures::draw(const View& view, const Fields& fields, std::span<const Wall> walls,
                    std::span<const std::size_t> due) {
    State& state = *state_;
    std::vector<Processor::Request> requests;
    std::vector<std::string> paths;
    for (const std::size_t picture : due)
        if (state.problem.empty() && !state.given_up(picture)) {
            paths.push_back(picture_path(state.folder, state.settings[picture].name, view.step));
            requests.push_back({picture, unfinished_path(paths.back())});
        }
    if (requests.empty())
        return;

    const KeepTheRunAsItIs keep;
    const auto begin = Clock::now();
    const double memory = largest_memory();
    if (!state.processor && !state.start())
        return;
    const Processor::Report report = state.processor->draw(view, fields, walls, requests);
    for (std::size_t r = 0; r < requests.size(); ++r)
        state.judge(requests[r].picture, paths[r], report.outcomes[r]);
    state.cost.adaptor_seconds += report.adaptor_seconds;
    state.cost.seconds += seconds_since(begin);
    state.cost.memory_bytes +=
        static_cast<double>(state.communicator.sum(static_cast<std::int64_t>(largest_memory() - memory)));
}

} // namespace tamp
