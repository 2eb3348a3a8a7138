#include "tamp/soft/active_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../../parallel/cloud.hpp"

namespace tamp::soft {
namespace {

constexpr double largest = 1, skin = 0.3;

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// Spheres and a floor, all of whose candidates remember something.
class InABox : public testing::TestWithParam<bool> {
protected:
    InABox()
        : materials_(make_materials()), contacts_(materials_, {}, false),
          cloud_(make_cloud(contacts_.layout())), order_(static_cast<std::size_t>(cloud_.tiles->owned())) {
        std::iota(order_.begin(), order_.end(), 0);
        for (ColumnTable* history : {&cloud_.lists.pair_history, &cloud_.lists.wall_history})
            for (std::size_t c = 0; c < history->rows(); ++c) {
                std::vector<std::uint64_t> row(history->row_words());
                for (std::size_t k = 0; k < row.size(); ++k)
                    row[k] = std::bit_cast<std::uint64_t>(1.0 + static_cast<double>(k + row.size() * c));
                history->write_row(c, row);
            }
    }

    static MaterialTable make_materials() {
        MaterialTable materials({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}});
        SoftLaws laws{.normal = NormalLaw::linear, .stiffness = 1e3};
        laws.rolling.friction = laws.torsion.friction = GetParam() ? 0.1 : 0;
        for (int a = 0; a < 2; ++a)
            for (int b = a; b < 2; ++b)
                materials.set(a, b, {.soft = laws});
        return materials;
    }

    test::Cloud make_cloud(const HistoryLayout& layout) const {
        Random random(33, 0, Purpose::test);
        const Box box{.lower = {0, 0, 0}, .upper = {8, 8, 8}};
        const TileGrid grid(box, 4, largest + skin);
        test::Cloud cloud(self(), grid, test::random_partition(random, grid, 1),
                          test::random_grains(random, box, 800, 0.4 * largest, 0.5 * largest),
                          layout.columns());
        cloud.search(largest, skin, walls_);
        return cloud;
    }

    void take() {
        contacts_.take(cloud_.grid.box(), cloud_.store, walls_, cloud_.lists, 2 * skin, order_,
                       order_.size());
    }
    WordTable remembered() const { return saved_history(&*cloud_.tiles, cloud_.store, cloud_.lists); }

    std::vector<Wall> walls_{Wall{.name = "floor"}};
    MaterialTable materials_;
    ActiveContacts contacts_;
    test::Cloud cloud_;
    std::vector<int> order_;
};

TEST_P(InABox, GiveBackWhatTheyTook) {
    const WordTable before = remembered();
    take();
    EXPECT_GT(contacts_.count(), 1000);
    cloud_.lists.reset_history();
    contacts_.give_back(cloud_.lists);
    EXPECT_EQ(remembered(), before);
    contacts_.release();
    contacts_.give_back(cloud_.lists);
    EXPECT_EQ(remembered(), before) << "nothing is left that could be given back";
    take();
    cloud_.lists.reset_history();
    contacts_.give_back(cloud_.lists);
    EXPECT_EQ(remembered(), before) << "they are taken again";
}

/// Whoever asks for more than what was lent fails.
TEST_P(InABox, LendEnoughForASearch) {
    const WordTable before = remembered();
    take();
    contacts_.give_back(cloud_.lists);
    const std::span<std::byte> lent = contacts_.lend();
    std::ranges::fill(lent, std::byte{0xff});
    std::pmr::monotonic_buffer_resource room(lent.data(), lent.size(), std::pmr::null_memory_resource());
    HistoryRows rows(&room);
    rows.reserve(static_cast<std::size_t>(contacts_.count()) * 9 / 8 *
                 (history_key_words + cloud_.lists.pair_history.row_words()));
    rows = carry_history(self(), cloud_.grid, cloud_.partition, cloud_.store, cloud_.lists, std::move(rows));
    std::pmr::memory_resource* const usual = std::pmr::set_default_resource(std::pmr::null_memory_resource());
    EXPECT_NO_THROW(recall_history(rows, cloud_.store, cloud_.lists));
    std::pmr::set_default_resource(usual);
    EXPECT_EQ(remembered(), before);
}

INSTANTIATE_TEST_SUITE_P(ActiveContacts, InABox, testing::Bool());

} // namespace
} // namespace tamp::soft
