#include "tamp/solver/kernel.hpp"

#include "tamp/base/pack.hpp"
#include "tamp/laws/rigid/inelastic.hpp"

namespace tamp {
namespace {

/// Eight bodies in registers: component by component, one lane a body.
struct Bodies {
    Pack::Raw column[8];

    PackVec3 velocity() const { return {column[0], column[1], column[2]}; }
    Pack inverse_mass() const { return column[3]; }
    PackVec3 surface() const { return {column[4], column[5], column[6]}; }

    void set(const PackVec3& velocity, const PackVec3& surface) {
        column[0] = velocity.x.raw, column[1] = velocity.y.raw, column[2] = velocity.z.raw;
        column[4] = surface.x.raw, column[5] = surface.y.raw, column[6] = surface.z.raw;
    }
};

inline Bodies gather(const Body* bodies, const std::int32_t* index) {
    Bodies result;
    for (int lane = 0; lane < lanes; ++lane)
        result.column[lane] = *reinterpret_cast<const Pack::Raw*>(bodies + index[lane]);
    transpose(result.column);
    return result;
}

inline void scatter(Bodies& values, Body* bodies, const std::int32_t* index) {
    transpose(values.column);
    for (int lane = 0; lane < lanes; ++lane)
        *reinterpret_cast<Pack::Raw*>(bodies + index[lane]) = values.column[lane];
}

inline PackVec3 load(const double (&from)[3][lanes]) {
    return {Pack::load(from[0]), Pack::load(from[1]), Pack::load(from[2])};
}

inline void store(const PackVec3& value, double (&to)[3][lanes]) {
    value.x.store(to[0]), value.y.store(to[1]), value.z.store(to[2]);
}

inline PackVec3 broadcast(const Vec3& a) { return {Pack(a.x), Pack(a.y), Pack(a.z)}; }

/// -p on `one`, p on `two`.
inline void push(Bodies& one, Bodies& two, const PackVec3& n, const PackVec3& p, Pack kappa) {
    const Pack m1 = one.inverse_mass(), m2 = two.inverse_mass();
    const PackVec3 twist = kappa * cross(n, p);
    one.set(one.velocity() - m1 * p, one.surface() - m1 * twist);
    two.set(two.velocity() + m2 * p, two.surface() - m2 * twist);
}

/// p on `body` from a wall.
inline void push(Bodies& body, const PackVec3& n, const PackVec3& p, Pack kappa) {
    const Pack m = body.inverse_mass();
    body.set(body.velocity() + m * p, body.surface() - m * (kappa * cross(n, p)));
}

inline PackVec3 contact_velocity(const Bodies& one, const Bodies& two, const PackVec3& n) {
    return two.velocity() - one.velocity() - cross(one.surface() + two.surface(), n);
}

inline PackVec3 contact_velocity(const Bodies& body, const WallState& wall, const PackVec3& n) {
    return body.velocity() - broadcast(wall.velocity) - cross(body.surface(), n);
}

/// Bodies come from all over the tile: without this a tile's first touch waits for memory once a body.
constexpr std::size_t prefetch_distance = 6;

inline void prefetch(const Body* bodies, std::span<const ContactBatch> batches, std::size_t current) {
    if (current + prefetch_distance >= batches.size())
        return;
    const ContactBatch& batch = batches[current + prefetch_distance];
    for (int lane = 0; lane < lanes; ++lane) {
        __builtin_prefetch(bodies + batch.first[lane], 1);
        __builtin_prefetch(bodies + batch.second[lane], 1);
    }
}

inline void relax_batch(Body* bodies, ContactBatch& batch, Pack kappa) {
    Bodies one = gather(bodies, batch.first);
    Bodies two = gather(bodies, batch.second);
    const PackVec3 n = load(batch.normal);
    const PackVec3 p = load(batch.impulse);
    const PackVec3 u = contact_velocity(one, two, n);
    const Pack m_n = Pack(1.0) / (one.inverse_mass() + two.inverse_mass());
    const Pack m_t = m_n * (Pack(1.0) / (Pack(1.0) + kappa));
    const PackVec3 relaxed = rigid::relaxed_impulse(p, n, u, Pack::load(batch.closing_speed),
                                                    Pack::load(batch.friction), m_n, m_t);
    store(relaxed, batch.impulse);
    push(one, two, n, relaxed - p, kappa);
    scatter(one, bodies, batch.first);
    scatter(two, bodies, batch.second);
}

inline void relax_wall_batch(Body* bodies, WallBatch& batch, const WallState& wall, Pack kappa) {
    Bodies body = gather(bodies, batch.body);
    const PackVec3 n = broadcast(wall.normal);
    const PackVec3 p = load(batch.impulse);
    const PackVec3 u = contact_velocity(body, wall, n);
    const Pack m_n = Pack(1.0) / (body.inverse_mass() + Pack(wall.inverse_share));
    const Pack m_t = Pack(1.0) / (body.inverse_mass() * (Pack(1.0) + kappa));
    const PackVec3 relaxed = rigid::relaxed_impulse(p, n, u, Pack::load(batch.closing_speed),
                                                    Pack::load(batch.friction), m_n, m_t);
    store(relaxed, batch.impulse);
    push(body, n, relaxed - p, kappa);
    scatter(body, bodies, batch.body);
}

inline void collect(ResidualSums& sums, Pack (&packs)[6], Pack largest) {
    sums.residual = sum_lanes(packs[0]);
    sums.normal = sum_lanes(packs[1]);
    sums.loaded = sum_lanes(packs[2]);
    sums.stress = {sum_lanes(packs[3]), sum_lanes(packs[4]), sum_lanes(packs[5])};
    sums.largest = max_lanes(largest);
}

inline void accumulate(Pack (&packs)[6], Pack& largest, const PackVec3& map, const PackVec3& p,
                       const PackVec3& n) {
    const Pack size = square_root(dot(map, map));
    const Pack p_n = dot(p, n);
    packs[0] += size;
    packs[1] += p_n;
    packs[2] += select(p_n > Pack(0.0), Pack(1.0), Pack(0.0));
    packs[3] += p.x * n.x;
    packs[4] += p.y * n.y;
    packs[5] += p.z * n.z;
    largest = larger(size, largest);
}

} // namespace

void relax(std::span<Body> bodies, std::span<ContactBatch> batches, double kappa) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
        prefetch(bodies.data(), batches, i);
        relax_batch(bodies.data(), batches[i], kappa);
    }
}

void relax_backward(std::span<Body> bodies, std::span<ContactBatch> batches, double kappa) {
    for (std::size_t i = batches.size(); i-- > 0;)
        relax_batch(bodies.data(), batches[i], kappa);
}

void relax_in_order(std::span<Body> bodies, std::span<ContactBatch> batches,
                    std::span<const std::int32_t> order, double kappa) {
    for (const std::int32_t i : order)
        relax_batch(bodies.data(), batches[static_cast<std::size_t>(i)], kappa);
}

void relax_walls(std::span<Body> bodies, std::span<WallBatch> batches, std::span<const WallState> walls,
                 double kappa) {
    for (WallBatch& batch : batches)
        relax_wall_batch(bodies.data(), batch, walls[static_cast<std::size_t>(batch.wall)], kappa);
}

void relax_walls_backward(std::span<Body> bodies, std::span<WallBatch> batches,
                          std::span<const WallState> walls, double kappa) {
    for (std::size_t i = batches.size(); i-- > 0;)
        relax_wall_batch(bodies.data(), batches[i], walls[static_cast<std::size_t>(batches[i].wall)], kappa);
}

void apply(std::span<Body> bodies, std::span<const ContactBatch> batches, double kappa) {
    for (const ContactBatch& batch : batches) {
        Bodies one = gather(bodies.data(), batch.first);
        Bodies two = gather(bodies.data(), batch.second);
        push(one, two, load(batch.normal), load(batch.impulse), kappa);
        scatter(one, bodies.data(), batch.first);
        scatter(two, bodies.data(), batch.second);
    }
}

void apply_walls(std::span<Body> bodies, std::span<const WallBatch> batches, std::span<const WallState> walls,
                 double kappa) {
    for (const WallBatch& batch : batches) {
        Bodies body = gather(bodies.data(), batch.body);
        push(body, broadcast(walls[static_cast<std::size_t>(batch.wall)].normal), load(batch.impulse), kappa);
        scatter(body, bodies.data(), batch.body);
    }
}

ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches) {
    Pack packs[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    Pack largest = 0.0;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        prefetch(bodies.data(), batches, i);
        const ContactBatch& batch = batches[i];
        const Bodies one = gather(bodies.data(), batch.first);
        const Bodies two = gather(bodies.data(), batch.second);
        const PackVec3 n = load(batch.normal);
        const PackVec3 p = load(batch.impulse);
        const PackVec3 u = contact_velocity(one, two, n);
        const Pack m_n = Pack(1.0) / (one.inverse_mass() + two.inverse_mass());
        accumulate(
            packs, largest,
            rigid::natural_map(p, n, u, Pack::load(batch.closing_speed), Pack::load(batch.friction), m_n), p,
            n);
    }
    ResidualSums sums;
    collect(sums, packs, largest);
    return sums;
}

ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls) {
    Pack packs[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    Pack largest = 0.0;
    for (const WallBatch& batch : batches) {
        const WallState& wall = walls[static_cast<std::size_t>(batch.wall)];
        const Bodies body = gather(bodies.data(), batch.body);
        const PackVec3 n = broadcast(wall.normal);
        const PackVec3 p = load(batch.impulse);
        const PackVec3 u = contact_velocity(body, wall, n);
        const Pack m_n = Pack(1.0) / (body.inverse_mass() + Pack(wall.inverse_share));
        accumulate(
            packs, largest,
            rigid::natural_map(p, n, u, Pack::load(batch.closing_speed), Pack::load(batch.friction), m_n), p,
            n);
    }
    ResidualSums sums;
    collect(sums, packs, largest);
    return sums;
}

} // namespace tamp
