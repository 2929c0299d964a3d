"""'Austin, Texas' is one place: the one that lies in the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kbqa.engine import Engine
from kbqa.errors import StoreTimeout
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.protocols import Rows
from kbqa.reading.addresses import Addresses
from kbqa.types import FREEBASE

PLACES = {
    "il": ("Illinois", "us"), "ma": ("Massachusetts", "us"), "us": ("United States", ""),
    "cook": ("Cook County", "il"), "chicago": ("Chicago", "cook"),
    "s1": ("Springfield", "ma"), "s2": ("Springfield", "il"), "paris": ("Paris", ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("places")
    lines = []
    for key, (name, above) in PLACES.items():
        lines.append(f'<{FREEBASE}m.{key}> <{FREEBASE}type.object.name> "{name}"@en .')
        lines.append(f'<{FREEBASE}m.{key}> <{FREEBASE}location.location.area> "{len(key)}" .')
        if above:
            lines.append(
                f"<{FREEBASE}m.{key}> <{FREEBASE}location.location.containedby> <{FREEBASE}m.{above}> ."
            )
    (folder / "places.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with open_kb(build_kb([folder / "places.nt"], folder / "kb")) as kb:
        yield kb


def joined(kb: KnowledgeBase, question: str) -> dict[str, list[str]]:
    found = Addresses(kb).joined(question, kb.linker.link(question))
    assert [question[m.start : m.end] for m in found] == [m.text for m in found]
    return {m.text: [c.entity.mid for c in m.candidates] for m in found}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("Springfield, Illinois", "m.s2"),
        ("Springfield Illinois", "m.s2"),
        ("Springfield,Massachusetts", "m.s1"),
        ("springfield massachusetts", "m.s1"),
        ("Chicago, Illinois", "m.chicago"),
        ("Chicago, Cook County, Illinois, United States", "m.chicago"),
    ],
)
def test_a_place_and_what_it_lies_in_are_one(places: KnowledgeBase, said: str, place: str) -> None:
    assert joined(places, f"Who was born in {said}?") == {said: [place]}


@pytest.mark.parametrize(
    "said",
    ["Paris, Illinois", "Illinois, Springfield", "Springfield in Illinois", "Springfield and Illinois",
     "Springfield, Paris", "Springfield; Illinois"],
)  # fmt: skip
def test_others_are_two(places: KnowledgeBase, said: str) -> None:
    assert len(joined(places, f"Who was born in {said}?")) == 2


def test_a_store_that_takes_too_long_joins_nothing(
    places: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> Rows:
        raise StoreTimeout("too late")

    monkeypatch.setattr(places.store, "select", late)
    assert len(joined(places, "Who was born in Springfield, Illinois?")) == 2


def test_the_stub_s_towns_are_asked_about_by_their_address(shipped: Engine) -> None:
    for said in ("Austin, Texas", "austin tx"):
        version = shipped.first_version(f"which universities are in {said}?").current
        assert version is not None
        assert [a.label for a in version.steps[-1].answers] == ["University of Texas at Austin"]
        assert [m.text for m in shipped.first_version(f"which universities are in {said}?").mentions] == [
            said
        ]
