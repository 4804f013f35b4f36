"""Bytes in: gets the content of a page from a file, an address or memory, and says what it is.

>>> from pagesight.sources import load
>>> page = load(b"<p>Good morning")
>>> page.kind, page.encoding
(<Kind.HTML: 'html'>, 'utf-8')
"""

from pagesight.sources.kind import PAGE_MAGIC, Kind
from pagesight.sources.limits import DEFAULT_LIMITS, Limits
from pagesight.sources.loading import load
from pagesight.sources.manifest import count_entries, manifest_entries, read_manifest
from pagesight.sources.request import Request
from pagesight.sources.source import Source

__all__ = [
    "DEFAULT_LIMITS",
    "PAGE_MAGIC",
    "Kind",
    "Limits",
    "Request",
    "Source",
    "count_entries",
    "load",
    "manifest_entries",
    "read_manifest",
]
