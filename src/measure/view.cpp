#include "tamp/measure/view.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "tamp/contacts/memory.hpp"
#include "tamp/measure/tensor.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// What a contact adds to one of its particles.
struct Share {
    std::uint64_t particle; ///< index on its owner; id on the way there
    std::uint64_t partner;
    SymmetricTensor moment; ///< N m; force on the partner times the way from the centre to the contact
};

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
        receive_shares();
        sum_shares();
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
        to.coordination.assign(store_.owned, 0);
        to.stress.assign(store_.owned, SymmetricTensor{});
        for (std::size_t i = 0; i < store_.owned; ++i) {
            to.position[i] = view_.box.wrapped(store_.sphere[i].centre);
            to.radius[i] = store_.sphere[i].radius;
            to.velocity[i] = store_.body[i].velocity;
            to.angular_velocity[i] = store_.body[i].surface * store_.body[i].inverse_radius;
        }
    }

    void reserve_contacts() {
        const auto loaded = [](const ContactMemory& memory) {
            return static_cast<std::size_t>(std::ranges::count_if(memory.impulse, [](const Vec3& impulse) {
                return impulse != Vec3{0, 0, 0};
            }));
        };
        const std::size_t pairs = loaded(engine_.pairs()), walls = loaded(engine_.wall_candidates());
        mine_.reserve(2 * pairs + walls);
        ContactView& to = view_.contacts;
        const auto reserve = [&](auto&... columns) { (columns.reserve(pairs + walls), ...); };
        reserve(to.first, to.second, to.from, to.to, to.normal, to.gap, to.force, to.normal_force,
                to.tangential_force, to.mobilisation, to.bond);
    }

    /// Where the particle was when the forces were found.
    Vec3 centre_before(std::size_t i) const {
        return store_.sphere[i].centre - store_.body[i].velocity * view_.time_step;
    }

    double nominal_mass(std::size_t i) const {
        return engine_.setup().materials[store_.material[i]].density *
               grain_volume(store_.sphere[i].radius, store_.dimension());
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
            const double m1 = nominal_mass(i), m2 = nominal_mass(j);
            const double gap = norm(branch) - r1 - r2;
            const Vec3 force = pairs.impulse[c] * per_step_;
            add_contact(i, store_.id[j], branch, normal, gap, force,
                        engine_.setup().materials.laws(store_.material[i], store_.material[j]),
                        {r1 * r2 / (r1 + r2), 2 * m1 * m2 / (m1 + m2), norm(engine_.setup().gravity)},
                        pairs.last_bond(c));
            // The contact point divides the branch as the radii do, also where spheres overlap.
            share(i, store_.id[j], symmetric_dyad(force, before * (r1 / (r1 + r2))));
            share(j, store_.id[i], symmetric_dyad(force, before * (r2 / (r1 + r2))));
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
                        {store_.sphere[i].radius, 2 * nominal_mass(i), norm(engine_.setup().gravity)},
                        walls.last_bond(c));
            share(i, partner, symmetric_dyad(force, -wall.normal * store_.sphere[i].radius));
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

    void share(std::size_t i, std::uint64_t partner, const SymmetricTensor& moment) {
        if (i < store_.owned) {
            mine_.push_back({i, partner, moment});
        } else {
            const TileGrid& grid = engine_.grid();
            const int owner = engine_.partition().owner(grid.number(grid.tile_of(store_.reference[i])));
            others_[owner].push_back({store_.id[i], partner, moment});
        }
    }

    void receive_shares() {
        const auto arrived = sparse_exchange(engine_.communicator(), others_);
        others_.clear();
        if (arrived.empty())
            return;
        std::unordered_map<std::uint64_t, std::uint64_t> index; // of those that were named
        for (const auto& [rank, shares] : arrived)
            for (const Share& share : shares)
                index.emplace(share.particle, store_.owned);
        for (std::size_t i = 0; i < store_.owned; ++i)
            if (const auto named = index.find(store_.id[i]); named != index.end())
                named->second = i;
        for (const auto& [rank, shares] : arrived)
            for (const Share& share : shares)
                mine_.push_back({index.at(share.particle), share.partner, share.moment});
    }

    void sum_shares() {
        // By particle through counting, then each one's few by partner.
        std::vector<std::uint32_t> end(store_.owned + 1, 0), order(mine_.size());
        for (const Share& share : mine_)
            ++end[share.particle + 1];
        for (std::size_t i = 0; i < store_.owned; ++i)
            end[i + 1] += end[i];
        for (std::size_t s = 0; s < mine_.size(); ++s)
            order[end[mine_[s].particle]++] = static_cast<std::uint32_t>(s);

        ParticleView& to = view_.particles;
        for (std::size_t i = 0; i < store_.owned; ++i) {
            const std::uint32_t begin = i > 0 ? end[i - 1] : 0;
            const auto shares = std::span(order).subspan(begin, end[i] - begin);
            std::ranges::sort(shares, {}, [this](std::uint32_t s) { return mine_[s].partner; });
            const double per_volume = 1.0 / grain_volume(to.radius[i], store_.dimension());
            to.coordination[i] = static_cast<std::int32_t>(shares.size());
            for (const std::uint32_t s : shares)
                for (std::size_t k = 0; k < to.stress[i].size(); ++k)
                    to.stress[i][k] += mine_[s].moment[k] * per_volume;
        }
    }

    const RigidEngine& engine_;
    const ParticleStore& store_;
    NearestImage nearest_;
    double per_step_;
    View view_;
    std::vector<Share> mine_;                  ///< of particles that this rank owns
    std::map<int, std::vector<Share>> others_; ///< of copies, by their owner
};

} // namespace

bool ContactView::with_wall(std::size_t c) const { return second[c] >= wall_memory; }

View view(const RigidEngine& engine) { return Viewer(engine).look(); }

} // namespace tamp
