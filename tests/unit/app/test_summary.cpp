#include "tamp/app/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "../engine/setups.hpp"

namespace tamp {
namespace {

using Json = nlohmann::ordered_json;

/// Of a world with one grain and one wall.
class OfASmallRun : public testing::Test {
protected:
    static RigidSetup setup() {
        RigidSetup result = setups::open_space(1.0, 0.5, 1e-3);
        result.walls = {setups::wall({0, 0, -0.4}, {0, 0, 1})};
        result.walls[0].name = "floor \"A\"";
        return result;
    }

    RigidRun run{setups::world(), setup(), std::vector{Grain{.radius = 0.1}}};
    Measures measures = measure(run.world, run.engine.forces());
    Case settings;
    Performance speed;
    Observed observed;

    Json json() const {
        return Json::parse(summary_json(settings, run.world, measures, speed, observed, "00ff"));
    }
};

TEST_F(OfASmallRun, JsonSaysWhatItWasTold) {
    settings.title = "A \"drop\"\n\tof \\ grains, 20 \u00b5m";
    speed.seconds = 0.1 + 0.2;
    speed.parts = {{.name = "solve", .mean_seconds = 0.25, .max_seconds = 0.5, .calls = 3}};
    run.world.walls[0].torque = {1.5, 0, -2};
    observed.earlier = {.legs = 2, .seconds = 5, .steps = 7, .contact_updates = 1e10};
    const Json report = json();
    EXPECT_EQ(report["title"], settings.title) << "control characters must not get lost";
    EXPECT_EQ(report["seconds"].get<double>(), 0.1 + 0.2) << "to the last bit";
    EXPECT_EQ(report["particles"], 1);
    EXPECT_EQ(report["state_hash"], "00ff");
    EXPECT_EQ(report["wall_forces"]["floor \"A\""], 0.0);
    EXPECT_EQ(report["wall_torques"]["floor \"A\""], Json({1.5, 0.0, -2.0}));
    EXPECT_EQ(report["parts"]["solve"]["calls"], 3);
    EXPECT_EQ(report["earlier"]["legs"], 2);
    EXPECT_FALSE(report.contains("pictures")) << "none were asked for";
    EXPECT_EQ(report.begin().key(), "version") << "keys come in their order";
}

TEST_F(OfASmallRun, JsonHasNullForWhatIsNotANumber) {
    speed.imbalance = NAN;
    speed.exchange_share = -INFINITY;
    const Json report = json(); // throws if it is no JSON
    EXPECT_TRUE(report["imbalance"].is_null());
    EXPECT_TRUE(report["exchange_share"].is_null());
}

TEST_F(OfASmallRun, TextHasBytesAParticleOfManyParticlesOnly) {
    speed.memory = 7e7;
    const auto text = [&] { return summary_text(settings, run.world, measures, speed, observed, "00ff"); };
    EXPECT_NE(text().find("70 MB at the peak"), std::string::npos) << text();
    EXPECT_EQ(text().find("bytes a particle"), std::string::npos) << "most of it is the program itself";
    measures.particles = 100'000;
    EXPECT_NE(text().find("70 MB at the peak (700 bytes a particle)"), std::string::npos) << text();
}

TEST_F(OfASmallRun, JsonStandsBytesThatAreNoText) {
    settings.title = "dr\xfc"
                     "b";
    EXPECT_EQ(json()["title"], "dr\ufffdb");
}

TEST_F(OfASmallRun, TextWarnsOfStagesThatWaitedInVain) {
    settings.stages = {{.name = "settle", .duration = 1.0, .until_balance = 0.1},
                       {.name = "press", .duration = 1.0}};
    const std::vector<Quantity> row{{"rattlers", "1", "", {3}},
                                    {"volume_fraction", "1", "", {0.5}},
                                    {"coordination", "1", "", {4}},
                                    {"unbalanced_force", "1", "", {0.2}},
                                    {"mean_stress", "Pa", "", {1}}};
    StageTable stages(settings.stages, row);
    stages.add(0, StageEnd::duration, {}, row);
    stages.add(1, StageEnd::duration, {}, row);
    observed.stages = &stages;
    const std::string text = summary_text(settings, run.world, measures, speed, observed, "00ff");
    EXPECT_NE(text.find("the stage 'settle' ended by its duration, before forces were balanced"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("the stage 'press'"), std::string::npos) << text;
    EXPECT_NE(text.find(", 3 rattlers"), std::string::npos) << text;
}

TEST_F(OfASmallRun, TextWarnsOfAWallThatLeftTheBox) {
    const auto text = [&] { return summary_text(settings, run.world, measures, speed, observed, "00ff"); };
    Wall& wall = run.world.walls[0];
    wall.motion = WallMotion::piston;
    EXPECT_EQ(text().find("has left the box"), std::string::npos);
    wall.point.z = run.world.box().lower.z - 0.1;
    EXPECT_NE(text().find("has left the box"), std::string::npos) << text();
}

} // namespace
} // namespace tamp
