#include "tamp/measure/view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "tamp/base/fixed_sum.hpp"
#include "tamp/contacts/memory.hpp"
#include "tamp/measure/tensor.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// What the contacts of one rank add to a copy, on the way to its owner.
struct Share {
    std::uint64_t id;
    std::int64_t contacts;
    std::array<std::int64_t, 6> moment; ///< as FixedSums counts
};

/// More than any particle has: bounds the sums.
constexpr std::int64_t most_contacts = 1 << 16;

class Viewer {
public:
    explicit Viewer(const RigidEngine& engine)
        : engine_(engine), store_(engine.store()), nearest_(engine.setup().box),
          per_step_(engine.last_time_step() > 0 ? 1.0 / engine.last_time_step() : 0.0) {
        view_.time = engine.time();
        view_.time_step = engine.last_time_step();
        view_.step = engine.totals().steps;
        view_.box = engine.setup().box;
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
        to.position.resize(store_.owned), to.radius.resize(store_.owned);
        to.velocity.resize(store_.owned), to.angular_velocity.resize(store_.owned);
        to.stress.assign(store_.owned, SymmetricTensor{});
        for (std::size_t i = 0; i < store_.owned; ++i) {
            to.position[i] = view_.box.wrapped(store_.sphere[i].centre);
            to.radius[i] = store_.sphere[i].radius;
            to.velocity[i] = store_.body[i].velocity;
            to.angular_velocity[i] = store_.body[i].surface * store_.body[i].inverse_radius;
        }
    }

    void reserve_contacts() {
        std::size_t count = 0;
        double largest = 0;
        const auto look_at = [&](const ContactMemory& memory) {
            for (const Vec3& impulse : memory.impulse) {
                count += impulse != Vec3{0, 0, 0} ? 1 : 0;
                largest = std::max(largest, dot(impulse, impulse));
            }
        };
        look_at(engine_.pairs());
        look_at(engine_.wall_candidates());
        ContactView& to = view_.contacts;
        const auto reserve = [&](auto&... columns) { (columns.reserve(count), ...); };
        reserve(to.first, to.second, to.from, to.to, to.normal, to.gap, to.force, to.normal_force,
                to.tangential_force, to.mobilisation, to.bond);
        contacts_.assign(store_.size(), 0);
        // No lever is longer than a diameter.
        const double bound =
            std::sqrt(engine_.communicator().max(largest)) * per_step_ * engine_.largest_diameter();
        moments_.emplace(store_.size(), std::vector<double>(6, bound), most_contacts);
    }

    /// Where the particle was when the forces were found.
    Vec3 centre_before(std::size_t i) const {
        return store_.sphere[i].centre - store_.body[i].velocity * view_.time_step;
    }

    void add_pairs() {
        const PairCandidates& pairs = engine_.pairs();
        for (std::size_t c = 0; c < pairs.size(); ++c) {
            if (pairs.impulse[c] == Vec3{0, 0, 0})
                continue;
            const auto i = static_cast<std::size_t>(pairs.first[c]),
                       j = static_cast<std::size_t>(pairs.second[c]);
            const Vec3 branch = nearest_(store_.sphere[j].centre - store_.sphere[i].centre);
            const Vec3 before = nearest_(centre_before(j) - centre_before(i));
            const Vec3 normal = before * (1.0 / norm(before));
            const double r1 = store_.sphere[i].radius, r2 = store_.sphere[j].radius;
            const double m1 = store_.nominal_mass(i), m2 = store_.nominal_mass(j);
            const double gap = norm(branch) - r1 - r2;
            const Vec3 force = pairs.impulse[c] * per_step_;
            add_contact(i, store_.id[j], branch, normal, gap, force,
                        engine_.setup().materials.laws(store_.material[i], store_.material[j]),
                        {r1 * r2 / (r1 + r2), 2 * m1 * m2 / (m1 + m2), norm(engine_.setup().gravity)},
                        pairs.last_bond(c));
            // The contact point divides the branch as the radii do, also where spheres overlap.
            share(i, symmetric_dyad(force, before * (r1 / (r1 + r2))));
            share(j, symmetric_dyad(force, before * (r2 / (r1 + r2))));
        }
    }

    void add_walls() {
        const WallCandidates& walls = engine_.wall_candidates();
        for (std::size_t c = 0; c < walls.size(); ++c) {
            if (walls.impulse[c] == Vec3{0, 0, 0})
                continue;
            const auto i = static_cast<std::size_t>(walls.body[c]);
            const auto w = static_cast<std::size_t>(walls.wall[c]);
            const Wall& wall = engine_.walls()[w];
            const double gap = wall.gap(store_.sphere[i].centre, store_.sphere[i].radius);
            const Vec3 branch = -wall.normal * (gap + store_.sphere[i].radius);
            const Vec3 force = -walls.impulse[c] * per_step_; // on the wall
            const std::uint64_t partner = wall_memory + static_cast<std::uint64_t>(w);
            add_contact(i, partner, branch, -wall.normal, gap, force,
                        engine_.setup().materials.laws(store_.material[i], wall.material),
                        {store_.sphere[i].radius, 2 * store_.nominal_mass(i), norm(engine_.setup().gravity)},
                        walls.last_bond(c));
            share(i, symmetric_dyad(force, -wall.normal * store_.sphere[i].radius));
        }
    }

    void add_contact(std::size_t i, std::uint64_t partner, const Vec3& branch, const Vec3& normal, double gap,
                     const Vec3& force, const ContactLaws& laws, const rigid::CohesionPartners& partners,
                     rigid::Bond bond) {
        ContactView& to = view_.contacts;
        const double normal_force = dot(force, normal);
        const double tangential_force = norm(force - normal_force * normal);
        double strength = 0;
        if (laws.cohesion.value > 0 && bond != rigid::Bond::none) {
            const double full = rigid::cohesion_force(laws.cohesion, partners);
            strength = per_step_ * rigid::cohesion_strength(laws.cohesion, bond, full,
                                                            rigid::cohesion_range(laws.cohesion, full), gap,
                                                            0.0, view_.time_step);
        }
        const double limit = laws.friction * (normal_force + strength);
        to.first.push_back(store_.id[i]), to.second.push_back(partner);
        to.from.push_back(view_.box.wrapped(store_.sphere[i].centre));
        to.to.push_back(to.from.back() + branch);
        to.normal.push_back(normal), to.gap.push_back(gap), to.force.push_back(force);
        to.normal_force.push_back(normal_force), to.tangential_force.push_back(tangential_force);
        to.mobilisation.push_back(limit > 0 ? tangential_force / limit : 0.0);
        to.bond.push_back(laws.cohesion.value > 0 ? static_cast<std::int32_t>(bond) : 0);
    }

    /// Force on the partner times the way from the centre to the contact, N m.
    void share(std::size_t i, const SymmetricTensor& moment) {
        ++contacts_[i];
        for (std::size_t k = 0; k < moment.size(); ++k)
            moments_->add(k, i, moment[k]);
    }

    std::int64_t& word(std::size_t k, std::size_t i) { return moments_->words()[k * store_.size() + i]; }

    void send_shares() {
        std::map<int, std::vector<Share>> to;
        const TileGrid& grid = engine_.grid();
        for (std::size_t i = store_.owned; i < store_.size(); ++i)
            if (contacts_[i] > 0) {
                Share share{store_.id[i], contacts_[i], {}};
                for (std::size_t k = 0; k < share.moment.size(); ++k)
                    share.moment[k] = word(k, i);
                to[engine_.partition().owner(grid.number(grid.tile_of(store_.reference[i])))].push_back(
                    share);
            }
        const auto arrived = sparse_exchange(engine_.communicator(), to);
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
                for (std::size_t k = 0; k < share.moment.size(); ++k)
                    word(k, i) += share.moment[k];
            }
    }

    void finish_particles() {
        ParticleView& to = view_.particles;
        to.coordination.assign(contacts_.begin(),
                               contacts_.begin() + static_cast<std::ptrdiff_t>(store_.owned));
        for (std::size_t i = 0; i < store_.owned; ++i) {
            const double per_volume = 1.0 / grain_volume(to.radius[i], store_.dimension());
            for (std::size_t k = 0; k < to.stress[i].size(); ++k)
                to.stress[i][k] = moments_->value(k, i) * per_volume;
        }
    }

    const RigidEngine& engine_;
    const ParticleStore& store_;
    NearestImage nearest_;
    double per_step_;
    View view_;
    // Of each particle, copies too.
    std::vector<std::int32_t> contacts_;
    std::optional<FixedSums> moments_;
};

} // namespace

bool ContactView::with_wall(std::size_t c) const { return second[c] >= wall_memory; }

View view(const RigidEngine& engine) { return Viewer(engine).look(); }

} // namespace tamp
