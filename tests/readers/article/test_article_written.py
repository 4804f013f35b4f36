"""Pages written by chance: that they are whole, always the same, and labelled as they read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small_article import ABSTRACT, BODY, REFERENCES, TITLE

from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.readers.article.labelling.labels import AFFILIATIONS, order_of, possible
from pagesight.readers.article.learning.alignment import Labelling
from pagesight.readers.article.learning.stock import Stock, stock_of
from pagesight.readers.article.learning.written import (
    ARTICLES,
    OTHERS,
    Writer,
    labelled,
    look_alikes,
    written_articles,
)
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.segment.text import words

LayOut = Callable[[str], Page]
STOCK = Stock(
    titles=(TITLE, "On rivers and stones of the north: a study"),
    names=(Name("Ada B.", "King"), Name("Bo", "Lindqvist"), Name("Carla", "van der Berg")),
    places=(
        "Department of Botany, University of Kyoto, Kyoto, Japan",
        "Institute of Plant Sciences, Lund University, 221 00 Lund, Sweden",
    ),
    sentences=tuple(f"{text}." for text in ABSTRACT.split(". ")),
    paragraphs=(BODY,) * 6,
    cited=REFERENCES,
)
NOTHING = Stock(titles=(), names=(), places=(), sentences=(), paragraphs=(), cited=())
COPIES = range(6)


def page_of(kind: str, copy: int) -> tuple[Writer, str]:
    writer = Writer(STOCK, f"{kind} {copy}")
    return writer, writer.page(kind)


def read(lay_out: LayOut, kind: str, copy: int) -> tuple[Writer, Zones, Labelling]:
    writer, html = page_of(kind, copy)
    zones = article_zones(lay_out(html))
    return writer, zones, labelled(zones, writer.truth())


def said(zones: Zones, labelling: Labelling, *labels: str) -> str:
    """What the zones with these labels say, in one."""
    texts = (
        text for text, label in zip(zones.texts, labelling.labels, strict=True) if label in labels
    )
    return "".join(words(" ".join(texts)))


@pytest.mark.parametrize("kind", [*ARTICLES, *OTHERS])
@pytest.mark.parametrize("copy", COPIES)
def test_a_page_is_written_whole_and_always_in_the_same_way(kind: str, copy: int) -> None:
    _, html = page_of(kind, copy)
    assert html == page_of(kind, copy)[1]
    assert not re.search(r"[⟨⟩⟦⟧]|\{\w+(?: \d+)*\}", html)


@pytest.mark.parametrize("kind", ARTICLES)
@pytest.mark.parametrize("copy", COPIES)
def test_zones_have_the_label_of_what_they_say(lay_out: LayOut, kind: str, copy: int) -> None:
    writer, zones, labelling = read(lay_out, kind, copy)
    truth = writer.truth()
    assert "".join(words(truth.titles[0])) in said(zones, labelling, "title")
    authors = said(zones, labelling, "author")
    assert all("".join(words(name.family)) in authors for name in truth.authors)
    places = said(zones, labelling, "author", *AFFILIATIONS)
    assert all("".join(words(place)) in places for place in truth.affiliations)
    cited = said(zones, labelling, "reference")
    assert all("".join(words(text)) in cited for text in truth.references)


@pytest.mark.parametrize("kind", ARTICLES)
@pytest.mark.parametrize("copy", COPIES)
def test_the_chain_can_label_them_so(lay_out: LayOut, kind: str, copy: int) -> None:
    _, zones, labelling = read(lay_out, kind, copy)
    _, first = possible(order_of(labelling.labels))
    assert labelling.labels[0] in ("before", "title")
    assert first.any()
    assert len(labelling.labels) == len(zones)


def test_pages_of_a_kind_differ_in_language_and_names_of_classes() -> None:
    pages = [page_of("journal", copy)[1] for copy in range(20)]
    assert len({re.findall(r"<html lang=(\w+)", html)[0] for html in pages}) >= 4
    assert 0 < sum("class=" in html for html in pages) < len(pages)


def test_nothing_is_written_of_nothing(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path, "embedded")
    assert stock_of([]) == NOTHING
    assert not list(written_articles(corpora, NOTHING))
    assert not list(look_alikes(corpora, NOTHING))


def test_pages_are_rendered_with_their_kinds(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path, "embedded")
    articles = list(written_articles(corpora, STOCK, copies=1))
    assert {page.house for page in articles} == set(ARTICLES)
    assert all(page.usable for page in articles)
    assert len(list(look_alikes(corpora, STOCK, copies=1))) == len(OTHERS)
