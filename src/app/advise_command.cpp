#include <optional>

#include <fmt/format.h>

#include "tamp/app/commands.hpp"
#include "tamp/app/engine_trials.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/other_engine.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"

namespace tamp {
namespace {

/// "-" for an engine that cannot run the case.
std::string number(const std::optional<ExpectedCost>& cost, double ExpectedCost::*member) {
    return cost && (*cost).*member > 0 ? fmt::format("{:.4g}", (*cost).*member) : "-";
}

void print_costs(const EngineTrials& trials, int dimension) {
    const auto row = [](const std::string& name, const std::string& rigid, const std::string& soft) {
        fmt::print("  {:<50} {:>10} {:>10}\n", name, rigid, soft);
    };
    row("", "rigid", "soft");
    row("expected time step [s]", number(trials.rigid, &ExpectedCost::time_step),
        number(trials.soft, &ExpectedCost::time_step));
    row("sweeps a step", number(trials.rigid, &ExpectedCost::sweeps), "-");
    row("CPU time of a simulated second [s]", number(trials.rigid, &ExpectedCost::seconds),
        number(trials.soft, &ExpectedCost::seconds));
    row(fmt::format("the same if sweeps grow as N^(2/{}) [000 eq. 1.34]", dimension),
        number(trials.rigid_from_scratch, &ExpectedCost::seconds),
        number(trials.soft, &ExpectedCost::seconds));
}

} // namespace

void advise_command(const Communicator& communicator, const AdviseOptions& options) {
    if (communicator.size() > 1)
        throw InputError(
            fmt::format("tamp advise measures on one rank, but was started on {}; start it without "
                        "mpirun, or with -n 1",
                        communicator.size()));
    const std::string text = read_text(communicator, options.case_path, "case file");
    const Case own = parse_case(text, options.case_path, options.overrides);
    picture_settings(communicator, own, options.case_path);
    const Start start = make_start(communicator, own, options.case_path);
    const OtherEngine other = with_other_engine(text, options.case_path, options.overrides, own, start);
    const bool is_rigid = own.engine == EngineKind::rigid;
    EngineTrials trials(communicator, start, options.seconds, options.progress);
    if (is_rigid || other.settings)
        trials.try_rigid(is_rigid ? own : *other.settings);
    if (!is_rigid || other.settings)
        trials.try_soft(is_rigid ? *other.settings : own);

    fmt::print("{}: {} particles\n", options.case_path, start.grains.size());
    print_costs(trials, own.box.dimension);
    std::optional<EngineCosts> costs;
    if (trials.rigid && trials.soft)
        costs = {*trials.rigid, *trials.rigid_from_scratch, *trials.soft};
    if (costs) {
        const Comparison both = compare(*costs, static_cast<double>(start.grains.size()), own.box.dimension);
        fmt::print(
            "  rigid over soft: {:.4g} to {:.4g}; the latter would be 1 with soft grains {:.3g} times as "
            "stiff, or with {:.3g} particles [000 eq. 1.37]\n",
            both.ratio, both.ratio_from_scratch, both.stiffness_factor, both.particles);
    }
    if (!other.note.empty())
        fmt::print("  {}\n", other.note);
    for (const std::string& note : trials.notes)
        fmt::print("  {}\n", note);
    if (costs)
        fmt::print("{}\n", advice(*costs));
    else
        fmt::print("take engine = \"{}\": the other one cannot run this case, since {}\n",
                   is_rigid ? "rigid" : "soft", other.refusal.substr(0, other.refusal.find('\n')));
}

} // namespace tamp
