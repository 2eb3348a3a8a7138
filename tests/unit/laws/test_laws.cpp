#include "tamp/laws/rigid/laws.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tamp/laws/rigid/restitution.hpp"
#include "two_bodies.hpp"

// All laws of a contact put together, against the motion of the two bodies.
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::rigid;

using Problem = ContactProblem<double>;

/// Parameters of every law, whether the set under test uses it or not.
void add_random_laws(Problem& problem, Random& random) {
    problem.mu = random.uniform(0, 1.5);
    problem.c = random.below(2) ? 0.0 : random.uniform(0, 1);
    problem.strength = random.below(2) ? 0.0 : random.uniform(0, 1);
    problem.shift = random.uniform() * tangential(problem.u, problem.n);
    problem.rolling = random.below(4) ? random.uniform(0, 1) : 0.0;
    problem.torsion = random.below(4) ? random.uniform(0, 1) : 0.0;
    problem.rolling_growth = random.uniform(0, 0.5);
    problem.torsion_growth = random.uniform(0, 0.5);
    problem.coupled = 1; // if the options say so
}

/// The contact after the law's answer: the bodies move, the velocities follow.
Problem answered(TwoBodies& pair, const Problem& before, const Reaction<double>& reaction) {
    pair.push(reaction.impulse - before.p, reaction.torque - before.tau);
    Problem after = before;
    after.p = reaction.impulse, after.tau = reaction.torque;
    after.u = pair.velocity(), after.omega = pair.spin();
    return after;
}

struct Options {
    int dimension;
    bool coupled, hertz;

    TorqueOptions torques() const { return {hertz, coupled, dimension == 2}; }
};

void PrintTo(const Options& options, std::ostream* out) {
    *out << options.dimension << "-D" << (options.coupled ? ", coupled" : "")
         << (options.hertz ? ", Hertz" : "");
}

/// Calls `check.operator()<set>()` for all eight sets.
template <class Check>
void for_all_sets(Check&& check) {
    check.template operator()<LawSet{false, false, false}>();
    check.template operator()<LawSet{true, false, false}>();
    check.template operator()<LawSet{false, true, false}>();
    check.template operator()<LawSet{true, true, false}>();
    check.template operator()<LawSet{false, false, true}>();
    check.template operator()<LawSet{true, false, true}>();
    check.template operator()<LawSet{false, true, true}>();
    check.template operator()<LawSet{true, true, true}>();
}

template <LawSet set>
std::string name_of() {
    return std::string(set.cohesion ? "cohesion " : "") + (set.rebound ? "rebound " : "") +
           (set.torques ? "torques" : "");
}

constexpr int trials = 1000;

class Laws : public testing::TestWithParam<Options> {
protected:
    Options options() const { return GetParam(); }

    /// A pair, and its contact with any impulse and torque to start from.
    Problem random_problem(Random& random, TwoBodies& pair) const {
        pair = random_bodies(random, options().dimension);
        const auto flat = [&](const Vec3& v) { return options().dimension == 3 ? v : Vec3{v.x, v.y, 0}; };
        const auto axial = [&](const Vec3& v) { return options().dimension == 3 ? v : Vec3{0, 0, v.z}; };
        const Vec3 p = flat(random_vector(random)), tau = axial(random_vector(random));
        pair.push(p, tau);
        Problem problem = problem_of(pair, p, tau);
        add_random_laws(problem, random);
        return problem;
    }
};

TEST_P(Laws, HaveNothingToDoTwice) {
    for_all_sets([&]<LawSet set> {
        SCOPED_TRACE(name_of<set>());
        Random random = random_numbers(61);
        double worst = 0;
        for (int trial = 0; trial < trials; ++trial) {
            TwoBodies pair;
            const Problem before = random_problem(random, pair);
            const Problem start = set.torques ? before : [&] {
                Problem without = before;
                pair.push({0, 0, 0}, -before.tau);
                without.tau = {0, 0, 0}, without.u = pair.velocity(), without.omega = pair.spin();
                return without;
            }();
            const Problem after = answered(pair, start, relaxed<set>(start, options().torques()));
            worst = std::max(worst, distance<set>(after, options().torques(), 1.0));
            const Reaction<double> again = relaxed<set>(after, options().torques());
            worst = std::max({worst, norm(again.impulse - after.p), norm(again.torque - after.tau)});
        }
        EXPECT_LT(worst, 1e-12);
    });
}

TEST_P(Laws, DistanceSeesEveryDeviation) {
    for_all_sets([&]<LawSet set> {
        SCOPED_TRACE(name_of<set>());
        Random random = random_numbers(62);
        for (int trial = 0; trial < trials; ++trial) {
            TwoBodies pair;
            const Problem before = random_problem(random, pair);
            Reaction<double> reaction = relaxed<set>(before, options().torques());
            const double size = 1e-3;
            reaction.impulse += size * tangential(random_direction(random), before.n);
            if constexpr (set.torques)
                reaction.torque += size * random_direction(random);
            const Problem wrong = answered(pair, before, reaction);
            ASSERT_GT(distance<set>(wrong, options().torques(), 1.0), 0.01 * size) << "trial " << trial;
        }
    });
}

TEST_P(Laws, KeepEveryLimit) {
    for_all_sets([&]<LawSet set> {
        SCOPED_TRACE(name_of<set>());
        Random random = random_numbers(63);
        for (int trial = 0; trial < trials; ++trial) {
            TwoBodies pair;
            const Problem before = random_problem(random, pair);
            const Problem after = answered(pair, before, relaxed<set>(before, options().torques()));
            const double p_n = dot(after.p, after.n), pull = set.cohesion ? after.strength : 0.0;
            ASSERT_GE(p_n, -pull - 1e-15);
            ASSERT_GE(dot(after.u, after.n), -after.c - 1e-12); // no overlap
            const double force = std::max(0.0, p_n + pull), sliding = norm(tangential(after.p, after.n));
            ASSERT_LE(sliding, after.mu * force + 1e-14);
            if constexpr (set.torques) {
                const double root =
                    options().hertz ? (options().dimension == 3 ? std::cbrt(force) : std::sqrt(force)) : 0.0;
                const double rolls = (after.rolling + after.rolling_growth * root) * force;
                const double twists = (after.torsion + after.torsion_growth * root) * force;
                const double tau_n = std::abs(dot(after.tau, after.n));
                ASSERT_LE(norm(tangential(after.tau, after.n)), rolls + 1e-13);
                ASSERT_LE(tau_n, twists + 1e-13);
                if (options().coupled && after.mu * force > 1e-6 && twists > 1e-6) {
                    ASSERT_LE(std::hypot(sliding / (after.mu * force), tau_n / twists), 1 + 1e-9);
                }
            } else {
                ASSERT_EQ(after.tau, before.tau);
            }
        }
    });
}

/// A contact that starts from nothing, as a first contact does.
template <LawSet set>
double energy_gain(Random& random, const Options& options, double restitution, double tangential_restitution,
                   double& before) {
    TwoBodies pair = random_bodies(random, options.dimension);
    before = pair.energy();
    Problem problem = problem_of(pair, {0, 0, 0}, {0, 0, 0});
    add_random_laws(problem, random);
    problem.c = closing_speed(0.0, dot(problem.u, problem.n), restitution, 0.0, 1.0);
    const double share = tangential_share(0.0, dot(problem.u, problem.n), tangential_restitution, 0.0, 1.0);
    problem.shift = share * tangential(problem.u, problem.n);
    problem.spin_shift = share * problem.omega;
    answered(pair, problem, relaxed<set>(problem, options.torques()));
    return pair.energy() - before;
}

TEST_P(Laws, NeverCreateEnergy) {
    for_all_sets([&]<LawSet set> {
        SCOPED_TRACE(name_of<set>());
        Random random = random_numbers(64);
        int lost = 0;
        for (int trial = 0; trial < trials; ++trial) {
            double before = 0;
            const double normal = random.below(2) ? 0.0 : random.uniform();
            const double across = set.rebound ? random.uniform() : 0.0;
            const double gain = energy_gain<set>(random, options(), normal, across, before);
            ASSERT_LE(gain, 1e-13 * before) << "trial " << trial;
            lost += gain < -1e-3 * before;
        }
        EXPECT_GT(lost, trials / 4);
    });
}

INSTANTIATE_TEST_SUITE_P(Options, Laws,
                         testing::Values(Options{3, false, false}, Options{3, false, true},
                                         Options{3, true, false}, Options{3, true, true},
                                         Options{2, false, false}, Options{2, false, true}));

TEST(LawSets, WithoutAnyIsTheInelasticLaw) {
    Random random = random_numbers(65);
    for (int trial = 0; trial < trials; ++trial) {
        TwoBodies pair = random_bodies(random, 3);
        Problem problem = problem_of(pair, random_vector(random), {0, 0, 0});
        add_random_laws(problem, random);
        const Vec3 expected =
            relaxed_impulse(problem.p, problem.n, problem.u, problem.c, problem.mu, problem.m_n, problem.m_t);
        ASSERT_LT(norm(relaxed<LawSet{}>(problem, {}).impulse - expected), 1e-14);
    }
}

TEST(LawSets, ParametersOfZeroTurnALawOff) {
    // A run has one set for all contacts; a contact that does without a law has zeros.
    Random random = random_numbers(66);
    for (int trial = 0; trial < trials; ++trial) {
        TwoBodies pair = random_bodies(random, 3);
        Problem problem = problem_of(pair, random_vector(random), {0, 0, 0});
        problem.mu = random.uniform(0, 1.5), problem.c = random.uniform(0, 1);
        const Reaction<double> plain = relaxed<LawSet{}>(problem, {});
        for (const bool coupled : {false, true})
            for (const bool hertz : {false, true}) {
                const auto all = relaxed<LawSet{true, true, true}>(problem, {hertz, coupled, false});
                ASSERT_LT(norm(all.impulse - plain.impulse), 1e-12) << "coupled " << coupled;
                ASSERT_LT(norm(all.torque), 1e-15);
            }
    }
}

TEST(LawSets, NullContactStaysNull) {
    for (const bool coupled : {false, true})
        for (const bool hertz : {false, true}) {
            Problem null{};
            null.c = 1e300, null.m_n = 0.5, null.m_t = 0.5 / 3.5, null.turning = 5;
            const auto reaction = relaxed<LawSet{true, true, true}>(null, {hertz, coupled, false});
            EXPECT_EQ(reaction.impulse, (Vec3{0, 0, 0}));
            EXPECT_EQ(reaction.torque, (Vec3{0, 0, 0}));
        }
}

TEST(LawSets, LanesEqualScalars) {
    Random random = random_numbers(67);
    constexpr LawSet all{true, true, true};
    const auto set_lane = [](PackVec3& to, int lane, const Vec3& from) {
        for (int axis = 0; axis < 3; ++axis)
            to[axis].raw[lane] = from[axis];
    };
    for (int trial = 0; trial < 200; ++trial)
        for (const bool hertz : {false, true}) {
            std::array<Problem, lanes> problems;
            ContactProblem<Pack> pack;
            for (int lane = 0; lane < lanes; ++lane) {
                TwoBodies pair = random_bodies(random, 3);
                Problem& one = problems[static_cast<std::size_t>(lane)];
                one = problem_of(pair, random_vector(random), random_vector(random));
                add_random_laws(one, random);
                set_lane(pack.p, lane, one.p), set_lane(pack.n, lane, one.n), set_lane(pack.u, lane, one.u);
                set_lane(pack.shift, lane, one.shift), set_lane(pack.tau, lane, one.tau);
                set_lane(pack.omega, lane, one.omega);
                pack.c.raw[lane] = one.c, pack.mu.raw[lane] = one.mu, pack.m_n.raw[lane] = one.m_n;
                pack.m_t.raw[lane] = one.m_t, pack.strength.raw[lane] = one.strength;
                pack.turning.raw[lane] = one.turning, pack.mixing.raw[lane] = one.mixing;
                pack.rolling.raw[lane] = one.rolling, pack.torsion.raw[lane] = one.torsion;
                pack.rolling_growth.raw[lane] = one.rolling_growth;
                pack.torsion_growth.raw[lane] = one.torsion_growth;
            }
            const TorqueOptions options{hertz, false, false};
            const Reaction<Pack> wide = relaxed<all>(pack, options);
            const Pack away = distance<all>(pack, options, Pack(2.0));
            for (int lane = 0; lane < lanes; ++lane) {
                const Problem& one = problems[static_cast<std::size_t>(lane)];
                const Reaction<double> narrow = relaxed<all>(one, options);
                for (int axis = 0; axis < 3; ++axis) {
                    ASSERT_NEAR(wide.impulse[axis][lane], narrow.impulse[axis], 1e-13);
                    ASSERT_NEAR(wide.torque[axis][lane], narrow.torque[axis], 1e-13);
                }
                ASSERT_NEAR(away[lane], distance<all>(one, options, 2.0), 1e-12);
            }
        }
}

} // namespace
