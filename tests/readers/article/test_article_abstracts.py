"""Abstracts without a heading end where the text begins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, BODY, HTML
from small_labels import labelled

from pagesight.page import Page
from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.labelling.sections import headed_abstract
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]

START, STOP = HTML.index("<h2>Abstract</h2>"), HTML.index("<h2>References")
KEYWORDS = "<p>Keywords: tea; reviewers; patience</p>"
SECTIONS = {
    "a line": f"<p>Introduction</p><p>{BODY}</p>",
    "a line in bold": f"<p><b>Methods</b></p><p>{BODY}</p>",
    "a numbered line": f"<p>1. Introduction</p><p>{BODY}</p>",
    "a heading": f"<h2>Methods</h2><p>{BODY}</p>",
}


@pytest.mark.parametrize("between", ["", KEYWORDS], ids=["directly", "after keywords"])
@pytest.mark.parametrize("section", SECTIONS)
def test_the_text_is_no_abstract(lay_out: LayOut, section: str, between: str) -> None:
    content = f"<p>{ABSTRACT}</p>{between}{SECTIONS[section]}<p>{BODY}</p>"
    reading = read_article(lay_out(HTML[:START] + content + HTML[STOP:]), metadata="ignore")
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT


def test_the_abstract_in_the_language_of_the_article_comes_first() -> None:
    german = "Tee ist so alt, wie man weiß, und wird in allen Ländern der Erde von vielen getrunken, die ihn mögen und bezahlen können."  # noqa: E501
    english = "Tea is as old as anybody knows, and is drunk in all countries of the world by many people who like it and can pay."  # noqa: E501
    assert headed_abstract(["Zusammenfassung", german, "Abstract", english], 0) == [1]
    assert headed_abstract(["Abstract", english, "Resumen", german], 0) == [1]


def test_the_abstract_ends_where_a_heading_comes_again() -> None:
    part = "tea is as old as anybody knows, and is drunk in all countries by people who like it."
    texts = ["Abstract", f"Background: {part}", f"Results: {part}", "Background", part.title()]
    assert headed_abstract(texts, 0) == [1, 2]


def test_a_link_beside_a_heading_is_not_a_part_of_it(lay_out: LayOut) -> None:
    top = "<a href='#top'>[Top]</a>"
    page = lay_out(
        f"<h1>On tea</h1><h2>Abstract {top}</h2><p>{ABSTRACT}</p><h2>Background {top}</h2>"
        f"<p>{ABSTRACT[::-1]}</p><h2>Introduction {top}</h2><p>{BODY}</p>"
    )
    labels = ("title", "abstract heading", *["abstract"] * 5)
    value = abstract(labelled(page, *labels))
    assert value is not None
    assert value.text == f"{ABSTRACT}\n{ABSTRACT[::-1]}"
