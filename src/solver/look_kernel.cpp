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
    Pack residual = 0.0, normal = 0.0, loaded = 0.0, largest = 0.0, approach = 0.0, fast = 0.0;
    PackVec3 stress{0.0, 0.0, 0.0}, virial{0.0, 0.0, 0.0}, reach{0.0, 0.0, 0.0};
    Pack violation = 0.0;

    /// `branch`: its length; what lanes without a contact have there does not matter.
    template <LawSet laws>
    void add(const Problem& contact, const KernelLaws& kernel, Pack inverse_radius, Pack branch) {
        const Pack p_n = dot(contact.p, contact.n), u_n = dot(contact.u, contact.n);
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
        largest = larger(size, largest);
        add_approach(contact, u_n, kernel.approach_limit);
        const PackVec3& n = contact.n;
        const PackVec3 along{contact.p.x * n.x, contact.p.y * n.y, contact.p.z * n.z};
        stress += along;
        virial += branch * along;
        const Pack counts = bears<laws>(contact, p_n);
        violation += select(counts > Pack(0.0), wrong_speed<laws>(contact, p_n, u_n), Pack(0.0));
        reach += (branch * counts) * PackVec3{n.x * n.x, n.y * n.y, n.z * n.z};
    }

    /// How fast two approach beyond contact. A rebound is no overlap.
    void add_approach(const Problem& contact, Pack u_n, Pack limit) {
        const Pack beyond = -(u_n + larger(contact.c, Pack(0.0)));
        approach = larger(approach, beyond);
        fast += select(beyond > limit, Pack(1.0), Pack(0.0));
    }

    /// 1 where a contact bears something, see load_slabs.hpp, else 0. Tension tells as much about the
    /// approach of layers as pressure does. At full strength the contact opens, and no speed is wrong; nor,
    /// within limits, between pressure and tension, which round-off must not decide.
    template <LawSet laws>
    static Pack bears(const Problem& contact, Pack p_n) {
        if constexpr (!laws.cohesion)
            return select(p_n > Pack(0.0), Pack(1.0), Pack(0.0));
        const auto opens = Pack(1e-3) * contact.strength > p_n + contact.strength;
        const Pack size = select(opens, Pack(0.0), larger(p_n, -p_n));
        return select(size > Pack(1e-9) * contact.strength, Pack(1.0), Pack(0.0));
    }

    /// By how much a contact that bears p_n is faster than its law has it; nothing where it is about to open.
    template <LawSet laws>
    static Pack wrong_speed(const Problem& contact, Pack p_n, Pack u_n) {
        Pack closing = contact.c;
        if constexpr (laws.cohesion) // tension holds a gap where it is, or closes it by `pull`
            closing = select(p_n > Pack(0.0), closing, smaller(closing, contact.pull));
        const Pack wrong = u_n + closing;
        const Pack left = rigid::pressing<laws>(p_n, contact.strength);
        return select(contact.m_n * wrong > left, Pack(0.0), wrong);
    }

    ResidualSums sums() const {
        return {sum_lanes(residual),
                max_lanes(largest),
                max_lanes(approach),
                sum_lanes(fast),
                sum_lanes(normal),
                sum_lanes(loaded),
                {sum_lanes(stress.x), sum_lanes(stress.y), sum_lanes(stress.z)},
                {sum_lanes(virial.x), sum_lanes(virial.y), sum_lanes(virial.z)},
                sum_lanes(violation),
                {sum_lanes(reach.x), sum_lanes(reach.y), sum_lanes(reach.z)}};
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