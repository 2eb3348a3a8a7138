#pragma once

#include <map>
#include <ostream>
#include <span>
#include <vector>

#include "cases.hpp"
#include "tamp/io/world_state.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/measure/view.hpp"
#include "tamp/protocol/schedule.hpp"

// What two runs of a case must share, at every moment.
namespace tamp::test {

inline constexpr int steps_between_looks = 50;

/// What a run looks like at a moment.
struct Look {
    StateHash state;    ///< positions, velocities, spins and impulses
    StateHash walls;    ///< positions, velocities, reactions and torques
    StateHash measures; ///< what the series would say
    StateHash view;     ///< what observers see of particles and contacts
    StateHash energy;   ///< where it went
    StateHash reports;  ///< of all steps so far: time step, sweeps, residuals, contacts, overlap
    double time = 0;
    std::int64_t sweeps = 0, searches = 0, lost = 0;

    friend bool operator==(const Look&, const Look&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Look& look) {
    return out << "state " << look.state.text() << "\nwalls " << look.walls.text() << "\nmeasures "
               << look.measures.text() << "\nview " << look.view.text() << "\nenergy " << look.energy.text()
               << "\nreports " << look.reports.text() << "\ntime " << look.time << ", " << look.sweeps
               << " sweeps, " << look.searches << " searches, " << look.lost << " lost";
}

inline StateHash hash_of(std::span<const double> numbers) {
    std::vector<std::uint64_t> words;
    for (const double number : numbers)
        words.push_back(StateHash::bits(number));
    StateHash hash;
    hash.add(words);
    return hash;
}

inline StateHash hash_of(std::initializer_list<double> numbers) {
    return hash_of(std::span<const double>(numbers.begin(), numbers.size()));
}

inline StateHash hash_of(std::span<const Wall> walls) {
    StateHash hash;
    for (const Wall& w : walls)
        hash.merge(hash_of({w.point.x, w.point.y, w.point.z, w.velocity.x, w.velocity.y, w.velocity.z,
                            w.reaction.x, w.reaction.y, w.reaction.z, w.torque.x, w.torque.y, w.torque.z}));
    return hash;
}

inline StateHash hash_of(const Measures& m) {
    StateHash hash =
        hash_of({static_cast<double>(m.particles), static_cast<double>(m.contacts), m.coordination,
                 m.volume_fraction, m.kinetic_energy, m.largest_speed, m.mean_overlap, m.largest_overlap});
    for (const double force : m.wall_force)
        hash.merge(hash_of({force}));
    return hash;
}

inline double bond_of(const ContactView& contacts, std::size_t c) {
    const auto column = contacts.history.find("bond");
    return column ? static_cast<double>(contacts.history.integers(*column)[c]) : 0.0;
}

inline StateHash hash_of(const Communicator& communicator, const View& v) {
    StateHash hash;
    const auto add = [&](std::uint64_t first, std::uint64_t second, std::initializer_list<Vec3> vectors,
                         std::initializer_list<double> numbers) {
        std::vector<std::uint64_t> words{first, second};
        for (const Vec3& vector : vectors)
            for (int axis = 0; axis < 3; ++axis)
                words.push_back(StateHash::bits(vector[axis]));
        for (const double number : numbers)
            words.push_back(StateHash::bits(number));
        hash.add(words);
    };
    const ParticleView& p = v.particles;
    for (std::size_t i = 0; i < p.size(); ++i)
        add(p.id[i], static_cast<std::uint64_t>(p.coordination[i]),
            {p.position[i], p.velocity[i], p.angular_velocity[i]},
            {p.radius[i], p.stress[i][0], p.stress[i][1], p.stress[i][2], p.stress[i][3], p.stress[i][4],
             p.stress[i][5]});
    const ContactView& c = v.contacts;
    for (std::size_t i = 0; i < c.size(); ++i)
        add(c.first[i], c.second[i], {c.from[i], c.to[i], c.normal[i], c.force[i]},
            {c.gap[i], c.normal_force[i], c.tangential_force[i], c.mobilisation[i], bond_of(c, i)});
    return merge_over_ranks(communicator, hash);
}

inline StateHash hash_of(const EnergyFlows& flows) {
    StateHash hash = hash_of({flows.collisions, flows.friction, flows.rolling, flows.torsion, flows.cohesion,
                              flows.gravity, flows.integration, flows.left});
    hash.merge(hash_of(std::span<const double>(flows.walls)));
    return hash;
}

inline StateHash energy_hash(const Engine& engine) {
    StateHash hash = hash_of(engine.energy_flows().value_or(EnergyFlows{}));
    hash.merge(hash_of({engine.elastic_energy().value_or(0.0)}));
    return hash;
}

inline Look look_at(EngineRun& engine, const StateHash& reports) {
    engine.engine->make_room(); // the world has all of its state now
    return {.state = state_hash(engine.world),
            .walls = hash_of(engine.walls()),
            .measures = hash_of(measure(engine)),
            .view = hash_of(engine.communicator(), view(engine)),
            .energy = energy_hash(*engine.engine),
            .reports = reports,
            .time = engine.time(),
            .sweeps = engine.totals().sweeps,
            .searches = engine.totals().searches,
            .lost = engine.totals().lost};
}

inline StateHash hash_of(int step, const StepReport& report) {
    return hash_of({static_cast<double>(step), report.time_step, static_cast<double>(report.solve.sweeps),
                    report.solve.residual, report.solve.largest, report.solve.force_error,
                    static_cast<double>(report.contacts), report.overlap, report.searched ? 1.0 : 0.0});
}

/// One step of a case, as a stage would make it.
inline StepReport make_step(EngineRun& engine, const RankCase& settings, int step, StateHash& reports) {
    if (settings.before_step)
        settings.before_step(step, engine.walls());
    for (const auto& [from, growth] : settings.growth)
        if (step == from)
            engine.world.set_growth(growth);
    follow_schedule(settings.schedule, engine.time(), engine.world);
    const StepReport report = engine.step(1e9);
    reports.merge(hash_of(step, report));
    return report;
}

inline bool is_looked_at(int step, const RankCase& settings) {
    return (step + 1) % steps_between_looks == 0 || step + 1 == settings.steps;
}

/// The looks of a run on rank 0 alone, for all ranks. The others wait: there are more ranks than cores. Once
/// for all tests that ask for it.
inline const std::vector<Look>& reference(const Communicator& world, const NamedCase& named,
                                          const RankCase& settings) {
    static std::map<std::string, std::vector<Look>> known;
    const auto [place, is_new] = known.try_emplace(named.name);
    if (is_new) {
        std::vector<Look>& looks = place->second;
        looks.resize(
            static_cast<std::size_t>((settings.steps + steps_between_looks - 1) / steps_between_looks));
        if (world.rank() == 0) {
            looks.clear();
            const Communicator alone(MPI_COMM_SELF);
            EngineRun engine(alone, settings.setup, settings.grains);
            StateHash reports;
            for (int step = 0; step < settings.steps; ++step) {
                make_step(engine, settings, step, reports);
                if (is_looked_at(step, settings))
                    looks.push_back(look_at(engine, reports));
            }
        }
        world.broadcast(std::span<Look>(looks));
    }
    return place->second;
}

} // namespace tamp::test
