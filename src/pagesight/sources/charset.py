"""Which encoding a page is in, decided in the order that browsers follow.

A byte order mark wins over the HTTP header, the header over what the page declares. A page
that declares nothing is UTF-8 if it is valid UTF-8, and is guessed from its bytes otherwise.
"""

from __future__ import annotations

import re

from pagesight.sources.guessing import guess
from pagesight.sources.kind import Kind
from pagesight.sources.labels import codec_of

_TAG_LE = re.compile(rb"(?:\s\0)*<\0[a-z!?]\0", re.IGNORECASE)
_TAG_BE = re.compile(rb"(?:\0\s)*\0<\0[a-z!?]", re.IGNORECASE)

_HEAD_SIZE = 64 * 1024
_XML_DECLARATION = re.compile(rb"\s*<\?xml\b[^>]*>")
_OPAQUE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script|\Z)|<style\b.*?(?:</style|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_BODY = re.compile(rb"<body\b", re.IGNORECASE)
_META_CHARSET = re.compile(rb"""<meta\s[^<>]*?charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)


def decide(data: bytes, *, header: str | None = None, kind: Kind = Kind.HTML) -> str:
    """The Python name of the encoding of a page; always one that decodes."""
    return (
        wide_encoding(data)
        or (codec_of(header) if header else None)
        or _declared(data, kind)
        or guess(data)
    )


def decode(data: bytes, encoding: str) -> str:
    """The text of a page, without its byte order mark and without NULs."""
    from w3lib.encoding import read_bom, to_unicode

    _, mark = read_bom(data)
    return to_unicode(data[len(mark or b"") :], encoding).replace("\0", "\ufffd")


def wide_encoding(data: bytes) -> str | None:
    """The encoding by its byte order mark, or UTF-16 by its NULs where there is no mark."""
    from w3lib.encoding import read_bom

    encoding, _ = read_bom(data)
    return encoding or _unmarked_utf16(data[:512])


def _unmarked_utf16(head: bytes) -> str | None:
    """UTF-16 by its first tag, or by NULs in every other byte, as ASCII text has them."""
    low, high = head[::2], head[1::2]
    if _TAG_LE.match(head) or _alternates(high, low):
        return "utf-16-le"
    if _TAG_BE.match(head) or _alternates(low, high):
        return "utf-16-be"
    return None


def _alternates(nuls: bytes, others: bytes) -> bool:
    return nuls.count(0) * 2 > len(nuls) and others.count(0) * 20 < len(others)


def _declared(data: bytes, kind: Kind) -> str | None:
    head = data[:_HEAD_SIZE]
    match = _XML_DECLARATION.match(head)
    declaration = match[0] if match else b""
    in_xml = _supported(declaration)
    in_html = _declared_in_head(head[len(declaration) :])
    return in_xml or in_html if kind is Kind.XHTML else in_html or in_xml


def _declared_in_head(head: bytes) -> str | None:
    head = _OPAQUE.sub(b"", head)
    if body := _BODY.search(head):
        head = head[: body.start()]
    # w3lib looks at 4 KiB, browsers at the whole head; the steps overlap by a meta tag's length.
    for start in range(0, len(head), 3072):
        if codec := _supported(head[start : start + 4096]):
            return codec
    rare = _META_CHARSET.search(head)
    return codec_of(rare[1].decode("latin-1")) if rare else None


def _supported(markup: bytes) -> str | None:
    from w3lib.encoding import html_body_declared_encoding

    codec = html_body_declared_encoding(markup)
    return codec_of(codec) if codec else None
