"""All routes of the service, independent of HTTP.

They run in worker processes (see `_work`), each with a `Desk`. To add one, write a function that takes the desk, with
the signature of the route, and add a line to `QUESTIONS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from dehusk.server import _sent, _sites, _views
from dehusk.server._desk import Desk, MissingError, ServiceFiles

__all__ = ["QUESTIONS", "Answer", "Desk", "MissingError", "Question", "ServiceFiles"]

Answer = BaseModel | Sequence[BaseModel]


@dataclass(frozen=True, slots=True)
class Question:
    """A route of the service. The signature of `answer` defines its parameters, body and response."""

    method: str
    path: str
    answer: Callable[..., Answer]

    @property
    def name(self) -> str:
        """The name of the function that answers."""
        return self.answer.__name__


QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (
        Question("GET", "/sites", _sites.sites),
        Question("POST", "/learn", _sent.learn),
        Question("POST", "/clean", _sent.clean),
        Question("POST", "/chunks", _sent.chunks),
        Question("POST", "/links", _sent.links),
        Question("POST", "/check", _sent.check),
        Question("POST", "/table", _sent.table),
        Question("POST", "/mark", _sent.mark),
        Question("POST", "/candidates", _sent.candidates),
        Question("POST", "/template", _sent.template),
        Question("POST", "/diff", _sent.diff),
        Question("POST", "/visit", _sent.visit),
        Question("GET", "/snapshots", _sent.snapshots),
        Question("DELETE", "/snapshots", _sent.forget),
        Question("GET", "/sites/{site}/pages", _sites.pages),
        Question("GET", "/sites/{site}/measures", _sites.measures),
        Question("GET", "/sites/{site}/pages/{page}", _sites.page),
        Question("GET", "/sites/{site}/edits", _sites.edits),
        Question("POST", "/sites/{site}/edits", _sites.edit),
        Question("DELETE", "/sites/{site}/edits/{edit}", _sites.undo),
        Question("POST", "/sites/{site}/preview", _sites.preview),
        Question("POST", "/sites/{site}/reach", _sites.reach),
        Question("GET", "/sites/{site}/tables", _views.tables),
        Question("GET", "/sites/{site}/rows", _views.rows),
        Question("POST", "/sites/{site}/columns", _views.column),
        Question("GET", "/sites/{site}/pages/{page}/cells", _views.cells),
        Question("GET", "/sites/{site}/pages/{page}/chunks", _views.pieces),
        Question("GET", "/sites/{site}/pages/{page}/versions", _views.versions),
        Question("GET", "/sites/{site}/pages/{page}/changes", _views.changes),
        Question("GET", "/sites/{site}/export", _sites.export),
    )
}
"""All routes, by name; the only list of them."""
