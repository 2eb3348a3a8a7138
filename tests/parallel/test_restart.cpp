// A run that is stopped goes on with the same bits, on any other number of ranks. Every case of the table is
// stopped at twenty random steps; at each its state goes through a file to an engine on another number of
// ranks.

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "folder_test.hpp"
#include "look.hpp"
#include "tamp/base/random.hpp"
#include "tamp/io/checkpoint_file.hpp"

namespace tamp::test {
namespace {

constexpr int stops_of_a_run = 20;

/// The first so many ranks, as a group of their own; nothing on the others.
class FirstRanks {
public:
    FirstRanks(const Communicator& world, int count) {
        MPI_Comm_split(world.raw(), world.rank() < count ? 0 : MPI_UNDEFINED, world.rank(), &raw_);
        if (raw_ != MPI_COMM_NULL)
            communicator_.emplace(raw_);
    }
    ~FirstRanks() {
        if (raw_ != MPI_COMM_NULL)
            MPI_Comm_free(&raw_);
    }
    FirstRanks(const FirstRanks&) = delete;
    FirstRanks& operator=(const FirstRanks&) = delete;

    const Communicator* operator->() const { return &*communicator_; }
    const Communicator& operator*() const { return *communicator_; }
    bool take_part() const { return communicator_.has_value(); }

private:
    MPI_Comm raw_ = MPI_COMM_NULL;
    std::optional<Communicator> communicator_;
};

class Restart : public FolderTest, public testing::WithParamInterface<NamedCase> {
protected:
    /// One leg: from the start, or from a checkpoint, to the step `end`, whose checkpoint it leaves behind.
    void run_leg(const RankCase& settings, int ranks, int begin, int end) {
        const FirstRanks part(world_, ranks);
        if (part.take_part()) {
            std::optional<EngineRun> engine;
            if (begin < 0)
                engine.emplace(*part, settings.setup, settings.grains);
            else {
                const Checkpoint checkpoint = read_checkpoint(*part, path(begin));
                engine.emplace(*part, settings.setup, checkpoint.world, checkpoint.engine);
            }
            const Look first = look_at(*engine, reports_); // of all ranks together
            if (world_.rank() == 0 && begin >= 0) {
                EXPECT_EQ(first, last_) << "restored after step " << begin;
            }
            for (int step = std::max(begin, 0); step < end; ++step) {
                make_step(*engine, settings, step, reports_);
                if (is_looked_at(step, settings))
                    looks_.push_back(look_at(*engine, reports_));
            }
            last_ = look_at(*engine, reports_);
            Checkpoint checkpoint;
            engine->engine->make_room();
            checkpoint.world = engine->world.save();
            checkpoint.engine = engine->engine->save();
            write_checkpoint(*part, path(end), checkpoint);
        }
        world_.barrier();
    }

    std::string path(int step) const { return folder_ + "/" + checkpoint_name(step); }

    StateHash reports_; ///< on rank 0, as the looks
    std::vector<Look> looks_;
    Look last_; ///< of the leg before
};

TEST_P(Restart, GoesOnWithTheSameBitsOnOtherNumbersOfRanks) {
    RankCase settings = GetParam().make();
    settings.setup.energy_budget = settings.follows_energy;
    Random random(2024, std::hash<std::string_view>{}(GetParam().name), Purpose::order);
    std::set<int> stops{0, 1}; // before anything was searched, and when a search has just been made
    while (stops.size() < stops_of_a_run)
        stops.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(settings.steps))));
    stops.insert(settings.steps);

    const auto most = static_cast<std::uint64_t>(std::min(world_.size(), 4));
    int begin = -1;
    for (const int stop : stops) {
        const auto choice = static_cast<int>(random.below(most + 1));
        run_leg(settings, choice == 0 ? world_.size() : choice, begin, stop);
        begin = stop;
    }
    const std::vector<Look>& expected = reference(world_, GetParam(), settings);
    if (world_.rank() == 0) {
        ASSERT_EQ(looks_.size(), expected.size());
        for (std::size_t i = 0; i < looks_.size(); ++i)
            ASSERT_EQ(looks_[i], expected[i]) << "look " << i << " of " << GetParam().name;
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Restart, testing::ValuesIn(rank_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tamp::test
