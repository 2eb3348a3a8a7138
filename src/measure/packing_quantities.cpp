#include "tamp/measure/packing_quantities.hpp"

#include <algorithm>
#include <cmath>

#include "tamp/base/fixed_sum.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/measure/extremes.hpp"
#include "tamp/measure/force_balance.hpp"
#include "tamp/measure/tensor.hpp"

namespace tamp {
namespace {

/// What is summed over contacts: a column each.
enum ContactColumn { stress = 0, fabric = 6, normal_force = 12, mobilisation, overlap, column_count };
/// What is counted beside particles and contacts.
enum Count { lonely, dangling, sliding, made_bonds, held_bonds, count_count };
/// Maxima that bound sums, beside the Extremes.
enum Bound { mobile, height, bound_count };

/// Coordinate of the wall's point along the axis that its normal is closest to.
double axis_position(const Wall& wall) {
    int axis = 0;
    for (int other = 1; other < 3; ++other)
        if (std::abs(wall.normal[other]) > std::abs(wall.normal[axis]))
            axis = other;
    return wall.point[axis];
}

class Packing {
public:
    Packing(const World& world, const View& view)
        : world_(world), view_(view), dimension_(view.box.dimension),
          volume_(region_volume(view.box, world.walls)), masses_(masses_of(world, view.particles)),
          extremes_(extremes_of(world, view, masses_)) {
        find_bounds();
        count();
        sum_contacts();
        sum_particles();
    }

    std::vector<Quantity> quantities() {
        add_stress();
        add_balance();
        add_structure();
        add_contacts();
        add_energy();
        add_walls();
        return std::move(list_);
    }

private:
    void find_bounds() {
        const ContactView& contacts = view_.contacts;
        for (const double mobilised : contacts.mobilisation)
            raise(bounds_[mobile], mobilised);
        for (std::size_t i = 0; i < view_.particles.size(); ++i)
            raise(bounds_[height], std::abs(potential(i)));
        world_.communicator.max(std::span<double>(bounds_));
    }

    void count() {
        const ContactView& contacts = view_.contacts;
        for (const std::int32_t z : view_.particles.coordination) {
            counts_[lonely] += z == 0;
            counts_[dangling] += z == 1;
        }
        for (std::size_t c = 0; c < contacts.size(); ++c)
            counts_[sliding] += !contacts.with_wall(c) && contacts.sliding(c);
        if (const auto bonds = contacts.history.find("bond"))
            for (const std::int64_t bond : contacts.history.integers(*bonds)) {
                counts_[made_bonds] += bond == 1;
                counts_[held_bonds] += bond == 2;
            }
        world_.communicator.sum(std::span<std::int64_t>(counts_));
    }

    double potential(std::size_t i) const {
        return -masses_[i] * dot(world_.gravity, view_.particles.position[i] - view_.box.lower);
    }

    void sum_contacts() {
        const ContactView& contacts = view_.contacts;
        std::array<double, column_count> largest;
        std::fill_n(largest.begin() + stress, 6, extremes_.force * extremes_.branch);
        std::fill_n(largest.begin() + fabric, 6, 1.0);
        largest[normal_force] = extremes_.force;
        largest[mobilisation] = bounds_[mobile];
        largest[overlap] = extremes_.overlap;
        FixedSums sums(1, largest, extremes_.contacts());
        for (std::size_t c = 0; c < contacts.size(); ++c) {
            const SymmetricTensor moment =
                symmetric_dyad(contacts.force[c], contacts.to[c] - contacts.from[c]);
            for (std::size_t k = 0; k < 6; ++k)
                sums.add(stress + k, 0, moment[k]);
            sums.add(overlap, 0, std::max(0.0, -contacts.gap[c]));
            if (contacts.with_wall(c))
                continue;
            const SymmetricTensor direction = symmetric_dyad(contacts.normal[c], contacts.normal[c]);
            for (std::size_t k = 0; k < 6; ++k)
                sums.add(fabric + k, 0, direction[k]);
            sums.add(normal_force, 0, contacts.normal_force[c]);
            sums.add(mobilisation, 0, contacts.mobilisation[c]);
        }
        world_.communicator.sum(sums.words());
        for (std::size_t k = 0; k < largest.size(); ++k)
            contact_sums_.push_back(sums.value(k));
    }

    /// First the mean velocity, then what is left of the velocities: no difference of large numbers.
    void sum_particles() {
        const double momentum = extremes_.mass * extremes_.speed;
        const std::array<double, 5> first{extremes_.mass, momentum, momentum, momentum, bounds_[height]};
        FixedSums means(1, first, extremes_.particles);
        for (std::size_t i = 0; i < view_.particles.size(); ++i) {
            means.add(0, 0, masses_[i]);
            for (int axis = 0; axis < 3; ++axis)
                means.add(1 + static_cast<std::size_t>(axis), 0,
                          masses_[i] * view_.particles.velocity[i][axis]);
            means.add(4, 0, potential(i));
        }
        world_.communicator.sum(means.words());
        potential_energy_ = means.value(4);
        const double total = means.value(0);
        if (total > 0)
            mean_velocity_ = Vec3{means.value(1), means.value(2), means.value(3)} * (1 / total);

        std::array<double, 6> second;
        second.fill(4 * momentum * extremes_.speed);
        FixedSums squares(1, second, extremes_.particles);
        for (std::size_t i = 0; i < view_.particles.size(); ++i) {
            const Vec3 v = view_.particles.velocity[i] - mean_velocity_;
            const SymmetricTensor dyad = symmetric_dyad(v, v);
            for (std::size_t k = 0; k < 6; ++k)
                squares.add(k, 0, masses_[i] * dyad[k]);
        }
        world_.communicator.sum(squares.words());
        for (std::size_t k = 0; k < 6; ++k)
            kinetic_stress_[k] = squares.value(k) / volume_;
    }

    void add(std::string name, const char* unit, std::string description, double value) {
        list_.push_back({std::move(name), unit, std::move(description), {value}});
    }

    static double per(double sum, std::int64_t number) {
        return number > 0 ? sum / static_cast<double>(number) : 0.0;
    }

    void add_tensor(const std::string& name, const char* unit, const std::string& description,
                    const SymmetricTensor& t) {
        for (std::size_t k = 0; k < 6; ++k)
            if (dimension_ == 3 || k == 0 || k == 1 || k == 3)
                add(name + "_" + tensor_components[k], unit, description, t[k]);
    }

    void add_stress() {
        SymmetricTensor contact, total;
        for (std::size_t k = 0; k < 6; ++k) {
            contact[k] = contact_sums_[stress + k] / volume_;
            total[k] = contact[k] + kinetic_stress_[k];
        }
        const char* unit = stress_unit(dimension_);
        add_tensor("contact_stress", unit,
                   "force times branch over all contacts, walls included, per volume between the walls; "
                   "positive in compression; branches as at the start of the step, when forces were found",
                   contact);
        add_tensor("kinetic_stress", unit,
                   "mass times velocities relative to the mean velocity, per volume between the walls",
                   kinetic_stress_);
        add("mean_stress", unit, "mean of the normal components of contact and kinetic stress together",
            mean_of(total, dimension_));
        add("stress_deviator", unit,
            dimension_ == 3 ? "sqrt(3/2 s:s) of contact and kinetic stress together"
                            : "half the difference of the principal values of contact and kinetic stress",
            deviator_of(total, dimension_));
    }

    void add_balance() {
        const ForceBalance balance = force_balance(world_, view_);
        add("unbalanced_force", "1",
            "resultant force of particles with two contacts or more, root mean square, over the mean contact "
            "force; 1 if there are none",
            balance.particles);
        add("unbalanced_load", "1",
            "the worse of: force on a free wall less the applied one, over the applied one; resultant force "
            "of all particles together over the largest load",
            balance.loads);
    }

    void add_structure() {
        SymmetricTensor mean;
        for (std::size_t k = 0; k < 6; ++k)
            mean[k] = per(contact_sums_[fabric + k], extremes_.pairs);
        add_tensor("fabric", "1", "mean of n n over contacts between particles, without walls", mean);
        const std::int64_t ends = 2 * extremes_.pairs + extremes_.walls;
        const std::int64_t rattlers = counts_[lonely] + counts_[dangling];
        add("coordination", "1", "contacts a particle; one between two particles counts for both",
            per(static_cast<double>(ends), extremes_.particles));
        add("mechanical_coordination", "1",
            "contacts a particle of particles with two contacts or more, walls included",
            per(static_cast<double>(ends - counts_[dangling]), extremes_.particles - rattlers));
        add("rattlers", "1", "number of particles with less than two contacts",
            static_cast<double>(rattlers));
    }

    void add_contacts() {
        const std::int64_t number = extremes_.pairs, all = extremes_.contacts();
        add("mean_normal_force", "N", "of contacts between particles",
            per(contact_sums_[normal_force], number));
        add("sliding_share", "1", "of contacts between particles, those at their limit of friction",
            per(static_cast<double>(counts_[sliding]), number));
        add("mean_mobilisation", "1", "tangential force over its limit, mean over contacts between particles",
            per(contact_sums_[mobilisation], number));
        add("mean_overlap", "m", "of all contacts, walls included", per(contact_sums_[overlap], all));
        add("largest_overlap", "m", "of all contacts, walls included", extremes_.overlap);
        if (!world_.setup.materials.has_cohesion())
            return;
        add("cohesive_bonds", "1", "number of contacts under force with a bond, weakened ones included",
            static_cast<double>(counts_[made_bonds] + counts_[held_bonds]));
        add("weakened_bonds", "1", "number of contacts under force whose bond was pulled open",
            static_cast<double>(counts_[made_bonds]));
    }

    void add_energy() {
        add("potential_energy", "J",
            "of weight, zero at the lower corner of the box; meaningless with gravity along a periodic "
            "direction",
            potential_energy_);
        for (int axis = 0; axis < dimension_; ++axis)
            add(std::string("mean_velocity_") + "xyz"[axis], "m/s", "momentum over mass",
                mean_velocity_[axis]);
        add("largest_speed", "m/s", "of a particle", extremes_.speed);
    }

    void add_walls() {
        for (std::size_t w = 0; w < world_.walls.size(); ++w) {
            const Wall& wall = world_.walls[w];
            add_wall_state(w);
            for (int axis = 0; axis < dimension_; ++axis)
                add("wall/" + wall.name + "/force_" + "xyz"[axis], "N", "of the particles on the wall",
                    0.0 + wall.reaction[axis]); // not -0 for an untouched wall
            for (int axis = dimension_ == 3 ? 0 : 2; axis < 3; ++axis)
                add("wall/" + wall.name + "/torque_" + "xyz"[axis], "N m",
                    "of the particles on the wall, about its point (of a wall of the domain: the corner of "
                    "the domain that it touches, lower or upper); particles are where the box has them",
                    0.0 + wall.torque[axis]);
        }
    }

    void add_wall_state(std::size_t w) {
        const Wall& wall = world_.walls[w];
        const std::string name = "wall/" + wall.name + "/";
        add(name + "position", "m",
            "of the wall: coordinate of its point along the axis that its normal is closest to",
            axis_position(wall));
        for (int axis = 0; axis < dimension_; ++axis)
            add(name + "velocity_" + "xyz"[axis], "m/s", "of the wall", wall.velocity[axis]);
        const double area = stress_area(view_.box, world_.walls, w);
        const auto per_area = [&](double force) { return area > 0 ? force / area : 0.0; };
        add(name + "stress", stress_unit(dimension_),
            "of the particles on the wall; positive in compression; 0 if its area is not known",
            per_area(wall.pressing_force()));
        add(name + "applied_stress", stress_unit(dimension_),
            "on the wall; positive in compression; 0 while the wall is not free",
            wall.motion == WallMotion::piston ? per_area(wall.force) : 0.0);
    }

    const World& world_;
    const View& view_;
    int dimension_;
    double volume_;
    std::vector<double> masses_;
    Extremes extremes_;
    std::array<double, bound_count> bounds_{};
    std::array<std::int64_t, count_count> counts_{};
    std::vector<double> contact_sums_;
    SymmetricTensor kinetic_stress_{};
    Vec3 mean_velocity_{0, 0, 0};
    double potential_energy_ = 0;
    std::vector<Quantity> list_;
};

} // namespace

std::vector<Quantity> packing_quantities(const World& world, const View& view) {
    return Packing(world, view).quantities();
}

} // namespace tamp
