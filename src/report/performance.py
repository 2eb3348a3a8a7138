"""Where the time went, from `report.json`."""

import math

from figures import CURVES, MUTED, Plot, new_axes, svg_of, use_linear_axis
from text import duration, number, percent, plural, quantity

# Parts of the step that are timed inside another one.
INSIDE = {"sweeps": "solve", "exchange": "solve", "residual": "solve", "reductions": "solve", "waiting": "exchange"}
SHOWN_ELSEWHERE = {"version", "revision", "title", "ranks", "block_ranks", "particles", "state_hash", "parts", "wall_forces",
                   "wall_torques",
                   "simulated_seconds", "seconds", "steps", "sweeps", "capped_steps", "contact_updates", "searches",
                   "largest_overlap", "weight", "lost", "imbalance", "exchange_share", "memory_bytes",
                   "scheme", "load_balance", "waiting_seconds"}


def figure_in(report: dict, key: str) -> float | None:
    """A number of the report, if it is there and is one."""
    value = report.get(key)
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if good else None


def parts_of(report: dict) -> dict[str, float]:
    """Seconds by part of the step, mean over ranks."""
    parts = report.get("parts")
    if not isinstance(parts, dict):
        return {}
    seconds = {name: figure_in(part, "mean_seconds") for name, part in parts.items() if isinstance(part, dict)}
    return {name: value for name, value in seconds.items() if value is not None}


def exclusive_parts(report: dict) -> list[tuple[str, float]]:
    """Parts without what is inside of them, largest first, and what no part covers."""
    parts = parts_of(report)
    inside = {outer: sum(parts[name] for name in parts if INSIDE.get(name) == outer) for outer in parts}
    result = [(f"{name}, the rest" if inside[name] > 0 else name, max(0.0, seconds - inside[name]))
              for name, seconds in parts.items()]
    outer = sum(seconds for name, seconds in parts.items() if INSIDE.get(name) not in parts)
    total = figure_in(report, "seconds")
    if total is not None and total > outer:
        result.append(("everything else", total - outer))
    return sorted(result, key=lambda part: -part[1])


def draw_parts(report: dict) -> Plot | None:
    """A bar a part of the step."""
    parts = exclusive_parts(report)
    total = sum(seconds for _, seconds in parts)
    if total <= 0:
        return None
    longest = max(len(name) for name, _ in parts)
    figure, axes = new_axes(width=11.4, height=0.7 + 0.24 * len(parts), left=0.2 + 0.068 * longest)
    for row, (name, seconds) in enumerate(parts):
        colour = MUTED if name == "everything else" else CURVES[0]
        axes.barh(row, seconds, height=0.62, color=colour, linewidth=0, gid=f"curve-{row}")
        axes.annotate(f"{quantity(seconds, 's')}  ·  {percent(seconds / total)}", (seconds, row), xytext=(5, 0),
                      textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(parts)), [name for name, _ in parts])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(parts) - 0.4, -0.6)
    axes.set_xlim(0, 1.13 * max(seconds for _, seconds in parts))
    axes.grid(False, axis="y")
    axes.spines["left"].set_visible(False)
    use_linear_axis(axes.xaxis, 8)
    axes.set_xlabel("wall time [s]")
    title = "Time by part of the step (mean over ranks)"
    return Plot(title, svg_of(figure, title, "parts"), wide=True)


def performance_facts(report: dict) -> list[tuple[str, str]]:
    """Speed, memory and balance as pairs of name and value."""
    get = lambda key: figure_in(report, key)  # noqa: E731
    seconds, steps, sweeps, updates = get("seconds"), get("steps"), get("sweeps"), get("contact_updates")
    # Times are of the last leg of a run that was resumed; counts of all of them.
    earlier = report.get("earlier") or {}
    steps_now = steps - (figure_in(earlier, "steps") or 0) if steps else None
    updates_now = updates - (figure_in(earlier, "contact_updates") or 0) if updates else None
    memory, particles = get("memory_bytes"), get("particles")
    sweep_seconds = parts_of(report).get("sweeps")
    facts = []
    if seconds is not None:
        facts.append(("Wall time of the steps", duration(seconds)))
    if earlier:
        facts.append(("Resumed", f"{number(figure_in(earlier, 'legs') or 0)} times; times are of the last part"))
    if seconds and steps_now:
        facts.append(("Wall time a step", quantity(seconds / steps_now, "s")))
    if seconds and updates_now:
        facts.append(("Contact updates, steps", f"{number(1e-6 * updates_now / seconds, 3)} million/s"))
    if sweep_seconds and updates_now:
        facts.append(("Contact updates, sweeps", f"{number(1e-6 * updates_now / sweep_seconds, 3)} million/s"))
    if sweeps is not None and steps:
        facts.append(("Sweeps", f"{number(sweeps)} ({number(sweeps / steps, 3)} a step)"))
    if (searches := get("searches")) is not None:
        facts.append(("Searches for neighbours", number(searches)))
    if memory is not None:
        a_particle = f" ({number(round(memory / particles))} bytes a particle)" if particles else ""
        facts.append(("Memory at the peak", f"{number(1e-6 * memory, 3)} MB{a_particle}"))
    if (imbalance := get("imbalance")) is not None:
        facts.append(("Imbalance (largest over mean)", number(imbalance, 3)))
    if (exchange := get("exchange_share")) is not None:
        facts.append(("Exchange between ranks", percent(exchange)))
    if (waiting := get("waiting_seconds")) is not None and seconds:
        facts.append(("Waiting for other ranks", percent(waiting / seconds)))
    if report.get("scheme") == "block":
        facts.append(("Scheme", "block: one exchange a sweep"))
    if balance := balance_text(report):
        facts.append(("Load balance", balance))
    return facts + picture_facts(report)


def balance_text(report: dict) -> str | None:
    """How tiles were shared out anew among the ranks."""
    balance = report.get("load_balance")
    if report.get("ranks") == 1 or not isinstance(balance, dict):
        return None
    count, before, after = (figure_in(balance, key) for key in ("count", "imbalance_before", "imbalance_after"))
    busy = figure_in(balance, "busy_imbalance")
    if count is None or before is None or after is None:
        return None
    text = f"{plural(int(count), 'time')} by {balance.get('cost')} cost"
    if count > 0:
        text += f", imbalance {number(before, 3)} to {number(after, 3)} at last"
    return text + (f"; of time since then {number(busy, 3)}" if busy is not None else "")


def hash_text(report: dict) -> str:
    """The state hash, and with what it may be compared."""
    text = str(report.get("state_hash", ""))
    legs = report.get("block_ranks")
    if not isinstance(legs, list):
        legs = [int(figure_in(report, "ranks") or 0)] if report.get("scheme") == "block" else []
    if text and legs:
        text += f" (block scheme on {', then '.join(map(str, legs))} rank{'' if legs == [1] else 's'})"
    return text


def picture_facts(report: dict) -> list[tuple[str, str]]:
    """What pictures cost, whatever the keys are called."""
    return [(name.replace("_", " ").replace(".", ", ").capitalize(), value) for name, value in flat(report)
            if not name.startswith("parts.") and any(word in name for word in ("picture", "image", "render"))]


def other_facts(report: dict) -> list[tuple[str, str]]:
    """Everything in the report that the page shows nowhere else."""
    known = {name for name, _ in flat({key: value for key, value in report.items() if key in SHOWN_ELSEWHERE})}
    return [(name, value) for name, value in flat(report)
            if name not in known and not any(word in name for word in ("picture", "image", "render"))]


def flat(values: dict, prefix: str = "") -> list[tuple[str, str]]:
    """Nested keys joined by dots; numbers with the unit that their name tells."""
    result = []
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            result += flat(value, name + ".")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            result.append((name, with_unit(name, value)))
        else:
            result.append((name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)))
    return result


def with_unit(name: str, value: float) -> str:
    """A number of the report; the end of its key tells its unit."""
    if name.endswith("seconds"):
        return duration(value)
    if name.endswith("bytes"):
        return f"{number(1e-6 * value, 3)} MB"
    return percent(value) if name.endswith("share") else number(value)


def capped_text(report: dict) -> str | None:
    """How many steps stopped before they converged."""
    capped, steps = figure_in(report, "capped_steps"), figure_in(report, "steps")
    if capped is None:
        return None
    if shortened := figure_in(report, "shortened_steps"):
        share = f" ({percent(shortened / steps)} of {number(steps)})" if steps else ""
        return (f"{plural(int(shortened), 'step')}{share} ended by the rule for deep packings before they met the tolerances, "
                f"{number(capped)} at the cap on sweeps.")
    if capped == 0:
        return "Every step converged before the cap on sweeps."
    share = f" ({percent(capped / steps)} of {number(steps)})" if steps else ""
    return f"{plural(int(capped), 'step')}{share} stopped at the cap on sweeps before they converged."
