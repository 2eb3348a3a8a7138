#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "tamp/app/commands.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/fclib/gauss_seidel.hpp"
#include "tamp/fclib/problem_file.hpp"

namespace tamp {
namespace {

using fclib::ErrorMeasures;

bool takes_global(const fclib::ProblemFile& file, const SolveOptions& options) {
    const auto missing = [&](const char* name) {
        return InputError(fmt::format("{}: the file has no {} form; leave out --form", options.file, name));
    };
    if (options.form == ProblemForm::global && !file.global)
        throw missing("global");
    if (options.form == ProblemForm::local && !file.local)
        throw missing("local");
    return file.global && options.form != ProblemForm::local;
}

/// A problem of either form, ready to be solved.
struct Task {
    std::optional<fclib::Factorisation> mass{};
    fclib::BlockProblem blocks{};
};

Task make_task(const fclib::ProblemFile& file, bool global, const std::string& path) {
    try {
        Task task;
        if (global) {
            task.mass.emplace(file.global->mass);
            task.blocks = fclib::block_problem(*file.global, *task.mass);
        } else {
            task.blocks = fclib::block_problem(*file.local);
        }
        return task;
    } catch (const fclib::ProblemFault& fault) {
        throw FileError(fmt::format("cannot solve {}: in {}: {}. Correct the problem and write it again.",
                                    path, global ? "/fclib_global" : "/fclib_local", fault.what()));
    }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void print_errors(const char* what, const ErrorMeasures& errors) {
    fmt::print("  {:<22} {:.3e} by Siconos' measure, {:.3e} without units\n", what, errors.siconos,
               errors.unit_free);
}

} // namespace

void solve_command(const Communicator& communicator, const SolveOptions& options) {
    if (communicator.size() > 1)
        throw InputError(fmt::format("tamp solve works on one rank, but was started on {}; start it without "
                                     "mpirun, or with -n 1",
                                     communicator.size()));
    const fclib::ProblemFile file = fclib::read_problem(options.file);
    const bool global = takes_global(file, options);
    const auto begin = std::chrono::steady_clock::now();
    const Task task = make_task(file, global, options.file);
    const double preparation = seconds_since(begin);
    const auto complete = [&](std::span<const double> impulse) {
        std::vector<double> r(impulse.begin(), impulse.end());
        return global ? fclib::with_velocities(*file.global, *task.mass, std::move(r))
                      : fclib::Solution{{}, fclib::contact_velocities(task.blocks, impulse), std::move(r)};
    };
    const auto errors = [&](std::span<const double> impulse) {
        return global ? fclib::global_errors(*file.global, task.blocks, complete(impulse))
                      : fclib::local_errors(task.blocks, impulse);
    };

    const auto solve_begin = std::chrono::steady_clock::now();
    const fclib::SweepResult result = fclib::solve(task.blocks, options.sweeps, errors);
    const double seconds = seconds_since(solve_begin);

    const fclib::Texts& texts = global ? file.global->texts : file.local->texts;
    fmt::print("{}: {}\n", options.file, texts.title.empty() ? "a problem without a title" : texts.title);
    fmt::print("  {:<22} {}, {} contacts in {}-D, {} blocks of W\n", "form", global ? "global" : "local",
               task.blocks.friction.size(), task.blocks.delassus.dimension,
               task.blocks.delassus.column.size());
    // Zeros are a place that many files leave open, not a solution.
    if (file.solution && fclib::norm(file.solution->impulse) > 0)
        print_errors("error of its solution",
                     global ? fclib::global_errors(*file.global, task.blocks, *file.solution)
                            : fclib::local_errors(task.blocks, file.solution->impulse));
    print_errors("error", result.errors);
    fmt::print("  {:<22} {} in {:.3g} s, after {:.3g} s for W\n", "sweeps", result.sweeps, seconds,
               preparation);
    fmt::print("  {:<22} {} open, {} sticking, {} slipping\n", "contacts", result.open, result.sticking,
               result.slipping);
    fmt::print("  {:<22} {}\n", "converged", result.converged ? "yes" : "no");
    if (result.converged && result.errors.unit_free > 100 * options.sweeps.tolerance)
        fmt::print(
            "note: by the units of this problem Siconos' measure asks for little; --unit-free asks for "
            "a small error without units, too\n");
    if (options.write_solution) // with velocities of bodies, if the file has bodies
        fclib::replace_solution(
            options.file, file.global && !global
                              ? fclib::with_velocities(*file.global, fclib::Factorisation(file.global->mass),
                                                       result.impulse)
                              : complete(result.impulse));
    std::fflush(stdout);
    if (!result.converged)
        throw NumericalError(
            fmt::format("{}: not converged to {} after {} sweeps; allow more with --max-sweeps, "
                        "or try another --method",
                        options.file, options.sweeps.tolerance, result.sweeps));
}

} // namespace tamp
