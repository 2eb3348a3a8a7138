#include "tamp/particles/store.hpp"

namespace tamp {
namespace {

/// Room for `count` values and as many more as may come at the next search: growing then would take twice the
/// room. Memory that is never touched costs nothing.
template <class T>
void reserve_for(std::vector<T>& values, std::size_t count) {
    values.reserve(count + count / 16 + 1); // bodies have one line more
}

template <class T>
void gather(std::vector<T>& values, std::span<const std::int32_t> order) {
    std::vector<T> result;
    reserve_for(result, order.size());
    result.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        result[i] = values[static_cast<std::size_t>(order[i])];
    values.swap(result);
}

template <class T>
void pick(std::vector<T>& values, std::span<const std::int32_t> ascending) {
    for (std::size_t i = 0; i < ascending.size(); ++i)
        values[i] = values[static_cast<std::size_t>(ascending[i])];
}

} // namespace

Traveller ParticleStore::traveller(std::size_t i) const {
    return {id[i], material[i], sphere[i], body[i].velocity, body[i].surface};
}

Grain ParticleStore::grain(std::size_t i) const {
    return {.id = id[i],
            .position = sphere[i].centre,
            .radius = sphere[i].radius,
            .velocity = body[i].velocity,
            .spin = body[i].surface * body[i].inverse_radius,
            .material = material[i]};
}

Traveller ParticleStore::traveller(const Grain& g) const {
    return {g.id, g.material, {g.position, g.radius}, g.velocity, g.spin * g.radius};
}

void ParticleStore::resize(std::size_t count) {
    const auto resize_one = [&](auto& values, std::size_t size) {
        if (values.capacity() < size)
            reserve_for(values, count);
        values.resize(size);
    };
    resize_one(id, count);
    resize_one(material, count);
    resize_one(sphere, count);
    resize_one(reference, count);
    resize_one(body, count + 1);
    body[count] = Body{};
}

void ParticleStore::set(std::size_t i, const Traveller& t) {
    id[i] = t.id;
    material[i] = static_cast<std::int32_t>(t.material);
    sphere[i] = t.sphere;
    body[i] = {t.velocity, 1.0 / nominal_mass(i), t.surface, 1.0 / t.sphere.radius};
    if (materials_[material[i]].fixed)
        body[i].inverse_mass = 0, body[i].velocity = body[i].surface = {0, 0, 0};
}

void ParticleStore::rearrange(std::span<const std::int32_t> order) {
    gather(id, order);
    gather(material, order);
    gather(sphere, order);
    gather(body, order);
    body.push_back(Body{});
    resize(order.size());
}

void ParticleStore::keep(std::span<const std::int32_t> ascending) {
    pick(id, ascending);
    pick(material, ascending);
    pick(sphere, ascending);
    pick(reference, ascending);
    pick(body, ascending);
    resize(ascending.size());
}

} // namespace tamp
