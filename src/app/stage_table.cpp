#include "tamp/app/stage_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <ranges>
#include <stdexcept>

#include <fmt/format.h>

#include "tamp/app/progress.hpp"
#include "tamp/app/series_row.hpp"
#include "tamp/io/safe_file.hpp"

namespace tamp {
namespace {

/// How a stage went; then follow numbers of the series.
const std::vector<ColumnInfo> first_columns{
    {.name = "stage", .unit = "1", .description = "Number of the stage, from 1"},
    {.name = "end", .unit = "1", .description = "Why it ended, see StageEnd"},
    {.name = "time", .unit = "s", .description = "When it ended"},
    {.name = "steps", .unit = "1", .description = "Of the stage"},
    {.name = "sweeps", .unit = "1", .description = "Of the stage"},
    {.name = "capped_steps", .unit = "1", .description = "Of the stage, stopped at solver.max_sweeps"},
    {.name = "seconds", .unit = "s", .description = "Of computing, in the stage"},
};

constexpr std::array described{"volume_fraction", "coordination",   "mechanical_coordination",
                               "rattlers",        "mean_stress",    "unbalanced_force",
                               "unbalanced_load", "kinetic_energy", "largest_overlap"};
constexpr std::array of_walls{"/position", "/stress", "/applied_stress"};

bool is_wanted(const std::string& name) {
    return std::ranges::find(described, name) != described.end() || name.starts_with("bed_") ||
           (name.starts_with("wall/") &&
            std::ranges::any_of(of_walls, [&](const char* end) { return name.ends_with(end); }));
}

/// Names of datasets in one group of a file: neither slash nor space.
std::string column_name(std::string name) {
    std::ranges::replace(name, '/', '.');
    std::ranges::replace(name, ' ', '_');
    return name;
}

/// "wall.lid.stress" in Pa as "wall lid stress [Pa]".
std::string title_of(const ColumnInfo& column) {
    std::string name = column.name;
    std::ranges::replace(name, '.', '/');
    return column_title({name, column.unit, column.description, {}});
}

} // namespace

StageTable::StageTable(const std::vector<Stage>& stages, const std::vector<Quantity>& row) {
    for (const Stage& stage : stages)
        names_.push_back(stage.name);
    table_.columns = first_columns;
    for (const Quantity& quantity : row)
        if (is_wanted(quantity.name))
            table_.columns.push_back({.name = column_name(quantity.name),
                                      .unit = quantity.unit,
                                      .description = quantity.description});
}

void StageTable::restore(const WordTable& saved) {
    const ColumnMatch match(saved.columns, table_.columns);
    table_.words.resize(saved.rows() * table_.row_words());
    for (std::size_t i = 0; i < saved.rows(); ++i)
        match.copy(saved.row(i), std::span(table_.words).subspan(i * table_.row_words(), table_.row_words()));
}

void StageTable::add(std::size_t stage, StageEnd end, const RunSoFar& so_far,
                     const std::vector<Quantity>& row) {
    // Rows of this stage and of later ones are of another course of the run.
    std::size_t kept = 0;
    while (kept < rows() && value(kept, "stage") < static_cast<double>(stage + 1))
        ++kept;
    table_.words.resize(kept * table_.row_words());
    const auto of_stage = [&](const char* column, double so_far_value) {
        double before = 0;
        for (std::size_t i = 0; i < kept; ++i)
            before += value(i, column);
        return so_far_value - before;
    };
    std::vector<double> numbers{static_cast<double>(stage + 1),
                                static_cast<double>(end),
                                so_far.time,
                                of_stage("steps", static_cast<double>(so_far.steps)),
                                of_stage("sweeps", static_cast<double>(so_far.sweeps)),
                                of_stage("capped_steps", static_cast<double>(so_far.capped_steps)),
                                of_stage("seconds", so_far.seconds)};
    for (const Quantity& quantity : row)
        if (is_wanted(quantity.name))
            numbers.push_back(quantity.values.front());
    if (numbers.size() != table_.row_words())
        throw std::logic_error("StageTable: a row of another series");
    for (const double number : numbers)
        table_.words.push_back(std::bit_cast<std::uint64_t>(number));
}

const std::string& StageTable::name(std::size_t row) const {
    static const std::string unknown = "?";
    const auto stage = static_cast<std::size_t>(value(row, "stage"));
    return stage >= 1 && stage <= names_.size() ? names_[stage - 1] : unknown;
}

StageEnd StageTable::end(std::size_t row) const {
    return static_cast<StageEnd>(static_cast<int>(value(row, "end")));
}

double StageTable::value(std::size_t row, const std::string& column) const {
    const auto found = std::ranges::find(table_.columns, column, &ColumnInfo::name);
    if (found == table_.columns.end())
        throw std::logic_error("StageTable: no column " + column);
    return std::bit_cast<double>(table_.row(row)[static_cast<std::size_t>(found - table_.columns.begin())]);
}

namespace {

/// A column of a table for people.
struct TextColumn {
    std::string title;
    std::vector<std::string> cells{};
    bool left = false;

    std::size_t width() const {
        std::size_t widest = title.size();
        for (const std::string& cell : cells)
            widest = std::max(widest, cell.size());
        return widest;
    }
    std::string line(const std::string& cell) const {
        return left ? fmt::format("  {:<{}}", cell, width()) : fmt::format("  {:>{}}", cell, width());
    }
};

constexpr std::string_view applied_end = ".applied_stress";

/// The columns that show the load: of the walls that were pushed, or of the packing if none was.
std::vector<ColumnInfo> load_columns(const StageTable& stages) {
    std::vector<ColumnInfo> found, mean;
    const std::vector<ColumnInfo>& all = stages.saved().columns;
    for (const ColumnInfo& column : all) {
        if (column.name == "mean_stress")
            mean.push_back(column);
        if (!column.name.ends_with(applied_end))
            continue;
        const std::string wall = column.name.substr(0, column.name.size() - applied_end.size());
        bool pushed = false;
        for (std::size_t i = 0; i < stages.rows(); ++i)
            pushed |= stages.value(i, column.name) != 0;
        if (pushed)
            found.push_back(*std::ranges::find(all, wall + ".stress", &ColumnInfo::name));
    }
    return found.empty() ? mean : found;
}

} // namespace

std::string StageTable::text() const {
    if (rows() == 0)
        return {};
    std::vector<TextColumn> columns;
    const auto add = [&](const std::string& title, bool left, auto&& cell) {
        TextColumn& column = columns.emplace_back(title);
        column.left = left;
        for (std::size_t i = 0; i < rows(); ++i)
            column.cells.push_back(cell(i));
    };
    const auto add_number = [&](const std::string& title, const std::string& column, const char* format) {
        add(title, false, [&](std::size_t i) { return fmt::format(fmt::runtime(format), value(i, column)); });
    };
    add("stage", true, [&](std::size_t i) { return name(i); });
    add("ended by", true, [&](std::size_t i) { return std::string(text_of(end(i))); });
    add_number("time [s]", "time", "{:.6g}");
    add_number("steps", "steps", "{:.0f}");
    bool sweeps = false; // soft grains have none
    for (std::size_t i = 0; i < rows(); ++i)
        sweeps |= value(i, "sweeps") > 0;
    if (sweeps) {
        add("sweeps a step", false, [&](std::size_t i) {
            return fmt::format("{:.1f}", value(i, "sweeps") / std::max(1.0, value(i, "steps")));
        });
        add_number("capped", "capped_steps", "{:.0f}");
    }
    add_number("fraction", "volume_fraction", "{:.4f}");
    if (std::ranges::count(table_.columns, "bed_volume_fraction", &ColumnInfo::name) > 0)
        add_number("of the bed", "bed_volume_fraction", "{:.4f}");
    add_number("coordination", "coordination", "{:.3f}");
    for (const ColumnInfo& load : load_columns(*this))
        add_number(title_of(load), load.name, "{:.5g}");
    add_number("unbalanced force", "unbalanced_force", "{:.1e}");
    add("computing", false, [&](std::size_t i) { return duration_text(value(i, "seconds")); });

    std::string text;
    for (std::size_t i = 0; i <= rows(); ++i) {
        for (const TextColumn& column : columns)
            text += column.line(i == 0 ? column.title : column.cells[i - 1]);
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

std::string StageTable::csv() const {
    std::string text = "stage,name,ended by";
    for (const ColumnInfo& column : table_.columns | std::views::drop(2))
        fmt::format_to(std::back_inserter(text), ",{}", title_of(column));
    text += '\n';
    for (std::size_t i = 0; i < rows(); ++i) {
        fmt::format_to(std::back_inserter(text), "{},{},{}", value(i, "stage"), name(i), text_of(end(i)));
        for (const std::uint64_t word : table_.row(i) | std::views::drop(2))
            fmt::format_to(std::back_inserter(text), ",{}", std::bit_cast<double>(word));
        text += '\n';
    }
    return text;
}

std::string StageTable::write(const std::string& folder) const {
    const std::string table = csv();
    return write_whole(folder + "/stages.csv", std::as_bytes(std::span(table)));
}

} // namespace tamp
