"""The page: sections put together into one HTML file that needs nothing else."""

from pathlib import Path

from run_folder import Run
from sections import (convergence_section, curves_section, head_section, input_section, measured_section,
                      performance_section, pictures_section, stages_section, warnings_section)
from text import escaped
from written_aside import MARK

HERE = Path(__file__).resolve().parent
# Whatever the page holds, the browser asks nobody for anything.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def section(identifier: str, title: str, body: str) -> str:
    """A part of the page with a heading."""
    return f'<section id="{identifier}"><h2>{escaped(title)}</h2>\n{body}\n</section>'


def make_page(run: Run, frames: int) -> str:
    """The whole page. Parts without content are left out, with their links."""
    drawn: set[str] = set()  # columns of the series that have their figure
    convergence = convergence_section(run, drawn)
    parts = [("warnings", "Warnings", warnings_section(run)),
             ("pictures", "Pictures", pictures_section(run, frames)),
             ("curves", "Curves", curves_section(run, drawn)),
             ("measured", "Profiles and distributions", measured_section(run)),
             ("stages", "Stages", stages_section(run)),
             ("convergence", "Convergence", convergence),
             ("performance", "Performance", performance_section(run)),
             ("input", "Input and log", input_section(run))]
    parts = [part for part in parts if part[2]]
    links = "".join(f'<a href="#{identifier}">{escaped(title)}</a>' for identifier, title, _ in parts)
    body = "\n".join(section(*part) for part in parts)
    remarks = "".join(f"<li>{escaped(remark)}</li>" for remark in dict.fromkeys(run.remarks))
    script = f"<script>\n{(HERE / 'player.js').read_text(encoding='utf-8')}</script>\n" if 'class="player"' in body else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="{MARK.decode('ascii')}">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{escaped(run.title)} – tamp</title>
<style>
{(HERE / 'page.css').read_text(encoding='utf-8')}</style>
</head>
<body>
{head_section(run)}
<nav>{links}</nav>
<main>
{body}
</main>
<footer>
{f'<ul class="remarks">{remarks}</ul>' if remarks else ''}
<p>Made by <b>tamp report</b> from {escaped(run.folder.resolve().name)}.
Stresses and wall forces are positive in compression.</p>
</footer>
{script}</body>
</html>
"""
