"""The predicates and classes that say something about a graph's schema rather than about its things."""

from __future__ import annotations

from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES
from kbqa.types import Iri

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SHACL = "http://www.w3.org/ns/shacl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMAS = ("http://schema.org/", "https://schema.org/")

TYPE = Iri(RDF + "type")
SCHEMA_CLASSES = frozenset(
    Iri(name)
    for name in (
        RDF + "Property",
        RDFS + "Class",
        RDFS + "Datatype",
        *(
            OWL + n
            for n in (
                "Class ObjectProperty DatatypeProperty AnnotationProperty OntologyProperty Ontology "
                "Restriction FunctionalProperty InverseFunctionalProperty TransitiveProperty "
                "SymmetricProperty AllDisjointClasses AllDifferent Axiom DeprecatedClass DeprecatedProperty"
            ).split()
        ),
        *(SHACL + n for n in ("NodeShape", "PropertyShape", "Shape", "PropertyGroup")),
    )
)
"""Instances of these belong to the ontology."""

DEFINING = tuple(
    Iri(name)
    for name in (
        RDFS + "subClassOf",
        RDFS + "subPropertyOf",
        RDFS + "domain",
        RDFS + "range",
        OWL + "inverseOf",
        OWL + "equivalentProperty",
        SHACL + "path",
        SHACL + "targetClass",
        *(s + n for s in SCHEMAS for n in ("domainIncludes", "rangeIncludes", "inverseOf")),
    )
)
"""Subjects of these belong to the ontology, whatever their types."""

_SCHEMA_NAMESPACES = (RDFS, OWL, SHACL)
_NAMING = frozenset((*NAME_PREDICATES, *ALIAS_PREDICATES))
_ASIDE = frozenset(
    Iri(name)
    for name in (
        RDF + "first",
        RDF + "rest",
        RDF + "value",
        SKOS + "inScheme",
        SKOS + "hiddenLabel",
        "http://www.w3.org/2008/05/skos-xl#prefLabel",
    )
)


def is_askable(predicate: Iri) -> bool:
    """Whether somebody may ask along this predicate: not for names, nor for the schema."""
    if predicate in _NAMING or predicate in _ASIDE:
        return False
    return not predicate.value.startswith(_SCHEMA_NAMESPACES)


def is_thing_class(iri: Iri) -> bool:
    """Whether instances of a class are things and not parts of an ontology."""
    return iri not in SCHEMA_CLASSES and not iri.value.startswith((OWL, SHACL, RDFS))
