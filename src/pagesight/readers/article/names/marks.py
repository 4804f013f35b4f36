"""Marks: the numbers, letters and signs by which authors point to places and notes."""

from __future__ import annotations

import re

from pagesight.segment import text

SIGNS = text.SIGNS
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
    return [found[0] for found in _MARK.finditer(text.translate(ASTERISKS))]
