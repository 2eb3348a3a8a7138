#pragma once

#include "tamp/laws/rigid/law_set.hpp"

// From laws that are known at run time to laws that the compiler knows.
namespace tamp {

/// Calls `action` with the laws as a constant: exactly these, for the one function in which runs spend their
/// time.
template <class Action>
inline auto with_laws(const rigid::LawSet& laws, Action&& action) {
    switch ((laws.cohesion ? 1 : 0) + (laws.rebound ? 2 : 0) + (laws.torques ? 4 : 0)) {
    case 0:
        return action.template operator()<rigid::LawSet{}>();
    case 1:
        return action.template operator()<rigid::LawSet{true, false, false}>();
    case 2:
        return action.template operator()<rigid::LawSet{false, true, false}>();
    case 3:
        return action.template operator()<rigid::LawSet{true, true, false}>();
    case 4:
        return action.template operator()<rigid::LawSet{false, false, true}>();
    case 5:
        return action.template operator()<rigid::LawSet{true, false, true}>();
    case 6:
        return action.template operator()<rigid::LawSet{false, true, true}>();
    default:
        return action.template operator()<rigid::LawSet{true, true, true}>();
    }
}

/// Calls `action` with the set that holds the laws, as a constant.
template <class Action>
inline auto with_kernel_set(const rigid::LawSet& laws, Action&& action) {
    constexpr rigid::LawSet plain = rigid::kernel_set({}), extended = rigid::kernel_set({.rebound = true}),
                            all = rigid::kernel_set({.torques = true});
    const rigid::LawSet set = rigid::kernel_set(laws);
    return set == plain      ? action.template operator()<plain>()
           : set == extended ? action.template operator()<extended>()
                             : action.template operator()<all>();
}

} // namespace tamp
