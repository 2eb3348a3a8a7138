#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/laws/rigid/cohesion.hpp"
#include "tamp/laws/rigid/law_set.hpp"

namespace tamp {

/// What the rigid engine remembers of the contacts of a list, by name. A new column is a line in `columns`
/// and, for convenience, a span here.
struct RigidHistory {
    /// The laws in use decide. First the impulse, which is what forces are made of.
    static std::vector<ColumnInfo> columns(const rigid::LawSet& laws);

    explicit RigidHistory(ColumnTable& table);

    std::span<Vec3> impulse;
    std::span<std::int64_t> bond; ///< empty if no law needs it
    std::span<Vec3> torque;       ///< empty if no law needs it

    rigid::Bond last_bond(std::size_t c) const {
        return bond.empty() ? rigid::Bond::none : static_cast<rigid::Bond>(bond[c]);
    }
    void set_bond(std::size_t c, rigid::Bond is) {
        if (!bond.empty())
            bond[c] = static_cast<std::int64_t>(is);
    }
    Vec3 last_torque(std::size_t c) const { return torque.empty() ? Vec3{0, 0, 0} : torque[c]; }
    /// All columns, whoever declared them.
    void forget(std::size_t c) {
        if (only_impulses_)
            impulse[c] = {0, 0, 0};
        else
            table_->clear_row(c);
    }

private:
    ColumnTable* table_;
    bool only_impulses_;
};

} // namespace tamp
