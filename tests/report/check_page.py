#!/usr/bin/env python3
"""Opens pages of `tamp report` in a browser and looks whether everything is drawn and nothing is fetched.

    check_page.py PAGE CURVES PICTURES FRAMES [more pages: the same four]

CURVES is the least number of curves, PICTURES how many films there are, FRAMES how many frames each has. Then it spoils
copies of the first page, one way each, and must find every one of them wrong.
"""

import base64
import io
import json
import re
import sys
from pathlib import Path

from browser import Browser
from PIL import Image

LOOK = r"""
    document.querySelectorAll("details").forEach(one => one.open = true); // what is folded has no size
    const images = [...document.querySelectorAll("img")];
    await Promise.all(images.map(image => image.decode().catch(() => 0)));
    const figures = [...document.querySelectorAll("svg")].map(svg => {
        const curves = [...svg.querySelectorAll("[id]")].filter(one => /-curve-\d+$/.test(one.id));
        const box = svg.getBoundingClientRect();
        return {name: svg.getAttribute("aria-label"), width: box.width, height: box.height, curves: curves.length,
                empty: curves.filter(one => { const b = one.getBBox(); return !(b.width + b.height > 0); }).length,
                bare: [...svg.querySelectorAll("path")].filter(path => !path.getAttribute("d")).length,
                paths: svg.querySelectorAll("path").length};
    });
    const identifiers = [...document.querySelectorAll("[id]")].map(one => one.id);
    return {title: document.title, images: images.length, figures: figures,
            broken: images.filter(image => !(image.complete && image.naturalWidth > 0)).length,
            twice: identifiers.length - new Set(identifiers).size,
            sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth};
"""
PLAY = r"""
    const result = [];
    for (const player of document.querySelectorAll(".player")) {
        const screen = player.querySelector(".screen"), slider = player.querySelector("input");
        const seen = new Set(), captions = new Set();
        let broken = 0;
        for (let frame = 0; slider && frame <= Number(slider.max); ++frame) {
            slider.value = frame;
            slider.dispatchEvent(new Event("input"));
            await screen.decode().catch(() => ++broken);
            if (!(screen.naturalWidth > 0))
                ++broken;
            seen.add(screen.src);
            captions.add(player.querySelector("figcaption").textContent);
        }
        const before = slider.value;
        player.querySelector(".play").click();
        for (let wait = 0; wait < 100 && slider.value === before; ++wait)
            await new Promise(resume => setTimeout(resume, 20));
        const moved = slider.value !== before;
        player.querySelector(".play").click();
        player.querySelector(".sheet button").click();
        result.push({seen: seen.size, captions: captions.size, broken: broken, moved: moved, first: slider.value});
    }
    return result;
"""


def outside_requests(events: list[dict]) -> list[str]:
    """Addresses that the page asked for, other than itself and what it holds."""
    messages = [json.loads(event["message"])["message"] for event in events]
    addresses = [message["params"]["request"]["url"] for message in messages
                 if message["method"] == "Network.requestWillBeSent"]
    return [address for address in addresses if not address.startswith(("data:", "file:", "about:", "chrome:"))]


def blank(picture: str) -> bool:
    """Whether a screenshot shows next to nothing."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("L")
    return len([count for count in image.histogram() if count > 20]) < 10


def problems_of(browser: Browser, page: Path, curves: int, pictures: int, frames: int) -> list[str]:
    """What is wrong with a page; empty if all is well."""
    browser.open(page.resolve().as_uri())
    look = browser.run(LOOK)
    films = browser.run(PLAY)
    if "error" in look or "error" in films:
        return [f"a script failed: {look} {films}"]
    found = sum(figure["curves"] for figure in look["figures"])
    problems = [f"console: {entry['message']}" for entry in browser.log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]
    problems += [f"asked for {address}" for address in outside_requests(browser.log("performance"))]
    problems += [f"figure '{figure['name']}': {figure}" for figure in look["figures"]
                 if figure["width"] < 50 or figure["height"] < 30 or figure["paths"] < 5 or figure["bare"]
                 or figure["empty"] or not figure["curves"]]
    problems += [f"{found} curves, not {curves} or more"] * (found < curves)
    problems += [f"{look['broken']} of {look['images']} pictures are not drawn"] * (look["broken"] > 0)
    problems += [f"{len(films)} players instead of {pictures}"] * (len(films) != pictures)
    problems += [f"player: {film}" for film in films
                 if film["broken"] or film["seen"] != frames or film["captions"] != frames or not film["moved"]
                 or film["first"] != "0"]
    problems += [f"{look['twice']} names are used twice"] * (look["twice"] > 0)
    problems += ["the page is wider than its window"] * (look["sideways"] > 0)
    problems += ["the screenshot is blank"] * blank(browser.screenshot())
    return problems


def spoiled(page: str) -> dict[str, str]:
    """The page with one thing wrong each."""
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    outside = '<img src="http://127.0.0.1:9/outside.png" alt="">'
    curve = re.search(r'<g id="[^"]*-curve-\d+">\s*<path d="([^"]*)"', page)
    return {
        "no curve": page[:curve.start(1)] + page[curve.end(1):],
        "flat curve": page[:curve.start(1)] + "M 10 10" + page[curve.end(1):],
        "torn picture": re.sub(r'(class="screen" src="data:image/\w+;base64,.{40})[^"]*', r"\1", page, count=1),
        "torn frame": re.sub(r'("source": "data:image/\w+;base64,.{40})[^"]*', r"\1", page, count=1),
        "error": page.replace("</body>", "<script>nothing.at.all();</script></body>"),
        "request": free.replace("</body>", "<script>fetch('http://127.0.0.1:9/').catch(() => 0);</script></body>"),
        "refused request": page.replace("</body>", outside + "</body>"),
        "blank": page.replace("</style>", "body > * { opacity: 0; }</style>"),
    }


def main() -> None:
    """Checks the pages and the checks."""
    words = sys.argv[1:]
    tasks = [(Path(words[at]), [int(word) for word in words[at + 1:at + 4]]) for at in range(0, len(words), 4)]
    page, numbers = tasks[0]
    text = page.read_text(encoding="utf-8")
    with Browser() as browser:
        for one, wanted in tasks:
            if problems := problems_of(browser, one, *wanted):
                sys.exit(f"{one}:\n  " + "\n  ".join(problems))
            print(f"{one}: {wanted[0]} curves and {wanted[1]} films are drawn, nothing was fetched")
        for name, changed in spoiled(text).items():
            copy = page.with_name("spoiled.html")
            copy.write_text(changed, encoding="utf-8")
            if changed == text or not problems_of(browser, copy, *numbers):
                sys.exit(f"a page with this mistake looks good: {name}")
            copy.unlink()


if __name__ == "__main__":
    main()
