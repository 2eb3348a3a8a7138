#include <mpi.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "tamp/app/commands.hpp"
#include "tamp/app/report_command.hpp"
#include "tamp/app/stop_signals.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/version.hpp"
#include "tamp/config/keys.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/state_file.hpp"
#include "tamp/mpi/session.hpp"

namespace {

using namespace tamp;

// One rule for all commands: a path that the user names and that cannot be opened, or is a folder in place of
// a file, is a mistake in the input (2), as is any mistake in a case or in a file of particles. A file of
// tamp that is foreign or damaged, and whatever cannot be written, is a file error (3). Besides:
// stopped_early, see run.hpp.
enum ExitCode { success = 0, internal_error = 1, input_error = 2, file_error = 3, numerical_error = 4 };

void add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
    command
        ->add_option("--set", overrides, "KEY=VALUE: replace a value of the case, e.g. solver.tolerance=1e-5")
        ->take_all()
        ->allow_extra_args(false);
}

/// An empty path, perhaps of a variable that is not set, is not taken for none.
CLI::Option* add_path(CLI::App* command, const char* name, std::string& path, const char* help) {
    return command->add_option(name, path, help)->check([](const std::string& text) {
        return text.empty() ? "must not be empty; name a file or folder" : std::string();
    });
}

std::string check_time(const std::string& text) {
    double time = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
    const bool good =
        error == std::errc{} && end == text.data() + text.size() && std::isfinite(time) && time > 0;
    return good ? std::string()
                : fmt::format("'{}' is not a time; give a finite number of seconds above 0", text);
}

template <class Options>
void add_progress(CLI::App* command, Options& options) {
    const std::map<std::string, ProgressStyle> styles{{"auto", ProgressStyle::automatic},
                                                      {"live", ProgressStyle::live},
                                                      {"log", ProgressStyle::log},
                                                      {"none", ProgressStyle::none}};
    command->add_option("--progress", options.progress, "auto, live, log or none")
        ->transform(CLI::CheckedTransformer(styles));
}

template <class Options>
void add_run_options(CLI::App* command, Options& options) {
    add_progress(command, options);
    command
        ->add_option("--until", options.until,
                     "stop, with a checkpoint, after the first step that reaches this time in s; the last "
                     "stage goes on until then")
        ->check(check_time);
}

/// What a user names and cannot be opened is a mistake in the input, in every command; a file that can be
/// opened and is damaged is not.
void refuse_unreadable(const Communicator& communicator, const std::string& path) {
    const std::string problem =
        communicator.first_problem(communicator.rank() == 0 ? opening_problem(path) : std::string());
    if (!problem.empty())
        throw InputError(problem);
}

void add_sweep_options(CLI::App* command, fclib::SweepSettings& settings) {
    const std::map<std::string, fclib::Momentum> methods{{"plain", fclib::Momentum::plain},
                                                         {"ratio", fclib::Momentum::ratio},
                                                         {"nesterov", fclib::Momentum::nesterov}};
    command
        ->add_option("--method", settings.momentum,
                     "momentum of the sweeps: plain, ratio (default) or nesterov")
        ->transform(CLI::CheckedTransformer(methods));
    command->add_option("--tolerance", settings.tolerance, "of the error by Siconos' measure")
        ->check(CLI::Range(1e-16, 1.0))
        ->capture_default_str();
    command->add_option("--max-sweeps", settings.max_sweeps, "give up after so many sweeps")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--unit-free", settings.unit_free,
                      "the error without units must be below the tolerance, too");
}

int run(const Communicator& communicator, const std::vector<std::string>& arguments) {
    CLI::App app{"tamp: dense granular matter by contact dynamics, the same bits on any number of ranks"};
    app.require_subcommand(1);
    app.set_version_flag("--version", fmt::format("tamp {} ({})", version(), revision()));
    app.footer("PETSc options may follow after --, for example: tamp run case.toml -- -log_view");

    RunOptions options;
    ResumeOptions resume_options;
    AdviseOptions advise_options;
    ReportOptions report_options;
    ExportOptions export_options;
    SolveOptions solve_options;
    std::string section, file;
    CLI::App* run = app.add_subcommand("run", "run a case");
    CLI::App* check = app.add_subcommand("check", "check a case without running it");
    for (CLI::App* command : {run, check}) {
        add_path(command, "case", options.case_path, "case file (TOML)")->required();
        add_overrides(command, options.overrides);
    }
    add_path(run, "--output", options.output, "folder for the results (default: output/<name of the case>)");
    CLI::App* resume = app.add_subcommand("resume", "go on from a checkpoint, on any number of ranks");
    add_path(resume, "path", resume_options.path, "checkpoint-STEP.h5, or the folder of a run")->required();
    add_path(resume, "--output", resume_options.output, "another folder for the results from here on");
    resume->add_flag("--force", resume_options.force, "accept --set that changes the physics");
    add_overrides(resume, resume_options.overrides);
    add_run_options(run, options);
    add_run_options(resume, resume_options);
    CLI::App* advise =
        app.add_subcommand("advise", "rigid or soft? measure what a case costs with either engine");
    add_path(advise, "case", advise_options.case_path, "case file (TOML)")->required();
    add_overrides(advise, advise_options.overrides);
    add_progress(advise, advise_options);
    advise->add_option("--seconds", advise_options.seconds, "CPU time to measure with, about")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    CLI::App* info = app.add_subcommand("info", "tell what a file holds, with its state hash");
    add_path(info, "file", file, "a file that tamp wrote")->required();
    CLI::App* keys = app.add_subcommand("keys", "list the keys of a case file");
    keys->add_option("section", section, "only this section");

    CLI::App* report = app.add_subcommand("report", "make one HTML page of a run");
    add_path(report, "folder", report_options.folder, "folder that tamp run wrote to")->required();
    add_path(report, "--output", report_options.output, "the page (default: report.html in the folder)");
    add_path(report, "--movie", report_options.movie,
             "also a movie of the pictures: a .gif, or an .mp4 by ffmpeg");
    report->add_option("--frames", report_options.frames, "most pictures of a name in the page")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();

    CLI::App* write =
        app.add_subcommand("export", "write the contact problem of one step of a case (FCLIB, HDF5)");
    add_path(write, "case", export_options.case_path, "case file (TOML)")->required();
    add_path(write, "--fclib", export_options.file, "the file to write")->required();
    write->add_option("--step", export_options.step, "the step, counted from 1")
        ->required()
        ->check(CLI::PositiveNumber);
    add_overrides(write, export_options.overrides);
    add_progress(write, export_options);
    CLI::App* solve =
        app.add_subcommand("solve", "solve a contact problem with friction from a file (FCLIB)");
    add_path(solve, "file", solve_options.file, "HDF5 file in the layout of FCLIB")->required();
    add_sweep_options(solve, solve_options.sweeps);
    const std::map<std::string, ProblemForm> forms{{"global", ProblemForm::global},
                                                   {"local", ProblemForm::local}};
    solve
        ->add_option("--form", solve_options.form,
                     "global or local, where the file has both (default: global)")
        ->transform(CLI::CheckedTransformer(forms));
    solve->add_flag("--write-solution", solve_options.write_solution,
                    "put the result in the place of the solution in the file");

    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            if (communicator.rank() == 0)
                app.exit(error);
            return success;
        }
        const bool names_a_case = arguments.size() > 1 && arguments[1].ends_with(".toml");
        throw InputError(names_a_case
                             ? fmt::format("a command is missing; did you mean: tamp run {}", arguments[1])
                             : fmt::format("{}; see tamp --help", error.what()));
    }

    if (run->parsed())
        return run_command(communicator, options);
    if (resume->parsed())
        return resume_command(communicator, resume_options);
    if (check->parsed())
        check_command(communicator, options);
    else if (advise->parsed())
        advise_command(communicator, advise_options);
    else if (report->parsed())
        return report_command(communicator, report_options);
    else if (write->parsed())
        export_command(communicator, export_options);
    else if (solve->parsed()) {
        refuse_unreadable(communicator, solve_options.file);
        solve_command(communicator, solve_options);
    } else {
        if (info->parsed())
            refuse_unreadable(communicator, file);
        const std::string text =
            info->parsed() ? describe_state(file) : describe_keys(section); // all ranks: one error
        if (communicator.rank() == 0)
            fmt::print("{}", text);
    }
    return success;
}

int complain(const Communicator& communicator, const char* message, ExitCode code) {
    std::fflush(stdout);
    if (communicator.rank() == 0)
        fmt::print(stderr, "tamp: {}\n", message);
    return code;
}

/// Commands that can be stopped and resumed.
bool is_a_run(int argc, char** argv) {
    const std::string command = argc > 1 ? argv[1] : "";
    return command == "run" || command == "resume";
}

} // namespace

int main(int argc, char** argv) {
    // From the beginning: a signal while MPI starts must not be the end either.
    std::optional<tamp::StopSignals> signals;
    if (is_a_run(argc, argv))
        signals.emplace();
    const tamp::Session session(argc, argv);
    const tamp::Communicator world = session.world();
    // These are thrown by all ranks together.
    try {
        return run(world, session.arguments());
    } catch (const tamp::InputError& error) {
        return complain(world, error.what(), input_error);
    } catch (const tamp::FileError& error) {
        return complain(world, error.what(), file_error);
    } catch (const tamp::NumericalError& error) {
        return complain(world, error.what(), numerical_error);
    } catch (const std::exception& error) {
        // Perhaps on this rank alone: the others would wait for ever.
        fmt::print(stderr, "tamp: rank {}: {}\n", world.rank(), error.what());
        MPI_Abort(world.raw(), internal_error);
    }
    return internal_error;
}
