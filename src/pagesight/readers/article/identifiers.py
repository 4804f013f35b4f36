"""Addresses, numbers and years, as they stand in any text."""

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
