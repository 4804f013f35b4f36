"""Articles in layouts of many kinds: how they are filled, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from small_article import ABSTRACT, BODY, REFERENCES, TITLE

from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.readers.article.learning.layouts import (
    COPIES,
    FOLDER,
    MOST_RELATED,
    OTHERS,
    KnownArticle,
    filled,
    known_articles,
    laid_out,
    written_into,
)
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]

PLACES = (
    "Department of Botany, University of Kyoto, Kyoto, Japan",
    "Institute of Plant Sciences, Lund University, 221 00 Lund, Sweden",
)
KNOWN = KnownArticle(
    truth=Truth(
        titles=(TITLE,),
        authors=(Name("Ada B.", "King"), Name("Bo", "Lindqvist")),
        affiliations=PLACES,
        abstract=ABSTRACT,
        references=REFERENCES,
    ),
    body=(BODY,) * 6,
    cited=REFERENCES,
)
LAYOUTS = sorted(path.stem for path in FOLDER.glob("*.html"))
LOOK_ALIKES = sorted(path.stem for path in OTHERS.glob("*.html"))
# What the shipped weights get wrong, whose labels were not learned from layouts.
MISREAD = {"repository", "working_paper"}  # the first by a hundredth: others look like its title


def read(layouts: list[str]) -> list[object]:
    """Layouts to read; those that are known to be misread have to fail."""
    wrong = pytest.mark.xfail(strict=True, reason="known to be misread")
    return [pytest.param(name, marks=wrong) if name in MISREAD else name for name in layouts]


def page_of(layout: str, copy: int = 0) -> tuple[Truth, str]:
    """A layout that shows the article above, and what is written there."""
    (path,) = FOLDER.rglob(f"{layout}.html")
    truth, html = filled(path, copy, [KNOWN] * (1 + MOST_RELATED))
    return truth, html.decode()


@pytest.mark.parametrize("layout", [*LAYOUTS, *LOOK_ALIKES])
@pytest.mark.parametrize("copy", range(COPIES))
def test_a_layout_is_filled_whole_and_always_in_the_same_way(layout: str, copy: int) -> None:
    _, html = page_of(layout, copy)
    assert html == page_of(layout, copy)[1]
    assert not re.search(r"data-(?:each|when|separator)|\{\w+\}", html)


def test_a_copy_in_another_language_keeps_names_and_calls_places_otherwise() -> None:
    truth, html = page_of("plain_headings", COPIES - 1)
    assert truth.titles[0] != TITLE
    assert truth.authors[0] in KNOWN.truth.authors
    assert "University" not in truth.affiliations[0]
    assert all(text in html for text in (truth.titles[0], truth.affiliations[0]))


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("<p>{title}!</p>", "<p>Tea!</p>"),
        ('<ul><li data-each="names">{name}</li></ul>', "<ul><li>Ada</li><li>Bo</li></ul>"),
        (
            '<p><b data-each="names" data-separator=", ">{name}</b>.</p>',
            "<p><b>Ada</b>, <b>Bo</b>.</p>",
        ),
        ('<p>a<b data-when="nothing">{title}</b>c</p>', "<p>a</p>"),
        ('<p><a data-when="title" href="/{title}">b</a></p>', '<p><a href="/Tea">b</a></p>'),
        ('<p><i data-each="nothing">{name}</i></p>', "<p />"),
    ],
)
def test_what_a_layout_says(layout: str, text: str) -> None:
    element = ET.fromstring(layout)
    context = {"title": "Tea", "names": [{"name": "Ada"}, {"name": "Bo"}], "nothing": []}
    written_into(element, context)
    assert ET.tostring(element, encoding="unicode") == text


def test_a_few_articles_are_not_enough(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path, "embedded")
    assert not list(laid_out(corpora, [KNOWN] * MOST_RELATED))
    assert not list(laid_out(corpora, [KNOWN] * MOST_RELATED, OTHERS))


def test_nothing_is_known_of_no_pages() -> None:
    assert known_articles([]) == []


# Read with shipped weights


@pytest.mark.parametrize("layout", read(LAYOUTS))
def test_an_article_is_read_in_any_layout(lay_out: LayOut, layout: str) -> None:
    truth, html = page_of(layout)
    reading = read_article(lay_out(html), metadata="ignore")
    assert reading.is_article
    assert reading.title is not None
    assert reading.title.text == TITLE
    assert [author.family for author in reading.authors] == [name.family for name in truth.authors]


@pytest.mark.parametrize("layout", read(LOOK_ALIKES))
def test_what_looks_like_an_article_is_not_one(lay_out: LayOut, layout: str) -> None:
    reading = read_article(lay_out(page_of(layout)[1]), metadata="ignore")
    assert not reading.is_article
    assert all(author.confidence < 0.5 for author in reading.authors)
