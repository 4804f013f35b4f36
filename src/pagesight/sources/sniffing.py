"""What kind of page the bytes are, judged by the bytes and never by a suffix.

The rules are those of the MIME Sniffing Standard, where it has one: content that begins with
an HTML tag is HTML, and content without the control bytes that no text needs is text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from pagesight.errors import NotAPage
from pagesight.lazy import table
from pagesight.sources.charset import is_utf8, wide_encoding
from pagesight.sources.source import PAGE_MAGIC, Kind

_HEAD_SIZE = 64 * 1024
_PDF_WITHIN = 1024
_XHTML_NAMESPACE = b"http://www.w3.org/1999/xhtml"
_HINT = "Pagesight reads HTML, XHTML and PDF."

_VISIBLE = re.compile(rb"\S")
_SPACE = re.compile(rb"\s")
_XML_DECLARATION = re.compile(rb"<\?xml\s", re.IGNORECASE)
_TAG = re.compile(rb"<(?:!doctype\b|!--|/?[a-z][a-z0-9:-]*[\s/>])", re.IGNORECASE)
_JSON = re.compile(rb"""\{\s*"[^"\n]*"\s*:|\[\s*(?:\{\s*"|"|\[\s*[\[{"\d])""")

_ROOTS = frozenset(
    b"html head body script iframe h1 div font table a style title b br p meta link".split()
)
_ROOTS_AFTER_XML = frozenset(b"html head body".split())
_XML_ROOTS = frozenset(b"svg rss feed rdf:rdf urlset sitemapindex opml math kml gpx".split())

# Possessive throughout: nothing that is skipped is ever looked at again.
_SKIP = rb"(?:\s++|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z))*+"
_OPENING = re.compile(
    _SKIP
    + rb"(?:<!doctype\s+(?P<doctype>[^\s>\[]*)[^>\[]*+(?:\[[^\]]*+\]\s*+)?>?)?"
    + _SKIP
    + rb"(?:<(?P<root>[a-z][\w.:-]*)(?P<attributes>[^>]*+))?",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Opening:
    """How markup begins; names in lower case, empty where there is nothing."""

    is_xml: bool
    doctype: bytes
    root: bytes
    attributes: bytes

    @property
    def is_html(self) -> bool:
        roots = _ROOTS_AFTER_XML if self.is_xml else _ROOTS
        return self.doctype == b"html" or self.root in roots

    @property
    def is_xhtml(self) -> bool:
        return self.is_xml and self.root == b"html" and _XHTML_NAMESPACE in self.attributes


def sniff(data: bytes, content_type: str | None = None) -> Kind:
    """The kind of page that `data` is; `content_type` only distinguishes HTML from XHTML.

    Raises `NotAPage`, which says what the content looks like instead.
    """
    if data.startswith(PAGE_MAGIC):
        return Kind.PAGE
    head = _readable_head(data)
    if not head:
        raise NotAPage("the content is empty")
    opening = _opening(head)
    if opening.is_html:
        return Kind.XHTML if _is_xhtml(data, opening, content_type) else Kind.HTML
    if what := _known_format(data):
        raise _refusal(what)
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return Kind.PDF
    if what := _other_text(head, opening, data) or _no_markup(head):
        raise _refusal(what)
    return Kind.HTML


def _refusal(what: str) -> NotAPage:
    return NotAPage(f"this looks like {what}, not like a page", hint=_HINT)


def _readable_head(data: bytes) -> bytes:
    """The beginning of the content in a superset of ASCII, from its first visible byte."""
    encoding = wide_encoding(data)
    if encoding and encoding != "utf-8":
        text = data[: 2 * _HEAD_SIZE].decode(encoding, "replace")
        return text.lstrip("\ufeff \t\r\n\f").encode("utf-8", "replace")
    start = _VISIBLE.search(data, 3 if encoding else 0)
    return data[start.start() :][:_HEAD_SIZE] if start else b""


def _opening(head: bytes) -> _Opening:
    match = _OPENING.match(head)
    groups = match.groupdict(b"") if match else {}
    return _Opening(
        is_xml=_XML_DECLARATION.match(head) is not None,
        doctype=groups.get("doctype", b"").lower(),
        root=groups.get("root", b"").lower(),
        attributes=groups.get("attributes", b""),
    )


def _is_xhtml(data: bytes, opening: _Opening, content_type: str | None) -> bool:
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type == "text/html":
        return False
    if media_type == "application/xhtml+xml":
        return opening.root == b"html"
    # Many pages claim to be XHTML, were served as HTML, and are an error page to XML parsers.
    return opening.is_xhtml and _is_well_formed(data)


def _is_well_formed(data: bytes) -> bool:
    from xml.parsers import expat

    try:
        expat.ParserCreate().Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError):
        return False
    return True


def _other_text(head: bytes, opening: _Opening, data: bytes) -> str | None:
    """The name of a text format that may contain tags, or has tags of its own."""
    if _JSON.match(head):
        return "JSON data"
    if not _is_other_xml(opening, data):
        return None
    return "an SVG picture" if opening.root == b"svg" else "XML that is not XHTML"


def _is_other_xml(opening: _Opening, data: bytes) -> bool:
    if not opening.root:
        return False
    if opening.is_xml or opening.doctype:
        return True
    # HTML may begin with <svg> as well, but then something follows it.
    return opening.root in _XML_ROOTS and data.rstrip().lower().endswith(b"</%b>" % opening.root)


def _no_markup(head: bytes) -> str | None:
    if _has_binary_bytes(head):
        return "binary data"
    if _TAG.search(head):
        return None
    if _is_json(head):
        return "JSON data"
    return "plain text" if _is_text(head) else "binary data"


def _is_json(head: bytes) -> bool:
    try:
        return head[:1] in b"[{" and json.loads(head) is not None
    except (ValueError, RecursionError):
        return False


def _is_text(head: bytes) -> bool:
    # Noise of high bytes is text in many legacy encodings, but text without spaces or line breaks.
    return _SPACE.search(head) is not None or is_utf8(head)


_CONTROL = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def _has_binary_bytes(head: bytes) -> bool:
    """Whether there are bytes that the MIME Sniffing Standard does not allow in any text."""
    return _CONTROL.search(head, 0, 1445) is not None


def _known_format(data: bytes) -> str | None:
    """The name of the format that begins like `data`, if it is a well-known one."""
    formats = table(__package__, "formats.tsv").items()
    return next(
        (name for start, name in formats if re.match(start.encode(), data, re.DOTALL)), None
    )
