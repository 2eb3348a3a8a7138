#include <numbers>
#include <numeric>

#include "made_up.hpp"
#include "tamp/measure/cell_grid.hpp"
#include "tamp/measure/distributions.hpp"
#include "tamp/measure/packing_quantities.hpp"

namespace tamp {
namespace {

using namespace made_up;

double integral(const Quantity& density, double width) {
    return width * std::accumulate(density.values.begin(), density.values.end(), 0.0);
}

/// Forces of an exponential distribution, of mean 7.
View exponential_forces(int count) {
    View view = empty_view({.upper = {10, 10, 10}});
    Random random = checks::random_numbers(3);
    for (int i = 0; i < count; ++i) {
        const double normal = -7 * std::log(1 - random.uniform());
        add_contact(view, {1, 1, 1}, {2, 1, 1}, {normal, 0.1 * normal, 0});
        view.contacts.mobilisation.back() = random.uniform();
        view.contacts.gap.back() = random.uniform(-1e-4, 1e-4);
    }
    add_contact(view, {1, 1, 1}, {0, 1, 1}, {-1e6, 0, 0}, wall_bit); // walls do not count
    return view;
}

TEST(ForceDistribution, IsTheDensityOfForcesOverTheirMean) {
    const View view = exponential_forces(20000);
    const RigidRun engine =
        engine_of(setup_of(view.box, {{.name = "left", .point = {0, 0, 0}, .normal = {1, 0, 0}}}));
    const std::vector<Quantity> list = Distributions({}).measure(engine, view);
    expect_whole(list);
    const Quantity& normal = find(list, "force_distribution/normal");
    const Quantity& force = find(list, "force_distribution/force");
    ASSERT_EQ(normal.values.size(), 60u);
    const double width = 0.1;
    EXPECT_NEAR(force.values[0], 0.05, 1e-15);
    EXPECT_NEAR(force.values[59], 5.95, 1e-12);
    for (const char* which : {"normal", "tangential"}) {
        const std::string name = std::string("force_distribution/") + which;
        EXPECT_NEAR(integral(find(list, name), width) + value(list, name + "_outside"), 1, 1e-12);
        EXPECT_NEAR(value(list, name + "_outside"), std::exp(-6), 4 * std::sqrt(std::exp(-6) / 20000));
    }
    for (std::size_t k = 0; k < 60; ++k) {
        const double expected = std::exp(-force.values[k]);
        EXPECT_NEAR(normal.values[k], expected, 5 * std::sqrt(expected / (width * 20000))) << k;
        EXPECT_NEAR(find(list, "force_distribution/tangential").values[k], normal.values[k], 0.01);
    }
    const Quantity& mobilisation = find(list, "mobilisation_distribution/density");
    EXPECT_NEAR(integral(mobilisation, 1.0 / 20), 1, 1e-12);
    for (const double density : mobilisation.values)
        EXPECT_NEAR(density, 1, 5 * std::sqrt(20.0 / 20000));
    const Quantity& overlap = find(list, "overlap_distribution/density");
    EXPECT_NEAR(integral(overlap, 1e-4 / 40), 1, 1e-3) << "the largest overlap is a little less than 1e-4";
}

TEST(ForceDistribution, ReachesBelowZeroWithCohesion) {
    View view = empty_view({.upper = {10, 10, 10}});
    add_contact(view, {1, 1, 1}, {2, 1, 1}, {3, 0, 0});
    add_contact(view, {1, 1, 1}, {2, 1, 1}, {-1, 0, 0});
    RigidSetup setup = setup_of(view.box);
    ContactLaws laws;
    laws.cohesion = {.scale = CohesionScale::force, .value = 1};
    setup.materials.set(0, 0, laws);
    const RigidRun engine = engine_of(setup);
    MeasureSettings settings;
    settings.force_bins = 12;
    const std::vector<Quantity> list = Distributions(settings).measure(engine, view);
    // In units of the mean magnitude, 2, in bins of width 1 from -6: at -0.5 and at 1.5.
    const std::vector<double>& density = find(list, "force_distribution/normal").values;
    EXPECT_EQ(density, (std::vector<double>{0, 0, 0, 0, 0, 0.5, 0, 0.5, 0, 0, 0, 0}));
    EXPECT_EQ(value(list, "force_distribution/normal_outside"), 0);
}

TEST(Profile, OfTwoLayers) {
    const Box box{.upper = {10, 10, 4}, .boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    const double ball = std::numbers::pi / 6;
    add_particle(view, {5, 5, 0.5}, 0.5, {1, 0, 0}, 0, 2);
    add_particle(view, {5, 7, 0.5}, 0.5, {3, 0, 0}, 0, 5);
    add_particle(view, {5, 5, 2}, 0.5, {0, 2, 0}, 1, 4); // half in each of two slabs; eight times as heavy
    add_contact(view, {5, 5, 0.5}, {5, 5, 2}, {1, 0, 10});
    MeasureSettings settings;
    settings.profile_bins = 4;
    const std::vector<Quantity> list = Distributions(settings).measure(engine, view);
    EXPECT_EQ(find(list, "profile/position").values, (std::vector<double>{0.5, 1.5, 2.5, 3.5}));
    const auto expect = [&](const char* name, std::size_t k, std::size_t components,
                            const std::vector<double>& expected) {
        const std::vector<double>& values = find(list, name).values;
        ASSERT_EQ(values.size(), components * expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(values[i * components + k], expected[i], 1e-10) << name << " " << i;
    };
    expect("profile/volume_fraction", 0, 1, {ball * 2 / 100, ball / 2 / 100, ball / 2 / 100, 0});
    expect("profile/velocity", 0, 3, {2, 0, 0, 0});
    expect("profile/velocity", 1, 3, {0, 2, 2, 0});
    expect("profile/temperature", 0, 1, {1.0 / 3, 0, 0, 0});
    expect("profile/coordination", 0, 1, {3.5, 4, 4, 0});
    // A third of the branch in the first slab, two thirds in the second.
    expect("profile/contact_stress", 2, 6, {15.0 / 300, 30.0 / 300, 0, 0});
    expect("profile/contact_stress", 5, 6, {0.75 / 300, 1.5 / 300, 0, 0});
}

/// Sums over cells are those of the packing: stress, volume and momentum.
TEST(Fields, AddUpToTheWhole) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        Random random = checks::random_numbers(seed);
        const Box box = random_box(random);
        const RigidRun engine = engine_of(setup_of(box));
        View view = empty_view(box);
        double volume = 0;
        for (int i = 0; i < 50; ++i) {
            add_particle(view, random_position(random, box), random.uniform(0.1, 1), flat_vector(random, box),
                         static_cast<int>(random.below(2)));
            volume += grain_volume(view.particles.radius.back(), box.dimension);
        }
        for (int i = 0; i < 60; ++i) {
            const Vec3 from = random_position(random, box);
            add_contact(view, from, from + flat_vector(random, box), flat_vector(random, box));
        }
        MeasureSettings settings;
        settings.coarse_graining_width = random.below(2) == 0 ? 0 : random.uniform(0, 2);
        for (int& n : settings.grid_cells)
            n = static_cast<int>(1 + random.below(8));
        Distributions distributions(settings);
        const Fields fields = distributions.fields(engine, view);
        expect_whole(fields.values);
        const std::vector<Quantity> whole = packing_quantities(engine, view);
        const std::vector<Quantity> profile = distributions.measure(engine, view);
        const char* names[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
        for (const Quantity* stress :
             {&find(fields.values, "contact_stress"), &find(profile, "profile/contact_stress")})
            for (std::size_t k = 0; k < 6; ++k) {
                if (box.dimension == 2 && (k == 2 || k > 3))
                    continue;
                const std::size_t cells = stress->values.size() / 6;
                double sum = 0;
                for (std::size_t cell = 0; cell < cells; ++cell)
                    sum += stress->values[6 * cell + k];
                EXPECT_NEAR(sum / static_cast<double>(cells),
                            value(whole, std::string("contact_stress_") + names[k]), 1e-10);
            }
        for (const Quantity* fraction :
             {&find(fields.values, "volume_fraction"), &find(profile, "profile/volume_fraction")}) {
            const auto cells = static_cast<double>(fraction->values.size());
            EXPECT_NEAR(integral(*fraction, box.volume() / cells), volume, 1e-10 * volume);
        }
    }
}

TEST(Fields, OfAUniformMotionHaveNoTemperature) {
    const Box box{.lower = {-1, 0, 0}, .upper = {8, 9, 9}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    Random random = checks::random_numbers(1);
    for (int i = 0; i < 300; ++i)
        add_particle(view, random_position(random, box), random.uniform(0.2, 0.6), {1e3, -2, 0.5});
    const Fields fields = Distributions({}).fields(engine, view);
    EXPECT_EQ(fields.grid.cells, (Int3{3, 3, 3}));
    EXPECT_EQ(fields.grid.lower, box.lower);
    EXPECT_EQ(fields.grid.upper, box.upper);
    const std::vector<double>& velocity = find(fields.values, "velocity").values;
    ASSERT_EQ(find(fields.values, "velocity").shape, (std::vector<std::size_t>{3, 3, 3, 3}));
    for (std::size_t cell = 0; cell < 27; ++cell) {
        EXPECT_NEAR(velocity[3 * cell], 1e3, 1e-6);
        EXPECT_NEAR(velocity[3 * cell + 1], -2, 1e-6);
        EXPECT_NEAR(find(fields.values, "temperature").values[cell], 0, 1e-8);
    }
}

/// The order of cells: x runs fastest.
TEST(Fields, ArePutWhereTheyBelong) {
    const Box box{.upper = {6, 4, 2}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    add_particle(view, {5.5, 2.5, 1.2}, 0.5, {0, 0, 3}, 0, 7);
    MeasureSettings settings;
    settings.grid_cells = {3, 2, 2};
    settings.coarse_graining_width = 0;
    const Fields fields = Distributions(settings).fields(engine, view);
    const Quantity& coordination = find(fields.values, "coordination");
    EXPECT_EQ(coordination.shape, (std::vector<std::size_t>{2, 2, 3}));
    for (std::size_t cell = 0; cell < 12; ++cell)
        EXPECT_EQ(coordination.values[cell], cell == (1 * 2 + 1) * 3 + 2 ? 7 : 0);
    EXPECT_NEAR(find(fields.values, "velocity").values[11 * 3 + 2], 3, 1e-12);
}

TEST(Displacements, CountOnAcrossPeriodicFaces) {
    const Box box{.upper = {4, 4, 4}, .boundary = {Boundary::periodic, Boundary::open, Boundary::open}};
    Displacements displacements;
    View view = empty_view(box);
    for (int i = 0; i < 3; ++i)
        add_particle(view, {0.5 + i, 1, 1}, 0.5);
    for (const Vec3& way : displacements.update(self(), view))
        EXPECT_EQ(way, (Vec3{0, 0, 0}));
    std::vector<Vec3> ways;
    for (int step = 0; step < 8; ++step) {
        for (std::size_t i = 0; i < 3; ++i)
            view.particles.position[i] =
                box.wrapped(view.particles.position[i] + Vec3{1.5 - 1.5 * static_cast<double>(i), 0.25, 0});
        // Particles change their places in the columns.
        std::rotate(view.particles.id.begin(), view.particles.id.begin() + 1, view.particles.id.end());
        std::rotate(view.particles.position.begin(), view.particles.position.begin() + 1,
                    view.particles.position.end());
        ways = displacements.update(self(), view);
        (void)displacements.update(self(), view); // a second look adds nothing
        std::rotate(view.particles.id.begin(), view.particles.id.begin() + 2, view.particles.id.end());
        std::rotate(view.particles.position.begin(), view.particles.position.begin() + 2,
                    view.particles.position.end());
    }
    EXPECT_EQ(ways[2], (Vec3{12, 2, 0})) << "the first, three times through the box";
    EXPECT_EQ(ways[0], (Vec3{0, 2, 0}));
    EXPECT_EQ(ways[1], (Vec3{-12, 2, 0}));
}

TEST(Displacements, GoOnFromRecords) {
    View view = empty_view({.upper = {9, 9, 9}});
    for (int i = 0; i < 4; ++i)
        add_particle(view, {1, 1, 1.0 + i}, 0.5);
    Displacements first, second;
    (void)first.update(self(), view);
    for (Vec3& at : view.particles.position)
        at.x += 2;
    (void)first.update(self(), view);
    ASSERT_EQ(first.records().size(), 4u);
    second.restore(self(), first.records());
    for (Vec3& at : view.particles.position)
        at.y += 3;
    for (const Vec3& way : second.update(self(), view))
        EXPECT_EQ(way, (Vec3{2, 3, 0}));
}

/// A run that has just gone wrong may be looked at before the engine says so.
TEST(Distributions, SurviveWhatIsNotANumber) {
    const Box box{.upper = {9, 9, 9}, .boundary = {Boundary::periodic, Boundary::open, Boundary::open}};
    const RigidRun engine = engine_of(setup_of(box));
    View view = empty_view(box);
    const double nan = std::nan("");
    for (const double bad : {nan, HUGE_VAL, 1e300}) {
        add_particle(view, {bad, 1, bad}, 0.5, {0, bad, 0});
        add_particle(view, {1, 2, 3}, 0.5);
        add_contact(view, {bad, 1, 1}, {bad, bad, 2}, {1, 0, 0});
        add_contact(view, {1, 1, 1}, {1, 2, 1}, {bad, 0, 0});
    }
    Distributions distributions({});
    (void)distributions.measure(engine, view);
    const Fields fields = distributions.fields(engine, view);
    EXPECT_TRUE(std::isnan(find(fields.values, "contact_stress").values[0])) << "told, not hidden";
    EXPECT_TRUE(std::isnan(value(packing_quantities(engine, view), "contact_stress_xx")));
}

} // namespace
} // namespace tamp
