"""Patterns that are written to be found fast find what the plain ones find; words in languages."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagesight.readers.article.fields.references import _DATED
from pagesight.readers.article.labelling.features import _AT, _may_have_more
from pagesight.readers.article.text import BESIDE_NAMES, DOI, JOURNAL, YEAR
from pagesight.readers.article.vocabulary import (
    _INSTITUTION,
    CUES,
    LANGUAGES,
    SHORT_PIECES,
    heading_kinds,
    institutions_in,
    is_article_kind,
    listed,
    names_institution,
    of_languages,
)
from pagesight.segment.text import words

PLAIN = {
    YEAR: r"\b(?:1[89]|20)\d\d[a-z]?\b",
    DOI: r"\b10\.\d{4,9}/[^\s\"<>]+"
    r"(?:<\d+:[^\s\"<>]*>\d\.\d\.[a-zA-Z]{2};\d(?:-\w)?|[^\s\"<>.,;)\]])",
    _DATED: r"(?<!\d)(?:1[89]|20)\d\d(?!\d)",
    _AT: r"\w[\[({/ ]at[\])}/ ]\w+\.\w",
}
parts = st.sampled_from(
    ["1", "8", "19", "20", "1999", "2010a", "10.", "1016", "/", "x", ".", " ", ",", "_", "é", "-",
     "[at]", " at ", "tea.org", "@", "www.", "https://", "0000-0001-", "000X", "ORCID.org",
     "<19:", ">2.0.CO;2", "Email Author", "by this author", "Search for more papers ", "(at)",
     "/at/"]
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
        assert names_institution(text)
    assert not names_institution("depth, units and reuniversities")


HEADINGS_IN = [
    (language, kind, heading)
    for language, block in LANGUAGES.items()
    for kind, headings in block.get("headings", {}).items()
    for heading in listed(headings)
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headings_of_each_language_are_known(language: str) -> None:
    for own, kind, heading in HEADINGS_IN:
        if own == language:
            for written in (heading, heading.upper(), f"2. {heading}:"):
                assert kind in heading_kinds(written), written


def test_no_heading_is_listed_twice() -> None:
    written = [(kind, " ".join(words(heading))) for _, kind, heading in HEADINGS_IN]
    assert sorted(set(written)) == sorted(written)


@pytest.mark.parametrize("key", ["kinds", "short_kinds", "and", "perhaps_and", "by"])
def test_no_word_is_listed_twice(key: str) -> None:
    entries = of_languages(key)
    assert sorted(set(entries)) == sorted(entries)
    assert all(entries)


def test_kinds_of_headings_are_those_of_english() -> None:
    kinds = set(LANGUAGES["en"]["headings"])
    assert {kind for _, kind, _ in HEADINGS_IN} == kinds


def test_the_vocabulary_loads_fast() -> None:
    text = (files("pagesight") / "data" / "vocabulary.toml").read_text(encoding="utf-8")
    start = process_time()
    tomllib.loads(text)
    assert process_time() - start < 0.02


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("REFERÊNCIAS", "references"),
        ("Mots-clés", "keywords"),
        ("2. Ergebnisse", "body"),
        ("R E F E R E N C E S", "references"),
        ("Re\u0301fe\u0301rences", "references"),
    ],
)
def test_headings_may_be_written_otherwise(text: str, kind: str) -> None:
    assert kind in heading_kinds(text)


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        ("abstract", "Abstract: Tea is old."),
        ("abstract", "ZUSAMMENFASSUNG. Tee ist alt."),
        ("abstract", "【摘 要】 茶"),
        ("abstract", "要旨：茶"),
        ("keywords", "Key-words: tea, cup"),
        ("keywords", "Keywords tea, cup"),
        ("keywords", "Palabras clave: té"),
        ("keywords", "Mots-clés : thé"),
        ("keywords", "关键词：茶"),
        ("keywords", "[關 鍵 詞] 茶"),
        ("dates", "Received 3 May 2018"),
        ("dates", "收稿日期：2020-01-02"),
        ("correspondence", "* E-mail: ada@tea.example"),
        ("correspondence", "Korrespondenz an Ada King"),
        ("citation", "How to cite this article"),
        ("citation", "Для цитирования: Иванов"),
        ("editor", "Academic Editor: Bo Lind"),
        ("note", "† These authors contributed equally"),
        ("action", "Download PDF"),
        ("figure", "Fig. 3. A cup"),
    ],
)
def test_texts_say_what_they_are(cue: str, text: str) -> None:
    assert CUES[cue].match(text)
    assert not CUES[cue].match("Tea is as old as anybody knows.")


@pytest.mark.parametrize("text", ["Abstraction is hard.", "Keyword searches were made in spring."])
def test_words_of_cues_may_begin_sentences(text: str) -> None:
    assert not CUES["abstract"].match(text)


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


@pytest.mark.parametrize(
    "text",
    [
        "department of botany, university of leiden, national institute",
        "museumsinsel 1, landesmuseum, klinikum, staatsarchiv und archive",
        "an inc. and its units, the unit, units of a programme in law, école",
        "universität, фонд, university",
        "the author’s department – section of botany, “landesmuseum”",
        "nothing of the kind",
    ],
)
def test_institutions_are_looked_for_by_first_letters_with_the_same_result(text: str) -> None:
    assert institutions_in(text) == _INSTITUTION.findall(text)
