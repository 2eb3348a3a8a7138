#include "tamp/io/table_file.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/seal.hpp"

namespace tamp {

namespace {

constexpr const char* checksum_name = "checksum";

/// Of rows of a dataset, each with its number: parts of several ranks merge.
StateHash checksum_of(std::span<const std::byte> words, std::size_t width, std::size_t first_row) {
    StateHash hash;
    std::vector<std::uint64_t> row(1 + width);
    for (std::size_t at = 0; at < words.size(); at += 8 * width) {
        row[0] = first_row++;
        std::memcpy(&row[1], &words[at], 8 * width);
        hash.add(row);
    }
    return hash;
}

void merge_over_ranks(const Communicator& communicator, std::vector<StateHash>& hashes) {
    std::vector<std::uint64_t> words;
    for (const auto& hash : hashes)
        words.insert(words.end(), hash.words().begin(), hash.words().end());
    communicator.sum(std::span(words));
    for (std::size_t k = 0; k < hashes.size(); ++k)
        hashes[k] = StateHash({words[2 * k], words[2 * k + 1]});
}

std::vector<std::byte> words_of(const Table& table, const Column& column) {
    return gather(column, table.records, table.record_bytes);
}

/// By table and column, the same on every rank. Collective.
std::vector<StateHash> checksums(const Communicator& communicator, std::span<const Table> tables,
                                 std::span<const Slab> slabs) {
    std::vector<StateHash> hashes;
    for (std::size_t t = 0; t < tables.size(); ++t)
        for (const auto& column : tables[t].columns)
            hashes.push_back(checksum_of(words_of(tables[t], column), column.width, slabs[t].begin));
    merge_over_ranks(communicator, hashes);
    return hashes;
}

void make_tables(hid_t file, std::span<const Table> tables, std::span<const Slab> slabs,
                 std::span<const StateHash> hashes) {
    std::size_t next = 0;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const Table& table = tables[t];
        const auto group =
            table.derived ? Hdf5Handle(hdf5_check(H5Gopen2(file, table.name.c_str(), H5P_DEFAULT)), H5Gclose)
                          : make_group(file, table.name);
        std::vector<const char*> names;
        for (const auto& column : table.columns)
            names.push_back(column.name);
        if (!table.derived)
            write_attribute(group, columns_attribute, fmt::format("{}", fmt::join(names, " ")));
        for (const auto& column : tables[t].columns)
            write_attribute(make_column(group, column, slabs[t].total), checksum_name, hashes[next++].text());
    }
}

/// Every rank writes its slab for itself. Collective transfers gain nothing for whole slabs, took twice as
/// long, and Open MPI's hang when one rank meets a full disk.
void write_slab(hid_t dataset, const Column& column, const Slab& slab, std::span<const std::byte> words) {
    const Hdf5Handle in_file(hdf5_check(H5Dget_space(dataset)), H5Sclose);
    const hsize_t word_count = slab.count * column.width;
    const Hdf5Handle in_memory(hdf5_check(H5Screate_simple(1, &word_count, nullptr)), H5Sclose);
    const hsize_t begin[] = {slab.begin, 0}, count[] = {slab.count, column.width};
    hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin, nullptr, count, nullptr));
    const Hdf5Handle transfer(hdf5_check(H5Pcreate(H5P_DATASET_XFER)), H5Pclose);
    hdf5_check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT));
    hdf5_check(H5Dwrite(dataset, memory_type(column.kind), in_memory, in_file, transfer, words.data()));
}

/// Fills the datasets of one table. Opening one is collective, because it allots its space in the file: every
/// rank opens all, also without records and after a failure.
void fill_table(const std::string& path, hid_t file, const Table& table, const Slab& slab,
                std::string& problem) {
    if (slab.total == 0)
        return;
    for (const auto& column : table.columns) {
        const auto trouble = problem_of(path, [&] {
            const auto name = table.name + "/" + column.name;
            const Hdf5Handle dataset(hdf5_check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
            if (slab.count > 0 && problem.empty())
                write_slab(dataset, column, slab, words_of(table, column));
        });
        if (problem.empty())
            problem = trouble;
    }
}

/// All ranks fill the file that rank 0 prepared. Collective, also when it fails.
std::string fill(const Communicator& communicator, const std::string& path, std::span<const Table> tables,
                 std::span<const Slab> slabs) {
    const auto access = parallel_access(communicator);
    Hdf5Handle file;
    auto problem = problem_of(path, [&] {
        file = Hdf5Handle(hdf5_check(H5Fopen(partial_path(path).c_str(), H5F_ACC_RDWR, access)), H5Fclose);
    });
    agree(communicator, path, problem);
    for (std::size_t t = 0; t < tables.size(); ++t)
        fill_table(path, file, tables[t], slabs[t], problem);
    close_together(communicator, path, file, problem);
    return problem;
}

} // namespace

void write_tables(const Communicator& communicator, const std::string& path, std::span<const Table> tables,
                  const std::function<void(hid_t)>& make,
                  const std::function<std::string(const std::string& path)>& verify) {
    const QuietHdf5 quiet;
    std::vector<Slab> slabs;
    for (const auto& table : tables)
        slabs.push_back(slab_of(communicator, table.records.size() / table.record_bytes));
    const auto hashes = checksums(communicator, tables, slabs);

    // Rank 0 makes the structure in memory and reserves the space for all. What is left to the collective
    // part is to overwrite blocks that exist: HDF5 does not survive a file whose last metadata find no room
    // on the disk.
    std::string problem;
    std::vector<std::byte> image;
    if (communicator.rank() == 0) {
        problem = problem_of(path, [&] {
            image = file_image({}, [&](hid_t file) {
                make(file);
                make_tables(file, tables, slabs, hashes);
            });
        });
        constexpr std::size_t slack = 1 << 16; // gaps that HDF5 leaves between datasets
        auto total = image.size() + slack;
        for (std::size_t t = 0; t < tables.size(); ++t)
            total += slabs[t].total * tables[t].record_bytes;
        if (problem.empty())
            problem = reserve_partial(path, image, total);
    }
    agree(communicator, path, problem);
    agree(communicator, path,
          probe_partial(path)); // a collective open that fails on one rank only would hang

    agree(communicator, path, fill(communicator, path, tables, slabs));
    if (communicator.rank() == 0)
        problem = append_seal(partial_path(path), image.size()); // the data have their checksums
    agree(communicator, path, problem);
    if (verify)
        agree(communicator, path, verify(partial_path(path)));
    if (communicator.rank() == 0)
        problem = publish_partial(path);
    agree(communicator, path, problem);
}

void check_derived(const Reader& reader, const std::string& group, const ColumnInfo& column) {
    const std::vector<std::string> there = reader.datasets_in(group);
    if (std::ranges::find(there, column.name) == there.end())
        return;
    const std::string dataset = group + "/" + column.name;
    const std::size_t rows = reader.shape(dataset).front();
    const auto words = reader.rows(dataset, column.kind, column.width, {0, rows, rows});
    if (checksum_of(words, column.width, 0).text() != reader.attribute_of(dataset, checksum_name))
        reader.damaged(fmt::format("/{} does not match its checksum", dataset));
}

std::vector<std::byte> read_table_bytes(const Communicator& communicator, const Reader& reader,
                                        const std::string& name, std::span<const Column> columns,
                                        std::size_t record_bytes) {
    std::vector<std::byte> records;
    std::vector<StateHash> hashes(columns.size());
    std::vector<std::string> stored(columns.size());
    std::string problem;
    try {
        const auto ranks = static_cast<hsize_t>(communicator.size()),
                   rank = static_cast<hsize_t>(communicator.rank());
        const auto shape = reader.shape(name + "/" + columns.front().name);
        const hsize_t total = shape.empty() ? 0 : shape.front();
        const Slab slab{total * rank / ranks, total * (rank + 1) / ranks - total * rank / ranks, total};
        records.resize(slab.count * record_bytes);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto dataset = name + "/" + columns[k].name;
            const auto words = reader.rows(dataset, columns[k].kind, columns[k].width, slab);
            stored[k] = reader.attribute_of(dataset, checksum_name);
            hashes[k] = checksum_of(words, columns[k].width, slab.begin);
            scatter(columns[k], words, records, record_bytes);
        }
    } catch (const FileError& error) {
        problem = error.what();
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    merge_over_ranks(communicator, hashes);
    try {
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (hashes[k].text() != stored[k])
                reader.damaged(fmt::format("/{}/{} does not match its checksum", name, columns[k].name));
    } catch (const FileError& error) { // of this rank alone, should it see another file than the others
        problem = error.what();
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    return records;
}

} // namespace tamp
