"""Short pieces: letters, editorials and corrections are articles; news and shops are none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, REFERENCES, TITLE

from pagesight.page import Page
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]

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
def test_short_pieces_are_articles_without_abstract(lay_out: LayOut, name: str) -> None:
    reading = read_article(lay_out(PIECES[name]), metadata="ignore")
    assert reading.is_article
    assert reading.title is not None
    assert f"<h1>{reading.title.text}</h1>" in PIECES[name]
    assert [author.text for author in reading.authors] == ["Ada B. King", "Bo Lindqvist"]
    assert reading.abstract is None
    assert len(reading.references) == (3 if LIST in PIECES[name] else 0)


@pytest.mark.parametrize("name", ["a letter, signed below", "a letter, signed at the end"])
def test_signatures_have_places(lay_out: LayOut, name: str) -> None:
    reading = read_article(lay_out(PIECES[name]), metadata="ignore")
    assert [
        [place.text for place in reading.affiliations_of(author)] for author in reading.authors
    ] == [[KYOTO], [LUND]]


def test_the_page_of_an_abstract_is_an_article(lay_out: LayOut) -> None:
    front = f"<p>Ada B. King<sup>1</sup>, Bo Lindqvist<sup>1</sup></p><p><sup>1</sup>{KYOTO}</p>"
    html = piece("Original Article", TITLE, f"{front}<h2>Abstract</h2><p>{ABSTRACT}</p>")
    reading = read_article(lay_out(html), metadata="ignore")
    assert reading.is_article
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT


LISTED = {
    TITLE: "Ada B. King, Bo Lindqvist",
    "Reviewers and their time": "Nina Eriksson, Rolf Rask",
    "Coffee considered harmful": "Ulla Berg, Karl Weber",
    "On leaves and their colours": "Sara Olsson, Petra Hansen",
}
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
    "a table of contents with identifiers": "<h1>Journal of Tea</h1><h2>Volume 12, Issue 3</h2>"
    + "".join(
        f"<div><h3><a href=/{rank}>{title}</a></h3><p>{names}</p>"
        f"<p>doi: 10.1000/jt.2019.{rank}</p></div>"
        for rank, (title, names) in enumerate(LISTED.items())
    ),
    "results of a search": "<h1>Search results</h1><p>4 results for tea</p>"
    + "".join(
        f"<div><a href=/{rank}>{rank}. {title}</a><p>{names}. J Tea. 2019;12(3):{rank}-9. doi: "
        f"10.1000/jt.2019.{rank}.</p><p>{ABSTRACT}</p></div>"
        for rank, (title, names) in enumerate(LISTED.items())
    ),
    "a press release": "<p>News</p><h1>Kyoto researchers publish study of tea</h1><p>Ref.: Journal "
    f"of Tea, 2019; 12 (3): 45 DOI: 10.1000/jt.2019.44</p><p>{ABSTRACT}</p>"
    f"<p>Contact: Ada B. King, Department of Botany, {KYOTO}, a.king@kyoto.example</p>",
    "instructions": "<p>Journal of Tea, ISSN 1234-5678, doi:10.1000/jt</p>"
    "<h1>Instructions for Authors</h1><h2>Abstract</h2><p>The abstract should have "
    "no more than 250 words. It should say what was done, how, and what was found.</p>"
    "<h2>Introduction</h2><p>Say why.</p><h2>Methods</h2><p>Say how.</p><h2>Results</h2>"
    "<p>Say what.</p><h2>Discussion</h2><p>Be brief.</p><h2>References</h2>"
    "<p>References are numbered: King A. Tea. J Tea. 2010;12:1-3.</p>"
    "<h2>Keywords</h2><p>Give five keywords.</p>",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_pages_are_none(lay_out: LayOut, name: str) -> None:
    html = f"<html><head><style>{CSS}</style></head><body>{OTHERS[name]}</body></html>"
    assert not read_article(lay_out(html), metadata="ignore").is_article


def test_a_correction_need_not_name_its_authors(lay_out: LayOut) -> None:
    html = piece(
        "Correction",
        f"Correction: {TITLE}",
        "<p>Published: July 9, 2019 https://doi.org/10.1000/jt.2019.44</p><p>The dose of tea was "
        "given as 20 g. The correct dose is 2 g. The original article has been corrected.</p>",
    )
    assert read_article(lay_out(html), metadata="ignore").is_article


def test_who_reviewed_the_article_is_no_author(lay_out: LayOut) -> None:
    checked = (
        f"<p>Edited by: Jan van Dyck, {KYOTO}</p><p>Reviewed by: Li-Hua Xu, {LUND}</p><h2>Abstract"
        f"</h2><p>{ABSTRACT}</p>{TEXT}{LIST}"
    )
    reading = read_article(lay_out(piece("Review", TITLE, f"<p>Ada B. King</p>{checked}")))
    assert [author.text for author in reading.authors] == ["Ada B. King"]
