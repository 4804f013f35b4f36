"""Pagesight reads web pages by sight.

>>> import pagesight
>>> document = pagesight.read("examples/product/index.html")
>>> document.page.head.title
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

_HOMES = {
    "Document": "document",
    "Failure": "document",
    "read": "document",
    "read_all": "document",
    "Page": "page",
    "PagesightError": "errors",
    "RenderOptions": "render",
    "open_renderer": "render",
}


if not TYPE_CHECKING:  # or no misspelt name would be noticed

    def __getattr__(name: str) -> Any:
        """Import on first use: `pagesight --help` must not wait for numpy."""
        if name not in _HOMES:
            raise AttributeError(f"module 'pagesight' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"pagesight.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """All that can be used, whether or not it is imported yet: notebooks complete names by this."""
    return sorted({*globals(), *__all__})
