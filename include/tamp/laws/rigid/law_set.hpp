#pragma once

/// Which laws there are, without the laws themselves: whoever only has to choose needs no more.
namespace tamp::rigid {

/// Laws beyond inelastic friction. Normal restitution is not here: it is in the closing speed, at no cost.
struct LawSet {
    bool cohesion = false;
    bool rebound = false; ///< tangential restitution
    bool torques = false; ///< rolling and torsion friction

    friend constexpr bool operator==(const LawSet&, const LawSet&) = default;
};

/// A set that holds these laws: plain friction, all laws but torques, or all. What is seldom done to contacts
/// is compiled for these three only, because each set is one more copy of the laws.
constexpr LawSet kernel_set(const LawSet& used) {
    if (used.torques)
        return {.cohesion = true, .rebound = true, .torques = true};
    if (used.cohesion || used.rebound)
        return {.cohesion = true, .rebound = true, .torques = false};
    return {};
}

/// Finer choices, the same for all contacts of a run; a contact that does without has zeros.
struct TorqueOptions {
    bool hertz = false;   ///< some limit grows with the force
    bool coupled = false; ///< in some contact sliding and torsion share their limit
    bool discs = false;
};

} // namespace tamp::rigid
