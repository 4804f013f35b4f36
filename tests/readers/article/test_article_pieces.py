"""Short pieces: letters, editorials and corrections are articles; news and shops are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, REFERENCES, TITLE

from pagesight.page import Page
from pagesight.readers.article.reader import read_article

See = Callable[[str], Page]
pytestmark = pytest.mark.browser

LETTER = (
    "The letter by our colleagues on the virtues of tea deserves an answer, for it raises a "
    "question that many of us have asked ourselves. Their patients drank two cups a day, and ours "
    "drank four. We do not think that this explains all of what they saw."
)
REPLY = (
    "We thank the authors for their interest. Whether tea is good for reviewers remains to be "
    "seen, and we look forward to the results of their trial, which is to end next spring."
)
TEXT = f"<p>{LETTER}</p><p>{REPLY}</p><p>{LETTER}</p>"
LIST = f"<h2>References</h2><ol>{''.join(f'<li>{each}</li>' for each in REFERENCES[:3])}</ol>"
KYOTO, LUND = "University of Kyoto, Kyoto, Japan", "Lund University, Lund, Sweden"
SIGNED = (
    f"<p><b>Ada B. King, MD</b><br>{KYOTO}</p><p><b>Bo Lindqvist, PhD</b><br>{LUND}</p>"
)  # fmt: skip
CSS = "body { font: 16px/1.4 serif; width: 860px; margin: 0 auto } h1 { font-size: 30px }"


def piece(kind: str, title: str, content: str) -> str:
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><style>{CSS}</style></head><body>"
        "<nav><a href=/>Home</a> <a href=/i>Current issue</a> <a href=/l>Log in</a></nav>"
        f"<p>Journal of Tea 12 (2019) 44–45</p><p>{kind}</p><h1>{title}</h1>{content}"
        "<footer><p>© 2019 The Tea Press. All rights reserved.</p></footer></body></html>"
    )


PIECES = {
    "a letter, signed below": piece(
        "Letter to the Editor",
        "Green tea and patience",
        f"<p>To the Editor:</p>{TEXT}{SIGNED}{LIST}",
    ),
    "a letter, signed at the end": piece(
        "Correspondence", "Green tea and patience", f"<p>To the Editor:</p>{TEXT}{LIST}{SIGNED}"
    ),
    "an editorial": piece(
        "Editorial", "Tea time for peer review", f"<p>Ada B. King and Bo Lindqvist</p>{TEXT}{LIST}"
    ),
    "an editorial without references": piece(
        "Editorial",
        "Tea time for peer review",
        f"<p>Ada B. King, Bo Lindqvist</p><p>doi:10.1000/jt.2019.44</p>{TEXT}",
    ),
    "a correction": piece(
        "Correction",
        f"Correction: {TITLE}",
        "<p>Ada B. King, Bo Lindqvist</p><p>Published: July 9, 2019 "
        "https://doi.org/10.1000/jt.2019.44</p><p>In the Methods section of the article by King et "
        "al., the dose of tea was given as 20 g. The correct dose is 2 g. The authors apologise "
        "for the error. The original article has been corrected.</p>",
    ),
    "an erratum with places": piece(
        "Erratum",
        f"Erratum to: {TITLE}",
        f"<p>Ada B. King<sup>1</sup>, Bo Lindqvist<sup>2</sup></p><p><sup>1</sup>{KYOTO}</p>"
        f"<p><sup>2</sup>{LUND}</p><p>https://doi.org/10.1000/jt.2019.44</p><p>After publication "
        "of this work, the authors noticed that the name of the second author was spelled "
        "incorrectly. The correct name is given above.</p>",
    ),
}


@pytest.mark.parametrize("name", PIECES)
def test_short_pieces_are_articles_without_abstract(see: See, name: str) -> None:
    reading = read_article(see(PIECES[name]), metadata="ignore")
    assert reading.is_article
    assert reading.title is not None
    assert f"<h1>{reading.title.text}</h1>" in PIECES[name]
    assert [author.text for author in reading.authors] == ["Ada B. King", "Bo Lindqvist"]
    assert reading.abstract is None
    assert len(reading.references) == (3 if LIST in PIECES[name] else 0)


@pytest.mark.parametrize("name", ["a letter, signed below", "a letter, signed at the end"])
def test_signatures_have_places(see: See, name: str) -> None:
    reading = read_article(see(PIECES[name]), metadata="ignore")
    assert [
        [place.text for place in reading.affiliations_of(author)] for author in reading.authors
    ] == [[KYOTO], [LUND]]


def test_the_page_of_an_abstract_is_an_article(see: See) -> None:
    front = f"<p>Ada B. King<sup>1</sup>, Bo Lindqvist<sup>1</sup></p><p><sup>1</sup>{KYOTO}</p>"
    html = piece("Original Article", TITLE, f"{front}<h2>Abstract</h2><p>{ABSTRACT}</p>")
    reading = read_article(see(html), metadata="ignore")
    assert reading.is_article
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT


OTHERS = {
    "a weblog": "<h1>Why I drink tea</h1><p>by Ada King on May 3, 2019</p>"
    f"{TEXT}<h3>Comments</h3><p>Bo: nice post!</p>",
    "news": "<p>Science</p><h1>Tea makes reviewers kinder, study finds</h1><p>By Ada King</p>"
    f"<p>Published 3 May 2019</p>{TEXT}<h3>Related</h3><p>Coffee prices rise</p>",
    "a table of contents": "<h1>Volume 12, Issue 3</h1><h2>Editorial</h2>"
    + "".join(
        f"<p><a href=/x>{title}</a><br>Ada B. King, Bo Lindqvist<br>pp. 1–9</p>"
        for title in (TITLE, "Reviewers and their time", "Coffee considered harmful", "On leaves")
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_pages_are_none(see: See, name: str) -> None:
    html = f"<html><head><style>{CSS}</style></head><body>{OTHERS[name]}</body></html>"
    assert not read_article(see(html), metadata="ignore").is_article
