"""The name of a page: what a reader would call it.

>>> read_title_fast(b"<title>Green tea | Tea shop</title><h1>Green tea</h1>").title
'Green tea'
"""

from pagesight.readers.title.reader import read_title, read_title_fast
from pagesight.readers.title.reading import TitleCandidate, TitleReading
from pagesight.readers.title.seed.methods import METHODS, read_title_by

__all__ = [
    "METHODS",
    "TitleCandidate",
    "TitleReading",
    "read_title",
    "read_title_by",
    "read_title_fast",
]
