"""Questions over own graphs that are read by rule: a class with conditions, and an operation on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.company import Company
from bench.library import Library
from kbqa.compose import ComposingCorrector, ComposingParser
from kbqa.compose.asides import core, without_asides
from kbqa.compose.schema import stem
from kbqa.correct import Context, TemplateCorrector
from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.feedback import Insert
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.scripted import ScriptedParser, parse_of
from kbqa.sparql import parse, render
from kbqa.templates import Names, write_all
from kbqa.types import Iri, Step
from tests.asking import named

LIBRARY, COMPANY = Library(60), Company(40)
AUTHOR, BRANCH, BOOK, MEMBER = LIBRARY.authors[2], LIBRARY.branches[1], LIBRARY.titles[3], LIBRARY.members[4]
OTHER_AUTHOR, OTHER_BOOK = LIBRARY.authors[4], LIBRARY.titles[4]
ANN, SALES = COMPANY.employees[11], COMPANY.departments[0]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    yield from _opened(Library(60), tmp_path_factory)


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    yield from _opened(Company(40), tmp_path_factory)


def _opened(made: Library | Company, places: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = places.mktemp("graph")
    (folder / "graph.ttl").write_text("".join(made.turtle()), encoding="utf-8")
    with open_kb(str(build_kb([folder / "graph.ttl"], folder / "kb"))) as kb:
        yield kb


def composer(kb: KnowledgeBase) -> ComposingParser:
    return ComposingParser(kb, ScriptedParser({}))


def read(kb: KnowledgeBase, question: str) -> tuple[str, ...]:
    """The templates of the best reading; none where there is no reading."""
    found = composer(kb).composed(question, tuple(kb.linker.link(question)))
    if not found:
        return ()
    assert parse(render(found[0].query)) == found[0].query
    return worded(kb, found[0].decomposition.steps)


def worded(kb: KnowledgeBase, steps: tuple[Step, ...]) -> tuple[str, ...]:
    named = kb.names.fetch([c for s in steps for c in constants_of(s) if isinstance(c, Iri)])
    return write_all(steps, kb.lexicon, Names(named))


BOOKS = "What is the thing that is a [Book]?"
AUTHORS = "What is the thing that is a [author]?"
BRANCHES = "What is the thing that is a [branch]?"
BY = f"What is the book whose author is [{AUTHOR}]?"


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("Name all branches.", ("What is the thing that is a [branch]?",)),
        (f"How many books did {AUTHOR} write?", (BY, "Of these, how many are there?")),
        (
            f"Is {MEMBER} the manager of {BRANCH}?",
            (
                f"Who is the manager of [{BRANCH}]?",
                f"Of these, which is also [{MEMBER}]?",
                "Of these, is there any?",
            ),
        ),
        (
            f"Did {AUTHOR} write {BOOK}?",
            (
                f"Who is the author of [{BOOK}]?",
                f"Of these, which is also [{AUTHOR}]?",
                "Of these, is there any?",
            ),
        ),
        (
            "How many books are there per publisher?",
            (BOOKS, "Of these, how many are there for each publisher?"),
        ),
        (
            "Which author wrote the most books?",
            (BOOKS, "Who is the author of [that book]?", "Of these, which is found most often?"),
        ),
        (
            "Which 3 authors wrote the most books?",
            (BOOKS, "Of these, how many are there for each author, the highest 3 only?"),
        ),
        (
            f"What is the average number of pages of the books by {AUTHOR}?",
            (BY, "Of these, what is the average number of pages?"),
        ),
        (
            "How much do the books about Poetry cost in total?",
            ("What is the book whose subject is [Poetry]?", "Of these, what is the total price?"),
        ),
        (
            f"What is the lowest price of the books by {AUTHOR}?",
            (BY, "What is the price of [that book]?", "Of these, which is the smallest?"),
        ),
        ("What are the top 5 longest books?", (BOOKS, "Of these, which 5 has the largest number of pages?")),
        (
            "Who are the three oldest authors?",
            ("What is the thing that is a [author]?", "Of these, which 3 has the earliest birth date?"),
        ),
        (
            "Which books have more than 850 pages?",
            (BOOKS, "Of these, which is one, whose number of pages is more than [850]?"),
        ),
        (
            f"books by {AUTHOR} that were published after 1990",
            (BY, "Of these, which is one, whose issue date is after [1990-12-31]?"),
        ),
        (
            "books issued between 1990 and 1992",
            (
                BOOKS,
                "Of these, which is one, whose issue date is on or after [1990-01-01] and is on or before "
                "[1992-12-31]?",
            ),
        ),
        ("books without a translator", (BOOKS, "Of these, which is one, whose translator is not given?")),
        (
            "Which books has nobody borrowed?",
            (BOOKS, "Of these, which is one, whose borrowed book backwards is not given?"),
        ),
        (
            f"books by {AUTHOR} not in English",
            (BY, "Of these, which is one, whose language is never [English]?"),
        ),
        (
            "Which books are in German or French?",
            (
                "What is the book whose language is [German]?",
                "What is the book whose language is [French]?",
                "What is found in step 1 or step 2?",
            ),
        ),
        (
            f"Which authors were born in the same city as {AUTHOR}?",
            (
                f"What is the birth place of [{AUTHOR}]?",
                f"Who is the author whose birth place is [that city], which is not [{AUTHOR}]?",
            ),
        ),
        (
            'books with "iron" in the title',
            (
                BOOKS,
                'Of these, which is one, whose title (http://purl.org/dc/terms/) contains ["iron"]?',
            ),
        ),
        (
            f"What are the emails of the members of {BRANCH}?",
            (
                f"Who is the library member who is a member of [{BRANCH}]?",
                "What is the email of [that library member]?",
            ),
        ),
        (
            f"Who borrowed {BOOK}?",
            (f"Who is the borrower of the loan whose borrowed book is [{BOOK}]?",),
        ),
        ("authors who wrote at least 3 books", (AUTHORS, "Of these, which is the author of at least [3]?")),
        (
            "Which publishers have more than 10 books?",
            (
                BOOKS,
                "What is the publisher of [that book]?",
                "Of these, which is the publisher of more than [10]?",
            ),
        ),
        (
            "branches with no more than two members",
            (BRANCHES, "Of these, which is the branch that at most [2] are a member of?"),
        ),
        (
            "How many authors have more than one book in German?",
            (
                AUTHORS,
                "What is the book whose language is [German]?",
                "Of the answers to step 1, which is the author of more than [1] of [that book]?",
                "Of these, how many are there?",
            ),
        ),
        (
            "Which members borrowed exactly 2 books?",
            (
                "What is the thing that is a [library member]?",
                "Of these, which is the borrower of the loan whose borrowed book is each of exactly [2]?",
            ),
        ),
        (
            "branches that hold between 5 and 8 books",
            (
                BRANCHES,
                "Of these, which is the branch that at least [5] are held by, which is the branch that at "
                "most [8] are held by?",
            ),
        ),
        (
            f"What is the average price of the books by {AUTHOR} per subject?",
            (BY, "Of these, what is the average price for each subject?"),
        ),
        (
            "What is the total price by publisher?",
            (BOOKS, "Of these, what is the total price for each publisher?"),
        ),
        (
            "Which language has the lowest average number of pages?",
            (BOOKS, "Of these, what is the average number of pages for each language, the lowest only?"),
        ),
        (
            "top 3 publishers by average price",
            (BOOKS, "Of these, what is the average price for each publisher, the highest 3 only?"),
        ),
        (
            "For each branch, how many books are there?",
            (BOOKS, "Of these, how many are there for each branch that they are held by?"),
        ),
        (
            "list the members with their email if they have one",
            ("What is the thing that is a [library member]?", "Of these, what is the email of each, if any?"),
        ),
        (
            f"books by {AUTHOR} and their prices",
            (BY, "Of these, what is the price of each, if any?"),
        ),
        (
            "books whose translator is missing",
            (BOOKS, "Of these, which is one, whose translator is not given?"),
        ),
        ("books whose translator is known", (BOOKS, "Of these, which is one, whose translator is given?")),
        (
            "books from 2000 on",
            (BOOKS, "Of these, which is one, whose issue date is on or after [2000-01-01]?"),
        ),
        (
            "books that cost less than half a million",
            (BOOKS, "Of these, which is one, whose price is less than [500000]?"),
        ),
        (f"When did {BOOK} come out?", (f"What is the issue date of [{BOOK}]?",)),
        ("How many different branches do we have?", (BRANCHES, "Of these, how many are there?")),
        (
            "Break down the books by publisher.",
            (BOOKS, "Of these, how many are there for each publisher?"),
        ),
        (
            f"the authors of both {BOOK} and {OTHER_BOOK}",
            (f"Who is the author of [{BOOK}]?", f"Of these, which is the author of [{OTHER_BOOK}]?"),
        ),
        (
            f"{BOOK} longer than 300 pages?",
            (
                f"What is the number of pages of [{BOOK}]?",
                "Of these, which is more than [300]?",
                "Of these, is there any?",
            ),
        ),
        (
            f"Which is longer, {BOOK} or {OTHER_BOOK}?",
            (
                BOOKS,
                f"Of these, which is one of [{BOOK}] [{OTHER_BOOK}]?",
                "Of these, which has the largest number of pages?",
            ),
        ),
        (
            f"Who wrote more books, {AUTHOR} or {OTHER_AUTHOR}?",
            (
                BY,
                f"What is the book whose author is [{OTHER_AUTHOR}]?",
                "What is found in step 1 or step 2?",
                "Who is the author of [that book]?",
                f"Of these, which is one of [{AUTHOR}] [{OTHER_AUTHOR}]?",
                "Of these, which is found most often?",
            ),
        ),
        (
            f"Was {BOOK} published before {OTHER_BOOK}?",
            (
                f"What is the issue date of [{BOOK}]?",
                f"What is the issue date of [{OTHER_BOOK}]?",
                "Of the answers to step 1, which is before [that issue date]?",
                "Of these, is there any?",
            ),
        ),
        (
            f"Do {AUTHOR} and {OTHER_AUTHOR} have the same birth place?",
            (
                f"What is the birth place of [{AUTHOR}]?",
                f"Of these, which is the birth place of [{OTHER_AUTHOR}]?",
                "Of these, is there any?",
            ),
        ),
        (
            f"Is {BOOK} in German or in French?",
            (
                f"What is the language of [{BOOK}]?",
                "Of these, which is one of [German] [French]?",
            ),
        ),
        (
            "poetry books that came out after 1990",
            (
                "What is the book whose subject is [Poetry]?",
                "Of these, which is one, whose issue date is after [1990-12-31]?",
            ),
        ),
        (f"How many books did {AUTHOR} make?", (BY, "Of these, how many are there?")),
        (f"most old book by {AUTHOR}", (BY, "Of these, which has the earliest issue date?")),
        (
            "authors with no books in German",
            (
                AUTHORS,
                "What is the book whose language is [German]?",
                "Of the answers to step 1, which is the author of fewer than [1] of [that book]?",
            ),
        ),
        (
            f"books by {AUTHOR} in both German and French",
            (
                BY,
                "Of these, which is the book whose language is [German]?",
                "Of these, which is the book whose language is [French]?",
            ),
        ),
        (
            "books by authors born in Vessen",
            (
                "Who is the author whose birth place is [Vessen]?",
                "What is the book whose author is [that author]?",
            ),
        ),
    ],
)
def test_a_question_is_read_word_by_word(
    library: KnowledgeBase, question: str, steps: tuple[str, ...]
) -> None:
    assert read(library, question) == steps


@pytest.mark.parametrize(
    ("question", "last"),
    [
        (f"Does {ANN} work in {SALES}?", "Of these, is there any?"),
        (
            "How many employees does each department have?",
            "Of these, how many are there for each department that they work in?",
        ),
        ("What is the average salary?", "Of these, what is the average salary?"),
        ("Which employees have no phone?", "Of these, which is one, whose phone is not given?"),
        (
            "Which employees have the job title analyst?",
            'Who is the employee whose job title is ["analyst"@en]?',
        ),
        (f"employees with the same job title as {ANN}", None),
        (
            "employees with at least 2 skills",
            "Of these, which is one, whose skill is given at least [2] times?",
        ),
        (
            "departments in which more than 5 employees work",
            "Of these, which is the department that more than [5] work in?",
        ),
        (
            "Which employees supervise more than 5 employees?",
            "Of these, which is the supervisor of more than [5]?",
        ),
        (f"employees not in {SALES}", f"Of these, which is never the employee who works in [{SALES}]?"),
        ("departments that nobody works in", "Of these, which is the department that nothing works in?"),
        (
            "Which department pays the highest average salary?",
            "Of these, what is the average salary for each department that they work in, the highest only?",
        ),
        (
            "highest salary in each department",
            "Of these, what is the highest salary for each department that they work in?",
        ),
        ("employees and their phone numbers", "Of these, what is the phone of each, if any?"),
        ("Which employees have a phone that is absent?", "Of these, which is one, whose phone is not given?"),
        (f"Who earns more, {ANN} or {COMPANY.employees[3]}?", "Of these, which has the largest salary?"),
        (f"Does {ANN} earn more than {COMPANY.employees[3]}?", "Of these, is there any?"),
        (
            "employees with both Welding and Statistics",
            "Of these, which is the employee whose skill is [Statistics]?",
        ),
        ("Who earns more than 40000?", "Of these, which is one, whose salary is more than [40000]?"),
    ],
)
def test_the_same_rules_read_another_graph(company: KnowledgeBase, question: str, last: str | None) -> None:
    found = read(company, question)
    assert found and (last is None or found[-1] == last)


@pytest.mark.parametrize(
    "question",
    [
        "Why are there branches?",
        "How tall are the branches?",
        "Which books smell of elderberries?",
        f"What does {AUTHOR} think of books?",
        "Name all unicorns.",
        "Which publishers have more than 10 unicorns?",
        "the average price of the books per unicorn",
        "members with their unicorns",
        "authors and their publishers",
        "",
        "books " * 60,
    ],
)
def test_a_question_with_a_word_that_has_no_part_in_a_reading_is_left_to_the_parser(
    library: KnowledgeBase, question: str
) -> None:
    assert read(library, question) == ()


def test_the_owner_has_the_first_word(library: KnowledgeBase) -> None:
    """What is one of the lexicon's own wordings around a name is for the parser."""
    question = f"Who is the manager of {BRANCH}?"
    parsed = parse_of(
        "SELECT ?x { ?x <http://e.org/p> <http://e.org/o> }", mediators=library.lexicon.mediators
    )

    class Then:
        def parse(
            self, question: str, mentions: object, *, n: int, grounded: bool = True
        ) -> tuple[object, ...]:
            return (parsed,)

    rules = ComposingParser(library, Then())  # type: ignore[arg-type]
    assert rules.parse(question, tuple(library.linker.link(question)), n=5) == (parsed,)


@pytest.mark.parametrize(
    ("text", "names", "asked"),
    [
        ("Hello, I want to know who rules Chad now, thank you", ["Chad"], "who rules Chad now"),
        ("yo who rules Chad", ["Chad"], "who rules Chad"),
        ("Good evening! I am off to Africa. Who rules Chad? Thanks", ["Chad"], "Who rules Chad?"),
        ("my son needs it for his quiz tomorrow: ruler of Chad", ["Chad"], "ruler of Chad"),
        ("Is Chad in Africa, yes or no?", ["Chad", "Africa"], "Is Chad in Africa"),
        ("I need to know which of these is in Asia: Chad, Laos", ["Asia", "Chad", "Laos"],
         "which of these is in Asia: Chad, Laos"),
        ("which is bigger: Chad or Laos", ["Chad", "Laos"], None),
        ("What do they call Chad?", ["Chad"], None),
        ("Hey Jude writer", ["Hey Jude"], None),
    ],
)  # fmt: skip
def test_what_is_said_around_a_question_is_no_part_of_it(
    text: str, names: list[str], asked: str | None
) -> None:
    assert without_asides(text, named(text, *names)) == (asked or text)


def test_where_things_are_kept_is_said_around_a_question() -> None:
    assert core("Which is the cheapest book in catalogue?", ()) == ("Which is the cheapest book", ())


def test_a_reading_that_leads_back_from_a_thing_along_a_number_is_dropped(library: KnowledgeBase) -> None:
    pages = "http://schema.org/numberOfPages"

    class Then:
        def __init__(self, *queries: str) -> None:
            self.parses = tuple(parse_of(q, mediators=library.lexicon.mediators) for q in queries)

        def parse(
            self, question: str, mentions: object, *, n: int, grounded: bool = True
        ) -> tuple[object, ...]:
            return self.parses

    nowhere, somewhere = (
        f"SELECT ?x {{ ?x <{pages}> <http://e.org/o> }}",
        f"SELECT ?x {{ <http://e.org/o> <{pages}> ?x }}",
    )
    then = Then(nowhere, somewhere)
    rules = ComposingParser(library, then)  # type: ignore[arg-type]
    assert rules.parse("Why so many unicorns?", (), n=5) == then.parses[1:]


def test_a_wording_of_what_the_thing_does_not_have_is_none(library: KnowledgeBase) -> None:
    """'Who borrowed ...?' is how a loan is asked for its borrower; a book has none."""
    question = f"Who borrowed {BOOK}?"
    found = composer(library).parse(question, tuple(library.linker.link(question)), n=5)
    assert [len(p.decomposition.steps[0].path) for p in found] == [2]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("said", "template"),
    [
        (
            "Which of these have more than 300 pages?",
            "Of these, which is one, whose number of pages is more than [300]?",
        ),
        ("Of these, which are in German?", "Of these, which is the book whose language is [German]?"),
        ("Which of these is the cheapest?", "Of these, which has the smallest price?"),
        ("Which of these have no translator?", "Of these, which is one, whose translator is not given?"),
        ("Of these, what is the average price?", "Of these, what is the average price?"),
    ],
)
def test_a_correction_is_read_by_the_same_rules(library: KnowledgeBase, said: str, template: str) -> None:
    engine = Engine(
        library,
        composer(library),
        corrector=TemplateCorrector(
            library.lexicon, ComposingCorrector(composer(library), TemplateCorrector(library.lexicon))
        ),
    )
    first = engine.ask(f"books by {AUTHOR}", MODES["full"])
    version = engine.advance(first, Insert(2, said)).current
    assert version is not None and version.steps[-1].template == template


def test_a_correction_about_no_earlier_answers_is_left_to_the_corrector(library: KnowledgeBase) -> None:
    corrector = ComposingCorrector(composer(library), TemplateCorrector(library.lexicon))
    assert corrector.correct("Which of these are in German?", (), Context(), n=3) == ()


def test_a_tally_is_answered_with_its_numbers(library: KnowledgeBase) -> None:
    dialogue = Engine(library, composer(library)).ask("How many books are there per language?")
    assert dialogue.current is not None
    shown = [a.label for a in dialogue.current.steps[-1].answers]
    numbers = [int(label.rpartition(": ")[2]) for label in shown]
    assert sum(numbers) == 60 and numbers == sorted(numbers, reverse=True)


def test_yes_and_no_are_answers(library: KnowledgeBase) -> None:
    engine = Engine(library, composer(library))
    found = {
        question: engine.ask(question).current
        for question in ("Are there books in German?", "Are there books with more than 5000 pages?")
    }
    assert [[a.label for a in v.steps[-1].answers] for v in found.values() if v] == [["yes"], ["no"]]


@pytest.mark.parametrize(("said", "label"), [("own", "owned"), ("owns", "owned"), ("end", "ended")])
def test_a_short_verb_is_known_by_its_past_form(said: str, label: str) -> None:
    assert stem(said) == stem(label)
    assert stem("breed") == "breed"


def test_the_before_a_name_is_no_part_of_a_question_about_it(library: KnowledgeBase) -> None:
    plain = read(library, "Is Velvet Compass in German?")
    assert plain and read(library, "Is the Velvet Compass in German?") == plain
