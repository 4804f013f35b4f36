"""Bytes in: get the content of a page from a file, an address or memory, and find its kind.

>>> from pagesight.sources import load
>>> page = load(b"<p>Good morning")
>>> page.kind, page.encoding
(<Kind.HTML: 'html'>, 'utf-8')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.sources.loading import load
from pagesight.sources.source import (
    DEFAULT_LIMITS,
    PAGE_MAGIC,
    Kind,
    Limits,
    Request,
    Source,
    Validators,
)

if TYPE_CHECKING:
    from pagesight.sources.egress import HOME_NETWORKS, Guard
    from pagesight.sources.manifest import count_entries, manifest_entries, read_manifest

__all__ = [
    "DEFAULT_LIMITS",
    "HOME_NETWORKS",
    "PAGE_MAGIC",
    "Guard",
    "Kind",
    "Limits",
    "Request",
    "Source",
    "Validators",
    "count_entries",
    "load",
    "manifest_entries",
    "read_manifest",
]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    __getattr__ = offered(__name__, __all__, "manifest", "egress")
