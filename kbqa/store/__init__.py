"""Triple stores behind `protocols.Store`: embedded, any SPARQL endpoint, and a test double.

`open_store` takes what `--kb` takes. Importing this loads no engine.
"""

from __future__ import annotations

from pathlib import Path

from kbqa.errors import KnowledgeBaseError
from kbqa.protocols import Store
from kbqa.store.build import FORMATS, build_store, format_name, is_store
from kbqa.store.embedded import EmbeddedStore
from kbqa.store.endpoint import EndpointStore
from kbqa.store.guard import check
from kbqa.store.scripted import Asked, ScriptedStore

__all__ = [
    "Asked",
    "EmbeddedStore",
    "EndpointStore",
    "ScriptedStore",
    "Store",
    "build_store",
    "check",
    "open_store",
]


def open_store(
    source: str | Path, *, cache: Path | None = None, workers: int = 1, memory_limit_mb: int | None = None
) -> Store:
    """A store of a built store folder (or the `store` folder in it), an RDF file or an endpoint URL.

    cache: folder that keeps what is built from a file; None: it is built again each time. workers,
    memory_limit_mb: see `EmbeddedStore`. Raises `KnowledgeBaseError`; an endpoint is first asked by
    the first query.
    """
    if isinstance(source, str) and "://" in source:
        return EndpointStore(source)
    path = Path(source)
    for folder in (path, path / "store"):
        if is_store(folder):
            return EmbeddedStore(folder, workers=workers, memory_limit_mb=memory_limit_mb)
    if path.is_file() and format_name(path):
        return EmbeddedStore.from_files([path], cache=cache, workers=workers, memory_limit_mb=memory_limit_mb)
    found = "is a folder without a store" if path.is_dir() else "is no RDF file"
    raise KnowledgeBaseError(
        f"{path} {found if path.exists() else 'does not exist'}: expected a built store (`kbqa kb build`),"
        f" an RDF file ({', '.join(FORMATS)}, each also .gz) or the http(s) URL of a SPARQL endpoint"
    )
