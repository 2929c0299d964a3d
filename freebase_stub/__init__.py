"""The default knowledge base: true facts in Freebase's vocabulary, kept as reviewable CSV tables.

README.md says how to build it and how to add facts, FORMAT.md how the tables are written.
"""

from freebase_stub.build import Built, Counts, build, compile_tables, ntriples
from freebase_stub.tables import TABLES, Problem

__all__ = ["TABLES", "Built", "Counts", "Problem", "build", "compile_tables", "ntriples"]
