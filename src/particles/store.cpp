#include "tamp/particles/store.hpp"

namespace tamp {
namespace {

template <class T>
void gather(std::vector<T>& values, std::span<const std::int32_t> order) {
    std::vector<T> result;
    result.reserve(order.size() + 1); // bodies get one line more
    result.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        result[i] = values[static_cast<std::size_t>(order[i])];
    values.swap(result);
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
    id.resize(count);
    material.resize(count);
    sphere.resize(count);
    reference.resize(count);
    body.resize(count + 1);
    body[count] = Body{};
}

void ParticleStore::set(std::size_t i, const Traveller& t) {
    id[i] = t.id;
    material[i] = static_cast<std::int32_t>(t.material);
    sphere[i] = t.sphere;
    const Material& material_of = materials_[static_cast<int>(t.material)];
    const double mass = material_of.density * grain_volume(t.sphere.radius, dimension_);
    body[i] = {t.velocity, 1.0 / mass, t.surface, 1.0 / t.sphere.radius};
    if (material_of.fixed)
        body[i].inverse_mass = 0, body[i].velocity = body[i].surface = {0, 0, 0};
}

void ParticleStore::rearrange(std::span<const std::int32_t> order) {
    gather(id, order);
    gather(material, order);
    gather(sphere, order);
    gather(body, order);
    reference.resize(order.size());
    body.push_back(Body{});
}

} // namespace tamp
