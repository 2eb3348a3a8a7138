#include "tamp/materials/material.hpp"

#include <cmath>
#include <utility>

namespace tamp {

MaterialTable::MaterialTable(std::vector<Material> materials) : materials_(std::move(materials)) {
    friction_.resize(materials_.size() * materials_.size());
    for (int a = 0; a < size(); ++a)
        for (int b = 0; b <= a; ++b)
            set_friction(a, b,
                         a == b ? (*this)[a].friction : std::sqrt((*this)[a].friction * (*this)[b].friction));
}

void MaterialTable::set_friction(int a, int b, double friction) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    friction_[i * materials_.size() + j] = friction;
    friction_[j * materials_.size() + i] = friction;
}

int MaterialTable::find(const std::string& name) const {
    for (int i = 0; i < size(); ++i)
        if ((*this)[i].name == name)
            return i;
    return -1;
}

} // namespace tamp
