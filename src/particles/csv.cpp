#include "tamp/particles/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tamp/base/errors.hpp"
#include "tamp/base/nearest_name.hpp"
#include "tamp/base/printable.hpp"
#include "tamp/particles/limits.hpp"

namespace tamp {

namespace {

/// The columns that may be there, and where their numbers go.
struct Column {
    const char* name;
    double& (*number)(Grain&); ///< none: not a number
    bool zero_in_plane;        ///< has no meaning for discs
};

constexpr std::array<Column, 12> columns{{
    {"x", [](Grain& grain) -> double& { return grain.position.x; }, false},
    {"y", [](Grain& grain) -> double& { return grain.position.y; }, false},
    {"z", [](Grain& grain) -> double& { return grain.position.z; }, true},
    {"radius", [](Grain& grain) -> double& { return grain.radius; }, false},
    {"diameter", [](Grain& grain) -> double& { return grain.radius; }, false},
    {"vx", [](Grain& grain) -> double& { return grain.velocity.x; }, false},
    {"vy", [](Grain& grain) -> double& { return grain.velocity.y; }, false},
    {"vz", [](Grain& grain) -> double& { return grain.velocity.z; }, true},
    {"wx", [](Grain& grain) -> double& { return grain.spin.x; }, true},
    {"wy", [](Grain& grain) -> double& { return grain.spin.y; }, true},
    {"wz", [](Grain& grain) -> double& { return grain.spin.z; }, false},
    {"material", nullptr, false},
}};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? trimmed(text.substr(1, text.size() - 2)) : text;
}

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(without_quotes(trimmed(line.substr(0, comma))));
        if (comma == line.npos)
            return fields;
        line.remove_prefix(comma + 1);
    }
}

/// std::from_chars takes no '+', tables have it.
std::from_chars_result read_number(std::string_view field, double& value) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-')
        field.remove_prefix(1);
    return std::from_chars(field.data(), field.data() + field.size(), value);
}

class Parser {
public:
    Parser(const std::string& file_name, int dimension, const std::vector<std::string>& material_names)
        : file_name_(file_name), dimension_(dimension), material_names_(material_names) {}

    std::vector<Grain> parse(std::string_view text, int default_material, std::uint64_t first_id) {
        if (text.starts_with("\xef\xbb\xbf")) // the mark that spreadsheets put before UTF-8
            text.remove_prefix(3);
        std::vector<Grain> grains;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view whole_line = text.substr(0, end);
            const std::string_view line = trimmed(whole_line.substr(0, whole_line.find('#')));
            text.remove_prefix(std::min(end + 1, text.size()));
            ++line_;
            if (line.empty())
                continue;
            if (columns_.empty()) {
                read_header(line);
                continue;
            }
            Grain grain;
            grain.id = first_id + grains.size();
            grain.material = default_material;
            read_row(line, grain);
            grains.push_back(grain);
            check_ratio(grain.radius);
        }
        if (columns_.empty())
            throw InputError(fmt::format("{}: no line that names the columns; begin with, for example, {}",
                                         file_name_, example()));
        if (grains.empty())
            throw InputError(
                fmt::format("{}: no particles below the line of names; add a line for each", file_name_));
        return grains;
    }

private:
    void read_header(std::string_view line) {
        for (const std::string_view name : split(line)) {
            const auto column = std::ranges::find(columns, name, &Column::name);
            if (column == columns.end())
                fail_unknown_column(name);
            if (has(column->name))
                fail(fmt::format("column {} is there twice; remove one", name));
            columns_.push_back(&*column);
        }
        for (const char* name : {"x", "y", "z"})
            if (!has(name) && !(dimension_ == 2 && name[0] == 'z'))
                fail(fmt::format("column {} is missing; add it", name));
        if (has("radius") == has("diameter"))
            fail(has("radius") ? "columns radius and diameter are both there; remove one"
                               : "column radius is missing; add it, or diameter");
    }

    void read_row(std::string_view line, Grain& grain) const {
        const std::vector<std::string_view> fields = split(line);
        if (fields.size() != columns_.size())
            fail(fmt::format(
                "{} values for {} columns; give one value a column, with '.' as the decimal point",
                fields.size(), columns_.size()));
        for (std::size_t k = 0; k < fields.size(); ++k)
            read_field(fields[k], *columns_[k], grain);
    }

    void read_field(std::string_view field, const Column& column, Grain& grain) const {
        if (column.number == nullptr) {
            grain.material = material_index(field);
            return;
        }
        double value = 0;
        const auto [end, error] = read_number(field, value);
        const std::string where = fmt::format("column {}: ", column.name);
        if (field.empty())
            fail(where + "no value; write 0 if that is meant");
        if (error == std::errc::result_out_of_range)
            fail(fmt::format("{}{} is beyond the range of numbers; check its exponent", where,
                             in_quotes(field)));
        if (error != std::errc{} || end != field.data() + field.size())
            fail(fmt::format("{}{} is not a number; write it like 1.5e-3, without a unit", where,
                             in_quotes(field)));
        if (!std::isfinite(value))
            fail(fmt::format("{}{} is not finite; give a finite number", where, in_quotes(field)));
        const bool is_size =
            column.name == std::string_view("radius") || column.name == std::string_view("diameter");
        if (is_size && value <= 0)
            fail(fmt::format("{}{} must be > 0, in metres", where, value));
        if (dimension_ == 2 && column.zero_in_plane && value != 0)
            fail(fmt::format("{}{} must be 0 in two dimensions; remove the column or set dimension = 3",
                             where, value));
        column.number(grain) = column.name == std::string_view("diameter") ? value / 2 : value;
    }

    /// Told at the line that makes the sizes of this file differ too much.
    void check_ratio(double radius) {
        if (radius < smallest_.radius)
            smallest_ = {radius, line_};
        if (radius > largest_.radius)
            largest_ = {radius, line_};
        if (largest_.radius > largest_size_ratio * smallest_.radius * (1 + 1e-9))
            fail(fmt::format(
                "diameters must not differ by more than a factor of {}, but the smallest is {:.6g} m "
                "(line {}) and the largest {:.6g} m (line {}); bring them closer together",
                largest_size_ratio, 2 * smallest_.radius, smallest_.line, 2 * largest_.radius,
                largest_.line));
    }

    int material_index(std::string_view name) const {
        const auto found = std::ranges::find(material_names_, name);
        if (found != material_names_.end())
            return static_cast<int>(found - material_names_.begin());
        const std::string nearest = nearest_name(name, material_names_);
        fail(fmt::format("column material: no material {}; {} (known: {})", in_quotes(name),
                         nearest.empty() ? "add a [[material]] of this name to the case"
                                         : fmt::format("did you mean \"{}\"?", nearest),
                         fmt::join(material_names_, ", ")));
    }

    [[noreturn]] void fail_unknown_column(std::string_view name) const {
        double value = 0;
        if (read_number(name, value).ec == std::errc{})
            fail(fmt::format(
                "{} where the names of the columns should be; the first line must be like {}, and not "
                "behind a '#'",
                in_quotes(name), example()));
        if (name.find_first_of(";\t ") != name.npos)
            fail(fmt::format("unknown column {}; separate columns by commas", in_quotes(name)));
        std::vector<std::string> known;
        known.reserve(columns.size());
        for (const Column& column : columns)
            known.emplace_back(column.name);
        const std::string nearest = nearest_name(name, known);
        fail(fmt::format("unknown column {}; {} (known: {})", in_quotes(name),
                         nearest.empty() ? "remove it" : fmt::format("did you mean {}?", nearest),
                         fmt::join(known, ", ")));
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw InputError(printable(fmt::format("{}:{}: {}", file_name_, line_, problem)));
    }

    bool has(std::string_view name) const {
        return std::ranges::any_of(columns_, [&](const Column* column) { return column->name == name; });
    }

    const char* example() const { return dimension_ == 2 ? "\"x, y, radius\"" : "\"x, y, z, radius\""; }

    const std::string& file_name_;
    int dimension_;
    const std::vector<std::string>& material_names_;
    std::vector<const Column*> columns_;
    std::int64_t line_ = 0;

    struct Extreme {
        double radius;
        std::int64_t line;
    };
    Extreme smallest_{std::numeric_limits<double>::infinity(), 0}, largest_{0, 0};
};

} // namespace

std::vector<Grain> parse_grains_csv(std::string_view text, const std::string& file_name, int dimension,
                                    const std::vector<std::string>& material_names, int default_material,
                                    std::uint64_t first_id) {
    return Parser(file_name, dimension, material_names).parse(text, default_material, first_id);
}

} // namespace tamp
