#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/protocol/stage.hpp"

namespace tamp {

/// Of the whole run so far, when a stage ends.
struct RunSoFar {
    double time = 0; ///< s, simulated
    std::int64_t steps = 0;
    std::int64_t sweeps = 0;
    std::int64_t capped_steps = 0;
    double seconds = 0; ///< of computing, all legs
};

/// What each stage came to, a row each: `stages.csv`, the table of the summary and of report.json. A
/// compaction curve without a script. Beside how the stage went it has the numbers of the series that
/// describe a packing.
class StageTable {
public:
    /// `row`: one of the series, for its names and units.
    StageTable(const std::vector<Stage>& stages, const std::vector<Quantity>& row);

    /// Takes the stages of earlier legs over; what they lack is zero.
    void restore(const WordTable& saved);
    const WordTable& saved() const { return table_; }

    /// `so_far` at the end of a stage; the stages before it are in the table. A stage that ended before, and
    /// was made longer, gets its row anew.
    void add(std::size_t stage, StageEnd end, const RunSoFar& so_far, const std::vector<Quantity>& row);

    /// For the summary; empty if no stage has ended.
    std::string text() const;
    /// For Python and spreadsheets: with a head, a line a stage.
    std::string csv() const;
    /// Makes `stages.csv` in the folder; what went wrong, if anything did.
    std::string write(const std::string& folder) const;

    std::size_t rows() const { return table_.rows(); }
    const std::string& name(std::size_t row) const;
    StageEnd end(std::size_t row) const;
    /// By the name of a column.
    double value(std::size_t row, const std::string& column) const;

private:
    std::vector<std::string> names_;
    WordTable table_;
};

} // namespace tamp
