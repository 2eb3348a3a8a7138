"""The sections of the page as HTML; an empty text where there is nothing to show."""

import json

from compaction import draw_compaction, last_rows, pressing_walls
from curves import CONVERGENCE, MORE, PHYSICS, Mark, draw_others, draw_panels, wall_panels
from distributions import draw_groups
from figures import Plot
from performance import capped_text, draw_parts, figure_in, hash_text, other_facts, performance_facts
from pictures import Film, Frame, frames_of, thumbnails_of
from run_folder import Run
from text import escaped, number, plural, quantity

LOG_LINES = 400


def card(plot: Plot) -> str:
    """A figure with its title, legend and note."""
    legend = f'<ul class="legend">{"".join(entry.html() for entry in plot.legend)}</ul>' if plot.legend else ""
    note = f'<p class="note">{escaped(plot.note)}</p>' if plot.note else ""
    return (f'<figure class="card{" wide" if plot.wide else ""}"><figcaption><h3>{escaped(plot.title)}</h3>{legend}'
            f"</figcaption>\n{plot.svg}{note}</figure>")


def cards(plots: list[Plot], note: str = "") -> str:
    """Figures side by side, and a note below."""
    below = f'<p class="note">{escaped(note)}</p>' if note else ""
    return f'<div class="cards">{"".join(map(card, plots))}</div>{below}' if plots else ""


def table(facts: list[tuple[str, str]]) -> str:
    """Names and values."""
    rows = "".join(f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{rows}</dl>' if facts else ""


def folded(title: str, body: str) -> str:
    """What is shown on a click."""
    return f"<details><summary>{escaped(title)}</summary>\n{body}</details>"


def head_section(run: Run) -> str:
    """Title, state of the run, where it came from, and its main results."""
    date = run.log.begin + (f" – {run.log.end[11:] if run.log.end[:10] == run.log.begin[:10] else run.log.end}"
                            if run.log.end != run.log.begin else "")
    origin = [("Version", run.known("version")), ("Revision", run.known("revision")), ("Ranks", run.known("ranks")),
              ("Case", run.log.case), ("Seed", run.known("seed")), ("Date", date),
              ("State hash", hash_text(run.report))]
    badge = ('<span class="badge good">finished</span>' if run.finished else
             '<span class="badge open">run not finished</span>')
    if run.log.warnings:
        badge += f'<a class="badge warn" href="#warnings">{escaped(plural(len(run.log.warnings), "warning"))}</a>'
    tiles = "".join(f'<div class="tile"><b>{escaped(value)}</b><span>{escaped(name)}</span></div>'
                    for name, value in headline(run))
    remark = "" if run.finished else (
        '<p class="remark">There is no report.json yet: the run goes on, or it was stopped. '
        "The page shows what was written by now.</p>")
    return (f'<header><p class="brand">tamp</p><h1>{escaped(run.title)}</h1><p class="badges">{badge}</p>{remark}'
            f'<div class="tiles">{tiles}</div>{table([fact for fact in origin if fact[1]])}</header>')


def headline(run: Run) -> list[tuple[str, str]]:
    """The numbers that one looks for first."""
    last = lambda name: column.last if (column := run.series.get(name)) and column.values.size else None  # noqa: E731
    get = lambda key: figure_in(run.report, key)  # noqa: E731
    pick = lambda first, second: first if first is not None else second  # noqa: E731
    values = [("particles", pick(get("particles"), last("particles")), ""),
              ("simulated", pick(get("simulated_seconds"), last("time")), "s"),
              ("steps", pick(get("steps"), last("step")), ""),
              ("volume fraction", last("volume fraction"), ""),
              ("coordination", last("coordination"), ""),
              ("kinetic energy", last("kinetic energy"), "J"),
              ("largest overlap", pick(get("largest_overlap"), last("largest overlap")), "m")]
    return [(name, quantity(value, unit)) for name, value, unit in values if value is not None]


def warnings_section(run: Run) -> str:
    """Warnings of the log, each once."""
    lines = "".join(f"<li>{escaped(text)}{f' <em>({count} times)</em>' if count > 1 else ''}</li>"
                    for text, count in run.log.warnings.items())
    return f'<ul class="warnings">{lines}</ul>' if lines else ""


def caption(run: Run, frame: Frame) -> str:
    """Time, step and stage of a picture."""
    step = frame.picture.step
    if step is None:
        return frame.picture.path.name
    time = run.series.time_of_step(step)
    parts = [] if time is None else [f"t = {quantity(time, 's')}"]
    stage = next((stage.name for stage in run.stages if time is not None and time <= stage.end), None)
    return " · ".join(parts + [f"step {number(step)}"] + ([stage] if stage and len(run.stages) > 1 else []))


def thumbnail(run: Run, film: Film, index: int, small: Frame) -> str:
    """A small picture that calls its frame."""
    text = caption(run, small)
    return (f'<button type="button" data-frame="{index}" title="{escaped(text)}"><img src="{small.uri}" '
            f'width="{small.width}" height="{small.height}" alt="{escaped(film.name)}">'
            f"<span>{escaped(text.split(' · ')[0])}</span></button>")


def film_block(run: Run, film: Film, most: int) -> str:
    """The player of one name of pictures, and its contact sheet."""
    frames = frames_of(film, most, run.remarks)
    if not frames:
        return ""
    end = frames[-1]  # on the screen from the start, hence not among the data once more
    data = json.dumps([{"source": "" if frame is end else frame.uri, "caption": caption(run, frame)}
                       for frame in frames]).replace("<", "\\u003c")
    many = len(frames) > 1
    count = plural(len(film.pictures), "picture")
    if len(frames) < len(film.pictures):
        count = f"{len(frames)} of {count}"
    controls = ('<div class="controls"><button type="button" class="play" aria-label="Play or pause">▶</button>'
                f'<input type="range" min="0" max="{len(frames) - 1}" value="{len(frames) - 1}" aria-label="Frame">'
                '<select aria-label="Frames a second"><option value="5">5/s</option><option value="12" selected>12/s</option>'
                '<option value="25">25/s</option></select></div>') if many else ""
    sheet = "".join(thumbnail(run, film, index, small) for index, small in (thumbnails_of(frames) if many else []))
    return (f'<div class="player"><h3>{escaped(film.name)} <small>{escaped(count)}</small></h3>'
            f'<figure><img class="screen" src="{end.uri}" width="{end.width}" height="{end.height}" '
            f'alt="{escaped(film.name)}"><figcaption>{escaped(caption(run, end))}</figcaption></figure>{controls}'
            f'<div class="sheet">{sheet}</div><script type="application/json">{data}</script></div>')


def pictures_section(run: Run, most: int) -> str:
    """Films of all names of pictures."""
    blocks = list(filter(None, (film_block(run, film, most) for film in run.films)))
    return f'<div class="players">{"".join(blocks)}</div>' if blocks else ""


def curves_section(run: Run, drawn: set[str]) -> str:
    """Physics over time: what one looks for first, the rest folded."""
    weight = figure_in(run.report, "weight")
    marks = {"Forces on walls": [Mark("weight", weight)] if weight else []}
    plots = draw_panels(PHYSICS, run.series, run.stages, marks, drawn)
    walls = wall_panels(run.series)
    silent = [panel for panel in walls if panel.is_silent(run.series)]
    drawn |= {column.name for panel in silent for column in panel.columns(run.series)}
    more = draw_panels(MORE + walls, run.series, run.stages, {}, drawn)
    note = f"Zero all the time: {', '.join(panel.title.lower() for panel in silent)}." if silent and more else ""
    plots += draw_others(run.series, run.stages, drawn)
    if not plots + more:
        return '<p class="remark">The series has no rows yet.</p>'
    return cards(plots) + (folded("More curves", cards(more, note)) if more else "")


def measured_section(run: Run) -> str:
    """Profiles, distributions and fields."""
    return cards(draw_groups(run.groups))


def convergence_section(run: Run, drawn: set[str]) -> str:
    """Whether the steps were solved, with the limits that the input sets."""
    solver = run.case.get("solver") if isinstance(run.case.get("solver"), dict) else {}
    limits = {"Sweeps a step": ("cap", "max_sweeps"), "Residual": ("tolerance", "tolerance"),
              "Error of stress and wall forces": ("tolerance", "force_tolerance")}
    marks = {title: [Mark(label, float(solver[key]))] for title, (label, key) in limits.items()
             if isinstance(solver.get(key), (int, float))}
    text = capped_text(run.report)
    plots = draw_panels(CONVERGENCE, run.series, run.stages, marks, drawn)
    return (f'<p class="lead">{escaped(text)}</p>' if text else "") + cards(plots)


def stages_section(run: Run) -> str:
    """A row for each stage: when, why it ended and how the packing was then; and the compaction curve."""
    if not run.stages:
        return ""
    wanted = ["volume fraction", "bed volume fraction", "coordination", *(f"wall {wall} stress" for wall in pressing_walls(run.series)),
              "unbalanced force", "kinetic energy"]
    names = [(name, column.unit) for name in wanted if (column := run.series.get(name))]
    told = {entry.get("stage"): entry for entry in run.report.get("stages", []) if isinstance(entry, dict)}
    rows = ""
    for stage, row in zip(run.stages, last_rows(run.series, run.stages)):
        ended = stage.reason or ("" if run.finished else "not ended")
        cells = [str(stage.number), stage.name, quantity(stage.begin, "s", 4), quantity(stage.end, "s", 4),
                 number(stage.steps) if stage.steps is not None else "", ended]
        cells += [quantity(float(run.series.values(name)[row]), unit) for name, unit in names]
        entry = told.get(stage.number, {})
        cells += [number(entry["sweeps"]) if "sweeps" in entry else "",
                  quantity(entry["seconds"], "s", 3) if "seconds" in entry else ""]
        rows += f"<tr>{''.join(f'<td>{escaped(cell)}</td>' for cell in cells)}</tr>"
    heads = ["", "stage", "begin", "end", "steps", "ended by", *(name for name, _ in names), "sweeps", "computing"]
    curve = draw_compaction(run.series, run.stages)
    return (f'<div class="scroll"><table><thead><tr>{"".join(f"<th>{escaped(head)}</th>" for head in heads)}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>" + (cards([curve]) if curve else ""))


def performance_section(run: Run) -> str:
    """Speed, memory, balance and where the time went."""
    facts = performance_facts(run.report)
    if not facts:
        return ""
    plot, others = draw_parts(run.report), other_facts(run.report)
    more = folded("More of report.json", table(others)) if others else ""
    return table(facts) + (cards([plot]) if plot else "") + more


def input_section(run: Run) -> str:
    """The case and the log, folded."""
    if run.input:
        case = folded("Input, as the run used it", f"<pre>{escaped(run.input)}</pre>")
    else:
        case = '<p class="remark">No file tells the input yet.</p>'
    lines = run.log.lines[-LOG_LINES:]
    title = "Log" if len(lines) == len(run.log.lines) else f"Log, the last {LOG_LINES} lines"
    return case + (folded(title, f"<pre>{escaped(chr(10).join(lines))}</pre>") if lines else "")
