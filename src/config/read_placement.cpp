#include "read_placement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

/// More would be a slip of the keyboard.
constexpr double most_copies = 1e6;

void read_copies(const Section& section, int dimension, Placement& placement) {
    const auto copies = section.numbers("replicate");
    if (!copies)
        return;
    const auto count = static_cast<std::size_t>(dimension);
    if (dimension != 0 && copies->size() != count && !(copies->size() == 3 && copies->back() == 1)) {
        section.problem("replicate",
                        fmt::format("got {} numbers in {} dimensions; give one for each direction",
                                    copies->size(), dimension));
        return;
    }
    double all = 1;
    for (const double number : *copies) {
        all *= number;
        if (number != std::floor(number)) {
            section.problem("replicate", fmt::format("got {}; give whole numbers of copies", number));
            return;
        }
    }
    if (all > most_copies) {
        section.problem("replicate",
                        fmt::format("asks for {:.3g} copies, more than {:.0g}; use fewer", all, most_copies));
        return;
    }
    for (std::size_t axis = 0; axis < std::min<std::size_t>(3, copies->size()); ++axis)
        placement.copies[axis] = static_cast<std::int64_t>((*copies)[axis]);
}

void read_period(const Section& section, const std::string& path, int dimension, Placement& placement) {
    placement.period = section.vector("period");
    if (placement.copy_count() == 1) {
        if (section.has("period") && !section.has("replicate"))
            section.problem("period", "has no effect without 'replicate'; add that, or remove it");
        return;
    }
    if (!section.has("period") && path.ends_with(".csv"))
        section.problem("replicate",
                        "a table of particles has no box that says how far copies are apart; add "
                        "'period'");
    for (int axis = 0; placement.period && axis < dimension; ++axis)
        if (placement.copies[static_cast<std::size_t>(axis)] > 1 && !((*placement.period)[axis] > 0)) {
            section.problem("period",
                            fmt::format("got {} along {}, where there are copies; give a length > 0",
                                        (*placement.period)[axis], "xyz"[axis]));
            return;
        }
}

void read_turn(const Section& section, int dimension, Placement& placement) {
    assign(placement.degrees, section.number("angle"));
    placement.point = section.vector("point");
    const auto axis = section.numbers("axis");
    if (!axis)
        return;
    if (axis->size() != 3) {
        section.problem("axis", fmt::format("got {} numbers; give three, like [0, 0, 1]", axis->size()));
        return;
    }
    const Vec3 direction{(*axis)[0], (*axis)[1], (*axis)[2]};
    if (direction == Vec3{0, 0, 0})
        section.problem("axis", "has no direction; give another vector than zero");
    else if (dimension == 2 && (direction.x != 0 || direction.y != 0))
        section.problem("axis", "discs can only be turned about z; give [0, 0, 1], or leave it out");
    else
        placement.axis = direction;
}

void read_names(const Section& section, const MaterialTable& materials, GeneratorSettings& generator) {
    if (section.has("materials") && section.has("material"))
        section.problem("materials", "'material' makes all particles of one already; keep one of the two");
    for (const auto& [there, here] : section.words("materials"))
        if (const int index = find_material(section, "materials", here, materials); index >= 0)
            generator.renamed.emplace_back(there, index);
}

} // namespace

void read_placement(const Section& section, int dimension, const MaterialTable& materials,
                    GeneratorSettings& generator) {
    Placement& placement = generator.placement;
    read_copies(section, dimension, placement);
    read_period(section, generator.path, dimension, placement);
    if (section.has("turn"))
        read_turn(section.inner("turn"), dimension, placement);
    assign(placement.shift, section.vector("shift"));
    read_names(section, materials, generator);
    if (generator.take_walls && placement.any())
        section.problem("walls", "walls would stand where the file has them, but its particles are moved; "
                                 "remove this, or shift, turn and replicate");
}

} // namespace tamp
