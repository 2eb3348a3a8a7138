#pragma once

#include "engine_run.hpp"
#include "setups.hpp"

/// Small cases of soft grains for the tests of the engine. One material of density 1000, as in setups.hpp.
namespace tamp::setups {

/// Open space without gravity.
inline RigidSetup soft_space(const SoftLaws& laws, double time_step, int dimension = 3, double edge = 1) {
    RigidSetup setup = open_space(edge, 0.5, time_step, dimension);
    setup.kind = EngineKind::soft;
    ContactLaws contact;
    contact.soft = laws;
    setup.materials.set(0, 0, contact);
    return setup;
}

inline SoftLaws linear_laws(double stiffness, double viscosity = 0) {
    SoftLaws laws;
    laws.stiffness = stiffness;
    laws.viscosity = viscosity;
    return laws;
}

inline SoftLaws hertz_laws(double modulus) {
    SoftLaws laws;
    laws.normal = NormalLaw::hertz;
    laws.modulus = modulus;
    return laws;
}

/// Where a particle lies in the store of the only rank.
inline std::size_t index_of(const WorldRun& run, std::uint64_t id) {
    const auto& ids = run.store().id;
    return static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
}
inline Grain grain_of(const WorldRun& run, std::uint64_t id) { return run.store().grain(index_of(run, id)); }

inline void make_steps(EngineRun& run, int count) {
    for (int step = 0; step < count; ++step)
        run.step(for_ever);
}

} // namespace tamp::setups
