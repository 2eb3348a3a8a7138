#include "tamp/particles/store.hpp"

#include <bit>
#include <cassert>
#include <utility>

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

ParticleStore::ParticleStore(const MaterialTable& materials, int dimension,
                             std::vector<ColumnInfo> attribute_columns)
    : attributes(std::move(attribute_columns)), materials_(materials), dimension_(dimension),
      columns_{{"id", 1, WordKind::unsigned_integer, "1", "Name of the particle for the whole run"},
               {"material", 1, WordKind::signed_integer, "1", "Index in the materials of the input"},
               {"position", 3, WordKind::real, "m", "Centre, not wrapped"},
               {"radius", 1, WordKind::real, "m", "Radius"},
               {"velocity", 3, WordKind::real, "m/s", "Velocity of the centre"},
               {"surface_velocity", 3, WordKind::real, "m/s", "Radius times angular velocity"}} {
    columns_.insert(columns_.end(), attributes.columns().begin(), attributes.columns().end());
    row_words_ = tamp::row_words(columns_);
    body.resize(1);
}

Grain ParticleStore::grain(std::size_t i) const {
    return {.id = id[i],
            .position = sphere[i].centre,
            .radius = sphere[i].radius,
            .velocity = body[i].velocity,
            .spin = body[i].surface * body[i].inverse_radius,
            .material = material[i]};
}

void ParticleStore::append_row(std::size_t i, std::vector<std::uint64_t>& to) const {
    const std::size_t begin = to.size();
    to.resize(begin + row_words_);
    std::uint64_t* next = &to[begin];
    const auto add = [&](auto... numbers) { ((*next++ = std::bit_cast<std::uint64_t>(numbers)), ...); };
    const auto add_vector = [&](const Vec3& v) { add(v.x, v.y, v.z); };
    add(id[i], std::int64_t{material[i]});
    add_vector(sphere[i].centre);
    add(sphere[i].radius);
    add_vector(body[i].velocity);
    add_vector(body[i].surface);
    attributes.read_row(i, {next, attributes.row_words()});
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
    attributes.resize(count);
}

void ParticleStore::set(std::size_t i, const Grain& grain) {
    id[i] = grain.id;
    place(i, static_cast<std::int32_t>(grain.material), {grain.position, grain.radius}, grain.velocity,
          grain.spin * grain.radius);
}

void ParticleStore::set(std::size_t i, std::span<const std::uint64_t> row) {
    assert(i < size() && row.size() == row_words_);
    const auto number = [&](std::size_t k) { return std::bit_cast<double>(row[k]); };
    const auto vector = [&](std::size_t k) { return Vec3{number(k), number(k + 1), number(k + 2)}; };
    id[i] = row[0];
    place(i, static_cast<std::int32_t>(row[1]), {vector(2), number(5)}, vector(6), vector(9));
    attributes.write_row(i, row.last(attributes.row_words()));
}

void ParticleStore::place(std::size_t i, std::int32_t of_material, const Sphere& at, const Vec3& velocity,
                          const Vec3& surface) {
    material[i] = of_material;
    sphere[i] = at;
    const Material& made_of = materials_[of_material];
    const double mass = grain_mass(made_of.density, at.radius, dimension_);
    body[i] = {velocity, 1.0 / mass, surface, 1.0 / at.radius};
    if (made_of.fixed)
        body[i].inverse_mass = 0, body[i].velocity = body[i].surface = {0, 0, 0};
}

void ParticleStore::set_radius(std::size_t i, double radius) {
    sphere[i].radius = radius;
    body[i].inverse_radius = 1.0 / radius;
    if (!is_fixed(i))
        body[i].inverse_mass = 1.0 / nominal_mass(i);
}

void ParticleStore::grow(const Grown& step) {
    for (std::size_t i = 0; i < size(); ++i)
        if (!is_fixed(i)) {
            const double radius = step(sphere[i].radius);
            body[i].surface *= radius * body[i].inverse_radius;
            set_radius(i, radius);
        }
}

void ParticleStore::rearrange(std::span<const std::int32_t> order) {
    gather(id, order);
    gather(material, order);
    gather(sphere, order);
    gather(body, order);
    attributes.rearrange(order);
    body.push_back(Body{});
    resize(order.size());
}

void ParticleStore::keep(std::span<const std::int32_t> ascending) {
    pick(id, ascending);
    pick(material, ascending);
    pick(sphere, ascending);
    pick(reference, ascending);
    pick(body, ascending);
    attributes.keep(ascending);
    resize(ascending.size());
}

} // namespace tamp
