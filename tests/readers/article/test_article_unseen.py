"""What the page holds and does not show: authors and affiliations behind a click."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import HTML

from pagesight.page import Page
from pagesight.readers.article.learning.scoring import score, scored_places
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading

pytestmark = pytest.mark.browser

KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Leaves, University of Lund, Lund, Sweden"
START, STOP = HTML.index('<ul class="authors">'), HTML.index("<p>*Correspondence")


def read(see: Callable[[str], Page], authors: str) -> ArticleReading:
    """The small article with other authors."""
    return read_article(see(HTML[:START] + authors + HTML[STOP:]), metadata="ignore")


def located(reading: ArticleReading) -> dict[str, list[str]]:
    """The places of each author."""
    texts = {place.id: place.text for place in reading.affiliations}
    return {
        author.family: [texts[id_] for id_ in author.affiliations] for author in reading.authors
    }


def test_a_list_that_is_folded_up(see: Callable[[str], Page]) -> None:
    reading = read(
        see,
        f"""<div><p><a href="/1">Ada B. King</a><sup>1</sup>, <a href="/2">Bo Lindqvist</a><sup>2
        </sup></p><button>Affiliations</button><ol class="hidden">
        <li><sup>1</sup><span>{KYOTO}</span></li><li><sup>2</sup>{LUND}</li></ol></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND]}
    assert all(place.xpath and place.box for place in reading.affiliations)


def test_what_pops_up_at_a_name(see: Callable[[str], Page]) -> None:
    reading = read(
        see,
        f"""<div><span><a href="/1">Ada B. King</a><span class="hidden"><div>{KYOTO}</div></span>
        </span>, <span><a href="/2">Bo Lindqvist</a><span class="hidden"><div>{LUND}</div>
        <div>{KYOTO}</div></span></span></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND, KYOTO]}


def test_what_pops_up_elsewhere_under_the_name(see: Callable[[str], Page]) -> None:
    boxes = "".join(
        f'<div class="hidden"><div>{name}</div><div>{place}</div><a href="/f">Find this author</a>'
        "</div>"
        for name, place in (("Ada B. King", LUND), ("Bo Lindqvist", KYOTO))
    )
    reading = read(
        see,
        f"""<div><div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p></div>
        <div>{boxes}</div></div>""",
    )
    assert located(reading) == {"King": [LUND], "Lindqvist": [KYOTO]}


def test_marks_in_elements_of_their_own(see: Callable[[str], Page]) -> None:
    reading = read(
        see,
        f"""<div><p>Ada B. King<sup>a</sup>, Bo Lindqvist<sup>b</sup></p><dl class="hidden">
        <dt><sup>a</sup></dt><dd>{KYOTO}</dd><dt><sup>b</sup></dt><dd>{LUND}</dd></dl></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND]}


def test_hidden_places_of_others(see: Callable[[str], Page]) -> None:
    board = "".join(f"<li>Institute of Leaves {n}, University of Lund, Lund</li>" for n in range(9))
    reading = read(
        see, f"<div><p>Ada B. King, Bo Lindqvist</p><ul class='hidden'>{board}</ul></div>"
    )
    assert not reading.affiliations


def test_what_is_shown_is_enough(see: Callable[[str], Page]) -> None:
    reading = read(
        see,
        f"""<div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p>
        <p>{KYOTO}</p><div class="hidden"><div>{LUND}</div></div></div>""",
    )
    assert [place.text for place in reading.affiliations] == [KYOTO]


def test_hidden_text_that_is_no_place(see: Callable[[str], Page]) -> None:
    reading = read(
        see,
        """<div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p>
        <div class="hidden"><div>Find this author on Google Scholar, PubMed, and this site</div>
        <p>Sign in, register, or buy access to the article</p></div></div>""",
    )
    assert not reading.affiliations


def test_what_is_held_but_not_shown_is_neither_right_nor_wrong(see: Callable[[str], Page]) -> None:
    reading = read_article(see(HTML), metadata="ignore")
    assert [place.text for place in reading.affiliations] == [KYOTO, LUND]
    truth = Truth(affiliations=(KYOTO,), held=(LUND,))
    assert [place.text for place in scored_places(reading, truth)] == [KYOTO]
    assert score(reading, truth).affiliations.f1 == 1
    assert score(reading, Truth(affiliations=(KYOTO,))).affiliations.precision == 0.5


ALL = ["Ada B. King", "Bo Lindqvist", "Chinua Okafor", "Maria de la Cruz"]
ONE, TWO, THREE, FOUR = (f"<a href=/{rank}>{name}</a>" for rank, name in enumerate(ALL))
MORE = "<button>Show all authors</button>"
FOLDED = {
    "each has a class of its own": f"<p><span>{ONE}</span>, <span>{TWO}</span>, <span class=hidden>"
    f"{THREE}</span>, <span class='hidden'>{FOUR}</span> <a href=#>[…]</a></p>",
    "together in an element": f"<p><span>{ONE}</span>, <span>{TWO}</span><span class=hidden>, "
    f"<span>{THREE}</span>, <span>{FOUR}</span></span>{MORE}</p>",
    "in a list of their own": f"<div><ul><li>{ONE}</li><li>{TWO}</li></ul>{MORE}"
    f"<ul class=hidden><li>{THREE}</li><li>{FOUR}</li></ul></div>",
    "in a box of their own": f"<section><div><div>{ONE}, {TWO}</div></div>{MORE}"
    f"<div class=hidden><div>{THREE}, {FOUR}</div></div></section>",
    "as text": f"<p>{', '.join(ALL[:2])}<span class=hidden>, {' and '.join(ALL[2:])}</span> {MORE}"
    "</p>",
}  # fmt: skip


@pytest.mark.parametrize("style", FOLDED)
def test_authors_that_are_folded_up(see: Callable[[str], Page], style: str) -> None:
    reading = read(see, f"{FOLDED[style]}<p>{KYOTO}</p>")
    assert [author.text for author in reading.authors] == ALL


OTHERS = {
    "the same for short": "<div class=hidden><a href=/p>A. King</a> <a href=/q>B. Lindqvist</a>"
    "</div>",
    "links that are no names": "<div class=hidden><a href=/p>Google Scholar</a>"
    "<a href=/q>Related Articles</a></div>",
    "names behind other texts": "<p>Edited by the board of the journal, with four referees</p>"
    f"<div class=hidden><a href=/p>{ALL[2]}</a></div>",
    "names in other elements": f"<table class=hidden><tr><td>{ALL[2]}</td></tr></table>",
}  # fmt: skip


@pytest.mark.parametrize("other", OTHERS)
def test_what_is_hidden_and_no_author(see: Callable[[str], Page], other: str) -> None:
    reading = read(see, f"<div><div>{ONE}, {TWO}</div>{OTHERS[other]}</div><p>{KYOTO}</p>")
    assert [author.text for author in reading.authors] == ALL[:2]
