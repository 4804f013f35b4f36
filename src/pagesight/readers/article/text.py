"""What texts of articles contain: identifiers, years, marks; and their scripts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from pagesight.segment.text import SIGNS, squeeze

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+\s?(?:@|\(at\)|\[at\]|/at/)\s?[\w-]+(?:\.[\w-]+)+")
# Patterns that begin with characters, and then look back, are found fast.
YEAR = re.compile(r"(?:1[89]|20)(?<=\b\d\d)\d\d[a-z]?\b")
DOI = re.compile(  # those of old articles have "<1368:AMRROA>" in them
    r"10\.(?<=\b10\.)\d{4,9}/[^\s\"<>]+"
    r"(?:<\d+:[^\s\"<>]*>\d\.\d\.[a-zA-Z]{2};\d(?:-\w)?|[^\s\"<>.,;)\]])"
)
ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
BESIDE_NAMES = re.compile(
    rf"(?:https?://|www\.|orcid\.org)\S*|{EMAIL.pattern}|{ORCID.pattern}|view orcid profile|"
    r"search for more papers by this author|email author",
    re.IGNORECASE,
)
JOURNAL = re.compile(  # which issue and which pages of a journal
    r"""\bvol(?:ume|\.)?\s*\d | \bissn\b | \b\d{1,4}\s?\(\d{1,4}(?:[-–]\d+)?\)\s?[:,;]?\s?e?\d |
    (?:19|20)\d\d\s?[;,]\s?\d{1,4}\s?(?:\(\d+\)\s?)?[:,] | \bpp?\.\s?\d+\s?[-–]\s?\d""",
    re.IGNORECASE | re.VERBOSE,
)

ASTERISKS = str.maketrans("∗⁎＊﹡", "****")
"""All asterisks are one mark."""

_MARK = re.compile(
    rf"\d{{1,3}}|[IVX]{{3,4}}(?![a-zA-Z])|[a-zA-Z]{{1,2}}(?![a-zA-Z])|([{SIGNS}])\1*"
)
_PLAIN = rf"(?:\d{{1,2}}|[a-z]|[{SIGNS}])"

# Beside names.
BRACKETED = re.compile(rf"[(\[]\s*({_PLAIN}(?:[\s,;]+{_PLAIN})*)\s*[)\]]")
TRAILING = re.compile(
    r"(?:(?<=[^\W\d_])(?:(?<!\b[A-ZА-ЯЁ])[\s.]*|\s*)|(?<=\b[A-ZА-ЯЁ]\.)\s*)"
    rf"((?:[\d{SIGNS}]|\((?:\d|[a-z])\))[\d{SIGNS},\s()a-z]*)$"
)
LEADING = re.compile(rf"^[\d{SIGNS}.\s)(]+(?=\S)")
NOTHING_ELSE = re.compile(rf"\s*(?:(?:\d{{1,3}}|[a-z]|[{SIGNS}]+)[\s,]*)+")

# In front of places.
_SEVERAL = r"\d{1,2}(?:[-–,]\d{1,2})+"
ALONE = re.compile(
    rf"[(\[]?({_SEVERAL}|\d{{1,2}}|[a-z]{{1,2}}|[IVX]{{1,4}}|[A-Z](?=\s)|[{SIGNS}]{{1,2}})[)\].:]?"
)
OF_PLACE = re.compile(
    rf"[(\[]?({_SEVERAL}(?=[A-Z])|\d{{1,2}}|[a-z](?=\s?[A-Z])|[{SIGNS}]+|[IVX]{{1,4}}(?=[A-Z][a-zà-ÿ]))"
    r"[)\].:．、]?\s*(?=[^\W\d_])"
)
_ALL_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_RANGE = re.compile(r"(\d{1,2})\s?[-–]\s?(\d{1,2})")


def marks_in(text: str) -> list[str]:
    """The marks of a text one by one: ``a,*†`` and ``1–3`` are three, ``††`` is one."""
    spelled = _RANGE.sub(_spelled_out, text.translate(ASTERISKS))
    return [mark[0] for mark in _MARK.finditer(spelled)]


def _spelled_out(marks: re.Match[str]) -> str:
    """All numbers of a range; others as they are."""
    return ",".join(map(str, range(int(marks[1]), int(marks[2]) + 1))) or marks[0]


# Tags and scripts

HAN = "\u3005\u3400-\u9fff"  # 々 repeats the one before
_USUAL = frozenset({"the", "of", "and", "in", "to", "for", "is"})
_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]*|!--.*?--)>", re.DOTALL)
_HAN = re.compile(f"[{HAN}]")
_HANGUL = re.compile("[가-힣]")
_OTHER = re.compile(f"[\u0400-\u04ff{HAN}\uac00-\ud7a3]")
_LATIN = re.compile("[A-Za-z]")


def plain(text: str) -> str:
    """What a meta tag means to say: entities and tags resolved, spaces folded."""
    return squeeze(without_markup(text))


def without_markup(text: str) -> str:
    """A text without tags, and with the characters that entities mean."""
    return _TAG.sub(" ", html.unescape(html.unescape(text)))  # "&amp;lt;i&amp;gt;" happens


def has_han(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return not text.isascii() and bool(_HAN.search(text))


def has_hangul(text: str) -> bool:
    """Whether a text has Korean letters."""
    return not text.isascii() and bool(_HANGUL.search(text))


def have_other_script(texts: Iterable[str]) -> bool:
    """Whether there are Chinese, Korean or Cyrillic letters in any of these texts."""
    return any(not text.isascii() and _OTHER.search(text) for text in texts)


def is_other_script(text: str) -> bool:
    """Whether most letters are Chinese, Korean or Cyrillic ones."""
    return not text.isascii() and len(_OTHER.findall(text)) > len(_LATIN.findall(text))


def is_english(text: str) -> bool:
    """Whether a line has one of the most usual words of English."""
    return not _USUAL.isdisjoint(text.lower().split())


def in_own_letters(texts: Sequence[str], zones: list[int]) -> list[int]:
    """The zones in letters like those of the first: others say the same in another language."""
    is_other = {zone: is_other_script(texts[zone]) for zone in zones}
    return [zone for zone in zones if is_other[zone] == is_other[zones[0]]]


def without_brackets(text: str) -> str:
    """A text without the brackets around all of it."""
    inner = _ALL_IN_BRACKETS.fullmatch(text)
    return inner[1] if inner else text
