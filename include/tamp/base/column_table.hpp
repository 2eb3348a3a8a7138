#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// Every number that is carried, sent or stored has 64 bits.
enum class WordKind { real, signed_integer, unsigned_integer };

/// One column of a table: so many numbers a row, and what a reader of a file needs to understand them.
struct ColumnInfo {
    std::string name;
    std::size_t width = 1;
    WordKind kind = WordKind::real;
    std::string unit = "1";
    std::string description{};
    /// Of a contact: changes its sign when the two sides are exchanged, as a force does.
    bool reverses = false;
    /// False: zero in every row, and takes no memory; files have it all the same.
    bool kept = true;

    friend bool operator==(const ColumnInfo&, const ColumnInfo&) = default;
};

/// Numbers of a row of such columns.
std::size_t row_words(std::span<const ColumnInfo> columns);
/// Where the numbers of a column begin in a row; nothing if there is no column of that name.
std::optional<std::size_t> offset_of(std::span<const ColumnInfo> columns, std::string_view name);
/// What is wrong with the names of columns that go into files together: each is one word of a-z, 0-9 and _,
/// and there are no two of a name. Empty if all is well.
std::string name_problem(std::span<const ColumnInfo> columns);

/// Rows one after the other, number by number, as bits: how particles and contacts are sent and saved.
struct WordTable {
    std::vector<ColumnInfo> columns{};
    std::vector<std::uint64_t> words{};

    std::size_t row_words() const { return tamp::row_words(columns); }
    std::size_t rows() const { return words.empty() ? 0 : words.size() / row_words(); }
    std::span<const std::uint64_t> row(std::size_t i) const {
        return std::span(words).subspan(i * row_words(), row_words());
    }

    friend bool operator==(const WordTable&, const WordTable&) = default;
};

/// A row of a contact as seen from its other side.
void reverse(std::span<const ColumnInfo> columns, std::span<std::uint64_t> row);

/// Finds the numbers of the columns `to` in rows of the columns `from`, by name: what a table was written
/// with need not be what is wanted now. Columns that `from` does not have become zero.
class ColumnMatch {
public:
    ColumnMatch() = default;
    ColumnMatch(std::span<const ColumnInfo> from, std::span<const ColumnInfo> to);

    /// `to` has room for a row.
    void copy(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) const;

private:
    struct Part {
        std::size_t from, to, width;
    };
    std::vector<Part> parts_;
};

/// The rows of a table as rows of these columns, whatever columns it was written with.
std::vector<std::uint64_t> matched_rows(const WordTable& table, std::span<const ColumnInfo> columns);

/// A table that is computed with: each column lies by itself. All numbers of a new row are zero.
class ColumnTable {
public:
    ColumnTable() = default;
    explicit ColumnTable(std::vector<ColumnInfo> columns);

    std::span<const ColumnInfo> columns() const { return columns_; }
    std::size_t rows() const { return rows_; }
    std::size_t row_words() const { return row_words_; }
    std::optional<std::size_t> find(std::string_view name) const;

    // The numbers of a column, by its index; none if it is not kept.
    std::span<Vec3> vectors(std::size_t column); ///< of width 3
    std::span<const Vec3> vectors(std::size_t column) const;
    std::span<double> reals(std::size_t column);
    std::span<const double> reals(std::size_t column) const;
    std::span<std::int64_t> integers(std::size_t column) { return data_[column].integers; }
    std::span<const std::int64_t> integers(std::size_t column) const { return data_[column].integers; }

    /// Keeps the rows that stay.
    void resize(std::size_t rows);
    /// So many rows of zeros. The memory is used again, unless it has become much too large.
    void reset(std::size_t rows);
    /// Gives back all memory but that of the first column, the largest. To be reset before it is used again.
    void release_after_first();
    void clear_row(std::size_t row);
    /// Row `order[i]` becomes row i.
    void rearrange(std::span<const std::int32_t> order);
    /// Row `ascending[i]` becomes row i, in place; the other rows go.
    void keep(std::span<const std::int32_t> ascending);

    /// Whether all numbers of a row are zero. Of either sign: see `has_bits`.
    bool is_zero(std::size_t row) const;
    /// Whether any bit is set, also that of -0.0: what such a zero is added to may keep the sign.
    bool has_bits(std::size_t row) const;

    /// A row as bits, column after column.
    void read_row(std::size_t row, std::span<std::uint64_t> to) const;
    void write_row(std::size_t row, std::span<const std::uint64_t> from);

private:
    struct Data { // one of the two is used
        std::vector<double> reals;
        std::vector<std::int64_t> integers;
    };
    bool is_real(std::size_t column) const { return columns_[column].kind == WordKind::real; }
    template <class Action>
    void each_column(Action&& action);
    template <class Action>
    bool any_word(std::size_t row, Action&& action) const;

    std::vector<ColumnInfo> columns_;
    std::vector<Data> data_;
    std::size_t rows_ = 0, row_words_ = 0;
};

} // namespace tamp
