#include "tamp/base/column_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <set>

namespace tamp {
namespace {

static_assert(sizeof(Vec3) == 3 * sizeof(double));

/// Room for some more rows than there are: the next search may find more. Memory that is never touched costs
/// nothing, growing by doubling does.
constexpr std::size_t room_for(std::size_t values) { return values + values / 8; }

} // namespace

std::size_t row_words(std::span<const ColumnInfo> columns) {
    std::size_t words = 0;
    for (const ColumnInfo& column : columns)
        words += column.width;
    return words;
}

std::optional<std::size_t> offset_of(std::span<const ColumnInfo> columns, std::string_view name) {
    std::size_t offset = 0;
    for (const ColumnInfo& column : columns) {
        if (column.name == name)
            return offset;
        offset += column.width;
    }
    return {};
}

std::string name_problem(std::span<const ColumnInfo> columns) {
    std::set<std::string> known;
    for (const ColumnInfo& column : columns) {
        const bool proper = !column.name.empty() && std::ranges::all_of(column.name, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        });
        if (!proper)
            return "'" + column.name + "' is no name for a column";
        if (!known.insert(column.name).second)
            return "two columns are called '" + column.name + "'";
    }
    return {};
}

void reverse(std::span<const ColumnInfo> columns, std::span<std::uint64_t> row) {
    std::size_t next = 0;
    for (const ColumnInfo& column : columns)
        for (std::size_t k = 0; k < column.width; ++k, ++next)
            if (column.reverses)
                row[next] = column.kind == WordKind::real
                                ? std::bit_cast<std::uint64_t>(-std::bit_cast<double>(row[next]))
                                : 0 - row[next];
}

ColumnMatch::ColumnMatch(std::span<const ColumnInfo> from, std::span<const ColumnInfo> to) {
    std::size_t to_offset = 0;
    for (const ColumnInfo& column : to) {
        std::size_t from_offset = 0;
        for (const ColumnInfo& other : from) {
            if (other.name == column.name && other.width == column.width && other.kind == column.kind)
                parts_.push_back({from_offset, to_offset, column.width});
            from_offset += other.width;
        }
        to_offset += column.width;
    }
}

void ColumnMatch::copy(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) const {
    std::ranges::fill(to, 0);
    for (const Part& part : parts_)
        std::ranges::copy(from.subspan(part.from, part.width), to.subspan(part.to).begin());
}

std::vector<std::uint64_t> matched_rows(const WordTable& table, std::span<const ColumnInfo> columns) {
    const ColumnMatch match(table.columns, columns);
    const std::size_t to = row_words(columns), count = table.rows();
    std::vector<std::uint64_t> rows(count * to);
    for (std::size_t r = 0; r < count; ++r)
        match.copy(table.row(r), std::span(rows).subspan(r * to, to));
    return rows;
}

ColumnTable::ColumnTable(std::vector<ColumnInfo> columns)
    : columns_(std::move(columns)), data_(columns_.size()), row_words_(tamp::row_words(columns_)) {}

/// Those that are kept.
template <class Action>
void ColumnTable::each_column(Action&& action) {
    for (std::size_t k = 0; k < columns_.size(); ++k)
        if (!columns_[k].kept)
            continue;
        else if (is_real(k))
            action(data_[k].reals, columns_[k].width);
        else
            action(data_[k].integers, columns_[k].width);
}

template <class Action>
bool ColumnTable::any_word(std::size_t row, Action&& action) const {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::size_t width = columns_[c].width, begin = row * width;
        if (!columns_[c].kept)
            continue;
        for (std::size_t i = begin; i < begin + width; ++i)
            if (is_real(c) ? action(data_[c].reals[i]) : data_[c].integers[i] != 0)
                return true;
    }
    return false;
}

std::optional<std::size_t> ColumnTable::find(std::string_view name) const {
    const auto found = std::ranges::find(columns_, name, &ColumnInfo::name);
    return found == columns_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - columns_.begin()));
}

std::span<Vec3> ColumnTable::vectors(std::size_t column) {
    assert(columns_[column].width == 3 && is_real(column));
    return {reinterpret_cast<Vec3*>(data_[column].reals.data()), columns_[column].kept ? rows_ : 0};
}
std::span<const Vec3> ColumnTable::vectors(std::size_t column) const {
    assert(columns_[column].width == 3 && is_real(column));
    return {reinterpret_cast<const Vec3*>(data_[column].reals.data()), columns_[column].kept ? rows_ : 0};
}
std::span<double> ColumnTable::reals(std::size_t column) { return data_[column].reals; }
std::span<const double> ColumnTable::reals(std::size_t column) const { return data_[column].reals; }

void ColumnTable::resize(std::size_t rows) {
    rows_ = rows;
    each_column([&](auto& values, std::size_t width) {
        if (values.capacity() < rows * width)
            values.reserve(room_for(rows * width));
        values.resize(rows * width);
    });
}

void ColumnTable::reset(std::size_t rows) {
    rows_ = rows;
    each_column([&](auto& values, std::size_t width) {
        const std::size_t count = rows * width;
        if (values.capacity() < count || values.capacity() > room_for(count) + count / 8) {
            std::remove_reference_t<decltype(values)>().swap(values);
            values.reserve(room_for(count));
        }
        values.assign(count, 0);
    });
}

void ColumnTable::release_after_first() {
    for (std::size_t k = 1; k < data_.size(); ++k)
        data_[k] = {};
    rows_ = 0;
}

void ColumnTable::rearrange(std::span<const std::int32_t> order) {
    rows_ = order.size();
    each_column([&](auto& values, std::size_t width) {
        std::remove_reference_t<decltype(values)> result;
        result.reserve(room_for(rows_ * width));
        for (const std::int32_t row : order)
            for (std::size_t k = 0; k < width; ++k)
                result.push_back(values[static_cast<std::size_t>(row) * width + k]);
        values.swap(result);
    });
}

void ColumnTable::keep(std::span<const std::int32_t> ascending) {
    assert(std::ranges::is_sorted(ascending));
    each_column([&](auto& values, std::size_t width) {
        for (std::size_t i = 0; i < ascending.size(); ++i)
            for (std::size_t k = 0; k < width; ++k)
                values[i * width + k] = values[static_cast<std::size_t>(ascending[i]) * width + k];
    });
    resize(ascending.size());
}

bool ColumnTable::is_zero(std::size_t row) const {
    return !any_word(row, [](double number) { return number != 0; });
}

bool ColumnTable::has_bits(std::size_t row) const {
    return any_word(row, [](double number) { return std::bit_cast<std::uint64_t>(number) != 0; });
}

void ColumnTable::clear_row(std::size_t row) {
    each_column([&](auto& values, std::size_t width) {
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * width), width, 0);
    });
}

void ColumnTable::read_row(std::size_t row, std::span<std::uint64_t> to) const {
    assert(row < rows_ && to.size() == row_words_);
    std::size_t next = 0;
    for (std::size_t c = 0; c < columns_.size(); next += columns_[c++].width) {
        const std::size_t width = columns_[c].width, begin = row * width;
        if (!columns_[c].kept)
            std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(next), width, 0);
        else if (is_real(c))
            std::memcpy(&to[next], &data_[c].reals[begin], 8 * width);
        else
            std::memcpy(&to[next], &data_[c].integers[begin], 8 * width);
    }
}

void ColumnTable::write_row(std::size_t row, std::span<const std::uint64_t> from) {
    assert(row < rows_ && from.size() == row_words_);
    std::size_t next = 0;
    for (std::size_t c = 0; c < columns_.size(); next += columns_[c++].width) {
        const std::size_t width = columns_[c].width, begin = row * width;
        if (columns_[c].kept && is_real(c))
            std::memcpy(&data_[c].reals[begin], &from[next], 8 * width);
        else if (columns_[c].kept)
            std::memcpy(&data_[c].integers[begin], &from[next], 8 * width);
    }
}

} // namespace tamp
