// `tamp keys` prints a default for each key. Writing that default must change nothing, and writing another
// value must change something, or this test could not see the key.

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cases.hpp"
#include "tamp/config/schema.hpp"

namespace tamp {
namespace {

/// Has every section, so that every key can be set.
const std::string every_section = test::minimal_case + R"(
[[stage.wall]]
name = "lid"
velocity = [0, 0, -1]

[stage.until_stress]
wall = "lid"
above = 1

[[material]]
name = "steel"
density = 7800
friction = 0.5
torsion_ratio = 0.1

[[pair]]
between = ["glass", "steel"]

[[wall]]
name = "lid"
point = [0, 0, 1]
normal = [0, 0, -1]

[solver]
[time]
[neighbours]
[output]
[measure]
[snapshots]
[checkpoint]

[[picture]]
name = "view"
pipeline = "particles"
stress_change = 0.1
)";

/// The same for keys of soft grains.
const std::string every_soft_section = test::minimal_case + R"(
[[material]]
name = "steel"
density = 7800
friction = 0.5
rolling_ratio = 0.1
torsion_ratio = 0.1

[[wall]]
name = "lid"
point = [0, 0, 1]
normal = [0, 0, -1]

[soft]
)";

std::string text_of(const Vec3& v) { return fmt::format("({} {} {})", v.x, v.y, v.z); }

/// All settings that a key with a default may change.
std::string fingerprint(const Case& c) {
    std::string text = fmt::format("{} {} {} {}\n", c.title, c.seed, text_of(c.gravity), c.box.dimension);
    const auto add = [&](const auto&... values) { ((text += fmt::format("{} ", values)), ...); };
    for (int i = 0; i < c.materials.size(); ++i) {
        const ContactLaws& laws = c.materials.laws(i, i);
        add(c.materials[i].fixed, laws.restitution, laws.tangential_restitution, laws.restitution_speed,
            laws.coupled_torsion);
    }
    for (const GeneratorSettings& one : c.generators)
        add(one.jitter, text_of(one.velocity), one.speed, one.take_walls, text_of(one.placement.shift));
    for (const Stage& stage : c.stages)
        add(stage.until_all, stage.until_stress ? stage.until_stress->steps : 0);
    for (const Wall& wall : c.walls)
        add(text_of(wall.velocity), wall.damping,
            wall.rotation.speed); // not its motion: driven with no velocity is fixed
    add(static_cast<int>(c.solver.scheme), static_cast<int>(c.solver.method),
        static_cast<int>(c.solver.order), c.solver.tolerance, c.solver.force_tolerance, c.solver.min_sweeps,
        c.solver.max_sweeps, c.solver.substeps, c.solver.overlap_tolerance);
    add(c.time.step, c.time.max_step, c.time.displacement, c.max_overlap);
    add(c.neighbours.skin, c.neighbours.tile, static_cast<int>(c.neighbours.load_balance));
    add(c.output.directory, c.output.series_every);
    const MeasureSettings& measure = c.measure.settings;
    add(c.measure.energy_budget, measure.profile_axis, measure.profile_bins, measure.force_bins,
        measure.largest_force, measure.pair_range, measure.pair_bins, measure.coarse_graining_width,
        fmt::format("{}", fmt::join(measure.grid_cells, " ")));
    add(c.snapshots.settings.contacts, c.snapshots.settings.compression);
    for (const PicturePlan& picture : c.pictures)
        add(picture.settings.colour, picture.settings.width, picture.settings.height, picture.settings.zoom,
            static_cast<int>(picture.settings.frame), picture.pause);
    add(c.checkpoint.interval, c.checkpoint.every, c.checkpoint.stage_ends);
    add(static_cast<int>(c.engine), c.soft.steps_per_contact, c.soft.background_viscosity,
        c.soft.background_rotation_viscosity, c.soft.rotate_springs, c.soft.dashpot_after_slip);
    for (int i = 0; i < c.materials.size(); ++i) {
        const SoftLaws& laws = c.materials.laws(i, i).soft;
        add(static_cast<int>(laws.normal), laws.unloading_growth, laws.adhesion_stiffness,
            laws.plasticity_depth, laws.dynamic_ratio, laws.damping_exponent, laws.speed_exponent,
            static_cast<int>(laws.sliding_law), laws.attraction_energy, laws.attraction_range,
            laws.attraction_cutoff);
        for (const SoftLaws::Spring& spring : {laws.sliding, laws.rolling, laws.torsion})
            add(spring.stiffness, spring.viscosity, spring.friction);
    }
    return text;
}

bool is_literal(std::string_view preset) {
    double number = 0;
    const auto [end, error] = std::from_chars(preset.data(), preset.data() + preset.size(), number);
    return preset == "true" || preset == "false" || preset.starts_with('"') || preset.starts_with('[') ||
           (error == std::errc{} && end == preset.data() + preset.size());
}

/// The key as `--set` wants it.
std::string path_of(const KeySchema& key) {
    std::string path;
    std::string_view section = key.section;
    for (std::size_t begin = 0; !section.empty() && begin <= section.size();) {
        const std::size_t dot = std::min(section.find('.', begin), section.size());
        path += section.substr(begin, dot - begin);
        path += find_section(section.substr(0, dot))->repeated ? "[0]." : ".";
        begin = dot + 1;
    }
    // The material that has torsion, which coupled_torsion needs.
    return (section == "material" ? "material[1]." : path) + std::string(key.name);
}

std::string another_value(const KeySchema& key) {
    switch (key.type) {
    case KeyType::boolean:
        return key.preset == "true" ? "false" : "true";
    case KeyType::integer:
        return std::to_string(std::stoll(std::string(key.preset)) + 1);
    case KeyType::number: {
        const double preset = std::stod(std::string(key.preset));
        return fmt::format("{}", preset == 0 ? 0.5 : 0.5 * preset);
    }
    case KeyType::choice:
        for (const std::string& choice : split_list(key.choices))
            if (fmt::format("\"{}\"", choice) != key.preset)
                return choice;
        return "";
    case KeyType::vector:
        return "[1, 2, 3]";
    default:
        return "another";
    }
}

/// What makes a good soft case in which this key has a meaning.
std::vector<std::string> soft_case(const KeySchema& key) {
    const auto named = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, key.name) != names.end();
    };
    std::vector<std::string> keys{"stiffness=10"};
    if (named({"unloading_growth"}))
        keys = {"stiffness=10", "normal_law=latching", "unloading_stiffness=20"};
    else if (named({"adhesion_stiffness", "plasticity_depth"}))
        keys = {"stiffness=10", "normal_law=adhesive", "unloading_stiffness=20"};
    else if (named({"damping_exponent", "speed_exponent"}))
        keys = {"normal_law=hertz", "contact_modulus=1e6", "sliding_stiffness=10", "viscosity=0.1"};
    else if (named({"attraction_range", "attraction_cutoff"}))
        keys = {"stiffness=10", "attraction_energy=1e-9"};
    std::vector<std::string> overrides{"engine=soft"};
    for (const char* material : {"material[0].", "material[1]."})
        for (const std::string& one : keys)
            overrides.push_back(material + one);
    return overrides;
}

/// What a case with these keys means; a text of its own if it is refused.
std::string meaning(const std::vector<std::string>& overrides, bool soft = false) {
    try {
        return fingerprint(parse_case(soft ? every_soft_section : every_section, "case.toml", overrides));
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Defaults, OfTheSchemaAreThoseOfTheSettings) {
    ASSERT_TRUE(meaning({}).find("case.toml:") == std::string::npos) << meaning({});
    int count = 0;
    for (const KeySchema& key : all_keys()) {
        if (!is_literal(key.preset))
            continue;
        SCOPED_TRACE(fmt::format("{} = {}", path_of(key), key.preset));
        const bool soft = key.only_soft();
        std::vector<std::string> overrides = soft ? soft_case(key) : std::vector<std::string>{};
        if (key.only_for == "file")
            overrides.emplace_back(R"(particles[0]={generator="file", path="state.h5"})");
        else if (!key.only_for.empty())
            overrides.push_back(fmt::format("{}[0].{}={}", key.section, find_section(key.section)->selector,
                                            split_list(key.only_for).front()));
        const std::string plain = meaning(overrides, soft);
        ASSERT_TRUE(plain.find("case.toml:") == std::string::npos) << plain;
        overrides.push_back(fmt::format("{}={}", path_of(key), key.preset));
        EXPECT_EQ(meaning(overrides, soft), plain)
            << "the default of `tamp keys` is not the one that is used";
        overrides.back() = fmt::format("{}={}", path_of(key), another_value(key));
        EXPECT_NE(meaning(overrides, soft), plain) << "add this setting to the fingerprint of this test";
        ++count;
    }
    EXPECT_GE(count, 35) << "keys were not looked at";
}

/// Defaults in words are told by hand.
TEST(Defaults, InWords) {
    const Case plain = parse_case(every_section, "case.toml");
    EXPECT_EQ(plain.generators[0].lower, plain.box.lower);
    EXPECT_EQ(plain.generators[0].upper, plain.box.upper);
    EXPECT_EQ(plain.generators[0].material, 0);
    EXPECT_EQ(plain.walls.back().material, 0);
    EXPECT_EQ(plain.time.step, 0) << "adaptive";
    EXPECT_EQ(plain.neighbours.skin, 0) << "automatic";
    EXPECT_EQ(plain.solver.substeps, 0) << "automatic";
    EXPECT_EQ(plain.solver.overlap_tolerance, 0) << "automatic";
    EXPECT_EQ(plain.measure.settings.profile_axis, -1) << "the last one";
    EXPECT_EQ(plain.output.directory, "") << "from the name of the case";
}

} // namespace
} // namespace tamp
