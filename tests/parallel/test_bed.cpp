// The bed and the deepest overlap are the same bits on any number of ranks: of all ranks against those of
// rank 0 alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "cases.hpp"
#include "tamp/base/state_hash.hpp"
#include "tamp/measure/bed.hpp"
#include "tamp/measure/kth_largest.hpp"
#include "tamp/world/overlap.hpp"

namespace tamp::test {
namespace {

std::vector<std::uint64_t> looked_at(const Communicator& communicator, const RankCase& settings, int steps) {
    std::vector<std::uint64_t> words;
    RigidRun engine(communicator, settings.setup, settings.grains);
    for (int step = 1; step <= steps; ++step) {
        if (settings.before_step)
            settings.before_step(step - 1, engine.walls());
        engine.step(1e9);
        if (step % 20 != 0)
            continue;
        const Bed bed = measure_bed(engine);
        for (const double number : {bed.floor, bed.top, bed.volume, bed.volume_fraction})
            words.push_back(StateHash::bits(number));
        const DeepestOverlap deepest = deepest_overlap(engine);
        words.insert(words.end(), {StateHash::bits(deepest.share), StateHash::bits(deepest.depth),
                                   deepest.particle, deepest.partner});
        EXPECT_GT(bed.volume_fraction, 0.0);
        EXPECT_LT(bed.volume_fraction, 1.0);
    }
    return words;
}

class BedOnRanks : public testing::TestWithParam<NamedCase> {};

TEST_P(BedOnRanks, IsTheSameBits) {
    const Communicator world(MPI_COMM_WORLD);
    const RankCase settings = GetParam().make();
    constexpr int steps = 80;
    const std::vector<std::uint64_t> found = looked_at(world, settings, steps);
    std::vector<std::uint64_t> expected(found.size());
    if (world.rank() == 0)
        expected = looked_at(Communicator(MPI_COMM_SELF), settings, steps);
    world.broadcast(std::span<std::uint64_t>(expected));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found.size(), 32u);
}

std::vector<NamedCase> some_cases() {
    std::vector<NamedCase> chosen;
    for (const NamedCase& one : rank_cases())
        for (const char* name : {"discs", "open_box", "slanted_wall", "few"})
            if (std::string(name) == one.name)
                chosen.push_back(one);
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(Cases, BedOnRanks, testing::ValuesIn(some_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(KthLargestOnRanks, IsThatOfAllValues) {
    const Communicator world(MPI_COMM_WORLD);
    std::vector<double> mine, all;
    Random random(5, 0, Purpose::test);
    for (int k = 0; k < 200; ++k) {
        const double value = k % 7 == 0 ? 0.5 : random.normal();
        all.push_back(value);
        if (k % world.size() == world.rank() && world.rank() != 1) // one rank may have none
            mine.push_back(value);
        else if (world.rank() == 0 && k % world.size() == 1)
            mine.push_back(value);
    }
    std::ranges::sort(all, std::greater{});
    for (const std::int64_t k : {0, 1, 17, 100, 199})
        EXPECT_EQ(kth_largest(world, mine, k), all[static_cast<std::size_t>(k)]);
}

} // namespace
} // namespace tamp::test
