"""Makes docs/screenshot-*.png of the chat page, in a headless Chromium.

    .venv/bin/python docs/screenshots.py [--kb KB] [--scripted] [NAME ...]

Needs Debian's packages chromium and chromium-driver, and selenium. `--scripted`: a parser that knows the
questions of this file only, for when there is no checkpoint in models/parser. NAME: only these.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from browser import PHONE, SCREEN, Visitor, chromium, served  # noqa: E402

TWO_STEPS = "What is the official language of the country that contains Bavaria?"
NARROWED = "Which film directed by Steven Spielberg starred Tom Hanks?"
WRITER, NOT_THAT = "Who wrote Forrest Gump?", "no, I meant the director"
MANY = "What films did Steven Spielberg direct?"
AMBIGUOUS = "What is the capital of Georgia?"
NOTHING = "What is the capital of Bavaria?"
NOT_UNDERSTOOD = "Warum hat Alfred Hitchcock einen Film mit Grace Kelly gedreht?"
CAPITAL = "What is the capital of that country?"

COLOURS = 128
"""In a picture, which makes it half as large."""

PREFIX = "PREFIX ns: <http://rdf.freebase.com/ns/> "
SCRIPT = {
    "What is the capital of Egypt?": "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }",
    "What films did Alfred Hitchcock direct?": "SELECT DISTINCT ?x WHERE { "
    "ns:local.person.alfred_hitchcock ns:film.director.film ?x }",
    TWO_STEPS: "SELECT DISTINCT ?x WHERE { ?c ns:location.country.administrative_divisions "
    "ns:local.division.bavaria . ?c ns:location.country.official_language ?x }",
    MANY: "SELECT DISTINCT ?x WHERE { ns:local.person.steven_spielberg ns:film.director.film ?x }",
}


# --- what is done before the picture is taken ----------------------------------------------


def ask(question: str) -> Callable[[Visitor], None]:
    def act(visitor: Visitor) -> None:
        visitor.say(question)
        visitor.find(".kbqa.small-print")

    return act


def corrected(visitor: Visitor) -> None:
    from selenium.webdriver import Keys

    doubted(visitor)
    box = visitor.find('[class*="st-key-step-"] [class*="st-key-box-"] textarea')
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(CAPITAL, Keys.ENTER)
    visitor.find(".kbqa.right", "4 corrections left")


def heard(visitor: Visitor) -> None:
    """Feedback in one's own words, shown back."""
    ask(WRITER)(visitor)
    visitor.say(NOT_THAT)
    visitor.find('[class*="st-key-heard-"]')


def doubted(visitor: Visitor) -> None:
    """No, and a box is open at the second step."""
    ask(TWO_STEPS)(visitor)
    visitor.press("No")
    visitor.press("Edit", 1)
    visitor.find('[class*="st-key-step-"] [class*="st-key-box-"] textarea')


def chip(visitor: Visitor) -> None:
    ask(AMBIGUOUS)(visitor)
    visitor.click('[class*="st-key-name-"] button')


def tab(title: str, question: str) -> Callable[[Visitor], None]:
    def act(visitor: Visitor) -> None:
        ask(question)(visitor)
        visitor.click("[role=tab]", title)

    return act


def side(visitor: Visitor) -> None:
    ask(TWO_STEPS)(visitor)
    for title in ("Knowledge base", "This dialogue", "Earlier dialogues"):
        visitor.click(".stSidebar summary", title)


class Picture(NamedTuple):
    """`top`: the element that is scrolled to the upper edge."""

    act: Callable[[Visitor], None]
    size: tuple[int, int] = SCREEN
    dark: bool = False
    top: str = ""


PICTURES = {
    "answer": Picture(ask(NARROWED), size=(1100, 1360)),
    "heard": Picture(heard, top=".stChatMessage"),
    "correct": Picture(doubted, top=".stChatMessage"),
    "corrected": Picture(corrected, top=".stChatMessage"),
    "names": Picture(chip),
    "offers": Picture(ask(NOTHING)),
    "table": Picture(tab("Table", MANY), top=".kbqa.right"),
    "not-understood": Picture(ask(NOT_UNDERSTOOD)),
    "side": Picture(side, size=(1280, 1100)),
    "dark": Picture(doubted, dark=True, top=".stChatMessage"),
    "phone-correct": Picture(doubted, size=PHONE, top='[class*="st-key-step-"]'),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--kb", help="default: the stub")
    options.add_argument("--scripted", action="store_true")
    options.add_argument("--out", type=Path, default=HERE)
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    given = options.parse_args()
    script = {q: PREFIX + sparql for q, sparql in SCRIPT.items()} if given.scripted else None
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), given.kb, script) as url:
        for name in given.names or PICTURES:
            file = given.out / f"screenshot-{name}.png"
            take(PICTURES[name], url, file)
            print(file)


def take(picture: Picture, url: str, file: Path) -> None:
    with chromium(picture.size, dark=picture.dark) as visitor:
        visitor.patience_s = 180
        visitor.go(url)
        picture.act(visitor)
        visitor.settle()
        if picture.top:
            place = visitor.find(picture.top)
            visitor.run("arguments[0].style.scrollMarginTop = '70px'; arguments[0].scrollIntoView()", place)
        time.sleep(1.5)
        with Image.open(BytesIO(visitor.driver.get_screenshot_as_png())) as shot:
            shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
