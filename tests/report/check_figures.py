#!/usr/bin/env python3
"""Looks whether the figures of a page show what a run with [measure] wrote: check_figures.py PAGE SERIES_CSV

Every axis must have its quantity and unit; coordinates are axes and no figures; every column of the energy is drawn.
"""

import csv
import html
import re
import sys
from pathlib import Path

LENGTH = r"\[(m|µ|n)?m\]"
AXES = {  # what the axes of a figure say
    r"Force distribution: (normal|tangential)": ["force / mean force", "probability density"],
    r"Overlap distribution": [rf"overlap {LENGTH}", r"probability density \[(10\S+ )?1/m\]"],
    r"Mobilisation distribution": ["mobilisation", "probability density"],
    r"Pair correlation": [rf"distance {LENGTH}", "pair correlation"],
    r"Profile: (?P<name>.*)": [rf"position along [xyz] {LENGTH}", r"{name}( \[.+\])?"],
    r"Field: (?P<name>.*)": [rf"x {LENGTH}", rf"[yz] {LENGTH}", r"{name}( \[.+\])?"],
}
WANTED = ["Force distribution: normal", "Force distribution: tangential", "Overlap distribution", "Mobilisation distribution",
          "Pair correlation", "Profile: volume fraction", "Profile: contact stress", "Field: velocity", "Field: volume fraction",
          "Contact stress", "Velocities", "Energy budget"]
ENERGY = ["dissipated by collisions [J]", "dissipated by friction [J]", "work of gravity [J]", "lost by integration [J]",
          "work of walls [J]", "energy of leavers [J]", "energy error [J]"]
COORDINATES = r".*: (lower|upper|force|overlap|mobilisation|position|distance)"


def figures_of(page: str) -> dict[str, tuple[list[str], str]]:
    """Texts inside the axes of every figure, and the whole figure as text, by title."""
    found = {}
    for figure in re.findall(r'<figure class="card.*?</figure>', page, re.DOTALL):
        title = html.unescape(re.search(r"<h3>(.*?)</h3>", figure)[1])
        texts = [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", figure)]
        found[title] = (texts, html.unescape(re.sub(r"<[^>]*>", " ", figure)))
    return found


def problems_of(page: str, header: list[str], rows: list[list[str]]) -> list[str]:
    """What is wrong; empty if all is well."""
    figures = figures_of(page)
    problems = [f"no figure '{title}'" for title in WANTED if title not in figures]
    problems += [f"'{title}' is an axis, not a figure" for title in figures if re.fullmatch(COORDINATES, title)]
    problems += [f"'{title}' is more than one figure should be" for title in figures if title.startswith("Other series")]
    for title, (texts, _) in figures.items():
        problems += [f"'{title}' has an axis of {text}" for text in texts if re.search(r"\bbins?\b|\bcells?\b", text)]
        for pattern, labels in AXES.items():
            if match := re.fullmatch(pattern, title):
                problems += [f"'{title}' has no axis like {label}: {texts}" for label in labels
                             if not any(re.fullmatch(label.replace("{name}", re.escape(match.groupdict().get("name", ""))), text)
                                        for text in texts)]
    if not any(re.match("10[⁻⁰¹]", text) for text in figures.get("Force distribution: normal", ([], ""))[0]):
        problems.append("forces are not drawn on a logarithmic axis")
    for column in ENERGY:
        name = column.rsplit(" [", 1)[0]
        if column not in header or name not in figures.get("Energy budget", ([], ""))[1]:
            problems.append(f"the energy budget does not tell of {name}")
    if not all(figures.get("Contact stress", ([], ""))[1].count(name) == 1 for name in ("xx", "yy", "zz", "mean stress")):
        problems.append("the contact stress lacks a normal component")
    before, fold, folded = page.partition("<summary>More curves</summary>")
    walls = {match[1] for index, column in enumerate(header) if (match := re.fullmatch(r"wall (.*) force [xyz] \[N\]", column))
             and any(float(row[index]) != 0 for row in rows)}
    problems += ["no walls"] * (not walls) + ["nothing is folded"] * (not fold)
    for wall in walls:
        heading = f"<h3>Force on {html.escape(wall)}</h3>"
        problems += [f"the force on {wall} is not among the folded"] * (heading in before or heading not in folded)
    return problems


def main() -> None:
    """Checks a page."""
    page = Path(sys.argv[1]).read_text(encoding="utf-8")
    with open(sys.argv[2], encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if problems := problems_of(page, header, rows):
        sys.exit(f"{sys.argv[1]}:\n  " + "\n  ".join(problems))


if __name__ == "__main__":
    main()
