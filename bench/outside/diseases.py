"""A clinical vocabulary as an owner might keep it: ICD-10-CM from `simple_icd_10_cm` as a SKOS Turtle file.

    python -m bench.outside.diseases OUT.ttl

Needs `pip install simple-icd-10-cm`. The chapters, blocks, categories and subcategories to the fifth
character of the code, with their inclusion terms as further labels, their notes, and the codes that their
exclusions and coding hints name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

BASE = "http://icd.example/"
VOCABULARY = BASE + "def#"
SCHEME = NamedNode(BASE + "icd-10-cm")
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LABEL = NamedNode(RDFS + "label")

CLASSES = """
    Chapter      : chapter | disease chapter
    Block        : block | disease group
    Category     : category | three-character category
    Subcategory  : subcategory | diagnosis
"""
"""Name and labels; all are kinds of concept."""
SKOS_PROPERTIES = """
    broader      ObjectProperty : has broader | part of | falls under
    inScheme     ObjectProperty : is in scheme
    topConceptOf ObjectProperty : is top concept in scheme
    notation     DatatypeProperty : notation | code | ICD code
    prefLabel    AnnotationProperty : preferred label
    altLabel     AnnotationProperty : alternative label | inclusion term | synonym
    scopeNote    AnnotationProperty : scope note
"""
PROPERTIES = """
    chapter           -> Chapter : in chapter
    excludes          -> skos : excludes | never coded together with
    excludesHere      -> skos : not included here | may be coded together with
    codeFirst         -> skos : code first | underlying condition
    additionalCode    -> skos : use additional code | additional code
    codeAlso          -> skos : code also
    inclusionNote     -> string : inclusion note | includes
    exclusionNote     -> string : exclusion note
    codingHint        -> string : coding hint
    billable          -> boolean : valid for billing | billable
    chapterNumber     Chapter -> integer : chapter number
    firstCode         -> string : first code | starts at
    lastCode          -> string : last code | ends at
"""
"""Name, domain (any concept where none), range, label and further labels."""
LINKS = {
    "get_excludes1": ("excludes", "exclusionNote"),
    "get_excludes2": ("excludesHere", "exclusionNote"),
    "get_code_first": ("codeFirst", "codingHint"),
    "get_use_additional_code": ("additionalCode", "codingHint"),
    "get_code_also": ("codeAlso", "codingHint"),
    "get_includes": ("", "inclusionNote"),
}
"""What the package says of a code, the property for the codes that it names, and the one for its words."""
LEADS = {
    "get_code_first": "code first ",
    "get_use_additional_code": "use additional ",
    "get_code_also": "code also ",
}
CODE = r"[A-Z](?:\d[0-9A-Z]|A\d)(?:\.[0-9A-Z]{1,4})?"
DEEPEST = len("E10.21")


def term(name: str) -> NamedNode:
    return NamedNode(VOCABULARY + name)


def skos(name: str) -> NamedNode:
    return NamedNode(SKOS + name)


def concept(code: str) -> NamedNode:
    return NamedNode(BASE + ("chapter/" if code.isdigit() else "code/") + code)


def english(text: str) -> Literal:
    return Literal(text, language="en")


def labelled(node: NamedNode, labels: str, kind: str) -> Iterator[Triple]:
    label, *further = (text.strip() for text in labels.split("|"))
    yield Triple(node, TYPE, NamedNode(OWL + kind))
    yield Triple(node, LABEL, english(label))
    for other in further:
        yield Triple(node, skos("altLabel"), english(other))


def ontology() -> Iterator[Triple]:
    yield from labelled(skos("Concept"), "concept | condition", "Class")
    yield from labelled(skos("ConceptScheme"), "concept scheme", "Class")
    yield Triple(SCHEME, TYPE, skos("ConceptScheme"))
    yield Triple(SCHEME, skos("prefLabel"), english("ICD-10-CM"))
    for line in CLASSES.strip().splitlines():
        name, labels = line.split(" : ")
        yield from labelled(term(name.strip()), labels, "Class")
        yield Triple(term(name.strip()), NamedNode(RDFS + "subClassOf"), skos("Concept"))
    for line in SKOS_PROPERTIES.strip().splitlines():
        left, labels = line.split(" : ")
        name, kind = left.split()
        yield from labelled(skos(name), labels, kind)
    for name in "broader", "notation":
        yield Triple(skos(name), NamedNode(RDFS + "domain"), skos("Concept"))
    yield Triple(skos("broader"), NamedNode(RDFS + "range"), skos("Concept"))
    for line in PROPERTIES.strip().splitlines():
        left, labels = line.split(" : ")
        (name, *domain), range_ = left.split("->")[0].split(), left.split("->")[1].strip()
        value = {"skos": skos("Concept"), "Chapter": term("Chapter")}.get(range_)
        yield from labelled(term(name), labels, "ObjectProperty" if value else "DatatypeProperty")
        yield Triple(term(name), NamedNode(RDFS + "range"), value or NamedNode(XSD + range_))
        yield Triple(term(name), NamedNode(RDFS + "domain"), term(domain[0]) if domain else skos("Concept"))


def kind(icd: Any, code: str) -> str:
    """A block of one category has the category's code and is left out, so it counts as the category."""
    if icd.is_category(code):
        return "Category"
    return "Chapter" if icd.is_chapter(code) else "Block" if icd.is_block(code) else "Subcategory"


def lines(said: Any) -> Iterable[str]:
    """The package gives some notes as a list and others as a text of several lines."""
    return [] if not said else said.splitlines() if isinstance(said, str) else said


def meant(note: str, kept: dict[str, str]) -> Iterator[str]:
    """The codes in a note's brackets: `(E11.-)`, `(A00-A09)`, `(C44.501, C44.511)`, if the file has them."""
    for bracket in re.findall(r"\(([^()]*)\)", note):
        for part in re.split(r",\s*|\s+and\s+", bracket):
            if re.fullmatch(rf"{CODE}(?:-{CODE}|\.?-)?", part.strip()):
                code = part.strip() if part.strip() in kept else part.strip().rstrip("-").rstrip(".")
                if code in kept:
                    yield code


def facts(icd: Any, code: str, above: str, chapter: str, kept: dict[str, str]) -> Iterator[Triple]:
    node, what = concept(code), kept[code]
    name, spans = icd.get_description(code), ""
    if what in ("Chapter", "Block") and (span := re.search(rf" \(({CODE}(?:-{CODE})?)\)$", name)):
        name, spans = name[: span.start()], span[1]
    yield Triple(node, TYPE, term(what))
    yield Triple(node, skos("prefLabel"), english(name))
    yield Triple(node, skos("notation"), Literal(code))
    yield Triple(node, skos("inScheme"), SCHEME)
    if above:
        yield Triple(node, skos("broader"), concept(above))
        yield Triple(node, term("chapter"), concept(chapter))
    else:
        yield Triple(node, skos("topConceptOf"), SCHEME)
        yield Triple(node, term("chapterNumber"), Literal(code, datatype=NamedNode(XSD + "integer")))
    if spans:
        yield Triple(node, term("firstCode"), Literal(spans.split("-")[0]))
        yield Triple(node, term("lastCode"), Literal(spans.split("-")[-1]))
    if what in ("Category", "Subcategory"):
        paid = "true" if icd.is_leaf(code) else "false"
        yield Triple(node, term("billable"), Literal(paid, datatype=NamedNode(XSD + "boolean")))
    for other in lines(icd.get_inclusion_term(code)):
        if other != name:
            yield Triple(node, skos("altLabel"), english(other))
    for note in lines(icd.get_notes(code)):
        yield Triple(node, skos("scopeNote"), english(note))
    for method, (link, words) in LINKS.items():
        said = list(lines(getattr(icd, method)(code)))
        if said and method in LEADS:
            said = [LEADS[method] + said[0].lstrip(", "), *said[1:]]
        for note in said:
            yield Triple(node, term(words), Literal(note))
            for other in meant(note, kept) if link else ():
                yield Triple(node, term(link), concept(other))


def tree(icd: Any, code: str, above: str, chapter: str) -> Iterator[tuple[str, str, str]]:
    yield code, above, chapter
    for below in icd.get_children(code):
        if "-" in below or len(below) <= DEEPEST:
            yield from tree(icd, below, code, chapter)


def graph(icd: Any) -> Iterator[Triple]:
    found = [row for code in icd.get_all_codes() if icd.is_chapter(code) for row in tree(icd, code, "", code)]
    kept = {code: kind(icd, code) for code, _, _ in found}
    yield from ontology()
    for code, above, chapter in found:
        yield from facts(icd, code, above, chapter, kept)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.diseases OUT.ttl", file=sys.stderr)
        return 2
    try:
        import simple_icd_10_cm
    except ImportError as missing:
        print(f"{missing.name} is not installed: pip install simple-icd-10-cm", file=sys.stderr)
        return 2
    triples = dict.fromkeys(graph(simple_icd_10_cm))
    prefixes = {"": VOCABULARY, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "xsd": XSD}
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=prefixes)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
