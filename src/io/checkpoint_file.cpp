#include "tamp/io/checkpoint_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <ranges>
#include <type_traits>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/seal.hpp"
#include "tamp/io/table_file.hpp"

namespace tamp {

namespace {

using enum WordKind;

using Displacement = Displacements::Record;
constexpr std::array displacement_table{
    Column{"id", offsetof(Displacement, id), 1, unsigned_integer, "1", "Name of the particle"},
    Column{"last", offsetof(Displacement, last), 3, real, "m", "Where it was seen last"},
    Column{"way", offsetof(Displacement, way), 3, real, "m", "How far it had come"},
};

/// Groups with what an engine saves beyond its world.
constexpr const char* engine_prefix = "engine_";
constexpr std::array words_table{
    Column{"word", 0, 1, signed_integer, "1", "64 bits, as the engine has them"},
};

constexpr const char* stages_name = "stages";

constexpr std::array partition_table{
    Column{"tile", 0, 1, signed_integer, "1", "First tile of each rank, and the number of tiles"},
};

constexpr std::array picture_table{
    Column{"step", offsetof(PictureMoment, step), 1, signed_integer, "1", "When it was drawn last"},
    Column{"stress", offsetof(PictureMoment, stress), 1, real, "Pa", "At that time"},
};

constexpr std::array snapshot_table{
    Column{"step", 0, 1, signed_integer, "1", "Of each snapshot that was written"},
};

constexpr std::array block_ranks_table{
    Column{"ranks", 0, 1, signed_integer, "1", "Of the legs with the block scheme, one after the other"},
};

/// All numbers of a checkpoint by name: the one list that writing and reading share.
template <class Of, class Visit>
void each_number(Of& checkpoint, Visit&& visit) {
    auto& run = checkpoint.run;
    visit("stage", run.stage);
    visit("stage_steps", run.stage_steps);
    visit("stage_begin", run.stage_begin);
    visit("solid_volume", run.solid_volume);
    visit("solid_volume_lost", run.solid_volume_lost);
    visit("kinetic_energy_at_start", run.kinetic_energy_at_start);
    visit("follows_energy", run.follows_energy);
    visit("wall_seconds", run.wall_seconds);
    visit("legs", run.legs);
    visit("failed_writes", run.failed_writes);
    auto& world = checkpoint.world;
    visit("time", world.time);
    visit("time_step", world.last_time_step);
    visit("largest_speed", world.largest_speed);
    visit("skin", world.skin);
    visit("displacement", world.displacement);
    visit("wall_displacement", world.wall_displacement);
    visit("start_smallest_diameter", world.sizes.smallest);
    visit("start_largest_diameter", world.sizes.largest);
    visit("start_mean_diameter", world.sizes.mean);
    visit("start_mean_volume", world.sizes.mean_volume);
    visit("start_count", world.sizes.count);
    auto& totals = world.totals;
    visit("step", totals.steps);
    visit("sweeps", totals.sweeps);
    visit("capped_steps", totals.capped_steps);
    visit("searches", totals.searches);
    visit("balances", totals.balances);
    visit("fast_steps", totals.fast_steps);
    visit("contact_updates", totals.contact_updates);
    visit("largest_overlap", totals.largest_overlap);
    visit("largest_residual", totals.largest_residual);
    visit("residual_sum", totals.residual_sum);
    visit("lost", totals.lost);
    visit("skin_sum", totals.skin_sum);
}

/// Numbers that checkpoints of earlier versions lack.
template <class Of, class Visit>
void each_later_number(Of& checkpoint, Visit&& visit) {
    visit("balanced_since", checkpoint.run.balanced_since);
    visit("calm_since", checkpoint.run.calm_since);
    visit("slow_since", checkpoint.run.slow_since);
    visit("pressed_since", checkpoint.run.pressed_since);
    visit("start_height", checkpoint.run.start_height);
    visit("bed_height", checkpoint.run.bed_height);
    auto& world = checkpoint.world;
    auto& growing = world.sizes.growing;
    visit("start_growing_share", growing.share);
    visit("start_growing_smallest_diameter", growing.smallest);
    visit("start_growing_largest_diameter", growing.largest);
    visit("start_fixed_smallest_diameter", growing.smallest_of_others);
    visit("start_growing_mean_radius", growing.mean_radius);
    visit("start_growing_mean_square", growing.mean_square);
    visit("start_growing_mean_cube", growing.mean_cube);
    visit("growth_rate", world.growth.rate);
    visit("relative_growth_rate", world.growth.relative_rate);
    visit("last_growth_factor", world.last_growth.factor);
    visit("last_growth_addition", world.last_growth.addition);
    visit("grown_factor", world.grown.now.factor);
    visit("grown_addition", world.grown.now.addition);
    visit("grown_factor_at_search", world.grown.at_search.factor);
    visit("grown_addition_at_search", world.grown.at_search.addition);
    visit("grown_factor_at_tiles", world.grown.at_tiles.factor);
    visit("grown_addition_at_tiles", world.grown.at_tiles.addition);
    visit("force_error_sum", world.totals.force_error_sum);
    visit("momentum_resets", world.totals.resets);
    visit("momentum_fallbacks", world.totals.fallbacks);
    visit("shortened_steps", world.totals.shortened_steps);
}

template <class Number>
constexpr WordKind kind_of = std::is_floating_point_v<std::remove_cvref_t<Number>> ? real : signed_integer;

/// The tables of a checkpoint, and the columns that they refer to.
class CheckpointTables {
public:
    /// What all ranks share is written by rank 0.
    CheckpointTables(const Checkpoint& checkpoint, bool first_rank)
        : particle_columns_(columns_of(checkpoint.world.particles.columns)),
          contact_columns_(columns_of(checkpoint.world.contacts.columns)),
          stage_columns_(columns_of(checkpoint.stages.columns)) {
        const auto once = [&](auto span) { return first_rank ? span : decltype(span){}; };
        add("particles", particle_columns_, checkpoint.world.particles);
        add("contacts", contact_columns_, checkpoint.world.contacts);
        tables.push_back(table_of<std::int64_t>("partition", partition_table,
                                                once(std::span(checkpoint.world.partition))));
        tables.push_back(
            table_of<PictureMoment>("pictures", picture_table, once(std::span(checkpoint.pictures))));
        tables.push_back(
            table_of<std::int64_t>("snapshots", snapshot_table, once(std::span(checkpoint.snapshots))));
        tables.push_back(table_of<std::int64_t>("block_ranks", block_ranks_table,
                                                once(std::span(checkpoint.run.block_ranks))));
        for (const SavedWords& saved : checkpoint.engine)
            tables.push_back(table_of<std::int64_t>(engine_prefix + saved.name, words_table,
                                                    once(std::span(saved.words))));
        if (!checkpoint.stages.columns.empty())
            tables.push_back({stages_name, stage_columns_, 8 * checkpoint.stages.row_words(),
                              std::as_bytes(once(std::span(checkpoint.stages.words)))});
        if (checkpoint.follows)
            tables.push_back(
                table_of<Displacement>("displacements", displacement_table, checkpoint.displacements));
    }

    CheckpointTables(const CheckpointTables&) = delete; // the tables refer to it
    CheckpointTables& operator=(const CheckpointTables&) = delete;

    std::vector<Table> tables;

private:
    void add(const char* name, std::span<const Column> columns, const WordTable& table) {
        tables.push_back({name, columns, 8 * table.row_words(), std::as_bytes(std::span(table.words))});
    }

    std::vector<Column> particle_columns_, contact_columns_, stage_columns_;
};

/// Opened by all ranks or by none. Collective.
std::optional<Reader> open_on_all(const Communicator& communicator, const std::string& path,
                                  std::string& problem) {
    std::optional<Reader> reader;
    try {
        reader.emplace(path);
    } catch (const FileError& error) {
        problem = error.what();
    }
    problem = communicator.first_problem(problem);
    return problem.empty() ? std::move(reader) : std::nullopt;
}

/// All data, and what they should be: found by the same code that will read them.
std::string compare_checksums(const Communicator& communicator, const std::string& path,
                              std::span<const Table> tables) {
    std::string problem;
    std::optional<Reader> reader = open_on_all(communicator, path, problem);
    try {
        if (reader)
            for (const Table& table : tables)
                read_table_bytes(communicator, *reader, table.name, table.columns, table.record_bytes);
    } catch (const FileError& error) { // of all ranks
        problem = error.what();
    }
    return problem;
}

/// Small tables, which every rank needs whole.
template <class Record>
std::vector<Record> read_whole(const Reader& reader, const std::string& name,
                               std::span<const Column> columns) {
    return read_table<Record>(Communicator(MPI_COMM_SELF), reader, name, columns);
}

/// A table with any columns, of which the first are `expected`, and some later one is `needed`, if that has a
/// name. Every rank gets a share. Collective.
WordTable read_word_table(const Communicator& communicator, const Reader& reader, const std::string& name,
                          std::span<const ColumnInfo> expected, const std::string& needed = {}) {
    WordTable table;
    std::string problem;
    try {
        table.columns = reader.columns_in(name);
        reader.check_columns(name, table.columns, expected);
        if (!needed.empty() && !offset_of(table.columns, needed))
            reader.damaged(fmt::format("no dataset /{}/{}", name, needed));
    } catch (const FileError& error) {
        problem = error.what();
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    const auto bytes =
        read_table_bytes(communicator, reader, name, columns_of(table.columns), 8 * table.row_words());
    table.words.resize(bytes.size() / 8);
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(table.words)).begin());
    return table;
}

/// What every rank reads alike. Throws on the rank where it fails.
Checkpoint read_head(const Reader& reader, const std::string& path) {
    reader.check_format(checkpoint_format, checkpoint_format_version, "a checkpoint of tamp");
    // Its seal was compared when the file was opened, if it has one.
    if (!has_seal(path))
        reader.damaged("its end is missing");
    Checkpoint checkpoint;
    std::int64_t ranks = 0;
    reader.text("title", checkpoint.identity.title);
    reader.text("input", checkpoint.identity.input);
    reader.number("seed", unsigned_integer, checkpoint.identity.seed);
    reader.number("ranks", signed_integer, ranks);
    checkpoint.identity.ranks = static_cast<int>(ranks);
    reader.text("case", checkpoint.case_path);
    reader.text("stage_name", checkpoint.stage_name);
    reader.text("state_hash", checkpoint.state_hash);
    each_number(checkpoint, [&](const char* name, auto& number) {
        reader.number(name, kind_of<decltype(number)>, number);
    });
    each_later_number(checkpoint, [&](const char* name, auto& number) {
        if (reader.has(name))
            reader.number(name, kind_of<decltype(number)>, number);
    });
    if (reader.has("gravity"))
        reader.number("gravity", real, checkpoint.world.gravity.emplace());
    checkpoint.world.walls = reader.walls("walls");
    checkpoint.world.walls_at_search = reader.walls("walls_at_search");
    checkpoint.world.partition = read_whole<std::int64_t>(reader, "partition", partition_table);
    for (const std::string& group : reader.groups_in("/"))
        if (group == stages_name)
            checkpoint.stages = reader.word_table(group, {});
        else if (group.starts_with(engine_prefix))
            checkpoint.engine.push_back({group.substr(std::string_view(engine_prefix).size()),
                                         read_whole<std::int64_t>(reader, group, words_table)});
    checkpoint.pictures = read_whole<PictureMoment>(reader, "pictures", picture_table);
    const auto has = [groups = reader.groups_in("/")](const char* name) {
        return std::ranges::count(groups, name) > 0;
    };
    // Checkpoints of earlier versions do not have these two.
    if (has("snapshots"))
        checkpoint.snapshots = read_whole<std::int64_t>(reader, "snapshots", snapshot_table);
    if (has("block_ranks"))
        checkpoint.run.block_ranks = read_whole<std::int64_t>(reader, "block_ranks", block_ranks_table);
    checkpoint.follows = has("displacements");
    return checkpoint;
}

/// What follows is collective and differs with the tables of the file. Folders that are not shared, and stale
/// caches of network file systems, can show every rank another file of this name.
void refuse_different_files(const Communicator& communicator, const Checkpoint& checkpoint,
                            const std::string& path) {
    const std::string here =
        fmt::format("{} of step {}{}", checkpoint.state_hash, checkpoint.world.totals.steps,
                    checkpoint.follows ? " with displacements" : "");
    std::string of_rank_0 = here, problem;
    communicator.broadcast(of_rank_0);
    if (here != of_rank_0)
        problem = fmt::format("cannot read {}: rank {} finds another state in it ({}) than rank 0 ({}). Keep "
                              "it on a file system that all nodes share.",
                              path, communicator.rank(), here, of_rank_0);
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
}

} // namespace

void write_checkpoint(const Communicator& communicator, const std::string& path,
                      const Checkpoint& checkpoint) {
    const CheckpointTables all(checkpoint, communicator.rank() == 0);
    const std::span<const Table> tables = all.tables;
    const auto make = [&](hid_t file) {
        write_identity(file, checkpoint_format, checkpoint_format_version, checkpoint.identity);
        write_attribute(file, "case", checkpoint.case_path);
        write_attribute(file, "stage_name", checkpoint.stage_name);
        write_attribute(file, "state_hash", checkpoint.state_hash);
        const auto write = [&](const char* name, const auto& number) {
            write_number(file, name, kind_of<decltype(number)>, number);
        };
        each_number(checkpoint, write);
        each_later_number(checkpoint, write);
        if (checkpoint.world.gravity)
            write_number(file, "gravity", real, *checkpoint.world.gravity);
        make_walls(file, "walls", checkpoint.world.walls);
        make_walls(file, "walls_at_search", checkpoint.world.walls_at_search);
    };
    write_tables(communicator, path, tables, make, [&](const std::string& written) {
        return compare_checksums(communicator, written, tables);
    });
}

Checkpoint read_checkpoint(const Communicator& communicator, const std::string& path) {
    const QuietHdf5 quiet;
    std::string problem;
    const std::optional<Reader> reader = open_on_all(communicator, path, problem);
    Checkpoint checkpoint;
    try {
        if (reader)
            checkpoint = read_head(*reader, path);
    } catch (const FileError& error) {
        problem = error.what();
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    refuse_different_files(communicator, checkpoint, path);
    checkpoint.world.particles =
        read_word_table(communicator, *reader, "particles", ParticleStore({}, 3).columns(), "reference");
    checkpoint.world.contacts = read_word_table(communicator, *reader, "contacts", saved_history_key());
    if (checkpoint.follows)
        checkpoint.displacements =
            read_table<Displacement>(communicator, *reader, "displacements", displacement_table);
    return checkpoint;
}

std::string checkpoint_name(std::int64_t step) { return fmt::format("checkpoint-{:08}.h5", step); }

namespace {

/// Files checkpoint-STEP with such an end and a later step than this, the newest one first.
std::vector<std::string> steps_in(const std::string& folder, std::string_view end, std::int64_t after = -1) {
    constexpr std::string_view begin = "checkpoint-";
    std::vector<std::pair<std::int64_t, std::string>> found;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(end) || name.size() <= begin.size() + end.size())
            continue;
        const char *first = name.data() + begin.size(), *last = name.data() + name.size() - end.size();
        std::int64_t step = 0;
        if (const auto [stop, error] = std::from_chars(first, last, step);
            error == std::errc{} && stop == last && step > after)
            found.emplace_back(step, entry.path().string());
    }
    std::ranges::sort(found, std::greater{});
    std::vector<std::string> paths;
    for (const auto& [step, path] : found)
        paths.push_back(path);
    return paths;
}

} // namespace

std::vector<std::string> checkpoints_in(const std::string& folder) { return steps_in(folder, ".h5"); }

std::vector<std::string> checkpoints_after(const std::string& folder, std::int64_t step) {
    return steps_in(folder, ".h5", step);
}

void clean_checkpoints(const std::string& folder, std::size_t kept) {
    std::error_code ignored;
    for (const auto& path : checkpoints_in(folder) | std::views::drop(kept))
        std::filesystem::remove(path, ignored);
    for (const auto& path : steps_in(folder, partial_path(".h5")))
        std::filesystem::remove(path, ignored);
}

} // namespace tamp
