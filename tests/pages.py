"""The chat page for tests: graphs with hostile names, engines that know a script, and the page itself."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

from kbqa.correct import Context, Corrected, TemplateCorrector
from kbqa.engine import Engine
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.protocols import Mention
from kbqa.scripted import ScriptedParser

NS = "http://rdf.freebase.com/ns/"
PREFIX = f"PREFIX ns: <{NS}> "
TINY = Path(__file__).parent / "data" / "tiny.nt"
UI = Path(__file__).resolve().parents[1] / "ui"

CAPITAL = "What is the capital of Egypt?"
TWO_STEPS = "What is the official language of the country that contains Sharqia?"
EMPTY = "Who governs Libya?"
DIVISIONS = "What are the administrative divisions of Sudan?"
MASCOT = "Who is the mascot of the Giants?"
SCRIPT = {
    CAPITAL: PREFIX + "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }",
    TWO_STEPS: PREFIX
    + "SELECT DISTINCT ?x WHERE { ?c ns:location.country.administrative_divisions ns:m.0cjk5 . "
    "?c ns:location.country.official_language ?x }",
    EMPTY: PREFIX + "SELECT DISTINCT ?x WHERE { ns:m.02b2 ns:location.country.capital ?x }",
    DIVISIONS: PREFIX
    + "SELECT DISTINCT ?x WHERE { ns:m.02b1 ns:location.country.administrative_divisions ?x }",
    MASCOT: PREFIX + "SELECT DISTINCT ?x WHERE { ns:m.03_dwn ns:sports.sports_team.team_mascot ?x }",
}
WORDS = {
    "What is the capital of that country?": "What is the capital city of [that country]?",
    "What is the calling code of that country?": "What is the calling code of [that country]?",
    "Which country borders Sudan?": "What is the place that borders [Sudan]?",
}
"""What the corrector understands beyond templated English: natural words -> template."""

HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "**bold** and _slanted_",
    "[a](https://evil.example/)",
    "https://evil.example/ www.evil.example me@evil.example",
    ":smile: :material/home: :red[red]",
    "$x^2$ -> `code` ~~gone~~",
    "# heading | a | table",
    "</bdi></li></ol><h1>out</h1>",
    '" onmouseover="document.title=1',
    "=HYPERLINK(0)",
)
NASTY_COUNTRY = "Aland **b** [c](https://evil.example) :smile: :material/home: ~~f~~ www.evil.example"


def graph(folder: Path, labels: Sequence[str], country: str = "Sudan") -> Path:
    """The tiny graph, with a country whose administrative divisions have these names."""
    lines = TINY.read_text().splitlines()
    lines = [line.replace('"Sudan"', json.dumps(country)) for line in lines]
    for number, label in enumerate(labels):
        division = f"<{NS}m.0div{number}>"
        lines.append(f"<{NS}m.02b1> <{NS}location.country.administrative_divisions> {division} .")
        lines.append(f"{division} <{NS}type.object.name> {json.dumps(label)}@en .")
    file = folder / "graph.nt"
    file.write_text("\n".join(lines) + "\n")
    return file


class Reworded:
    """A corrector that understands the natural words of `WORDS`, and templated English."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._read = TemplateCorrector(kb.lexicon)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        return self._read.correct(WORDS.get(text, text), mentions, context, n=n)


def engine_over(kb: str | None, script: Mapping[str, Any] = SCRIPT) -> Engine:
    """An engine without a model."""
    opened = open_kb(kb)
    parser = ScriptedParser(script, mediators=opened.lexicon.mediators)
    return Engine(opened, parser, corrector=Reworded(opened))


class Page:
    """The page as it stands, without a browser; it is run again after each act."""

    def __init__(self, test: Any) -> None:
        self.test = test

    def say(self, text: str) -> Page:
        """Type it at the bottom."""
        self.test.chat_input[0].set_value(text).run()
        return self

    def ask(self, question: str) -> Page:
        """Type it at the bottom, and mean it as a new question."""
        self.say(question)
        instead = "Ask it as a new question"
        return self.press(instead) if instead in self.buttons else self

    def press(self, label: str, nth: int = 0) -> Page:
        """The button with that label, the `nth` of those there are."""
        found = [b for b in self.test.button if plain(b.label) == label]
        assert len(found) > nth, f"no button {label!r} among {[plain(b.label) for b in self.test.button]}"
        found[nth].click().run()
        return self

    @property
    def box(self) -> Any:
        """The open text box: the one on a step, else the one of the list."""
        return next(area for area in self.test.main.text_area if area.key.startswith("box-"))

    def type(self, text: str) -> Page:
        """Into the open text box, and use it."""
        self.box.set_value(text)
        return self.press("Use this")

    @property
    def html(self) -> list[str]:
        return [block.proto.body for block in self.test.main.get("html")]

    @property
    def text(self) -> str:
        """What can be read, without the earlier versions and what others marks hide."""
        return " ".join(read(html) for html in self.html if "<details class=" not in html)

    @property
    def steps(self) -> list[str]:
        return [read(html) for html in self.html if 'class="kbqa step' in html]

    @property
    def final(self) -> str:
        """The answer to the question asked last."""
        return [read(html) for html in self.html if 'class="kbqa final"' in html][-1]

    @property
    def buttons(self) -> list[str]:
        return [plain(button.label) for button in self.test.main.button]

    @property
    def said(self) -> list[str]:
        """What the person said, bubble by bubble."""
        return [read(html) for html in self.html if 'class="kbqa question"' in html]

    @property
    def address(self) -> str | None:
        found = self.test.query_params.get("dialogue")
        return found[0] if isinstance(found, list) else found


def read(html: str) -> str:
    """The words of a piece of HTML."""
    shown = re.sub(r'<span class="(?:heard|number)".*?</span>', "", html)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown)).split())


def plain(label: str) -> str:
    """A label as it is seen: without the marks that hide Markdown, or what is only heard."""
    shown = re.sub(r"(?<!\\)`[^`]*`", "", label).replace("\u2060", "")
    return re.sub(r"\\(.)", r"\1", shown)
