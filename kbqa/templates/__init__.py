"""Step <-> one sentence of templated English. The only place where template text is touched.

Law: `read(write(step, ...), ...) == step`. What varies (names, values, earlier steps) stands in
square brackets, so that reading is looking up what stands around them.
"""

from kbqa.templates.names import Names
from kbqa.templates.read import read, read_all
from kbqa.templates.write import write, write_all

__all__ = ["Names", "read", "read_all", "write", "write_all"]
