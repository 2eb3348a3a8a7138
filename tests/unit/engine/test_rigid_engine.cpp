#include "tamp/engine/rigid_engine.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tamp {
namespace {

// The solver keeps a reference to the settings of its engine: a copy, or an engine that moved, would sweep
// with those of one that is gone.
static_assert(!std::is_copy_constructible_v<RigidEngine> && !std::is_copy_assignable_v<RigidEngine>);
static_assert(!std::is_move_constructible_v<RigidEngine> && !std::is_move_assignable_v<RigidEngine>);

TEST(RigidEngine, StaysWhereItIsMade) {
    EXPECT_FALSE((std::is_constructible_v<RigidEngine, RigidEngine&&>));
    EXPECT_FALSE((std::is_assignable_v<RigidEngine&, RigidEngine&&>));
}

} // namespace
} // namespace tamp
