#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/fclib/problem_file.hpp"
#include "tamp/io/collective_file.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/safe_file.hpp"

namespace tamp::fclib {
namespace {

void write_integers(hid_t group, const char* name, std::span<const std::int32_t> values,
                    const char* description) {
    const Hdf5Handle dataset =
        make_dataset(group, name, H5T_STD_I32LE, {.size = {values.size()}}, "1", description);
    hdf5_check(H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

void write_integer(hid_t group, const char* name, std::int32_t value, const char* description) {
    write_integers(group, name, std::span(&value, 1), description);
}

void write_reals(hid_t group, const char* name, std::span<const double> values, const char* unit,
                 const char* description) {
    const Hdf5Handle dataset =
        make_dataset(group, name, H5T_IEEE_F64LE, {.size = {values.size()}}, unit, description);
    hdf5_check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

/// Of fixed length, as readers of FCLIB want it.
void write_text(hid_t group, const char* name, const std::string& text) {
    if (text.empty())
        return;
    const Hdf5Handle type(hdf5_check(H5Tcopy(H5T_C_S1)), H5Tclose),
        space(hdf5_check(H5Screate(H5S_SCALAR)), H5Sclose);
    hdf5_check(H5Tset_size(type, text.size() + 1));
    const Hdf5Handle settings = make_properties(H5P_DATASET_CREATE);
    hdf5_check(H5Pset_obj_track_times(settings, false));
    const Hdf5Handle dataset(
        hdf5_check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT)), H5Dclose);
    hdf5_check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
}

void write_texts(hid_t parent, const Texts& texts) {
    const Hdf5Handle group = make_group(parent, "info");
    write_text(group, "title", texts.title);
    write_text(group, "description", texts.description);
    write_text(group, "math_info", texts.math_info);
}

std::int32_t storage_code(const SparseMatrix& matrix) {
    switch (matrix.storage) {
    case Storage::columns:
        return -1;
    case Storage::rows:
        return -2;
    case Storage::triplets:
        break;
    }
    return static_cast<std::int32_t>(matrix.value.size());
}

void write_matrix(hid_t parent, const char* name, const SparseMatrix& matrix, const char* unit,
                  const char* description) {
    const Hdf5Handle group = make_group(parent, name);
    write_integer(group, "nzmax", static_cast<std::int32_t>(matrix.value.size()), "entries");
    write_integer(group, "m", matrix.rows, "rows");
    write_integer(group, "n", matrix.columns, "columns");
    write_integer(group, "nz", storage_code(matrix), "entries of triplets; -1: by columns; -2: by rows");
    write_integers(group, "p", matrix.pointer, "columns of triplets; else where columns (rows) begin");
    write_integers(group, "i", matrix.index, "rows of triplets and by columns; by rows: columns");
    write_reals(group, "x", matrix.value, unit, description);
}

void write_global(hid_t file, const GlobalProblem& problem) {
    const Hdf5Handle group = make_group(file, "fclib_global");
    write_integer(group, "spacedim", problem.dimension, "numbers of a contact");
    write_matrix(group, "M", problem.mass, "kg, kg m^2", "mass matrix");
    write_matrix(group, "H", problem.directions, "1, m", "from impulses of contacts to those of bodies");
    const Hdf5Handle vectors = make_group(group, "vectors");
    write_reals(vectors, "f", problem.free_momentum, "kg m/s, kg m^2/s", "M times free velocity");
    write_reals(vectors, "w", problem.velocity_shift, "m/s", "added to velocities of contacts");
    write_reals(vectors, "mu", problem.friction, "1", "friction coefficient");
    write_texts(group, problem.texts);
}

void write_local(hid_t file, const LocalProblem& problem) {
    const Hdf5Handle group = make_group(file, "fclib_local");
    write_integer(group, "spacedim", problem.dimension, "numbers of a contact");
    write_matrix(group, "W", problem.delassus, "1/kg", "Delassus operator H^T M^-1 H");
    const Hdf5Handle vectors = make_group(group, "vectors");
    write_reals(vectors, "q", problem.free_velocity, "m/s", "velocities of contacts without impulses");
    write_reals(vectors, "mu", problem.friction, "1", "friction coefficient");
    write_texts(group, problem.texts);
}

void write_solution(hid_t parent, const std::string& name, const Solution& solution) {
    const Hdf5Handle group = make_group(parent, name);
    if (!solution.body_velocity.empty())
        write_reals(group, "v", solution.body_velocity, "m/s, rad/s", "velocities of bodies");
    write_reals(group, "u", solution.velocity, "m/s", "velocities of contacts");
    write_reals(group, "r", solution.impulse, "N s", "impulses of contacts");
}

} // namespace

std::string write_problem(const std::string& path, const ProblemFile& problem) {
    const QuietHdf5 quiet;
    std::vector<std::byte> bytes;
    const std::string failure = problem_of(path, [&] {
        bytes = file_image({}, [&](hid_t file) {
            if (problem.global)
                write_global(file, *problem.global);
            if (problem.local)
                write_local(file, *problem.local);
            if (problem.solution)
                write_solution(file, "solution", *problem.solution);
            if (problem.guesses.empty())
                return;
            const Hdf5Handle guesses = make_group(file, "guesses");
            write_integer(guesses, "number_of_guesses", static_cast<std::int32_t>(problem.guesses.size()),
                          "groups 1, 2, ...");
            for (std::size_t k = 0; k < problem.guesses.size(); ++k)
                write_solution(guesses, fmt::format("{}", k + 1), problem.guesses[k]);
        });
    });
    return failure.empty() ? write_whole(path, bytes) : failure;
}

void replace_solution(const std::string& path, const Solution& solution) {
    const QuietHdf5 quiet;
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file)
        throw FileError(fmt::format("cannot read {} once more. Check the file system.", path));
    std::vector<std::byte> bytes;
    std::string failure = problem_of(path, [&] {
        bytes = file_image(std::as_bytes(std::span(text)), [&](hid_t image) {
            if (H5Lexists(image, "solution", H5P_DEFAULT) > 0)
                hdf5_check(H5Ldelete(image, "solution", H5P_DEFAULT));
            write_solution(image, "solution", solution);
        });
    });
    if (failure.empty())
        failure = write_whole(path, bytes);
    if (!failure.empty())
        throw FileError(failure);
}

} // namespace tamp::fclib
