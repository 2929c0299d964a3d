"""GrailQA, grailqa_v1.0_{train,dev}.json (Gu et al. 2021): an array of objects with qid, question,
sparql_query, function, graph_query {nodes, edges}, answer [{answer_argument, entity_name}], ..."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.importers.rows import Entry, ImportedRow, Skipped, answers_of, id_of, named, objects_of, text_of


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    """`type` is the question's function ('none', 'count', 'argmax', ...). `more` keeps the level of
    generalisation, where the file has it."""
    answers, answer_names = answers_of(entry, "answer", "answer_argument", "entity_name")
    function, level = entry.get("function"), entry.get("level")
    yield ImportedRow(
        id=f"grailqa-{id_of(entry, 'qid')}",
        question=text_of(entry, "question"),
        sparql=text_of(entry, "sparql_query"),
        source="grailqa",
        names={**answer_names, **_names(entry)},
        type=function if isinstance(function, str) and function.strip() else None,
        answers=answers,
        answer_names=answer_names,
        more={"level": level} if isinstance(level, str) else {},
    )


def _names(entry: Entry) -> dict[str, str]:
    graph = entry.get("graph_query")
    nodes = objects_of(graph, "nodes") if isinstance(graph, dict) else []
    return named((n.get("id"), n.get("friendly_name")) for n in nodes if n.get("node_type") == "entity")
