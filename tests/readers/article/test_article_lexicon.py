"""Patterns that are written to be found fast find what the plain ones find; words in languages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagesight.readers.article.fields.references import _DATED
from pagesight.readers.article.identifiers import BESIDE_NAMES, DOI, JOURNAL, YEAR
from pagesight.readers.article.labelling.features import _AT, _may_have_more
from pagesight.readers.article.vocabulary import (
    INSTITUTION,
    SHORT_PIECES,
    heading_kinds,
    is_article_kind,
)

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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Literatur", "references"),
        ("Références bibliographiques", "references"),
        ("Bibliografía", "references"),
        ("REFERÊNCIAS", "references"),
        ("参考文献", "references"),
        ("참고문헌", "references"),
        ("Список литературы", "references"),
        ("Zusammenfassung", "abstract"),
        ("RÉSUMÉ", "abstract"),
        ("摘要", "abstract"),
        ("Mots-clés", "keywords"),
        ("キーワード", "keywords"),
        ("2. Ergebnisse", "body"),
    ],
)
def test_headings_are_known_in_many_languages(text: str, kind: str) -> None:
    assert kind in heading_kinds(text)


@pytest.mark.parametrize("text", ["Letter to the Editor", "EDITORIAL", "Übersichtsarbeit"])
def test_kinds_of_articles_are_known(text: str) -> None:
    assert is_article_kind(text)
    assert not is_article_kind(f"{text} on tea")


@pytest.mark.parametrize(
    "text", ["Editorial", "Letters", "Correction: On tea", "Erratum to: On tea", "Reply to King"]
)
def test_short_pieces_are_known(text: str) -> None:
    assert SHORT_PIECES.match(text)


@pytest.mark.parametrize(
    "text", ["Letters and leaves", "Correcting tea", "On editorials", "Newton"]
)
def test_titles_of_others_are_none(text: str) -> None:
    assert not SHORT_PIECES.match(text)


@pytest.mark.parametrize(
    "text",
    ["Volume 12, Issue 3", "J Tea 2019; 12(3): 44", "ISSN 1234-5678", "12 (2019) 44–51", "pp. 4–9"],
)
def test_places_in_journals_are_known(text: str) -> None:
    assert JOURNAL.search(text)
    assert not JOURNAL.search("On 3 May 2019 we drank 12 cups.")
