"""A small graph of films and places, the questions its scripted parser knows, and an engine over both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kbqa.correct import Context, Corrected, Corrector, TemplateCorrector
from kbqa.engine import Engine
from kbqa.kb import build_kb, open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.protocols import Mention
from kbqa.scripted import ScriptedParser
from kbqa.templates import Names, read

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> "

NATIONALITY = "What is the nationality of the person who wrote Forrest Gump?"
LATEST = "Which film with Tom Hanks directed by Robert Zemeckis is the latest?"
BIRTHPLACE = "Where was the governor of Georgia born?"
DIRECTOR = "Who directed Cast Away?"
CREW = "Who directed the films that Tom Hanks acted in?"
NOTHING = "What is the sequel of Cast Away?"

_PLAYED = (
    "ns:m.tom ns:film.actor.film ?p . ?p ns:film.performance.film ?x . ?x ns:film.film.directed_by ns:m.bob"
)
SCRIPT: Mapping[str, str | Sequence[tuple[str, float]]] = {
    NATIONALITY: NS + "SELECT DISTINCT ?x WHERE { ns:m.gump ns:film.film.written_by ?w ."
    " ?w ns:people.person.nationality ?x }",
    LATEST: NS + f"SELECT DISTINCT ?x WHERE {{ {_PLAYED} . ?x ns:film.film.initial_release_date ?d }}"
    " ORDER BY DESC(xsd:datetime(?d)) LIMIT 1",
    BIRTHPLACE: NS + "SELECT DISTINCT ?x WHERE { ns:m.georgia"
    " ns:government.governmental_jurisdiction.governing_officials ?o ."
    " ?o ns:government.government_position_held.office_holder ?g . ?g ns:people.person.place_of_birth ?x }",
    DIRECTOR: NS + "SELECT DISTINCT ?x WHERE { ns:m.cast ns:film.film.directed_by ?x }",
    CREW: NS + "SELECT DISTINCT ?x WHERE { ns:m.tom ns:film.actor.film ?p . ?p ns:film.performance.film ?f ."
    " ?f ns:film.film.directed_by ?x }",
    NOTHING: NS + "SELECT DISTINCT ?x WHERE { ns:m.cast ns:film.film.sequel ?x }",
}

_FACTS = """
@prefix ns: <http://rdf.freebase.com/ns/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ns:m.gump ns:type.object.name "Forrest Gump"@en ; ns:type.object.type ns:film.film ;
  ns:film.film.written_by ns:m.roth ; ns:film.film.directed_by ns:m.bob ;
  ns:film.film.produced_by ns:m.wendy ;
  ns:film.film.initial_release_date "1994-07-06"^^xsd:date .
ns:m.cast ns:type.object.name "Cast Away"@en ; ns:type.object.type ns:film.film ;
  ns:film.film.written_by ns:m.will ; ns:film.film.directed_by ns:m.bob ;
  ns:film.film.initial_release_date "2000-12-22"^^xsd:date .
ns:m.big ns:type.object.name "Big"@en ; ns:type.object.type ns:film.film ;
  ns:film.film.directed_by ns:m.penny ; ns:film.film.initial_release_date "1988-06-03"^^xsd:date .
ns:m.tom ns:type.object.name "Tom Hanks"@en ; ns:type.object.type ns:people.person ;
  ns:film.actor.film ns:m.p1 , ns:m.p2 , ns:m.p3 .
ns:m.p1 ns:film.performance.film ns:m.gump ; ns:film.performance.actor ns:m.tom .
ns:m.p2 ns:film.performance.film ns:m.cast ; ns:film.performance.actor ns:m.tom .
ns:m.p3 ns:film.performance.film ns:m.big ; ns:film.performance.actor ns:m.tom .
ns:m.bob ns:type.object.name "Robert Zemeckis"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.nationality ns:m.usa .
ns:m.penny ns:type.object.name "Penny Marshall"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.nationality ns:m.usa .
ns:m.roth ns:type.object.name "Eric Roth"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.nationality ns:m.usa ; ns:people.person.place_of_birth ns:m.ny .
ns:m.will ns:type.object.name "William Broyles"@en ; ns:type.object.type ns:people.person .
ns:m.wendy ns:type.object.name "Wendy Finerman"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.nationality ns:m.uk .
ns:m.usa ns:type.object.name "United States"@en ; ns:type.object.type ns:location.country .
ns:m.uk ns:type.object.name "United Kingdom"@en ; ns:type.object.type ns:location.country .
ns:m.ny ns:type.object.name "New York City"@en ; ns:type.object.type ns:location.citytown .
ns:m.atl ns:type.object.name "Atlanta"@en ; ns:type.object.type ns:location.citytown .
ns:m.tbi ns:type.object.name "Tbilisi"@en ; ns:type.object.type ns:location.citytown .
ns:m.georgia ns:type.object.name "Georgia"@en ; ns:type.object.type ns:location.country ;
  ns:location.country.capital ns:m.tbi ;
  ns:government.governmental_jurisdiction.governing_officials ns:m.o1 .
ns:m.gastate ns:type.object.name "Georgia"@en ; ns:type.object.type ns:location.us_state ;
  ns:government.governmental_jurisdiction.governing_officials ns:m.o2 .
ns:m.o1 ns:government.government_position_held.office_holder ns:m.salome .
ns:m.o2 ns:government.government_position_held.office_holder ns:m.kemp .
ns:m.salome ns:type.object.name "Salome Zourabichvili"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.place_of_birth ns:m.tbi .
ns:m.kemp ns:type.object.name "Brian Kemp"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.place_of_birth ns:m.atl .
"""


def film_engine(folder: Path, corrector: Corrector | None = None) -> Engine:
    """An engine over the graph, built in `folder`; the caller closes it. Templated English is read by
    rule, other corrections by `corrector`, if any."""
    facts = folder / "films.ttl"
    facts.write_text(_FACTS, encoding="utf-8")
    opened = open_kb(str(build_kb([facts], folder / "kb")))
    return Engine(opened, ScriptedParser(SCRIPT), corrector=TemplateCorrector(opened.lexicon, corrector))


class Worded:
    """A corrector that knows a few wordings by their templates: what a model would read."""

    _templates: Mapping[str, str] = {
        "Who is the producer of Forrest Gump?": "Who is the producer of [Forrest Gump]?",
        "Who made Forrest Gump happen?": "Who is the producer of [Forrest Gump]?",
        "Who is the writer of Cast Away?": "Who is the screenwriter of [Cast Away]?",
        "Who wrote that film?": "Who is the screenwriter of [that film]?",
    }

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        template = self._templates.get(text)
        if template is None:
            return ()
        linked = {c.entity: c.label for m in mentions for c in m.candidates[:1]}
        names = Names({**linked, **dict(context.entities)})
        step = read(template, len(context.steps) + 1, freebase_lexicon(), names)
        return (Corrected(step, -0.5, tuple(mentions)),)
