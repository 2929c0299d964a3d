"""Building a knowledge base from RDF files: all formats alike, mediators, names, renewal, broken input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyoxigraph
import pytest

from kbqa.errors import KnowledgeBaseError, LexiconError
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.kb.meta import read_meta, read_profile
from kbqa.kb.names import local_label
from kbqa.types import Hop, Iri
from kbqa.types import Path as LexiconPath

E = "http://example.org/"
FACTS = f"""
@prefix : <{E}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Person a owl:Class ; rdfs:label "Person"@en, "Mensch"@de . :Employee rdfs:subClassOf :Person .
:worksFor a owl:ObjectProperty ; rdfs:label "works for"@en ; rdfs:comment "The company somebody works for." .
:p17 a owl:DatatypeProperty . [] sh:path :p17 ; sh:name "shoe size" .
:hasManager owl:inverseOf :manages .
:ann a :Employee ; rdfs:label "Ann Smith"@en, "Anna Schmidt"@de ; skos:altLabel "Annie" ; :worksFor :acme ;
  :hasManager :bob ; :p17 38 ; :membership [ :club :tennis ; :since "2001"^^xsd:gYear ] .
:bob a :Employee ; rdfs:label "Bob Jones" ; :worksFor :acme ; :p17 44 ; :manages :ann ;
  :membership [ :club :tennis ; :since "2003"^^xsd:gYear ] .
:acme a :Company ; rdfs:label "Acme" ; :headquarters :Springfield ; :employs :ann , :bob .
:tennis a :Club ; rdfs:label "Tennis Club" .
"""
MEMBERSHIP: LexiconPath = (Hop(Iri(E + "membership")), Hop(Iri(E + "club")))


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    file = tmp_path / "facts.ttl"
    file.write_text(FACTS, encoding="utf-8")
    return file


def _opened(folder: Path) -> KnowledgeBase:
    return open_kb(str(folder))


# --- what is found ------------------------------------------------------------


def test_names_wordings_mediators_and_inverses_are_found(facts: Path, tmp_path: Path) -> None:
    with _opened(build_kb([facts], tmp_path / "kb")) as kb:
        profile = read_profile(tmp_path / "kb")
        assert kb.own and kb.names[Iri(E + "ann")] == "Ann Smith"
        assert kb.names[Iri(E + "Springfield")] == "Springfield"
        assert kb.index.lookup("Annie")[0].entity == Iri(E + "ann")
        assert MEMBERSHIP in kb.paths.pairs
        assert Iri(E + "membership") in kb.lexicon.mediators.predicates
        works = profile.predicates[Iri(E + "worksFor")]
        assert (works.label, works.comment) == ("works for", "The company somebody works for.")
        assert works.inverse == Iri(E + "employs"), "found in the data"
        assert profile.predicates[Iri(E + "manages")].inverse == Iri(E + "hasManager"), "stated"
        assert profile.classes[Iri(E + "Employee")].parents == (Iri(E + "Person"),)
        assert kb.lexicon.wordings[(Hop(Iri(E + "p17")),)].template == "the shoe size of {}", "from SHACL"
        assert kb.kinds is not None and kb.kinds[Iri(E + "Company")] == ("company", ("company",))
        assert not [p for p in kb.paths.predicates if "owl" in p.value or "rdf-schema" in p.value]
        assert not kb.index.lookup("works for") or kb.index.lookup("works for")[0].score < 0.9


def test_reified_and_n_ary_nodes_with_iris_are_mediators_too(tmp_path: Path) -> None:
    lines = [
        f'<{E}person/{n}> a <{E}Person> ; <http://xmlns.com/foaf/0.1/name> "Person {c}" .\n'
        f"<{E}job/{n}> a <{E}Job> ; <{E}holder> <{E}person/{n}> ; <{E}firm> <{E}Firm_{c}> ; <{E}pay> {n}00 ."
        for n, c in enumerate("ABCDE", 1)
    ]
    (tmp_path / "jobs.ttl").write_text("\n".join(lines), encoding="utf-8")
    with _opened(build_kb([tmp_path / "jobs.ttl"], tmp_path / "kb")) as kb:
        holder, firm, pay = (Iri(E + n) for n in ("holder", "firm", "pay"))
        ends = (holder, firm, pay)
        expected = {(Hop(a, True), Hop(b)) for a in (holder, firm) for b in ends if a != b}
        assert {p for p in kb.paths.pairs if p[0].predicate in ends} == expected
        assert {holder, firm} <= kb.lexicon.mediators.sources


def test_things_without_a_stated_name_are_no_mediators_where_their_iris_are_names(tmp_path: Path) -> None:
    (tmp_path / "plain.nt").write_text(
        f"<{E}Bob_Smith> <{E}knows> <{E}Eve_Jones> .\n<{E}Eve_Jones> <{E}livesIn> <{E}Paris> .\n",
        encoding="utf-8",
    )
    with _opened(build_kb([tmp_path / "plain.nt"], tmp_path / "kb")) as kb:
        assert not kb.paths.pairs
        assert kb.index.lookup("eve jones")[0].entity == Iri(E + "Eve_Jones")


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("Bob_Smith", "Bob Smith"),
        ("id/TheIronRiver", "The Iron River"),
        ("x#Caf%C3%A9", "Café"),
        ("book/123", ""),
        ("m17", ""),
        ("3f2a-99c1-aa", ""),
        ("photo.jpg", ""),
        ("find?q=abc", ""),
    ],
)
def test_local_names_are_names_where_they_look_like_one(iri: str, name: str) -> None:
    assert local_label(Iri(E + iri)) == name


def test_languages_are_chosen(facts: Path, tmp_path: Path) -> None:
    with _opened(build_kb([facts], tmp_path / "kb", languages=("de", "en", ""))) as kb:
        assert kb.names[Iri(E + "ann")] == "Anna Schmidt"
        assert kb.index.lookup("Anna Schmidt")[0].label == "Anna Schmidt"


# --- formats ------------------------------------------------------------------

_WRITTEN = {
    "nt": pyoxigraph.RdfFormat.N_TRIPLES,
    "nq": pyoxigraph.RdfFormat.N_QUADS,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "rdf": pyoxigraph.RdfFormat.RDF_XML,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
}


def _induced(folder: Path) -> dict[str, str]:
    return {f.name: f.read_text(encoding="utf-8") for f in sorted((folder / "lexicon").rglob("*.tsv"))}


def test_every_format_gives_the_same_wordings(facts: Path, tmp_path: Path) -> None:
    first = build_kb([facts], tmp_path / "ttl")
    expected = _induced(first)
    triples = [q.triple for q in pyoxigraph.parse(path=str(facts), format=pyoxigraph.RdfFormat.TURTLE)]
    graph = pyoxigraph.NamedNode(E + "graph")
    for ending, rdf_format in _WRITTEN.items():
        quads = [pyoxigraph.Quad(*t, graph) for t in triples] if ending in ("nq", "trig") else triples
        data = pyoxigraph.serialize(quads, format=rdf_format)
        assert data is not None
        (tmp_path / f"facts.{ending}.gz").write_bytes(gzip.compress(data))
        built = build_kb([tmp_path / f"facts.{ending}.gz"], tmp_path / f"kb-{ending}")
        assert _induced(built) == expected, ending
        assert read_meta(built).triples == read_meta(first).triples >= len(triples), ending


def test_a_folder_stands_for_its_files(facts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    (folder / "deep").mkdir(parents=True)
    facts.rename(folder / "deep" / "a.ttl")
    (folder / "notes.txt").write_text("not RDF")
    (folder / "b.nt").write_text(f"<{E}Zoe_Park> <{E}worksFor> <{E}acme> .\n")
    built = build_kb([folder], tmp_path / "kb")
    assert [name for name, _ in read_meta(built).sources] == ["b.nt", "a.ttl"]
    with pytest.raises(KnowledgeBaseError, match="holds no RDF file"):
        (tmp_path / "empty").mkdir()
        build_kb([tmp_path / "empty"], tmp_path / "kb2")


# --- broken input, renewal ------------------------------------------------------


def test_broken_input_names_file_line_and_reason_and_leaves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ttl"
    bad.write_text(f"<{E}a> <{E}b> <{E}c> .\n<{E}a> <{E}b> oops .\n", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError) as failed:
        build_kb([bad], tmp_path / "kb")
    assert f"{bad}, line 2" in str(failed.value) and "Turtle" in str(failed.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.ttl"]
    (tmp_path / "none.nt").write_text("# nothing\n")
    with pytest.raises(KnowledgeBaseError, match="holds no triples"):
        build_kb([tmp_path / "none.nt"], tmp_path / "kb")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.ttl", "none.nt"]


def test_a_failed_renewal_keeps_what_was_there(facts: Path, tmp_path: Path) -> None:
    built = build_kb([facts], tmp_path / "kb")
    before = (built / "kb.json").read_text()
    facts.write_text("oops", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError):
        build_kb([facts], built, replace=True)
    assert (built / "kb.json").read_text() == before
    with _opened(built) as kb:
        assert kb.names[Iri(E + "ann")] == "Ann Smith"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_what_is_there_is_not_overwritten_unasked(facts: Path, tmp_path: Path) -> None:
    built = build_kb([facts], tmp_path / "kb")
    with pytest.raises(KnowledgeBaseError, match="is there already"):
        build_kb([facts], built)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(KnowledgeBaseError, match="is there already"):
        build_kb([facts], tmp_path / "mine", replace=True)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def test_renewal_builds_only_what_changed(facts: Path, tmp_path: Path) -> None:
    built = build_kb([facts], tmp_path / "kb")
    (built / "lexicon.toml").write_text(f'[predicate."{E}worksFor"]\nname = "employer"\n')
    stamp = (built / "kb.json").stat().st_mtime_ns
    build_kb([facts], built, replace=True)
    assert (built / "kb.json").stat().st_mtime_ns == stamp, "nothing has changed"
    more = tmp_path / "more.nt"
    more.write_text(f"<{E}Zoe_Park> <{E}worksFor> <{E}acme> .\n", encoding="utf-8")
    said: list[str] = []
    build_kb([facts, more], built, replace=True, progress=lambda what, done: said.append(what))
    assert "loading more.nt" in said and "loading facts.ttl" not in said
    fresh = build_kb([facts, more], tmp_path / "fresh")
    assert _induced(built) == _induced(fresh)
    assert json.loads((built / "kb.json").read_text())["triples"] == read_meta(fresh).triples
    with _opened(built) as kb:
        assert kb.lexicon.properties[(Hop(Iri(E + "worksFor")),)] == "employer", "the owner's words stay"
        rows = kb.store.select(f"SELECT ?x WHERE {{ ?x <{E}worksFor> <{E}acme> }}").rows
        assert len(rows) == 3


def test_hidden_predicates_are_never_asked_for(facts: Path, tmp_path: Path) -> None:
    built = build_kb([facts], tmp_path / "kb")
    (built / "lexicon.toml").write_text(f'[predicate."{E}membership"]\nhide = true\n')
    with _opened(built) as kb:
        assert Iri(E + "membership") not in kb.paths.predicates
        assert not [p for p in kb.paths.pairs if any(h.predicate == Iri(E + "membership") for h in p)]
    (built / "lexicon.toml").write_text('[predicate."x:membership"]\nhide = true\n')
    with pytest.raises(LexiconError, match="line 1"):
        _opened(built)


def test_freebase_keeps_its_own_lexicon(tmp_path: Path) -> None:
    fb = "http://rdf.freebase.com/ns/"
    (tmp_path / "fb.nt").write_text(
        f'<{fb}m.1> <{fb}type.object.name> "Ann"@en .\n'
        f"<{fb}m.1> <{fb}people.person.place_of_birth> <{fb}m.2> .\n"
    )
    built = build_kb([tmp_path / "fb.nt"], tmp_path / "kb")
    with _opened(built) as kb:
        assert not kb.own and not (built / "lexicon").exists()
        assert kb.kinds is None


def test_countries_go_by_their_adjectives_too(tmp_path: Path) -> None:
    file = tmp_path / "facts.ttl"
    file.write_text(
        "@prefix : <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':at rdfs:label "Austria" . :au rdfs:label "Australia" . :x rdfs:label "Austrian Alps" ; :in :at .\n',
        encoding="utf-8",
    )
    with _opened(build_kb([file], tmp_path / "kb")) as kb:
        assert [m.candidates[0].label for m in kb.linker.link("Which Austrian wines are there?")] == [
            "Austria"
        ]


def test_things_are_of_the_wider_classes_too(tmp_path: Path) -> None:
    file = tmp_path / "air.ttl"
    file.write_text(
        """
        @prefix : <http://air.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :Airport rdfs:label "airport" ; rdfs:subClassOf owl:Thing .
        :WaterBase rdfs:subClassOf :SmallField . :SmallField rdfs:subClassOf :Airport .
        :kuhio a :WaterBase ; rdfs:label "Kuhio" . :oakton a :Airport ; rdfs:label "Oakton" .
        """,
        encoding="utf-8",
    )
    with open_kb(str(build_kb([file], tmp_path / "kb"))) as kb:
        rows = kb.store.select("SELECT ?x { ?x a <http://air.example/Airport> }").rows
        assert {row[0] for row in rows} == {Iri("http://air.example/kuhio"), Iri("http://air.example/oakton")}
        assert set(kb.types(Iri("http://air.example/kuhio"))) == {
            Iri(f"http://air.example/{name}") for name in ("WaterBase", "SmallField", "Airport")
        }
