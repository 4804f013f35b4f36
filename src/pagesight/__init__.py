"""Pagesight reads web pages by sight.

>>> import pagesight
>>> document = pagesight.read("examples/product/index.html")
>>> document.title.title.text
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.document import Document, Failure, read, read_all
    from pagesight.errors import PagesightError
    from pagesight.page import Page
    from pagesight.render import RenderOptions, open_renderer

__all__ = [
    "Document",
    "Failure",
    "Page",
    "PagesightError",
    "RenderOptions",
    "__version__",
    "open_renderer",
    "read",
    "read_all",
]
__version__ = "0.1.0"

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    # `pagesight --help` must not wait for numpy.
    __getattr__ = offered(__name__, __all__, "errors", "page", "render", "document")


def __dir__() -> list[str]:
    """All that can be used, whether or not it is imported yet: notebooks complete names by this."""
    return sorted({*globals(), *__all__})
