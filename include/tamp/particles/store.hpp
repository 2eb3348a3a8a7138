#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/particles/grain.hpp"
#include "tamp/particles/growth.hpp"

namespace tamp {

struct Sphere {
    Vec3 centre{0, 0, 0};
    double radius = 0;
};

/// The particles of one rank: the owned ones first, sorted by tile, cell and id; copies of others' after
/// them, sorted alike. `body` has one line more, at rest for ever, for the unused lanes of batches.
///
/// A new attribute of particles is one entry of `attributes`: it is sorted, sent, copied, saved and shown
/// with the particle by that.
class ParticleStore {
public:
    ParticleStore(const MaterialTable& materials, int dimension, std::vector<ColumnInfo> attributes = {});

    std::vector<std::uint64_t> id;
    std::vector<std::int32_t> material;
    std::vector<Sphere> sphere;
    std::vector<Vec3> reference; ///< positions when neighbours were last searched
    std::vector<Body> body;
    ColumnTable attributes; ///< what an engine or a protocol asks for beside these
    std::size_t owned = 0;

    std::size_t size() const { return id.size(); }
    std::int32_t null_body() const { return static_cast<std::int32_t>(size()); }
    int dimension() const { return dimension_; }
    /// Held where it is for ever.
    bool is_fixed(std::size_t i) const { return body[i].inverse_mass == 0; }
    /// Zero for particles that are held fixed: they have no energy and no weight.
    double mass(std::size_t i) const { return is_fixed(i) ? 0.0 : 1.0 / body[i].inverse_mass; }
    /// Density times volume, also of particles that are held fixed: cohesion may scale with it.
    double nominal_mass(std::size_t i) const {
        return grain_mass(materials_[material[i]].density, sphere[i].radius, dimension_);
    }

    /// Of translation and rotation.
    double kinetic_energy(std::size_t i) const {
        return 0.5 * mass(i) *
               (dot(body[i].velocity, body[i].velocity) +
                dot(body[i].surface, body[i].surface) / inertia_ratio(dimension_));
    }

    Grain grain(std::size_t i) const;

    /// All that a particle is, exactly as it is: no number is recomputed when a row is read back.
    std::span<const ColumnInfo> columns() const { return columns_; }
    std::size_t row_words() const { return row_words_; }
    void append_row(std::size_t i, std::vector<std::uint64_t>& to) const;

    void resize(std::size_t count);
    void set(std::size_t i, const Grain& grain);
    /// A row of `columns`.
    void set(std::size_t i, std::span<const std::uint64_t> row);
    /// Mass follows; velocity and `surface` stay.
    void set_radius(std::size_t i, double radius);
    /// All particles but those that are held fixed, copies as their owners. They go on turning as they do.
    void grow(const Grown& step);
    /// Particle `order[i]` becomes particle i; those that are not named are dropped.
    void rearrange(std::span<const std::int32_t> order);
    /// Drops all but these. The memory stays for those who come.
    void keep(std::span<const std::int32_t> ascending);

private:
    /// Mass and inverses follow from these.
    void place(std::size_t i, std::int32_t of_material, const Sphere& at, const Vec3& velocity,
               const Vec3& surface);

    MaterialTable materials_;
    int dimension_;
    std::vector<ColumnInfo> columns_;
    std::size_t row_words_ = 0;
};

} // namespace tamp
