#!/usr/bin/env python3
"""Makes one self-contained HTML page of a run: python3 main.py OUTDIR [--output FILE] [--movie FILE] [--frames N]

Exit codes: 0 done, 1 anything unforeseen, 2 a mistake in what was asked, 3 a file could not be read or written.
"""

import argparse
import sys
import traceback
from pathlib import Path

from packages import require_packages
from problems import InputProblem, Problem


class Parser(argparse.ArgumentParser):
    """One line instead of the usage, as the rest of the program does."""

    def error(self, message: str) -> None:
        raise InputProblem(f"{message}; see tamp report --help")


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = Parser(prog="tamp report", description="Makes one self-contained HTML page of a run.")
    parser.add_argument("folder", type=Path, metavar="OUTDIR", help="folder that tamp run wrote to")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the page (default: OUTDIR/report.html)")
    parser.add_argument("--movie", type=Path, metavar="FILE", help="also a movie of the pictures: .gif or .mp4 (by ffmpeg)")
    parser.add_argument("--frames", type=int, default=120, metavar="N", help="pictures of a name in the page (default: 120)")
    options = parser.parse_args()
    if options.frames < 1:
        raise InputProblem("--frames must be 1 or more")
    return options


def main() -> None:
    """Everything that can be refused is refused before the first file is made."""
    options = arguments()
    require_packages("the report")
    from movie import check_movie, make_movie, movie_paths, readable
    from run_folder import read_run
    from written_aside import refuse_foreign, written_aside

    run = read_run(options.folder)
    output = options.output or options.folder / "report.html"
    refuse_foreign(output)
    if options.movie:
        check_movie(options.movie)
        if not run.films:
            raise InputProblem(f"{options.folder}: no pictures in images/, hence no movie")
        movies = movie_paths(options.movie, run.films)
        for path, _ in movies:
            refuse_foreign(path)
        for path, pictures in [(path, readable(path, film, run.remarks)) for path, film in movies]:
            make_movie(path, pictures)
            print(f"movie in {path}")
    from page import make_page  # late: Matplotlib takes its time, and mistakes are told at once

    page = make_page(run, options.frames).encode("utf-8")
    with written_aside(output) as aside:
        aside.write_bytes(page)
    for remark in dict.fromkeys(run.remarks):
        print(f"warning: {remark}")
    print(f"report in {output} ({len(page) / 1e6:.1f} MB)")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        print(f"tamp: {problem}", file=sys.stderr)
        sys.exit(problem.exit_code)
    except Exception as error:  # a mistake of ours, told in one line
        frame = traceback.extract_tb(error.__traceback__)[-1]
        print(f"tamp: report: {type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})",
              file=sys.stderr)
        sys.exit(1)
