"""Pictures of a run: found by name and step, made small enough for the page."""

import base64
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

NAME = re.compile(r"^(?P<name>.+)-(?P<step>\d+)\.png$")
FRAME_WIDTH, THUMBNAIL_WIDTH = 1280, 320
FRAME_QUALITY, THUMBNAIL_QUALITY = 88, 82
MOST_THUMBNAILS = 12


@dataclass
class Picture:
    """One file of `images/`."""

    path: Path
    step: int | None


@dataclass
class Film:
    """All pictures of one name, in the order of their steps."""

    name: str
    pictures: list[Picture] = field(default_factory=list)


@dataclass
class Frame:
    """A picture as the page holds it."""

    picture: Picture
    uri: str
    width: int
    height: int


def find_films(folder: Path) -> list[Film]:
    """Pictures of a run by name."""
    films: dict[str, Film] = {}
    for path in sorted(folder.glob("*.png")) if folder.is_dir() else []:
        match = NAME.match(path.name)
        name, step = (match["name"], int(match["step"])) if match else (path.stem, None)
        films.setdefault(name, Film(name)).pictures.append(Picture(path, step))
    for film in films.values():
        film.pictures.sort(key=lambda picture: (picture.step or 0, picture.path.name))
    return list(films.values())


def spread(items: list, most: int) -> list:
    """At most so many of a list, evenly spread, the first and the last among them."""
    if len(items) <= most:
        return items
    if most == 1:
        return items[-1:]
    return [items[round(index * (len(items) - 1) / (most - 1))] for index in range(most)]


def opened(picture: Picture) -> Image.Image:
    """The decoded picture without transparency. ValueError if the file is not whole."""
    try:
        with Image.open(picture.path) as image:
            image.load()
            if image.mode in ("RGBA", "LA", "P"):
                image = image.convert("RGBA")
                ground = Image.new("RGBA", image.size, "white")
                return Image.alpha_composite(ground, image).convert("RGB")
            return image.convert("RGB")
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"{picture.path.name} cannot be read ({error})") from error


def data_uri(data: bytes, kind: str) -> str:
    """Bytes as an address that needs no file."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


def embedded(picture: Picture, width: int, quality: int) -> Frame:
    """A picture at most so wide, as JPEG, or as the PNG that it is where that is smaller."""
    image = opened(picture)
    small = image
    if image.width > width:
        small = image.resize((width, max(1, round(image.height * width / image.width))), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=quality, optimize=True, progressive=True)
    if picture.path.stat().st_size <= len(buffer.getvalue()):
        return Frame(picture, data_uri(picture.path.read_bytes(), "png"), image.width, image.height)
    return Frame(picture, data_uri(buffer.getvalue(), "jpeg"), small.width, small.height)


def frames_of(film: Film, most: int, remarks: list[str]) -> list[Frame]:
    """The frames of the player. Files that are not whole are left out: perhaps they are being written."""
    frames = []
    for picture in spread(film.pictures, most):
        try:
            frames.append(embedded(picture, FRAME_WIDTH, FRAME_QUALITY))
        except ValueError as error:
            remarks.append(f"Picture left out: {error}.")
    return frames


def thumbnails_of(frames: list[Frame]) -> list[tuple[int, Frame]]:
    """Small pictures of some of the frames, with the number of the frame."""
    chosen = spread(list(enumerate(frames)), MOST_THUMBNAILS)
    return [(index, embedded(frame.picture, THUMBNAIL_WIDTH, THUMBNAIL_QUALITY)) for index, frame in chosen]
