#include "tamp/mpi/profile.hpp"

#include <petscsys.h>

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace tamp {

static_assert(std::is_same_v<PetscLogEvent, int>);

namespace {

/// PETSc keeps events by name for the whole process; a second Profile must find those of the first.
int petsc_event(const char* name) {
    PetscBool petsc_runs = PETSC_FALSE;
    if (PetscInitialized(&petsc_runs) || !petsc_runs)
        return -1;
    PetscLogEvent event = -1;
    if (!PetscLogEventGetId(name, &event) && event >= 0)
        return event;
    PetscClassId tamp_class = 0;
    if (PetscClassIdRegister("tamp", &tamp_class) || PetscLogEventRegister(name, tamp_class, &event))
        return -1;
    return event;
}

} // namespace

ProfilePart Profile::part(const char* name) {
    const auto found = std::ranges::find(entries_, name, &Entry::name);
    if (found != entries_.end())
        return {static_cast<int>(found - entries_.begin())};
    entries_.push_back({name, 0, 0});
    events_.push_back(petsc_event(name));
    return {static_cast<int>(entries_.size()) - 1};
}

Profile::Scope::Scope(Profile& profile, ProfilePart part)
    : profile_(profile), index_(static_cast<std::size_t>(part.index)) {
    // Timing must never stop a run: what PETSc says about it is dropped.
    if (const int event = profile_.events_[index_]; event >= 0)
        (void)PetscLogEventBegin(event, nullptr, nullptr, nullptr, nullptr);
    begin_ = Clock::now();
}

Profile::Scope::~Scope() {
    auto& entry = profile_.entries_[index_];
    entry.seconds += std::chrono::duration<double>(Clock::now() - begin_).count();
    ++entry.calls;
    if (const int event = profile_.events_[index_]; event >= 0)
        (void)PetscLogEventEnd(event, nullptr, nullptr, nullptr, nullptr);
}

std::vector<PartOverRanks> over_ranks(const Communicator& communicator, const Profile& profile) {
    std::string names;
    for (const Profile::Entry& entry : profile.entries())
        names += entry.name + '\n';
    communicator.broadcast(names);

    std::vector<PartOverRanks> parts;
    std::vector<ExactSum> sums;
    std::istringstream lines(names);
    for (std::string name; std::getline(lines, name);) {
        const auto found = std::ranges::find(profile.entries(), name, &Profile::Entry::name);
        const Profile::Entry mine = found != profile.entries().end() ? *found : Profile::Entry{name};
        sums.emplace_back().add(mine.seconds);
        parts.push_back({name, 0, communicator.max(mine.seconds), communicator.max(mine.calls)});
    }
    communicator.sum(std::span<ExactSum>(sums));
    for (std::size_t i = 0; i < parts.size(); ++i)
        parts[i].mean_seconds = sums[i].value() / communicator.size();
    return parts;
}

} // namespace tamp
