#include <algorithm>

#include <fmt/format.h>

#include "dataset_reader.hpp"
#include "tamp/fclib/problem_file.hpp"

namespace tamp::fclib {
namespace {

bool all_in(std::span<const std::int32_t> values, std::int32_t end) {
    return std::ranges::all_of(values, [&](std::int32_t value) { return value >= 0 && value < end; });
}

/// FCLIB's own header says that `p` holds the rows of triplets; CSparse, and with it Siconos, which wrote
/// most files, says columns. Where only one of the two fits the size of the matrix, that one is meant.
void order_triplets(SparseMatrix& matrix) {
    const auto fits = [&](const auto& rows, const auto& columns) {
        return all_in(rows, matrix.rows) && all_in(columns, matrix.columns);
    };
    if (!fits(matrix.index, matrix.pointer) && fits(matrix.pointer, matrix.index))
        std::swap(matrix.index, matrix.pointer);
}

void check_pointers(const DatasetReader& file, const std::string& group, const SparseMatrix& matrix) {
    if (matrix.pointer.front() != 0 ||
        matrix.pointer.back() != static_cast<std::int32_t>(matrix.value.size()) ||
        !std::ranges::is_sorted(matrix.pointer))
        file.fail(fmt::format("{}/p does not lead from 0 to nzmax = {} without steps back. {}", group,
                              matrix.value.size(), write_again));
}

SparseMatrix read_matrix(const DatasetReader& file, const std::string& group) {
    SparseMatrix matrix;
    const std::int32_t room = file.integer(group + "/nzmax"), code = file.integer(group + "/nz");
    matrix.rows = file.integer(group + "/m");
    matrix.columns = file.integer(group + "/n");
    if (room < 0 || matrix.rows <= 0 || matrix.columns <= 0 || code < -2 || code > room)
        file.fail(fmt::format("the sizes of {} make no sense: nzmax = {}, m = {}, n = {}, nz = {}. {}", group,
                              room, matrix.rows, matrix.columns, code, write_again));
    const auto entries = static_cast<std::size_t>(room);
    if (code >= 0) {
        const auto used = static_cast<std::size_t>(code);
        matrix.pointer = file.integers(group + "/p", used, "nz");
        matrix.index = file.integers(group + "/i", used, "nz");
        order_triplets(matrix);
    } else {
        matrix.storage = code == -1 ? Storage::columns : Storage::rows;
        const std::int32_t lines = code == -1 ? matrix.columns : matrix.rows;
        matrix.pointer =
            file.integers(group + "/p", static_cast<std::size_t>(lines) + 1, code == -1 ? "n + 1" : "m + 1");
        matrix.index = file.integers(group + "/i", entries, "nzmax");
    }
    matrix.value = file.reals(group + "/x", entries, "nzmax");
    if (code >= 0) {
        matrix.value.resize(static_cast<std::size_t>(code));
        if (!all_in(matrix.index, matrix.rows) || !all_in(matrix.pointer, matrix.columns))
            file.fail(fmt::format("{}/i or {}/p has an index outside of the {} x {} matrix. {}", group, group,
                                  matrix.rows, matrix.columns, write_again));
    } else {
        check_pointers(file, group, matrix);
        if (!all_in(matrix.index, code == -1 ? matrix.rows : matrix.columns))
            file.fail(fmt::format("{}/i has an index outside of the {} x {} matrix. {}", group, matrix.rows,
                                  matrix.columns, write_again));
    }
    return matrix;
}

void check_square(const DatasetReader& file, const std::string& group, const SparseMatrix& matrix) {
    if (matrix.rows != matrix.columns)
        file.fail(fmt::format("{} is {} x {} and should be square. {}", group, matrix.rows, matrix.columns,
                              write_again));
}

int read_dimension(const DatasetReader& file, const std::string& name, std::int32_t numbers,
                   const std::string& what) {
    const std::int32_t dimension = file.integer(name);
    if (dimension != 2 && dimension != 3)
        file.fail(fmt::format("{} is {}; contacts have 2 or 3 numbers. (Problems with rolling friction, "
                              "which have 5, are not supported.)",
                              name, dimension));
    if (numbers % dimension != 0)
        file.fail(fmt::format("{} are {}, which is no multiple of {} = {}. {}", what, numbers, name,
                              dimension, write_again));
    return dimension;
}

std::vector<double> read_friction(const DatasetReader& file, const std::string& name, std::size_t contacts) {
    std::vector<double> friction = file.reals(name, contacts, "the number of contacts");
    const auto negative = std::ranges::find_if(friction, [](double mu) { return mu < 0; });
    if (negative != friction.end())
        file.fail(fmt::format("{} has a negative friction coefficient, {} of contact {}. Correct it", name,
                              *negative, negative - friction.begin()));
    return friction;
}

Texts read_texts(const DatasetReader& file, const std::string& group) {
    return {file.text(group + "/title"), file.text(group + "/description"), file.text(group + "/math_info")};
}

void refuse_constraints(const DatasetReader& file, const std::string& name) {
    if (file.has(name) && file.integer(name + "/n") > 0)
        file.fail(fmt::format("{} holds constraints that are no contacts (joints), which are not supported. "
                              "Eliminate them and write the problem again",
                              name));
}

GlobalProblem read_global(const DatasetReader& file) {
    const std::string group = "/fclib_global";
    refuse_constraints(file, group + "/G");
    GlobalProblem problem{.mass = read_matrix(file, group + "/M"),
                          .directions = read_matrix(file, group + "/H")};
    check_square(file, group + "/M", problem.mass);
    if (problem.directions.rows != problem.mass.rows)
        file.fail(fmt::format("{0}/H has {1} rows, but {0}/M has {2}. {3}", group, problem.directions.rows,
                              problem.mass.rows, write_again));
    const std::int32_t numbers = problem.directions.columns;
    problem.dimension = read_dimension(file, group + "/spacedim", numbers, "the columns of " + group + "/H");
    const std::string vectors = group + "/vectors";
    problem.free_momentum =
        file.reals(vectors + "/f", static_cast<std::size_t>(problem.mass.rows), "the number of rows of M");
    problem.velocity_shift =
        file.reals(vectors + "/w", static_cast<std::size_t>(numbers), "the number of columns of H");
    problem.friction =
        read_friction(file, vectors + "/mu", static_cast<std::size_t>(numbers / problem.dimension));
    problem.texts = read_texts(file, group + "/info");
    return problem;
}

LocalProblem read_local(const DatasetReader& file) {
    const std::string group = "/fclib_local";
    refuse_constraints(file, group + "/R");
    LocalProblem problem{.delassus = read_matrix(file, group + "/W")};
    check_square(file, group + "/W", problem.delassus);
    const std::int32_t numbers = problem.delassus.rows;
    problem.dimension = read_dimension(file, group + "/spacedim", numbers, "the rows of " + group + "/W");
    const std::string vectors = group + "/vectors";
    problem.free_velocity =
        file.reals(vectors + "/q", static_cast<std::size_t>(numbers), "the number of rows of W");
    problem.friction =
        read_friction(file, vectors + "/mu", static_cast<std::size_t>(numbers / problem.dimension));
    problem.texts = read_texts(file, group + "/info");
    return problem;
}

/// Nothing where a part of it is missing: what others leave out there is no reason not to solve a problem.
std::optional<Solution> read_solution(const DatasetReader& file, const std::string& group,
                                      const ProblemFile& problem) {
    if (!file.has(group + "/u") || !file.has(group + "/r") || (problem.global && !file.has(group + "/v")))
        return {};
    const std::size_t numbers =
        problem.global ? problem.global->velocity_shift.size() : problem.local->free_velocity.size();
    Solution solution;
    if (problem.global)
        solution.body_velocity =
            file.reals(group + "/v", problem.global->free_momentum.size(), "the number of rows of M");
    solution.velocity = file.reals(group + "/u", numbers, "the numbers of all contacts");
    solution.impulse = file.reals(group + "/r", numbers, "the numbers of all contacts");
    return solution;
}

} // namespace

ProblemFile read_problem(const std::string& path) {
    const QuietHdf5 quiet;
    const DatasetReader file(path);
    ProblemFile problem;
    if (file.has("/fclib_global"))
        problem.global = read_global(file);
    if (file.has("/fclib_local"))
        problem.local = read_local(file);
    if (!problem.global && !problem.local)
        file.fail("it has neither a group /fclib_local nor a group /fclib_global. Choose a file in the "
                  "layout of FCLIB, for example one that tamp export wrote");
    if (problem.global && problem.local &&
        (problem.global->contacts() != problem.local->contacts() ||
         problem.global->dimension != problem.local->dimension))
        file.fail(fmt::format("/fclib_global has {} contacts and /fclib_local has {}: these are two "
                              "problems. Write them to two files",
                              problem.global->contacts(), problem.local->contacts()));
    problem.solution = read_solution(file, "/solution", problem);
    for (int k = 1;; ++k) {
        std::optional<Solution> guess = read_solution(file, fmt::format("/guesses/{}", k), problem);
        if (!guess)
            break;
        problem.guesses.push_back(std::move(*guess));
    }
    return problem;
}

} // namespace tamp::fclib
