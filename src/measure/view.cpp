#include "tamp/measure/view.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "tamp/contacts/memory.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// What a contact adds to one of its particles.
struct Share {
    std::uint64_t particle, partner;
    SymmetricTensor moment; ///< N m; force on the partner times the way from the centre to the contact
};

SymmetricTensor symmetric_product(const Vec3& a, const Vec3& b) {
    return {a.x * b.x,
            a.y * b.y,
            a.z * b.z,
            0.5 * (a.x * b.y + a.y * b.x),
            0.5 * (a.y * b.z + a.z * b.y),
            0.5 * (a.x * b.z + a.z * b.x)};
}

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
        add_pairs();
        add_walls();
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
            share(i, store_.id[j], symmetric_product(force, before * (r1 / (r1 + r2))));
            share(j, store_.id[i], symmetric_product(force, before * (r2 / (r1 + r2))));
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
            share(i, partner, symmetric_product(force, -wall.normal * store_.sphere[i].radius));
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
        const TileGrid& grid = engine_.grid();
        const int owner = i < store_.owned
                              ? engine_.communicator().rank()
                              : engine_.partition().owner(grid.number(grid.tile_of(store_.reference[i])));
        shares_[owner].push_back({store_.id[i], partner, moment});
    }

    void sum_shares() {
        std::vector<Share> mine;
        for (auto& [rank, values] : sparse_exchange(engine_.communicator(), shares_))
            mine.insert(mine.end(), values.begin(), values.end());
        shares_.clear();
        std::ranges::sort(mine, {}, [](const Share& s) { return std::tuple(s.particle, s.partner); });
        ParticleView& to = view_.particles;
        std::unordered_map<std::uint64_t, std::size_t> index;
        index.reserve(to.size());
        for (std::size_t i = 0; i < to.size(); ++i)
            index.emplace(to.id[i], i);
        for (const Share& s : mine) {
            const std::size_t i = index.at(s.particle);
            ++to.coordination[i];
            const double per_volume = 1.0 / grain_volume(to.radius[i], store_.dimension());
            for (std::size_t k = 0; k < s.moment.size(); ++k)
                to.stress[i][k] += s.moment[k] * per_volume;
        }
    }

    const RigidEngine& engine_;
    const ParticleStore& store_;
    NearestImage nearest_;
    double per_step_;
    View view_;
    std::map<int, std::vector<Share>> shares_;
};

} // namespace

bool ContactView::with_wall(std::size_t c) const { return second[c] >= wall_memory; }

View view(const RigidEngine& engine) { return Viewer(engine).look(); }

} // namespace tamp
