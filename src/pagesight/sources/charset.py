"""Which encoding a page is in, decided in the order that browsers follow.

A byte order mark wins over the HTTP header, and the header over what the page declares. A page
that declares nothing is UTF-8 if it is valid UTF-8, and is guessed from its bytes otherwise.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding, to_unicode

from pagesight.lazy import table

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

_TAG_LE = re.compile(rb"(?:\s\0)*<\0[a-z!?]\0", re.IGNORECASE)
_TAG_BE = re.compile(rb"(?:\0\s)*\0<\0[a-z!?]", re.IGNORECASE)

_HEAD_SIZE, _FIRST_TAGS = 64 * 1024, 2048
_XML_DECLARATION = re.compile(rb"\s*<\?xml\b[^>]*>")
_OPAQUE = re.compile(
    rb"<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?"
    rb"|<script\b[^<]*(?:<(?!/script)[^<]*)*(?:</script)?"
    rb"|<style\b[^<]*(?:<(?!/style)[^<]*)*(?:</style)?",
    re.IGNORECASE,
)
_BODY = re.compile(rb"<body\b", re.IGNORECASE)
_META_CHARSET = re.compile(rb"""<meta\s[^<>]*?charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)


def decide(data: bytes, *, header: str | None = None, is_xhtml: bool = False) -> str:
    """The Python name of the encoding of a page; always one that decodes."""
    return (
        wide_encoding(data)
        or (codec_of(header) if header else None)
        or _declared(data, is_xhtml=is_xhtml)
        or _guess(data)
    )


def decode(data: bytes, encoding: str) -> str:
    """The text of a page, without its byte order mark and without NULs."""
    _, mark = read_bom(data)
    return to_unicode(data[len(mark or b"") :], encoding).replace("\0", "\ufffd")


def wide_encoding(data: bytes) -> str | None:
    """The encoding by its byte order mark, or UTF-16 by its NULs where there is no mark."""
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


# What a page declares


def _declared(data: bytes, *, is_xhtml: bool) -> str | None:
    head = data[:_HEAD_SIZE]
    match = _XML_DECLARATION.match(head)
    declaration = match[0] if match else b""
    in_xml = _supported(declaration)
    in_html = _declared_in_head(head[len(declaration) :])
    return in_xml or in_html if is_xhtml else in_html or in_xml


def _declared_in_head(head: bytes) -> str | None:
    first = head[: head.rfind(b">", 0, _FIRST_TAGS) + 1]  # whole tags; most pages say it there
    return _supported(_outside_of_scripts(first)) or _declared_in_tags(_outside_of_scripts(head))


def _outside_of_scripts(head: bytes) -> bytes:
    """The tags of a head, without those in comments, scripts, styles and the body."""
    head = _OPAQUE.sub(b"", head)
    body = _BODY.search(head)
    return head[: body.start()] if body else head


def _declared_in_tags(head: bytes) -> str | None:
    # w3lib looks at 4 KiB, browsers at the whole head; the steps overlap by a meta tag's length.
    for start in range(0, len(head), 3072):
        if codec := _supported(head[start : start + 4096]):
            return codec
    rare = _META_CHARSET.search(head)
    return codec_of(rare[1].decode("latin-1")) if rare else None


def _supported(markup: bytes) -> str | None:
    codec = html_body_declared_encoding(markup) if markup else None
    return codec_of(codec) if codec else None


# What a declared charset means

_CODECS = table(__package__, "codecs.tsv")  # ``charset=rot13`` is not among them
_ISO_8859 = re.compile(r"(?:cs)?iso[-_]?8859[-_]?(\d{1,2})(?:-?[ie])?(?::\d{4})?")


def codec_of(label: str) -> str | None:
    """What a declared charset means to a browser, or None if it means nothing.

    A declared UTF-16 means UTF-8: the declaration could not be read if it were true, and true
    UTF-16 is recognised by its bytes.
    """
    label = label.strip().lower()
    while label.startswith("x-"):
        label = label[2:]
    if match := _ISO_8859.fullmatch(label):
        label = f"iso-8859-{match[1]}"
    codec = resolve_encoding(label) if label.isascii() else None
    codec = codec or table(__package__, "labels.tsv").get(label)
    if codec in {"utf-16", "utf-16-le", "utf-16-be"}:
        return "utf-8"
    return codec if codec in _CODECS else None


# Pages that declare nothing

FALLBACK = "cp1252"

_WINDOW = 64 * 1024
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_TAG = re.compile(rb"<[^<>]*>")
_SAMPLE_SIZE = 16 * 1024
# Latin letters of one code page are such symbols in another.
_SYMBOL_IN_WORD = re.compile("[¢£¤¥¦§¨¬¯±²³´¶¸¹¼½¾][a-zà-ÿ]")
_CANDIDATES = [codec for codec, use in _CODECS.items() if use == "guessed"]


def is_utf8(data: bytes) -> bool:
    """Whether `data` is UTF-8, even if cut off within a character or damaged here and there."""
    text, _ = codecs.utf_8_decode(data, "replace", False)
    damage = text.count("\ufffd")
    if not damage:
        return True
    good = sum(map(len, re.findall(r"[^\0-\x7f\ufffd]+", text)))
    return damage * 20 < good


def _guess(data: bytes) -> str:
    """UTF-8 if it is valid UTF-8, else the encoding that the text reads best in."""
    first = _NOT_ASCII.search(data)
    if first is None:
        return "iso2022_jp" if b"\x1b$B" in data or b"\x1b$@" in data else "utf-8"
    if is_utf8(data):
        return "utf-8"
    markup = data[max(0, first.start() - 1024) :][:_WINDOW]
    return _guess_legacy(_TAG.sub(b" ", markup)[:_SAMPLE_SIZE]) or FALLBACK


def _guess_legacy(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes

    guesses = from_bytes(sample, cp_isolation=_CANDIDATES)
    matches = [match for match in guesses if not _SYMBOL_IN_WORD.search(str(match))]
    if not matches or any(_is_western(match, matches[0]) for match in matches):
        return None
    return codec_of(matches[0].encoding)


def _is_western(match: CharsetMatch, best: CharsetMatch) -> bool:
    # Short Western texts read as well in other Latin code pages, which are far rarer.
    return (
        FALLBACK in match.could_be_from_charset
        and match.chaos <= best.chaos
        and match.coherence >= best.coherence - 0.03
    )
