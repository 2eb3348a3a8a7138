#include "tamp/soft/elastic_energy.hpp"

#include "tamp/base/exact_sum.hpp"
#include "tamp/world/force_geometry.hpp"

namespace tamp::soft {
namespace {

/// Side 1 may be a wall, whose inverse mass and radius are zero.
struct Partner {
    double inverse_mass = 0, inverse_radius = 0;
};

/// The columns that hold energy; empty where no law needs them.
struct Springs {
    std::span<const double> largest_overlap, torsion;
    std::span<const Vec3> sliding, rolling, walton;

    explicit Springs(const ColumnTable& history) : sliding(history.vectors(*history.find("sliding_spring"))) {
        if (const auto column = history.find("largest_overlap"))
            largest_overlap = history.reals(*column);
        if (const auto column = history.find("rolling_spring"))
            rolling = history.vectors(*column);
        if (const auto column = history.find("torsion_spring"))
            torsion = history.reals(*column);
        if (const auto column = history.find("sliding_force"))
            walton = history.vectors(*column);
    }
};

/// Which energy of a contact counts.
enum class Counted {
    given_back, ///< on the way apart; negative where adhesion wins
    in_springs, ///< on the way to where the contact bears no force
};

template <class Normal>
double energy_of(const Normal& law, const Touch<double>& touch, double largest, Counted counted) {
    if constexpr (requires { law.stored(touch, largest); })
        if (counted == Counted::in_springs)
            return law.stored(touch, largest);
    return law.energy(touch, largest);
}

class Energies {
public:
    Energies(const LawTable& laws, Counted counted) : laws_(laws), counted_(counted) {}

    void add(const Springs& springs, std::size_t row, int kind, double overlap, const Partner& one,
             const Partner& two) {
        const PairLaws& laws = laws_[kind];
        const double radius2 = 1 / two.inverse_radius;
        const double mean = one.inverse_radius > 0 ? 0.5 * (1 / one.inverse_radius + radius2) : radius2;
        if (laws.attraction.acts() && counted_ == Counted::given_back) {
            const bool mirror = one.inverse_radius == 0; // a wall, see contact_loads.hpp
            const double distance = 2 * mean - (mirror ? 2 : 1) * overlap;
            sum_.add((mirror ? 0.5 : 1) * laws.attraction.energy(distance, 2 * mean));
        }
        if (!(overlap > 0))
            return;
        const Touch<double> touch{overlap, 0, 1 / (one.inverse_mass + two.inverse_mass),
                                  1 / (one.inverse_radius + two.inverse_radius), mean};
        const double largest = springs.largest_overlap.empty() ? 0.0 : springs.largest_overlap[row];
        sum_.add(std::visit([&](const auto& normal) { return energy_of(normal, touch, largest, counted_); },
                            laws.normal));
        if (counted_ == Counted::given_back)
            sum_.add(laws.cohesion.energy(touch));
        sum_.add(sliding_energy(laws, touch, springs, row));
        if (!springs.rolling.empty())
            sum_.add(laws.rolling.energy(springs.rolling[row]));
        if (!springs.torsion.empty())
            sum_.add(laws.torsion.energy(springs.torsion[row]));
    }
    ExactSum& sum() { return sum_; }

    /// Of Walton's friction it is what the force would give back at its initial stiffness: a lower bound.
    static double sliding_energy(const PairLaws& laws, const Touch<double>& touch, const Springs& springs,
                                 std::size_t row) {
        const double stiffness =
            laws.mindlin.shear_modulus > 0 ? laws.mindlin.constants(touch).stiffness : laws.sliding.stiffness;
        if (laws.sliding_law == SlidingLaw::walton)
            return stiffness > 0 ? 0.5 * dot(springs.walton[row], springs.walton[row]) / stiffness : 0.0;
        return 0.5 * stiffness * dot(springs.sliding[row], springs.sliding[row]);
    }

private:
    const LawTable& laws_;
    Counted counted_;
    ExactSum sum_;
};

double energy_of_contacts(const World& world, const LawTable& laws, double age, Counted counted) {
    Energies energies(laws, counted);
    const ForceGeometry geometry(world, age);
    const ParticleStore& store = world.particles;
    const ContactLists& lists = world.lists();
    const Springs of_pairs(lists.pair_history), of_walls(lists.wall_history);
    const auto partner = [&](std::size_t i) {
        return Partner{store.body[i].inverse_mass, store.body[i].inverse_radius};
    };
    for (std::size_t c = 0; c < lists.pairs.size(); ++c) {
        const auto i = static_cast<std::size_t>(lists.pairs.first[c]),
                   j = static_cast<std::size_t>(lists.pairs.second[c]);
        energies.add(of_pairs, c, laws.kind(store.material[i], store.material[j]), -geometry.pair(c).gap,
                     partner(i), partner(j));
    }
    for (std::size_t c = 0; c < lists.walls.size(); ++c) {
        const auto i = static_cast<std::size_t>(lists.walls.body[c]);
        const Wall& wall = world.walls[static_cast<std::size_t>(lists.walls.wall[c])];
        energies.add(of_walls, c, laws.kind(wall.material, store.material[i]), -geometry.wall_contact(c).gap,
                     {}, partner(i));
    }
    world.communicator.sum(energies.sum());
    return energies.sum().value();
}

} // namespace

double elastic_energy(const World& world, const LawTable& laws, double age) {
    return energy_of_contacts(world, laws, age, Counted::given_back);
}

double spring_energy(const World& world, const LawTable& laws, double age) {
    return energy_of_contacts(world, laws, age, Counted::in_springs);
}

} // namespace tamp::soft
