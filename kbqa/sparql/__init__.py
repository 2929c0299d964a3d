"""SPARQL text <-> `Query`. The only place where SPARQL text is touched.

Law: `parse(render(q)) == q`. `parse` reads what Virtuoso, the Freebase papers and language models
write; `render` writes one portable SPARQL 1.1 form that gives the same answers on every engine.
"""

from kbqa.sparql.canonical import canonical, same
from kbqa.sparql.read import parse
from kbqa.sparql.write import render

__all__ = ["canonical", "parse", "render", "same"]
