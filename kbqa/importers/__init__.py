"""Published data sets (CWQ, WebQSP, INSPIRED, GrailQA, LC-QuAD 1) -> this project's rows.

`entries` reads a file's entries one at a time, `convert` makes rows of one; `FORMATS` lists what is read.
"""

from kbqa.importers.convert import convert
from kbqa.importers.files import entries
from kbqa.importers.formats import FORMATS, refuse_another
from kbqa.importers.rows import ImportedRow

__all__ = ["FORMATS", "ImportedRow", "convert", "entries", "refuse_another"]
