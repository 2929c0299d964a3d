"""A library's catalogue as RDF, made up: books, authors, publishers, branches, members and loans, in terms of
schema.org, Dublin Core, FOAF and SKOS and a small vocabulary of its own. The same seed, the same graph.

    python -m bench.library --books 1000 > library.ttl      # some 20,000 triples
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

PREFIXES = """\
@prefix : <http://library.example/id/> .
@prefix lib: <http://library.example/terms#> .
@prefix schema: <http://schema.org/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
ONTOLOGY = """\
lib:Loan a owl:Class ; rdfs:label "loan"@en ; rdfs:comment "A book lent to a member."@en .
lib:Member a owl:Class ; rdfs:label "library member"@en ; rdfs:subClassOf foaf:Person .
lib:Branch a owl:Class ; rdfs:label "branch"@en , "Zweigstelle"@de .
lib:Author rdfs:subClassOf foaf:Person ; a owl:Class ; rdfs:label "author"@en .
lib:heldBy a owl:ObjectProperty ; rdfs:label "held by"@en ; rdfs:domain schema:Book ; rdfs:range lib:Branch .
lib:hasManager a owl:ObjectProperty ; rdfs:label "has manager"@en .
lib:borrower a owl:ObjectProperty ; rdfs:label "borrower"@en .
lib:item a owl:ObjectProperty ; rdfs:label "borrowed book"@en .
lib:memberOf a owl:ObjectProperty ; rdfs:label "member of"@en .
"""
_GIVEN = (
    "Marta Jonas Ingrid Tobias Amara Kofi Leila Omar Yuki Haruto Elena Mateo Sofia Lucas Nadia Pavel Greta "
    "Anton Maeve Cillian Priya Arjun Zanele Thabo Freya Emil Clara Hugo Salma Idris"
).split()
_FAMILY = (
    "Lindqvist Okafor Varga Moreau Tanaka Petrov Halloran Castellanos Bergström Mwangi Kowalczyk Fontaine "
    "Ashworth Nakamura Delgado Horvat Rasmussen Adeyemi Steiner Pellegrini Vantongeren Quispe Marchetti "
    "Thorsen Abernathy Kaur Dlamini Weissman Orlova Baptiste"
).split()
_FIRST = (
    "Silent Crimson Forgotten Hollow Northern Burning Paper Glass Winter Drowned Golden Last Secret "
    "Broken Distant Wandering Iron Velvet Salt Midnight"
).split()
_SECOND = (
    "Harbour Orchard Cartographer Lighthouse Garden Archive Machine River Cathedral Clockmaker Island "
    "Testament Apprentice Observatory Kingdom Meadow Labyrinth Voyage Letters Compass Sparrow "
    "Foundry Bridge Almanac"
).split()
_CITIES = (
    "Aldermoor",
    "Brackenford",
    "Port Selwyn",
    "Eastmere",
    "Tillbrook",
    "Vessen",
    "Karlowitz",
    "Montreval",
)
_HOUSES = ("Harrow & Finch", "Bluestone Press", "Meridian House", "Quill Editions", "Lanternlight Books")
_HOUSES += ("Saltmarsh Publishing", "Tern Academic")
_SUBJECTS = (
    "Fiction", "Detective stories", "Poetry", "Astronomy", "Marine biology", "Medieval history", "Cookery",
    "Philosophy", "Railway engineering", "Botany",
)  # fmt: skip
_LANGUAGES = ("English", "German", "French", "Polish", "Portuguese")


@dataclass
class Library:
    """The graph as triples in Turtle; `titles`, `authors`, `members`, `branches`: names by number."""

    books: int = 1000
    seed: int = 0
    titles: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    branches: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        people = [f"{g} {f}" for g in _GIVEN for f in _FAMILY]
        self._random.shuffle(people)
        few = max(5, self.books // 5)
        self.authors = [_numbered(people, i) for i in range(few)]
        self.members = [_numbered(people, few + i) for i in range(few)]
        names = [f"The {a} {b}" for a in _FIRST for b in _SECOND]
        self._random.shuffle(names)
        self.titles = [_numbered(names, i) for i in range(self.books)]
        self.branches = [f"{city} Library" for city in _CITIES]

    def turtle(self) -> Iterator[str]:
        """Lines; the order is fixed."""
        yield PREFIXES + ONTOLOGY
        yield from self._places()
        yield from self._people()
        for number, title in enumerate(self.titles):
            yield from self._book(number, title)
        for number in range(self.books):
            yield self._loan(number)

    def _places(self) -> Iterator[str]:
        for i, city in enumerate(_CITIES):
            people = self._random.randrange(8_000, 400_000)
            yield f':city{i} a schema:City ; rdfs:label "{city}"@en ; schema:population {people} .\n'
        for i, name in enumerate(self.branches):
            manager = f":m{self._random.randrange(len(self.members))}"
            opened = self._random.randrange(1890, 2015)
            yield (
                f':branch{i} a lib:Branch ; schema:name "{name}" ; schema:location :city{i} ; lib:hasManager'
                f' {manager} ; schema:telephone "+44 55 {1000 + 37 * i}" ; lib:seats {40 + 13 * i} ;'
                f' lib:opened "{opened}-05-0{1 + i % 8}"^^xsd:date .\n'
            )
        for i, name in enumerate(_HOUSES):
            year, city = self._random.randrange(1850, 2000), f":city{i % 8}"
            yield (
                f':house{i} a schema:Organization ; schema:name "{name}" ; schema:foundingDate'
                f' "{year}-01-15"^^xsd:date ; schema:location {city} .\n'
            )
        for i, name in enumerate(_SUBJECTS):
            yield f':subject{i} a skos:Concept ; skos:prefLabel "{name}"@en .\n'
        for i, name in enumerate(_LANGUAGES):
            yield f':language{i} a dct:LinguisticSystem ; rdfs:label "{name}"@en .\n'

    def _people(self) -> Iterator[str]:
        for i, name in enumerate(self.authors):
            yield (
                f':a{i} a lib:Author ; foaf:name "{name}" ; schema:birthDate'
                f' "{self._day(1900, 1990)}"^^xsd:date ;'
                f" schema:birthPlace :city{self._random.randrange(8)} .\n"
            )
        for i, name in enumerate(self.members):
            mail = name.lower().replace(" ", ".").encode("ascii", "ignore").decode()
            yield (
                f':m{i} a lib:Member ; foaf:name "{name}" ; schema:email "{mail}@mail.example" ; lib:memberOf'
                f' :branch{self._random.randrange(8)} ; lib:joined "{self._day(2000, 2024)}"^^xsd:date .\n'
            )

    def _book(self, i: int, title: str) -> Iterator[str]:
        pick = self._random.randrange
        author = pick(len(self.authors))
        yield (
            f':b{i} a schema:Book ; dct:title "{title}"@en ; schema:author :a{author} ; dct:publisher'
            f" :house{pick(len(_HOUSES))} ; dct:language :language{pick(len(_LANGUAGES))} ; dct:subject"
            f" :subject{pick(len(_SUBJECTS))} ; schema:numberOfPages {pick(80, 900)} ; schema:isbn"
            f' "978-{pick(10**9):09d}" ; dct:issued "{self._day(1950, 2023)}"^^xsd:date ; lib:heldBy'
            f" :branch{pick(8)} ; schema:price {pick(500, 6000) / 100:.2f} .\n"
        )
        if i % 4 == 0:
            yield f":b{i} schema:translator :a{(author + 1 + pick(3)) % len(self.authors)} .\n"

    def _loan(self, i: int) -> str:
        pick = self._random.randrange
        return (
            f":loan{i} a lib:Loan ; lib:borrower :m{pick(len(self.members))} ;"
            f" lib:item :b{pick(self.books)} ;"
            f' lib:loanDate "{self._day(2020, 2024)}"^^xsd:date .\n'
        )

    def _day(self, first: int, last: int) -> str:
        pick = self._random.randrange
        return f"{pick(first, last)}-{pick(1, 13):02d}-{pick(1, 29):02d}"


def _numbered(names: list[str], i: int) -> str:
    again, at = divmod(i, len(names))
    return names[at] if not again else f"{names[at]} {_roman(again + 1)}"


def _roman(number: int) -> str:
    out = ""
    for value, sign in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
                        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):  # fmt: skip
        while number >= value:
            out, number = out + sign, number - value
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--books", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    sys.stdout.writelines(Library(args.books, args.seed).turtle())


if __name__ == "__main__":
    main()
