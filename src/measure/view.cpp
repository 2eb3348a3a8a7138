#include "tamp/measure/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "tamp/base/fixed_sum.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/measure/tensor.hpp"
#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/world/force_geometry.hpp"

namespace tamp {
namespace {

/// What the contacts of one rank add to a copy, on the way to its owner.
struct Share {
    std::uint64_t id;
    std::int64_t contacts;
    std::array<std::int64_t, 9> sums; ///< as FixedSums counts
};

/// More than any particle has: bounds the sums.
constexpr std::int64_t most_contacts = 1 << 16;

/// What is summed over the contacts of a particle: six components of the moment, three of the force.
constexpr std::size_t moment = 0, force_sum = 6;

class Viewer {
public:
    Viewer(const World& world, const ContactForces& forces)
        : world_(world), forces_(forces), store_(world.particles), geometry_(world, forces.age) {
        view_.time = world.clock.time;
        view_.time_step = world.clock.last_step;
        view_.step = world.totals.steps;
        view_.box = world.box();
    }

    View look() {
        add_particles();
        reserve_contacts();
        add_pairs();
        add_walls();
        send_shares();
        finish_particles();
        return std::move(view_);
    }

private:
    void add_particles() {
        ParticleView& to = view_.particles;
        to.id.assign(store_.id.begin(), store_.id.begin() + static_cast<std::ptrdiff_t>(store_.owned));
        to.material.assign(store_.material.begin(),
                           store_.material.begin() + static_cast<std::ptrdiff_t>(store_.owned));
        to.position.resize(store_.owned), to.radius.resize(store_.owned), to.mass.resize(store_.owned);
        to.velocity.resize(store_.owned), to.angular_velocity.resize(store_.owned);
        to.stress.assign(store_.owned, SymmetricTensor{});
        to.contact_force.resize(store_.owned);
        to.attributes = store_.attributes;
        to.attributes.resize(store_.owned);
        for (std::size_t i = 0; i < store_.owned; ++i) {
            to.position[i] = view_.box.wrapped(store_.sphere[i].centre);
            to.radius[i] = store_.sphere[i].radius;
            to.mass[i] = store_.nominal_mass(i);
            to.velocity[i] = store_.body[i].velocity;
            to.angular_velocity[i] = store_.body[i].surface * store_.body[i].inverse_radius;
        }
    }

    void reserve_contacts() {
        std::size_t count = 0;
        double largest = 0;
        for (const std::span<const Vec3> list : {forces_.pairs, forces_.walls})
            for (const Vec3& force : list) {
                count += force != Vec3{0, 0, 0} ? 1 : 0;
                largest = std::max(largest, dot(force, force));
            }
        ContactView& to = view_.contacts;
        const auto reserve = [&](auto&... columns) { (columns.reserve(count), ...); };
        reserve(to.first, to.second, to.from, to.to, to.normal, to.gap, to.force, to.normal_force,
                to.tangential_force, to.mobilisation);
        make_history(count);
        contacts_.assign(store_.size(), 0);
        const double force = std::sqrt(world_.communicator.max(largest)) * forces_.scale;
        std::vector<double> bounds(9, force);
        std::fill_n(bounds.begin() + moment, 6, force * world_.sizes.largest); // no lever is longer
        sums_.emplace(store_.size(), bounds, most_contacts);
    }

    /// The columns that contacts show beside their force.
    void make_history(std::size_t contacts) {
        std::vector<ColumnInfo> shown;
        for (std::size_t k = 0; k < world_.needs.history.size(); ++k)
            if (world_.needs.history[k].kept && k != forces_.column)
                shown.push_back(world_.needs.history[k]);
        match_ = ColumnMatch(world_.needs.history, shown);
        row_.resize(row_words(world_.needs.history));
        shown_row_.resize(row_words(shown));
        view_.contacts.history = ColumnTable(std::move(shown));
        view_.contacts.history.resize(contacts);
    }

    void add_history(const ColumnTable& history, std::size_t row, bool turned_round) {
        if (shown_row_.empty())
            return;
        history.read_row(row, row_);
        if (turned_round)
            reverse(history.columns(), row_);
        match_.copy(row_, shown_row_);
        view_.contacts.history.write_row(view_.contacts.size() - 1, shown_row_);
    }

    void add_pairs() {
        const PairList& pairs = world_.lists().pairs;
        for (std::size_t c = 0; c < pairs.size(); ++c) {
            if (forces_.pairs[c] == Vec3{0, 0, 0})
                continue;
            const auto i = static_cast<std::size_t>(pairs.first[c]),
                       j = static_cast<std::size_t>(pairs.second[c]);
            const ContactGeometry geometry = geometry_.pair(c);
            const double r1 = store_.sphere[i].radius, r2 = store_.sphere[j].radius;
            const double m1 = store_.nominal_mass(i), m2 = store_.nominal_mass(j);
            const Vec3 force = forces_.pairs[c] * forces_.scale;
            add_contact(i, store_.id[j], geometry, force,
                        {.first_material = store_.material[i],
                         .second_material = store_.material[j],
                         .reduced_radius = r1 * r2 / (r1 + r2),
                         .mean_mass = 2 * m1 * m2 / (m1 + m2),
                         .gap = geometry.gap,
                         .history = world_.lists().pair_history,
                         .row = c});
            // The contact point divides the branch as the radii do, also where spheres overlap.
            share(i, symmetric_dyad(force, geometry.branch * (r1 / (r1 + r2))), -force);
            share(j, symmetric_dyad(force, geometry.branch * (r2 / (r1 + r2))), force);
        }
    }

    void add_walls() {
        const WallList& list = world_.lists().walls;
        for (std::size_t c = 0; c < list.size(); ++c) {
            if (forces_.walls[c] == Vec3{0, 0, 0})
                continue;
            const auto i = static_cast<std::size_t>(list.body[c]);
            const Wall& wall = world_.walls[static_cast<std::size_t>(list.wall[c])];
            const ContactGeometry geometry = geometry_.wall_contact(c);
            const Vec3 force = -forces_.walls[c] * forces_.scale; // on the wall
            add_contact(i, wall_partner(list.wall[c]), geometry, force,
                        {.first_material = store_.material[i],
                         .second_material = wall.material,
                         .reduced_radius = store_.sphere[i].radius,
                         .mean_mass = 2 * store_.nominal_mass(i),
                         .gap = geometry.gap,
                         .history = world_.lists().wall_history,
                         .row = c});
            share(i, symmetric_dyad(force, geometry.branch), -force);
        }
    }

    void add_contact(std::size_t i, std::uint64_t partner, const ContactGeometry& geometry, const Vec3& force,
                     const TouchingContact& contact) {
        ContactView& to = view_.contacts;
        const Vec3& normal = geometry.normal;
        const double normal_force = dot(force, normal);
        const double tangential_force = norm(force - normal_force * normal);
        const double limit = forces_.sliding_limit(contact, normal_force);
        to.first.push_back(store_.id[i]), to.second.push_back(partner);
        to.from.push_back(view_.box.wrapped(geometry_.centre(i)));
        to.to.push_back(to.from.back() + geometry.branch);
        to.normal.push_back(normal), to.gap.push_back(contact.gap), to.force.push_back(force);
        to.normal_force.push_back(normal_force), to.tangential_force.push_back(tangential_force);
        to.mobilisation.push_back(limit > 0 ? tangential_force / limit : 0.0);
        add_history(contact.history, contact.row, is_wall(partner));
    }

    /// `dyad`: force on the partner times the way from the centre to the contact, N m; `force`: on it, N.
    void share(std::size_t i, const SymmetricTensor& dyad, const Vec3& force) {
        ++contacts_[i];
        for (std::size_t k = 0; k < dyad.size(); ++k)
            sums_->add(moment + k, i, dyad[k]);
        for (int axis = 0; axis < 3; ++axis)
            sums_->add(force_sum + static_cast<std::size_t>(axis), i, force[axis]);
    }

    std::int64_t& word(std::size_t k, std::size_t i) { return sums_->words()[k * store_.size() + i]; }

    void send_shares() {
        std::map<int, std::vector<Share>> to;
        const TileGrid& grid = world_.neighbours.grid();
        for (std::size_t i = store_.owned; i < store_.size(); ++i)
            if (contacts_[i] > 0) {
                Share share{store_.id[i], contacts_[i], {}};
                for (std::size_t k = 0; k < share.sums.size(); ++k)
                    share.sums[k] = word(k, i);
                to[world_.neighbours.partition().owner(grid.number(grid.tile_of(store_.reference[i])))]
                    .push_back(share);
            }
        const auto arrived = sparse_exchange(world_.communicator, to);
        std::unordered_map<std::uint64_t, std::size_t> index; // of those that are named
        for (const auto& [rank, shares] : arrived)
            for (const Share& share : shares)
                index.emplace(share.id, store_.owned);
        for (std::size_t i = 0; i < store_.owned && !index.empty(); ++i)
            if (const auto named = index.find(store_.id[i]); named != index.end())
                named->second = i;
        for (const auto& [rank, shares] : arrived)
            for (const Share& share : shares) {
                const std::size_t i = index.at(share.id);
                contacts_[i] += static_cast<std::int32_t>(share.contacts);
                for (std::size_t k = 0; k < share.sums.size(); ++k)
                    word(k, i) += share.sums[k];
            }
    }

    void finish_particles() {
        ParticleView& to = view_.particles;
        to.coordination.assign(contacts_.begin(),
                               contacts_.begin() + static_cast<std::ptrdiff_t>(store_.owned));
        for (std::size_t i = 0; i < store_.owned; ++i) {
            const double per_volume = 1.0 / grain_volume(to.radius[i], store_.dimension());
            for (std::size_t k = 0; k < to.stress[i].size(); ++k)
                to.stress[i][k] = sums_->value(moment + k, i) * per_volume;
            to.contact_force[i] = {sums_->value(force_sum, i), sums_->value(force_sum + 1, i),
                                   sums_->value(force_sum + 2, i)};
        }
    }

    const World& world_;
    const ContactForces& forces_;
    const ParticleStore& store_;
    ForceGeometry geometry_;
    View view_;
    ColumnMatch match_; ///< of what is remembered with what is shown
    std::vector<std::uint64_t> row_, shown_row_;
    // Of each particle, copies too.
    std::vector<std::int32_t> contacts_;
    std::optional<FixedSums> sums_;
};

} // namespace

View view(const World& world, const ContactForces& forces) { return Viewer(world, forces).look(); }

} // namespace tamp
