// Waves along a line of soft grains [002 sec. 2.2], moved by the engine.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "soft_setups.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.005;
const double mass = mass_of({.radius = radius});

/// A ring of spheres along a periodic direction, each pressed by its neighbours. Springs of stiffness K
/// between masses m at distances s carry u_j = A sin(j q s - omega t) with omega = 2 sqrt(K/m) sin(q s/2).
/// Steps of the leapfrog carry the same wave with sin(omega' dt/2) = omega dt/2.
class Ring {
public:
    static constexpr int count = 96;

    /// `stiffness`: of a contact at this overlap; `length`: of a wave, in grains.
    Ring(const SoftLaws& laws, double overlap, double stiffness, int length, double amplitude)
        : wave_(2 * std::numbers::pi / length), spacing_(2 * radius - overlap), amplitude_(amplitude),
          omega_(2 * std::sqrt(stiffness / mass) * std::sin(0.5 * wave_)),
          dt_(0.05 / std::sqrt(stiffness / mass)), run(world(), setup(laws), grains()) {}

    /// Speed of the crests while they travel over a wavelength, m/s.
    double measured_speed() {
        const int steps = static_cast<int>(2 * std::numbers::pi / (scheme_omega() * dt_));
        double turned = 0, last = phase();
        for (int step = 0; step < steps; ++step) {
            run.step(for_ever);
            const double now = phase();
            turned += std::remainder(now - last, 2 * std::numbers::pi);
            last = now;
        }
        return turned / (steps * dt_) * spacing_ / wave_;
    }
    /// sqrt(K/m) s for long waves [002 eq. 5]; shorter ones, and those of longer steps, differ.
    double expected_speed() const { return scheme_omega() * spacing_ / wave_; }

    double spacing() const { return spacing_; }
    double amplitude_now() const { return std::hypot(part(0), part(1)); }
    /// Mean force in the contacts.
    double load() const {
        const View seen = view(run);
        double sum = 0;
        for (const double force : seen.contacts.normal_force)
            sum += force;
        return sum / static_cast<double>(seen.contacts.size());
    }

private:
    double scheme_omega() const { return 2 / dt_ * std::asin(0.5 * omega_ * dt_); }
    RigidSetup setup(const SoftLaws& laws) const {
        RigidSetup setup = soft_space(laws, dt_);
        setup.box.lower.x = 0, setup.box.upper.x = count * spacing_;
        setup.box.boundary[0] = Boundary::periodic;
        return setup;
    }
    std::vector<Grain> grains() const {
        std::vector<Grain> all;
        for (int j = 0; j < count; ++j) {
            const double angle = wave_ * j;
            // With this velocity the first half kick puts the grain on the wave.
            all.push_back(grain(
                static_cast<std::uint64_t>(j), {(j + 0.5) * spacing_ + amplitude_ * std::sin(angle), 0, 0},
                radius, {-amplitude_ * std::cos(angle) * std::sin(scheme_omega() * dt_) / dt_, 0, 0}));
        }
        return all;
    }
    /// Of the displacements, the part with sin (0) or cos (1) of j q s.
    double part(int which) const {
        const ParticleStore& store = run.store();
        double sum = 0;
        for (std::size_t i = 0; i < store.owned; ++i) {
            const double j = static_cast<double>(store.id[i]);
            const Vec3 shift =
                run.setup().box.nearest(store.sphere[i].centre - Vec3{(j + 0.5) * spacing_, 0, 0});
            sum += shift.x * (which == 0 ? std::sin(wave_ * j) : std::cos(wave_ * j));
        }
        return 2 * sum / count;
    }
    double phase() const { return std::atan2(-part(1), part(0)); }

    double wave_, spacing_, amplitude_, omega_, dt_;

public:
    EngineRun run;
};

TEST(SoftWaves, SoundOfAPressedLinearChain) {
    const double k = 1e4, overlap = 1e-5;
    for (const int length : {4, 12, 32, 96}) {
        Ring ring(linear_laws(k), overlap, k, length, 0.1 * overlap);
        const double speed = ring.measured_speed();
        EXPECT_NEAR(speed, ring.expected_speed(), 1e-8 * speed) << length;
        EXPECT_NEAR(ring.amplitude_now(), 0.1 * overlap, 1e-8 * overlap) << length;
        // [002 eq. 5], long waves: what is left is (q s)^2/24.
        const double sound = std::sqrt(k / mass) * ring.spacing();
        EXPECT_TRUE(length < 96 || speed > (1 - 2e-4) * sound);
        EXPECT_LT(speed, sound) << "shorter waves are slower";
    }
}

TEST(SoftWaves, SoundOfAPressedHertzChainGrowsAsTheSixthRootOfTheLoad) {
    const double modulus = 1e8;
    std::vector<double> loads, speeds;
    for (const double overlap : {1e-6, 4e-6, 16e-6, 64e-6}) {
        const double stiffness = 2 * modulus * std::sqrt(0.5 * radius * overlap);
        Ring ring(hertz_laws(modulus), overlap, stiffness, 96, 1e-4 * overlap);
        const double speed = ring.measured_speed(), sound = std::sqrt(stiffness / mass) * ring.spacing();
        EXPECT_NEAR(speed, ring.expected_speed(), 1e-6 * speed) << "waves of a small amplitude";
        EXPECT_NEAR(speed, sound, 2e-4 * sound);
        loads.push_back(ring.load());
        speeds.push_back(speed / ring.spacing()); // the spacing shrinks a little under the load
        EXPECT_NEAR(loads.back(), 2.0 / 3 * stiffness * overlap, 1e-6 * loads.back());
    }
    for (std::size_t i = 1; i < loads.size(); ++i)
        EXPECT_NEAR(std::log(speeds[i] / speeds[i - 1]) / std::log(loads[i] / loads[i - 1]), 1.0 / 6, 1e-5);
}

/// A line of grains with gaps between them; the first one moves.
struct Line {
    double gap, speed, contact_time; ///< m, m/s, s

    double spacing() const { return 2 * radius + gap; }
    /// (sigma + gap)/(gap/v + tau/2) [002 eq. 8]. For rigid grains tau = 0 [eq. 7].
    double expected(double tau) const { return spacing() / (gap / speed + 0.5 * tau); }

    /// Spacing over the mean time from one touch to the next.
    double measured(const SoftLaws& laws, int steps_per_contact) const {
        constexpr int count = 8;
        std::vector<Grain> grains;
        for (int j = 0; j < count; ++j)
            grains.push_back(grain(static_cast<std::uint64_t>(j), {j * spacing() - 0.1, 0, 0}, radius,
                                   {j == 0 ? speed : 0.0, 0, 0}));
        EngineRun run(world(), soft_space(laws, contact_time / steps_per_contact), grains);
        std::vector<double> touches; // when a grain has closed the gap before it
        double before = 0;
        while (touches.size() + 1 < count) {
            const std::size_t j = touches.size();
            const double start = run.time();
            run.step(for_ever);
            const double way = grain_of(run, j).position.x - grains[j].position.x;
            if (way >= gap) // it flies freely here
                touches.push_back(start + (gap - before) / (way - before) * (run.time() - start)), before = 0;
            else
                before = way;
        }
        return static_cast<double>(count - 2) * spacing() / (touches.back() - touches.front());
    }
};

TEST(SoftWaves, CollisionsCarryAWave) {
    for (const bool hertz : {false, true})
        for (const double speed : {0.1, 1.0}) {
            const SoftLaws laws = hertz ? hertz_laws(1e8) : linear_laws(1e4);
            const double tau =
                hertz ? soft::contact_time(soft::Hertz{.modulus = 1e8}, 0.5 * radius, 0.5 * mass, speed)
                      : soft::contact_time(1e4, 0, 0.5 * mass);
            for (const double gap : {0.6 * speed * tau, 5 * speed * tau}) {
                const Line line{gap, speed, tau};
                const double coarse = std::abs(line.measured(laws, 50) / line.expected(tau) - 1),
                             fine = std::abs(line.measured(laws, 200) / line.expected(tau) - 1);
                EXPECT_LT(coarse, 1e-3);
                EXPECT_LT(fine, 0.3 * coarse) << "the error is that of the step";
            }
        }
}

TEST(SoftWaves, StiffGrainsCarryItAsRigidOnes) {
    const double gap = 1e-3, speed = 0.1;
    for (const double k : {1e3, 1e5, 1e7}) {
        const double tau = soft::contact_time(k, 0, 0.5 * mass);
        const Line line{gap, speed, tau};
        // How much later than rigid grains they touch: half a contact time in a time of flight.
        const double lag = line.expected(0) / line.measured(linear_laws(k), 100) - 1;
        EXPECT_NEAR(lag, 0.5 * tau * speed / gap, 1e-3 * lag) << k;
    }
}

} // namespace
} // namespace tamp
