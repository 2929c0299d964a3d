"""One tree of exceptions: each names the input, what was expected and what to do next.

KbqaError
├── InputError             the caller's input can't be used (exit code 2 on the command line)
│   ├── QueryError         SPARQL that can't be read, or holds what this library refuses
│   ├── DecompositionError a query that can't be put as Steps
│   ├── TemplateError      templated English that can't be read, or would read two ways
│   ├── LexiconError       a lexicon file that does not load
│   ├── TableError         a stub table that does not build
│   ├── UnknownDialogue    no dialogue of that id is in the records
│   └── KnowledgeBaseError a KB path, file or URL that can't be opened
├── StoreError             the store failed while answering
│   ├── StoreTimeout       the time limit was reached and the query was stopped
│   └── StoreUnavailable   the endpoint is down, refuses, or answers with something else
├── RecordsError           the file of dialogues can't be read or written
└── ModelError             a checkpoint that is missing, broken or of the wrong kind
"""


class KbqaError(Exception):
    """Base of every error this library raises on purpose.

    `type` is the stable name used in JSON output: `{"type": ..., "message": ...}`.
    """

    @property
    def type(self) -> str:
        return type(self).__name__

    def as_row(self) -> dict[str, str]:
        return {"type": self.type, "message": str(self)}


class InputError(KbqaError):
    """The caller's input can't be used."""


class QueryError(InputError):
    """SPARQL text that can't be read as a `Query`."""

    def __init__(self, reason: str, *, query: str = "", place: str = "") -> None:
        self.reason, self.query, self.place = reason, query, place
        where = f" at {place}" if place else ""
        shown = " ".join(query.split())
        shown = shown if len(shown) <= 200 else shown[:197] + "..."
        super().__init__(f"{reason}{where}" + (f" in query: {shown}" if shown else ""))


class DecompositionError(InputError):
    """A query that can't be decomposed into Steps; the message is the reason."""


class TemplateError(InputError):
    """Templated English that can't be read back into a Step."""


class FeedbackError(InputError):
    """Feedback that can't be applied; the dialogue is as it was and no edit is used up."""


class TurnConflict(FeedbackError):
    """The dialogue has moved on in the meantime, or the turn's id stands for other feedback."""


class LexiconError(InputError):
    """A lexicon that does not load; names the file, the entries and the clash."""


class TableError(InputError):
    """A stub table that does not build; names the file, line and column."""


class KnowledgeBaseError(InputError):
    """A knowledge base that can't be opened; names the path or URL."""


class UnknownDialogue(InputError):
    """No dialogue of that id is in the records."""


class StoreError(KbqaError):
    """The store failed while answering a query."""


class StoreTimeout(StoreError):
    """The time limit was reached and the query was stopped; no rows are returned."""


class StoreUnavailable(StoreError):
    """The endpoint can't be reached, refuses, or does not speak SPARQL results. `passing`: asking again
    later may help; `retry_after_s`: when, where the endpoint says so (seconds)."""

    def __init__(self, *args: object, passing: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(*args)
        self.passing, self.retry_after_s = passing, retry_after_s


class RecordsError(KbqaError):
    """The file of dialogues can't be read or written; names the file or what in it is wrong."""


class ModelError(KbqaError):
    """A checkpoint that is missing, broken or of the wrong kind."""
