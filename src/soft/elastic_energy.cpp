#include "tamp/soft/elastic_energy.hpp"

#include "tamp/base/exact_sum.hpp"
#include "tamp/world/force_geometry.hpp"

namespace tamp::soft {
namespace {

/// Side 1 may be a wall, whose inverse mass and radius are zero.
struct Partner {
    double inverse_mass = 0, inverse_radius = 0;
};

class Energies {
public:
    Energies(const LawTable& laws, const HistoryLayout& layout) : laws_(laws), layout_(layout) {}

    void add(const ColumnTable& history, std::size_t row, int kind, double overlap, const Partner& one,
             const Partner& two) {
        if (!(overlap > 0))
            return;
        const PairLaws& laws = laws_[kind];
        const double radius2 = 1 / two.inverse_radius;
        const double mean = one.inverse_radius > 0 ? 0.5 * (1 / one.inverse_radius + radius2) : radius2;
        const Touch<double> touch{overlap, 0, 1 / (one.inverse_mass + two.inverse_mass),
                                  1 / (one.inverse_radius + two.inverse_radius), mean};
        const double largest = number(history, row, "largest_overlap", layout_.largest_overlap);
        sum_.add(std::visit([&](const auto& normal) { return normal.energy(touch, largest); }, laws.normal));
        sum_.add(laws.cohesion.energy(touch));
        sum_.add(laws.sliding.energy(history.vectors(1)[row]));
        if (layout_.rolling >= 0)
            sum_.add(laws.rolling.energy(history.vectors(*history.find("rolling_spring"))[row]));
        sum_.add(laws.torsion.energy(number(history, row, "torsion_spring", layout_.torsion)));
    }
    ExactSum& sum() { return sum_; }

private:
    static double number(const ColumnTable& history, std::size_t row, const char* name, int word) {
        return word >= 0 ? history.reals(*history.find(name))[row] : 0.0;
    }

    const LawTable& laws_;
    const HistoryLayout& layout_;
    ExactSum sum_;
};

} // namespace

double elastic_energy(const World& world, const LawTable& laws, const HistoryLayout& layout, double age) {
    Energies energies(laws, layout);
    const ForceGeometry geometry(world, age);
    const ParticleStore& store = world.particles;
    const ContactLists& lists = world.lists();
    const auto partner = [&](std::size_t i) {
        return Partner{store.body[i].inverse_mass, store.body[i].inverse_radius};
    };
    for (std::size_t c = 0; c < lists.pairs.size(); ++c) {
        const auto i = static_cast<std::size_t>(lists.pairs.first[c]),
                   j = static_cast<std::size_t>(lists.pairs.second[c]);
        energies.add(lists.pair_history, c, laws.kind(store.material[i], store.material[j]),
                     -geometry.pair(c).gap, partner(i), partner(j));
    }
    for (std::size_t c = 0; c < lists.walls.size(); ++c) {
        const auto i = static_cast<std::size_t>(lists.walls.body[c]);
        const Wall& wall = world.walls[static_cast<std::size_t>(lists.walls.wall[c])];
        energies.add(lists.wall_history, c, laws.kind(wall.material, store.material[i]),
                     -geometry.wall_contact(c).gap, {}, partner(i));
    }
    world.communicator.sum(energies.sum());
    return energies.sum().value();
}

} // namespace tamp::soft
