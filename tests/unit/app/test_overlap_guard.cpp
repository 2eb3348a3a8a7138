#include <gtest/gtest.h>

#include "rigid_run.hpp"
#include "tamp/app/overlap_guard.hpp"
#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

class Squeezed : public testing::Test {
protected:
    /// A disc between a floor and a lid that are `gap` apart.
    Squeezed()
        : run_(self_, setup(), std::vector<Grain>{{.id = 1, .position = {5, 0.5, 0}, .radius = 0.5}}) {}

    static RigidSetup setup() {
        RigidSetup setup;
        setup.box = {.upper = {10, 10, 0},
                     .boundary = {Boundary::periodic, Boundary::wall, Boundary::open},
                     .dimension = 2};
        setup.materials = MaterialTable({{"glass", 2.0, 0.5}});
        setup.walls = {
            {.name = "floor", .normal = {0, 1, 0}},
            {.name = "lid", .point = {0, 1, 0}, .normal = {0, -1, 0}, .motion = WallMotion::driven}};
        setup.time.step = 1e-9;
        setup.neighbours.skin = 0.5; // the lid is put here and there by hand
        return setup;
    }
    bool should_save(OverlapGuard& guard, double gap) {
        run_.walls()[1].point.y = gap;
        run_.step(1e9); // reports what was at its beginning
        return guard.should_save(run_, run_.step(1e9), "c.h5");
    }

    Communicator self_{MPI_COMM_SELF};
    RigidRun run_;
};

TEST_F(Squeezed, IsSavedOnceAtHalfTheLimitAndStoppedAtTheLimit) {
    OverlapGuard guard(0.1);
    EXPECT_FALSE(should_save(guard, 1.1));
    EXPECT_FALSE(should_save(guard, 0.96));
    EXPECT_TRUE(should_save(guard, 0.94));
    EXPECT_FALSE(should_save(guard, 0.93)) << "once is enough";
    EXPECT_FALSE(should_save(guard, 0.96));
    EXPECT_FALSE(should_save(guard, 0.94)) << "it has not recovered";
    EXPECT_FALSE(should_save(guard, 0.98));
    EXPECT_TRUE(should_save(guard, 0.94));
    EXPECT_NO_THROW(guard.check(run_, ""));
    try {
        should_save(guard, 0.85);
        FAIL() << "0.15 of a diameter";
    } catch (const NumericalError& error) {
        const std::string text = error.what();
        for (const char* part : {"particle 1 and the wall 'lid' overlap by 0.15 m after step",
                                 "time.max_overlap = 0.1", "tamp resume c.h5"})
            EXPECT_NE(text.find(part), std::string::npos) << text;
    }
    EXPECT_THROW(guard.check(run_, ""), NumericalError);
    EXPECT_NO_THROW(OverlapGuard(0.2).check(run_, ""));
    EXPECT_NO_THROW(OverlapGuard(0).check(run_, "")) << "no limit";
}

TEST_F(Squeezed, WallsThatPassEachOtherStopItWhateverTheLimit) {
    OverlapGuard guard(0);
    run_.walls()[1].point.y = -0.1;
    try {
        guard.check(run_, "");
        FAIL() << "no room";
    } catch (const NumericalError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("leave no room after step 0 (t = 0 s); moving: 'lid'"), std::string::npos)
            << text;
        EXPECT_NE(text.find("There is no checkpoint"), std::string::npos) << text;
    }
}

} // namespace
} // namespace tamp
