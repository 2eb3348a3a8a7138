#include "tamp/io/state_layout.hpp"

#include <algorithm>
#include <cstring>

namespace tamp {

std::vector<Column> columns_of(std::span<const ColumnInfo> columns) {
    std::vector<Column> result;
    std::size_t offset = 0;
    for (const ColumnInfo& column : columns) {
        result.push_back({column.name.c_str(), offset, column.width, column.kind, column.unit.c_str(),
                          column.description.c_str()});
        offset += 8 * column.width;
    }
    return result;
}

std::vector<std::byte> gather(const Column& column, std::span<const std::byte> records,
                              std::size_t record_bytes) {
    const std::size_t count = records.size() / record_bytes, bytes = 8 * column.width;
    std::vector<std::byte> words(count * bytes);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&words[i * bytes], &records[i * record_bytes + column.offset], bytes);
    return words;
}

void scatter(const Column& column, std::span<const std::byte> words, std::span<std::byte> records,
             std::size_t record_bytes) {
    const std::size_t count = records.size() / record_bytes, bytes = 8 * column.width;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&records[i * record_bytes + column.offset], &words[i * bytes], bytes);
}

StateHash data_hash(const StateTables& tables, std::span<const Wall> walls) {
    StateHash hash;
    std::vector<std::uint64_t> row;
    const auto add_rows = [&](std::uint64_t group, std::span<const std::uint64_t> words, std::size_t width) {
        row.resize(1 + width);
        row[0] = group;
        for (std::size_t at = 0; at < words.size(); at += width) {
            std::ranges::copy(words.subspan(at, width), row.begin() + 1);
            hash.add(row);
        }
    };
    add_rows(1, tables.particles.words, tables.particles.row_words());
    add_rows(2, tables.contacts.words, tables.contacts.row_words());
    const WordTable wall_rows = wall_table(walls);
    add_rows(3, wall_rows.words, wall_rows.row_words());
    const WordTable shapes = wall_shape_table(walls);
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (!is_plain(walls[w]))
            add_rows(4 + w, shapes.row(w), shapes.row_words());
    return hash;
}

} // namespace tamp
