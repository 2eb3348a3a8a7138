#include "contact_problems.hpp"
#include "law_dispatch.hpp"

// Looks at contacts: how far they are from their laws, and what they bear.
namespace tamp {
namespace {

/// From an inverse radius; 0 where there is none.
inline Pack length(Pack inverse_radius) {
    return select(inverse_radius > Pack(0.0), Pack(1.0) / larger(inverse_radius, Pack(1e-300)), Pack(0.0));
}

/// What a look at the contacts adds up, lane by lane.
struct Tally {
    Pack residual = 0.0, normal = 0.0, loaded = 0.0, largest = 0.0, approach = 0.0;
    PackVec3 stress{0.0, 0.0, 0.0}, virial{0.0, 0.0, 0.0};
    Pack power = 0.0;

    /// `branch`: its length; what lanes without a contact have there does not matter.
    template <LawSet laws>
    void add(const Problem& contact, const KernelLaws& kernel, Pack inverse_radius, Pack branch) {
        const Pack p_n = dot(contact.p, contact.n);
        Pack size;
        if constexpr (laws == LawSet{}) {
            const PackVec3 map =
                rigid::natural_map(contact.p, contact.n, contact.u, contact.c, contact.mu, contact.m_n);
            size = square_root(dot(map, map));
        } else {
            size = rigid::distance<laws>(contact, kernel.options, inverse_radius);
        }
        Pack magnitude = larger(p_n, -p_n);
        if constexpr (laws.cohesion) // where nothing presses but cohesion, it is the scale
            magnitude = larger(contact.strength, magnitude);
        residual += size;
        normal += magnitude;
        loaded += select(magnitude > Pack(0.0), Pack(1.0), Pack(0.0));
        stress += {contact.p.x * contact.n.x, contact.p.y * contact.n.y, contact.p.z * contact.n.z};
        largest = larger(size, largest);
        add_power<laws>(contact, p_n);
        const PackVec3 along{contact.p.x * contact.n.x, contact.p.y * contact.n.y, contact.p.z * contact.n.z};
        virial += branch * along;
    }

    /// With cohesion the impulse counts from its largest tension: that is what vanishes when a contact opens.
    template <LawSet laws>
    void add_power(const Problem& contact, Pack p_n) {
        const Pack u_n = dot(contact.u, contact.n);
        approach = larger(approach, -(u_n + larger(contact.c, Pack(0.0)))); // a rebound is no overlap
        PackVec3 u_t = contact.u - u_n * contact.n;
        if constexpr (laws.rebound)
            u_t += contact.shift;
        Pack pressing = p_n;
        if constexpr (laws.cohesion)
            pressing += contact.strength;
        const PackVec3 p_t = contact.p - p_n * contact.n;
        const Pack limit = contact.mu * pressing;
        const auto sticks = Pack(0.999) * limit * limit > dot(p_t, p_t);
        power += pressing * (u_n + contact.c) + select(sticks, dot(p_t, u_t), Pack(0.0));
    }

    ResidualSums sums() const {
        return {sum_lanes(residual),
                max_lanes(largest),
                max_lanes(approach),
                sum_lanes(normal),
                sum_lanes(loaded),
                {sum_lanes(stress.x), sum_lanes(stress.y), sum_lanes(stress.z)},
                {sum_lanes(virial.x), sum_lanes(virial.y), sum_lanes(virial.z)},
                sum_lanes(power)};
    }
};

} // namespace

[[gnu::flatten]] ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches,
                                       const KernelLaws& laws, const LawBatches& rows) {
    return with_kernel_set(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            prefetch(bodies.data(), batches, Forward{batches.size()}, i);
            const Bodies one = gather(bodies.data(), batches[i].first);
            const Bodies two = gather(bodies.data(), batches[i].second);
            const Pack r1 = one.inverse_radius(), r2 = two.inverse_radius();
            tally.add<set>(pair_problem<set, true>(one, two, batches[i], rows, i, laws.kappa), laws,
                           Pack(0.5) * (r1 + r2), length(r1) + length(r2));
        }
        return tally.sums();
    });
}

ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws,
                            const LawBatches& rows) {
    return with_kernel_set(laws.set, [&]<LawSet set> {
        Tally tally;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            const WallState& wall = walls[static_cast<std::size_t>(batches[i].wall)];
            const Bodies body = gather(bodies.data(), batches[i].body);
            tally.add<set>(wall_problem<set>(body, batches[i], wall, rows, i, laws.kappa), laws,
                           body.inverse_radius(), length(body.inverse_radius()));
        }
        return tally.sums();
    });
}

} // namespace tamp