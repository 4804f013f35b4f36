"""Addresses, identifiers, years, and marks that point to places and notes, as any text has them."""

from __future__ import annotations

import re

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+\s?(?:@|\(at\)|\[at\]|/at/)\s?[\w-]+(?:\.[\w-]+)+")
# Patterns that begin with characters, and then look back, are found fast.
YEAR = re.compile(r"(?:1[89]|20)(?<=\b\d\d)\d\d[a-z]?\b")
DOI = re.compile(r"10\.(?<=\b10\.)\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
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

SIGNS = "*†‡§¶#∥‖✉✝♠♣♥♦♤♧♡♢⋆★☆◇◊△▲▽□■"
ASTERISKS = str.maketrans("∗⁎＊﹡", "****")
"""All asterisks are one mark."""

_MARK = re.compile(rf"\d{{1,3}}|[a-zA-Z]{{1,2}}(?![a-zA-Z])|([{SIGNS}])\1*")
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
ALONE = re.compile(rf"[(\[]?(\d{{1,2}}|[a-z]{{1,2}}|[A-Z](?=\s)|[{SIGNS}]+)[)\].:]?")
OF_PLACE = re.compile(rf"[(\[]?(\d{{1,2}}|[a-z](?=\s?[A-Z])|[{SIGNS}]+)[)\].:．、]?\s*(?=[^\W\d_])")


def marks_in(text: str) -> list[str]:
    """The marks of a text one by one: ``a,*†`` are three, ``††`` is one."""
    return [mark[0] for mark in _MARK.finditer(text.translate(ASTERISKS))]
