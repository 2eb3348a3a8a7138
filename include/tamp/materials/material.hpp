#pragma once

#include <string>
#include <vector>

namespace tamp {

struct Material {
    std::string name;
    double density = 0;  ///< kg/m^3 (kg/m^2 for discs)
    double friction = 0; ///< Coulomb coefficient against itself
};

/// Friction of every pair of materials. A pair that is not set has the geometric mean of the two.
class MaterialTable {
public:
    MaterialTable() = default;
    explicit MaterialTable(std::vector<Material> materials);

    void set_friction(int a, int b, double friction);
    double friction(int a, int b) const {
        return friction_[static_cast<std::size_t>(a) * materials_.size() + static_cast<std::size_t>(b)];
    }
    const Material& operator[](int index) const { return materials_[static_cast<std::size_t>(index)]; }
    int size() const { return static_cast<int>(materials_.size()); }

    /// The index of a name, or -1.
    int find(const std::string& name) const;

private:
    std::vector<Material> materials_;
    std::vector<double> friction_;
};

} // namespace tamp
