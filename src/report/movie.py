"""A film of the pictures as a file: GIF by Pillow, MP4 by ffmpeg."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from pictures import Film, Picture, opened, spread
from problems import FileProblem, InputProblem
from written_aside import MARK, written_aside

FRAMES_A_SECOND = 12
GIF_WIDTH, GIF_FRAMES = 800, 240


def check_movie(path: Path) -> None:
    """Refuses kinds of files that cannot be made."""
    if path.suffix.lower() not in (".gif", ".mp4"):
        raise InputProblem(f"{path}: a movie is a .gif or an .mp4 file")
    if path.suffix.lower() == ".mp4" and shutil.which("ffmpeg") is None:
        raise InputProblem(f"{path}: an .mp4 movie needs ffmpeg (Debian package ffmpeg); a .gif does not")


def movie_paths(path: Path, films: list[Film]) -> list[tuple[Path, Film]]:
    """One file a name of pictures: film.gif, or film-NAME.gif if there are several."""
    if len(films) == 1:
        return [(path, films[0])]
    return [(path.with_name(f"{path.stem}-{film.name}{path.suffix}"), film) for film in films]


def readable(path: Path, film: Film, remarks: list[str]) -> list[Picture]:
    """The pictures of a movie that can be read; a Problem if there is none."""
    images = []
    for picture in spread(film.pictures, GIF_FRAMES) if path.suffix.lower() == ".gif" else film.pictures:
        try:
            opened(picture)
            images.append(picture)
        except ValueError as error:
            remarks.append(f"Left out of the movie: {error}.")
    if not images:
        raise InputProblem(f"{path}: no movie without pictures that can be read")
    return images


def make_movie(path: Path, images: list[Picture]) -> None:
    """Writes one movie."""
    with written_aside(path) as aside:
        (make_gif if path.suffix.lower() == ".gif" else make_mp4)(aside, images)


def make_gif(path: Path, pictures: list) -> None:
    """An endless GIF with colours chosen anew for every frame."""
    frames = []
    for picture in pictures:
        image = opened(picture)
        image.thumbnail((GIF_WIDTH, GIF_WIDTH), Image.Resampling.LANCZOS)
        frames.append(image.quantize(256, dither=Image.Dither.NONE))
    frames[0].save(path, format="GIF", save_all=True, append_images=frames[1:], duration=round(1000 / FRAMES_A_SECOND),
                   loop=0, optimize=True, comment=MARK)


def make_mp4(path: Path, pictures: list) -> None:
    """H.264 that every browser plays; sizes are made even, as it wants."""
    with tempfile.TemporaryDirectory() as folder:
        size = opened(pictures[0]).size
        even = (size[0] // 2 * 2, size[1] // 2 * 2)
        for index, picture in enumerate(pictures):
            image = opened(picture)
            (image if image.size == even else image.resize(even)).save(Path(folder) / f"{index:06}.png", compress_level=1)
        command = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(FRAMES_A_SECOND), "-i",
                   str(Path(folder) / "%06d.png"), "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20",
                   "-movflags", "+faststart", "-metadata", f"comment={MARK.decode('ascii')}", "-f", "mp4", str(path)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise FileProblem(f"ffmpeg failed: {(result.stderr.strip().splitlines() or ['no message'])[-1]}")
