#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/collective_file.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

/// A group of a file that all ranks write together: a dataset a column. The ranks hold the rows one after the
/// other, in the order of the ranks.
struct Table {
    std::string name;
    std::span<const Column> columns;
    std::size_t record_bytes;
    std::span<const std::byte> records; ///< of this rank
    bool derived = false; ///< more columns of a table before it, for other programs: tamp does not read them
};
template <class Record>
Table table_of(std::string name, std::span<const Column> columns, std::span<const Record> records) {
    return {std::move(name), columns, sizeof(Record), std::as_bytes(records)};
}

/// Writes a file of tables: aside, with the checksum of every dataset as its attribute, sealed, flushed to
/// the disk and put in its place. `make` adds on rank 0 what the file has besides; `verify` looks at the
/// finished file, on every rank, before it gets its name, and says what is wrong. It appears whole or not at
/// all. Collective; every failure is the same FileError on every rank.
void write_tables(const Communicator& communicator, const std::string& path, std::span<const Table> tables,
                  const std::function<void(hid_t)>& make,
                  const std::function<std::string(const std::string& path)>& verify = {});

/// A dataset of a derived table that does not match its checksum is a FileError; one that is not there is
/// none.
void check_derived(const Reader& reader, const std::string& group, const ColumnInfo& column);

/// The records of a table, dealt out evenly: rank r gets the r-th part. Data that do not match their
/// checksums are a FileError on every rank. Collective.
std::vector<std::byte> read_table_bytes(const Communicator& communicator, const Reader& reader,
                                        const std::string& name, std::span<const Column> columns,
                                        std::size_t record_bytes);
template <class Record>
std::vector<Record> read_table(const Communicator& communicator, const Reader& reader,
                               const std::string& name, std::span<const Column> columns) {
    const auto bytes = read_table_bytes(communicator, reader, name, columns, sizeof(Record));
    std::vector<Record> records(bytes.size() / sizeof(Record));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(records)).begin());
    return records;
}

} // namespace tamp
