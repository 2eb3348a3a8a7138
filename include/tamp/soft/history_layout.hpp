#pragma once

#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/materials/material.hpp"

namespace tamp::soft {

/// What soft contacts remember, as words of a row of the contact history: where each column begins. The laws
/// of a case decide which there are; -1: not this one. Batches hold the same words, eight rows side by side.
struct HistoryLayout {
    /// `follow_energy`: for an energy budget.
    explicit HistoryLayout(const MaterialTable& materials, bool follow_energy = false);

    static constexpr int force = 0;  ///< 3 words: on side 2, N; for whoever looks
    static constexpr int spring = 3; ///< 3 words: of sliding, m
    int largest_overlap = -1;
    int rolling = -1; ///< 3 words
    int torsion = -1;
    int slips = -1;         ///< 3 words, of sliding, rolling and torsion: 1 while it slips
    int sliding_force = -1; ///< 3 words: of Walton's friction, N
    int turning = -1;       ///< of Walton's friction
    int dashpots = -1; ///< 8 words: what dashpots bear along the normal, sliding, rolling and in torsion, N
    int words = 6;

    std::vector<ColumnInfo> columns() const;
};

} // namespace tamp::soft
