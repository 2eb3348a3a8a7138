#include <gtest/gtest.h>

#include <set>

#include "../../parallel/cloud.hpp"
#include "tamp/solver/contact_set.hpp"

namespace tamp {
namespace {

const MaterialTable materials({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}});
constexpr double largest = 1, skin = 0.4, margin = 0.2, time_step = 1e-3;

Vec3 lane_of(const double (&values)[3][lanes], int lane) {
    return {values[0][lane], values[1][lane], values[2][lane]};
}

/// A cloud on one rank with a wall through its middle and one through a corner, and its contacts.
struct Contacts {
    explicit Contacts(std::uint64_t number) : random(31, number, Purpose::test), cloud(make(random)) {
        const Vec3 &lower = box().lower, &upper = box().upper;
        walls = {{.name = "middle", .point = 0.5 * (lower + upper), .normal = {0, 1, 0}, .material = 1},
                 {.name = "corner", .point = lower, .normal = {0.6, 0.8, 0}, .material = 0}};
        cloud.search(largest, skin, walls);
        for (std::size_t i = 0; i < cloud.store.size(); ++i)
            cloud.store.material[i] = static_cast<std::int32_t>(cloud.store.id[i] % 2);
    }

    static test::Cloud make(Random& random) {
        static const Communicator self(MPI_COMM_SELF);
        const Box box = test::random_box(random, 2 * (largest + skin), 7);
        const TileGrid grid(box, random.uniform(1, 3), largest + skin);
        return {self, grid, test::random_partition(random, grid, 1),
                test::random_grains(random, box, random.below(200), 0.2 * largest, 0.5 * largest)};
    }

    void update(double scale = 1) {
        set.update(box(), cloud.store, materials, walls, rigid::laws_used(materials, box().dimension),
                   cloud.lists, {time_step, margin, scale});
    }

    const Box& box() const { return cloud.grid.box(); }
    Vec3 branch(std::size_t c) const {
        return box().nearest(
            cloud.store.sphere[static_cast<std::size_t>(cloud.lists.pairs.second[c])].centre -
            cloud.store.sphere[static_cast<std::size_t>(cloud.lists.pairs.first[c])].centre);
    }
    double gap(std::size_t c) const {
        return norm(branch(c)) -
               cloud.store.sphere[static_cast<std::size_t>(cloud.lists.pairs.first[c])].radius -
               cloud.store.sphere[static_cast<std::size_t>(cloud.lists.pairs.second[c])].radius;
    }
    double wall_gap(std::size_t c) const {
        const Sphere& sphere = cloud.store.sphere[static_cast<std::size_t>(cloud.lists.walls.body[c])];
        return walls[static_cast<std::size_t>(cloud.lists.walls.wall[c])].gap(sphere.centre, sphere.radius);
    }

    Random random;
    test::Cloud cloud;
    std::vector<Wall> walls;
    ContactSet set;
};

template <class F>
void each_random_set(F&& check) {
    for (std::uint64_t number = 0; number < 60; ++number) {
        SCOPED_TRACE(number);
        Contacts contacts(number);
        check(contacts);
    }
}

/// Calls `f(batch, lane, candidate)` for all lanes; null contacts have candidate -1.
template <class F>
void each_lane(ContactSet& set, F&& f) {
    for (int slot = 0; slot < set.tiles(); ++slot)
        for (std::size_t b = 0; b < set.batches(slot).size(); ++b)
            for (int lane = 0; lane < lanes; ++lane)
                f(slot, set.batches(slot)[b], lane, set.sources(slot)[b][static_cast<std::size_t>(lane)]);
}

template <class F>
void each_wall_lane(ContactSet& set, F&& f) {
    for (int slot = 0; slot < set.tiles(); ++slot)
        for (std::size_t b = 0; b < set.wall_batches(slot).size(); ++b)
            for (int lane = 0; lane < lanes; ++lane)
                f(slot, set.wall_batches(slot)[b], lane,
                  set.wall_sources(slot)[b][static_cast<std::size_t>(lane)]);
}

TEST(ContactSet, HasEveryPairBelowTheMarginOnceInItsTile) {
    each_random_set([](Contacts& contacts) {
        contacts.update();
        const PairList& pairs = contacts.cloud.lists.pairs;
        std::vector<int> seen(pairs.size(), 0);
        each_lane(contacts.set, [&](int slot, const ContactBatch& batch, int lane, std::int32_t source) {
            if (source < 0)
                return;
            const auto c = static_cast<std::size_t>(source), s = static_cast<std::size_t>(slot);
            ++seen[c];
            EXPECT_GE(source, pairs.tile_begin[s]);
            EXPECT_LT(source, pairs.tile_begin[s + 1]);
            EXPECT_EQ(batch.first[lane], pairs.first[c]);
            EXPECT_EQ(batch.second[lane], pairs.second[c]);
            EXPECT_NEAR(norm(lane_of(batch.normal, lane) * norm(contacts.branch(c)) - contacts.branch(c)), 0,
                        1e-13);
            EXPECT_NEAR(batch.closing_speed[lane], std::max(0.0, contacts.gap(c)) / time_step, 1e-9);
            const auto& material = contacts.cloud.store.material;
            EXPECT_EQ(batch.friction[lane],
                      materials.friction(material[static_cast<std::size_t>(pairs.first[c])],
                                         material[static_cast<std::size_t>(pairs.second[c])]));
        });
        std::int64_t count = 0;
        double overlap = 0;
        for (std::size_t c = 0; c < pairs.size(); ++c) {
            EXPECT_EQ(seen[c], contacts.gap(c) < margin ? 1 : 0) << contacts.gap(c);
            count += seen[c];
            overlap = std::max(overlap, -contacts.gap(c));
        }
        for (std::size_t c = 0; c < contacts.cloud.lists.walls.size(); ++c)
            overlap = std::max(overlap, -contacts.wall_gap(c));
        EXPECT_EQ(contacts.set.pair_count(), count);
        EXPECT_DOUBLE_EQ(contacts.set.largest_overlap(), overlap);
    });
}

TEST(ContactSet, NoBodyIsTwiceInABatch) {
    each_random_set([](Contacts& contacts) {
        contacts.update();
        std::multiset<std::int32_t> bodies;
        each_lane(contacts.set, [&](int, const ContactBatch& batch, int lane, std::int32_t source) {
            if (lane == 0)
                bodies.clear();
            if (source >= 0) {
                bodies.insert({batch.first[lane], batch.second[lane]});
                EXPECT_EQ(bodies.count(batch.first[lane]), 1u);
                EXPECT_EQ(bodies.count(batch.second[lane]), 1u);
                EXPECT_EQ(bodies.size(), 2u * static_cast<unsigned>(lane + 1))
                    << "a null contact before a contact";
                return;
            }
            EXPECT_GT(lane, 0) << "a batch of nothing";
            EXPECT_EQ(batch.first[lane], contacts.cloud.store.null_body());
            EXPECT_EQ(batch.second[lane], contacts.cloud.store.null_body());
            EXPECT_EQ(batch.closing_speed[lane], never_closes);
            EXPECT_EQ(lane_of(batch.impulse, lane), (Vec3{0, 0, 0}));
        });
    });
}

TEST(ContactSet, WallBatchesAreOfOneWallAndComplete) {
    each_random_set([](Contacts& contacts) {
        contacts.update();
        const WallList& candidates = contacts.cloud.lists.walls;
        std::vector<int> seen(candidates.size(), 0);
        std::set<std::int32_t> bodies; // of the batch
        each_wall_lane(contacts.set, [&](int slot, const WallBatch& batch, int lane, std::int32_t source) {
            if (lane == 0)
                bodies.clear();
            if (source < 0) {
                EXPECT_EQ(batch.body[lane], contacts.cloud.store.null_body());
                EXPECT_EQ(batch.closing_speed[lane], never_closes);
                return;
            }
            const auto c = static_cast<std::size_t>(source), s = static_cast<std::size_t>(slot);
            ++seen[c];
            EXPECT_GE(source, candidates.tile_begin[s]);
            EXPECT_LT(source, candidates.tile_begin[s + 1]);
            EXPECT_EQ(batch.wall, candidates.wall[c]);
            EXPECT_EQ(batch.body[lane], candidates.body[c]);
            EXPECT_EQ(lane_of(batch.normal, lane),
                      contacts.walls[static_cast<std::size_t>(batch.wall)].normal);
            EXPECT_TRUE(bodies.insert(batch.body[lane]).second);
            EXPECT_NEAR(batch.closing_speed[lane], std::max(0.0, contacts.wall_gap(c)) / time_step, 1e-9);
            EXPECT_EQ(batch.friction[lane],
                      materials.friction(
                          contacts.cloud.store.material[static_cast<std::size_t>(candidates.body[c])],
                          contacts.walls[static_cast<std::size_t>(batch.wall)].material));
        });
        std::vector<std::int64_t> count(contacts.walls.size(), 0);
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            EXPECT_EQ(seen[c], contacts.wall_gap(c) < margin ? 1 : 0);
            count[static_cast<std::size_t>(candidates.wall[c])] += seen[c];
        }
        EXPECT_EQ(contacts.set.contacts_of_wall(), count);
        EXPECT_EQ(contacts.set.wall_count(), count[0] + count[1]);
    });
}

/// Impulses as no law would leave them: pulling, or out of the cone.
TEST(ContactSet, StartsInsideTheFrictionCone) {
    each_random_set([](Contacts& contacts) {
        Random& any = contacts.random;
        const auto wild = [&] { return Vec3{any.uniform(-1, 1), any.uniform(-1, 1), any.uniform(-1, 1)}; };
        for (Vec3& impulse : contacts.cloud.impulses())
            impulse = wild();
        for (Vec3& impulse : contacts.cloud.wall_impulses())
            impulse = wild();
        constexpr double scale = 0.5;
        contacts.update(scale);
        const auto expect_in_cone = [&](const Vec3& old, const Vec3& impulse, const Vec3& normal,
                                        double friction) {
            const double p_n = dot(impulse, normal), old_n = std::max(0.0, dot(old, normal));
            EXPECT_NEAR(p_n, scale * old_n, 1e-14);
            const Vec3 p_t = impulse - p_n * normal, old_t = old - dot(old, normal) * normal;
            EXPECT_NEAR(norm(p_t), std::min(scale * norm(old_t), friction * p_n), 1e-14);
            EXPECT_NEAR(norm(cross(p_t, old_t)), 0, 1e-14) << "along the old direction";
        };
        each_lane(contacts.set, [&](int, const ContactBatch& batch, int lane, std::int32_t source) {
            if (source >= 0)
                expect_in_cone(contacts.cloud.impulses()[static_cast<std::size_t>(source)],
                               lane_of(batch.impulse, lane), lane_of(batch.normal, lane),
                               batch.friction[lane]);
        });
        each_wall_lane(contacts.set, [&](int, const WallBatch& batch, int lane, std::int32_t source) {
            if (source >= 0)
                expect_in_cone(contacts.cloud.wall_impulses()[static_cast<std::size_t>(source)],
                               lane_of(batch.impulse, lane),
                               contacts.walls[static_cast<std::size_t>(batch.wall)].normal,
                               batch.friction[lane]);
        });
    });
}

TEST(ContactSet, RemembersWhatTheSolverLeftAndForgetsTheRest) {
    each_random_set([](Contacts& contacts) {
        std::ranges::fill(contacts.cloud.impulses(), Vec3{1, 2, 3});
        std::ranges::fill(contacts.cloud.wall_impulses(), Vec3{1, 2, 3});
        contacts.update();
        for (int slot = 0; slot < contacts.set.tiles(); ++slot) {
            for (std::size_t b = 0; b < contacts.set.batches(slot).size(); ++b)
                for (int lane = 0; lane < lanes;
                     ++lane) // what the solver may leave in null contacts stays there
                    contacts.set.batches(slot)[b].impulse[1][lane] =
                        contacts.set.sources(slot)[b][static_cast<std::size_t>(lane)] + 0.5;
            for (std::size_t b = 0; b < contacts.set.wall_batches(slot).size(); ++b)
                for (int lane = 0; lane < lanes; ++lane)
                    contacts.set.wall_batches(slot)[b].impulse[1][lane] =
                        contacts.set.wall_sources(slot)[b][static_cast<std::size_t>(lane)] + 0.5;
        }
        contacts.set.remember(contacts.cloud.lists, contacts.cloud.store, materials, contacts.walls);
        for (std::size_t c = 0; c < contacts.cloud.lists.pairs.size(); ++c)
            EXPECT_EQ(contacts.cloud.impulses()[c].y,
                      contacts.gap(c) < margin ? static_cast<double>(c) + 0.5 : 0);
        for (std::size_t c = 0; c < contacts.cloud.lists.walls.size(); ++c)
            EXPECT_EQ(contacts.cloud.wall_impulses()[c].y,
                      contacts.wall_gap(c) < margin ? static_cast<double>(c) + 0.5 : 0);
    });
}

} // namespace
} // namespace tamp
