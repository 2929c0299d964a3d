"""WebQSP, WebQSP.{train,test}.json (Yih et al. 2016): {"Questions": [{QuestionId, RawQuestion, Parses:
[{ParseId, Sparql, TopicEntityMid, TopicEntityName, Constraints, Answers, ...}]}]}. One row for each parse."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.errors import InputError
from kbqa.importers.rows import Entry, ImportedRow, Skipped, answers_of, id_of, named, objects_of, text_of


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    """`more` keeps the question's id, of which several rows may be, and the annotators' judgement of the
    parse ('Complete' or 'Partial')."""
    asked = id_of(entry, "QuestionId")
    question = text_of(entry, "RawQuestion", otherwise="ProcessedQuestion")
    parses = objects_of(entry, "Parses")
    if not parses:
        raise InputError("the field 'Parses' is missing or empty: no query")
    for number, parse in enumerate(parses):
        name = str(parse.get("ParseId") or f"{asked}.P{number}")
        try:
            yield _row(parse, name, asked, question, len(parses))
        except InputError as e:
            yield Skipped(name, str(e))


def _row(parse: Entry, name: str, asked: str, question: str, parses: int) -> ImportedRow:
    answers, answer_names = answers_of(parse, "Answers", "AnswerArgument", "EntityName")
    comment = parse.get("AnnotatorComment")
    quality = comment.get("ParseQuality") if isinstance(comment, dict) else None
    return ImportedRow(
        id=name,
        question=question,
        sparql=text_of(parse, "Sparql"),
        source="webqsp",
        names={**answer_names, **_names(parse)},
        answers=answers,
        answer_names=answer_names,
        more={
            "question_id": asked,
            "n_parses": parses,
            "main_entity": parse.get("TopicEntityMid"),
            "main_entity_mention": parse.get("PotentialTopicEntityMention"),
            "parse_quality": quality,
        },
    )


def _names(parse: Entry) -> dict[str, str]:
    """The topic entity, and those of the constraints."""
    said = [(parse.get("TopicEntityMid"), parse.get("TopicEntityName"))]
    said += [(c.get("Argument"), c.get("EntityName")) for c in objects_of(parse, "Constraints")]
    return named(said)
