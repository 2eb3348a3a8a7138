#!/usr/bin/python3
"""What does the solver of rigid grains cost, and how exact is it? One thing at a time varies around a base case.

    ./tests/bench/solver_study.py [--size quick|normal|large] [--tamp build/tamp] [--folder build/solver-study]

Quick takes two minutes on one core, normal about half an hour, large some hours. All runs use one core, one after the
other. Runs that are finished are kept: the same command goes on where it was stopped. solver_cases.py has the cases.

It prints a table and exponents, and writes study.csv and study.png to the folder. In the table

- sweeps, capped steps, CPU time, force error and overlap are of the whole run, the rest is of its last tenth;
- the load of the floor is the weight and the force on the piston; rms is that of force over load less one;
- a cold start is one step of the settled bed from the places of its grains alone, without a guess of the impulses, until
  it converges; a warm one is the last tenth of the stage that settled it. In a single step CPU time says nothing, and
  the floor need not bear its load: small gaps close first.
"""
import argparse
import csv
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy

import solver_cases
from solver_cases import Case, DIAMETER, Row

# Key of a row, title in the table, format.
COLUMNS = (("study", "varies", ""), ("value", "case", ""), ("particles", "particles", "d"), ("layers", "layers", ".1f"),
           ("steps", "steps", "d"), ("sweeps", "sweeps a step", ".1f"), ("capped", "capped steps", "d"),
           ("cpu", "CPU s", ".2f"), ("cpu_each", "CPU us a grain and step", ".3f"),
           ("force_error", "force error", ".3f"), ("overlap", "largest overlap, d", ".1e"),
           ("floor", "floor over load", ".4f"), ("floor_rms", "its rms", ".4f"), ("fraction", "fraction of the bed", ".4f"), ("coordination", "coordination", ".3f"))


def say(words: str):
    print(words, file=sys.stderr, flush=True)


class Runner:
    """Runs cases on one core, or finds that they were run before."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder
        answer = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True)
        self.version = answer.stdout.strip()
        # The revision does not tell one build with uncommitted changes from another.
        self.identity = f"{self.version} {hashlib.sha256(program.read_bytes()).hexdigest()[:16]}"
        self.core = max(os.sched_getaffinity(0))

    def finished(self, name: str, text: str) -> float | None:
        """CPU seconds of this case, if this program ran it before."""
        folder = self.folder / name
        try:
            cost = json.loads((folder / "cost.json").read_text(encoding="utf-8"))
            same = (folder / "case.toml").read_text(encoding="utf-8") == text and cost["program"] == self.identity
            return cost["cpu_seconds"] if same and (folder / "run" / "report.json").exists() else None
        except FileNotFoundError:
            return None

    def run(self, name: str, text: str) -> float:
        """CPU seconds."""
        before = self.finished(name, text)
        if before is not None:
            return before
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cost.json").unlink(missing_ok=True)
        shutil.rmtree(folder / "run", ignore_errors=True)
        (folder / "case.toml").write_text(text, encoding="utf-8")
        command = ["taskset", "-c", str(self.core), self.program, "run", "case.toml", "--output", "run",
                   "--progress", "none"]
        with open(folder / "log", "w+", encoding="utf-8") as log:
            process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            last_words = "".join(log.readlines()[-12:])
        if process.returncode != 0:
            sys.exit(f"solver_study: tamp ended with exit code {process.returncode}. Its last words:\n{last_words}"
                     f"To see it again: {self.program} run {folder / 'case.toml'}")
        seconds = usage.ru_utime + usage.ru_stime
        cost = {"program": self.identity, "cpu_seconds": seconds}
        (folder / "cost.json").write_text(json.dumps(cost), encoding="utf-8")
        return seconds

    def report(self, name: str) -> dict:
        return json.loads((self.folder / name / "run" / "report.json").read_text(encoding="utf-8"))

    def last_tenth(self, name: str, of_stage: int = 0) -> dict:
        """Columns of the series over the last tenth of the simulated time, or of that of the first stages."""
        with open(self.folder / name / "run" / "series.csv", newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        lines = [line for line in lines if not of_stage or float(line["stage"]) <= of_stage]
        time = numpy.array([float(line["time [s]"]) for line in lines])
        late = time >= 0.9 * time[-1]
        return {key: numpy.array([float(line[key]) for line in lines])[late] for key in lines[0]}


def measure(runner: Runner, name: str, case: Case, cpu: float) -> dict:
    """What a run came to."""
    report, late = runner.report(name), runner.last_tenth(name)
    load = report["weight"] + late.get("wall piston applied stress [Pa]", 0) * case.width**2
    floor = late["force on z- [N]"] / load
    return {"particles": report["particles"], "layers": late["bed height [m]"].mean() / DIAMETER,
            "steps": report["steps"], "sweeps": report["sweeps"] / report["steps"], "capped": report["capped_steps"], "cpu": cpu,
            "cpu_each": 1e6 * cpu / (report["particles"] * report["steps"]),
            "cpu_second": 1e6 * cpu / (report["particles"] * report["simulated_seconds"]),
            "force_error": report["estimated_force_error"]["mean"], "overlap": report["largest_overlap"] / DIAMETER,
            "floor": floor.mean(), "floor_rms": numpy.sqrt(((floor - 1)**2).mean()),
            "fraction": late["bed volume fraction"].mean(), "coordination": late["coordination"].mean(),
            "warm_sweeps": runner.last_tenth(name, 1)["sweeps"].mean()}


def cold_start(runner: Runner, case: Case) -> dict | None:
    """One step of the settled bed of a run."""
    name = f"cold-{case.name}"
    with h5py.File(runner.folder / case.name / "run" / "stage-1-settle.h5") as file:
        table = numpy.column_stack([file["particles/position"][:], file["particles/radius"][:]])
        heights = {wall.decode(): float(point[2]) for wall, point in zip(file["walls/name"][:], file["walls/point"][:])}
        overlap, state_hash = -file["contacts/gap"][:].min(), file.attrs["state_hash"]
    if overlap > solver_cases.START_OVERLAP * DIAMETER:
        say(f"{name}: left out, because grains of the bed overlap by {overlap / DIAMETER:.1e} d")
        return None
    (runner.folder / name).mkdir(parents=True, exist_ok=True)
    numpy.savetxt(runner.folder / name / "bed.csv", table, "%.17g", delimiter=",", header="x,y,z,radius", comments="")
    cpu = runner.run(name, solver_cases.cold_text(case, heights.get("piston"), state_hash))
    return measure(runner, name, case, cpu) | dict.fromkeys(("cpu_each", "cpu_second", "floor", "floor_rms"))


def run_all(runner: Runner, plan: list[Row]) -> list[dict]:
    """A dictionary for each line of the table."""
    cases = list({row.case.name: row.case for row in plan}.values())
    left = [case for case in cases if runner.finished(case.name, solver_cases.text(case)) is None]
    say(f"{len(cases)} runs, {len(cases) - len(left)} of them are there already; core {runner.core}, "
        f"load {os.getloadavg()[0]:.1f}")
    results, expected, taken = {}, 0.0, 0.0
    for case in cases:
        cpu = runner.run(case.name, solver_cases.text(case))
        results[case.name] = one = measure(runner, case.name, case, cpu)
        if case in left:
            left.remove(case)
            expected, taken = expected + case.expected_seconds, taken + cpu
            eta = sum(other.expected_seconds for other in left) * taken / expected
            say(f"{case.name}: {cpu:.1f} s, {one['sweeps']:.1f} sweeps a step; {len(left)} runs left, about "
                f"{eta:.0f} s" + (f" ({eta / 60:.0f} min)" if eta > 120 else ""))
    lines = [{"study": row.study, "value": row.value} | results[row.case.name] for row in plan]
    for row in plan:
        if row.study in ("N", "depth"):
            warm, what = results[row.case.name], f"{row.study} {row.value}"
            lines.append({"study": "start", "value": f"warm, {what}"} | warm | {"sweeps": warm["warm_sweeps"]})
            if cold := cold_start(runner, row.case):
                lines.append({"study": "start", "value": f"cold, {what}"} | cold)
    return lines


def exponent(x, y) -> tuple[float, float, float]:
    """Slope, its standard error and offset of log y against log x, by least squares."""
    x, y = numpy.log(x), numpy.log(y)
    slope, offset = numpy.polyfit(x, y, 1)
    rest = y - slope * x - offset
    error = numpy.sqrt((rest**2).sum() / (len(x) - 2) / ((x - x.mean())**2).sum()) if len(x) > 2 else numpy.nan
    return slope, error, offset


def points(lines: list[dict], study: str, start: str = "") -> list[dict]:
    """The lines over which an exponent is fitted."""
    if not start:
        return [line for line in lines if line["study"] == study]
    return [line for line in lines if line["study"] == "start" and line["value"].startswith(f"{start}, {study}")]


# What is fitted: name, key, start.
FITS = (("sweeps a step", "sweeps", ""), ("sweeps a step of the settled bed (warm)", "sweeps", "warm"),
        ("sweeps of its cold start", "sweeps", "cold"), ("CPU a grain and step", "cpu_each", ""),
        ("CPU a grain and simulated second", "cpu_second", ""))


def tell(lines: list[dict], header: str):
    print(f"{header}\n")
    print("| " + " | ".join(title for _, title, _ in COLUMNS) + " |")
    print("|" + "---|" * len(COLUMNS))
    for line in lines:
        cells = ["" if line[key] is None else format(line[key], form) for key, _, form in COLUMNS]
        print("| " + " | ".join(cells) + " |")
    print("\n| exponent of | with N at constant depth | with depth on a constant base |\n|---|---|---|")
    for name, key, start in FITS:
        found = []
        for study, along in (("N", "particles"), ("depth", "layers")):
            some = points(lines, study, start)
            slope, error, _ = exponent([line[along] for line in some], [line[key] for line in some])
            found.append(f"{slope:.3f} +- {error:.3f}")
        print(f"| {name} | {found[0]} | {found[1]} |")


def draw(lines: list[dict], path: Path, header: str):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(2, 3, figsize=(15, 8.5), layout="constrained")
    for (study, along, title), row in zip((("N", "particles", "particles N, constant depth"),
                                           ("depth", "layers", "layers, constant base")), axes):
        for panel, fits, ylabel in ((row[0], FITS[:3], "sweeps"), (row[1], FITS[3:4], "CPU us a grain and step")):
            for name, key, start in fits:
                x, y = ([line[k] for line in points(lines, study, start)] for k in (along, key))
                slope, error, offset = exponent(x, y)
                dots, = panel.plot(x, y, "o", label=f"{name}: exponent {slope:.2f} +- {error:.2f}")
                panel.plot(x, numpy.exp(offset) * numpy.array(x)**slope, color=dots.get_color(), linewidth=0.8)
            panel.set(xscale="log", yscale="log", xlabel=title, ylabel=ylabel)
            panel.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    others = [line for line in lines if line["study"] not in ("N", "depth", "start")]
    names = [f"{line['study']}: {line['value']}" for line in others]
    axes[0, 2].barh(names, [line["sweeps"] for line in others], color="steelblue")
    axes[0, 2].set(xscale="log", xlabel="sweeps a step")
    runs = [line for line in lines if line["study"] != "start"]
    names = [f"{line['study']}: {line['value']}" for line in runs]
    for key, marker, label in (("overlap", "o", "largest overlap, d"), ("floor_rms", "s", "floor over load less 1, rms"),
                               ("force_error", "^", "estimated force error, mean")):
        axes[1, 2].plot([line[key] or numpy.nan for line in runs], names, marker, label=label)
    axes[1, 2].set(xscale="log")
    axes[1, 2].legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    for panel in axes[:, 2]:
        panel.invert_yaxis()
        panel.tick_params(axis="y", labelsize=7)
    figure.suptitle(header, fontsize=9)
    figure.savefig(path, dpi=110)


def write(lines: list[dict], path: Path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, lines[0].keys())
        table.writeheader()
        for line in lines:
            table.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in line.items()})


def main():
    parser = argparse.ArgumentParser(description="Cost and errors of the solver of rigid grains.")
    parser.add_argument("--size", choices=solver_cases.PLANS, default="normal")
    parser.add_argument("--tamp", default=os.environ.get("TAMP", "build/tamp"))
    parser.add_argument("--folder", default="build/solver-study")
    options = parser.parse_args()
    program, folder = Path(options.tamp).resolve(), Path(options.folder).resolve()
    if not program.is_file():
        sys.exit(f"solver_study: there is no {options.tamp}; build tamp, or name it by --tamp")
    folder.mkdir(parents=True, exist_ok=True)
    runner = Runner(program, folder)
    lines = run_all(runner, solver_cases.plan(options.size))
    header = f"{runner.version}: `{shlex.join(sys.argv)}`, one core"
    tell(lines, header)
    write(lines, folder / "study.csv")
    draw(lines, folder / "study.png", header)
    say(f"written: {folder / 'study.csv'}, {folder / 'study.png'}")


if __name__ == "__main__":
    main()
