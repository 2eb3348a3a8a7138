#include "tamp/materials/material.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tamp {

MaterialTable::MaterialTable(std::vector<Material> materials)
    : materials_(std::move(materials)), laws_(materials_.size() * materials_.size()) {
    for (int a = 0; a < size(); ++a)
        for (int b = 0; b <= a; ++b)
            set(a, b,
                {.friction =
                     a == b ? (*this)[a].friction : std::sqrt((*this)[a].friction * (*this)[b].friction)});
}

void MaterialTable::set(int a, int b, const ContactLaws& laws) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    laws_[i * materials_.size() + j] = laws;
    laws_[j * materials_.size() + i] = laws;
}

bool MaterialTable::has_cohesion() const {
    return std::ranges::any_of(laws_, [](const ContactLaws& laws) { return laws.cohesion.value > 0; });
}

int MaterialTable::find(const std::string& name) const {
    for (int i = 0; i < size(); ++i)
        if ((*this)[i].name == name)
            return i;
    return -1;
}

} // namespace tamp
