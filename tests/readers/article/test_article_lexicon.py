"""Patterns that are written to be found fast find what the plain ones find."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pagesight.readers.article.citations import _DATED
from pagesight.readers.article.features import _AT, _may_have_more
from pagesight.readers.article.lexicon import BESIDE_NAMES, DOI, INSTITUTION, YEAR

PLAIN = {
    YEAR: r"\b(?:1[89]|20)\d\d[a-z]?\b",
    DOI: r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]",
    _DATED: r"(?<!\d)(?:1[89]|20)\d\d(?!\d)",
    _AT: r"\w[\[({/ ]at[\])}/ ]\w+\.\w",
}
parts = st.sampled_from(
    ["1", "8", "19", "20", "1999", "2010a", "10.", "1016", "/", "x", ".", " ", ",", "_", "é", "-",
     "[at]", " at ", "tea.org", "@", "www.", "https://", "0000-0001-", "000X", "ORCID.org",
     "Email Author", "by this author", "Search for more papers ", "(at)", "/at/"]
)  # fmt: skip
texts = st.lists(parts, max_size=12).map("".join)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_years_dois_and_addresses(text: str) -> None:
    for quick, plain in PLAIN.items():
        assert bool(quick.search(text)) == bool(re.search(plain, text))
        if quick is not _AT:  # of which it is only asked whether it is there
            assert quick.findall(text) == re.findall(plain, text)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_nothing_beside_names_is_overlooked(text: str) -> None:
    assert _may_have_more(text) or not BESIDE_NAMES.search(text)


def test_institutions_are_found_in_any_case() -> None:
    for text in ("Departamento de Té", "DEPT of Tea", "École", "a UNIVERSITY", "program in tea"):
        assert INSTITUTION.search(text)
    assert not INSTITUTION.search("depth, units and reuniversities")
