#pragma once

#include <string>
#include <vector>

#include "tamp/materials/contact_laws.hpp"

namespace tamp {

struct Material {
    std::string name;
    double density = 0;  ///< kg/m^3 (kg/m^2 for discs)
    double friction = 0; ///< Coulomb coefficient against itself
    bool fixed = false;  ///< particles of it never move

    friend bool operator==(const Material&, const Material&) = default;
};

/// The contact laws of every pair of materials. A pair that is not set has the geometric mean of the two
/// frictions and no other law.
class MaterialTable {
public:
    MaterialTable() = default;
    explicit MaterialTable(std::vector<Material> materials);

    void set(int a, int b, const ContactLaws& laws);
    const ContactLaws& laws(int a, int b) const {
        return laws_[static_cast<std::size_t>(a) * materials_.size() + static_cast<std::size_t>(b)];
    }
    double friction(int a, int b) const { return laws(a, b).friction; }
    const Material& operator[](int index) const { return materials_[static_cast<std::size_t>(index)]; }
    int size() const { return static_cast<int>(materials_.size()); }

    /// Some pair of materials sticks together.
    bool has_cohesion() const;

    /// The index of a name, or -1.
    int find(const std::string& name) const;

private:
    std::vector<Material> materials_;
    std::vector<ContactLaws> laws_;
};

} // namespace tamp
