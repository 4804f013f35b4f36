"""What the page holds and does not show: affiliations behind a click."""

from __future__ import annotations

from collections.abc import Callable

from small_article import HTML

from pagesight.page import Page
from pagesight.readers.article.learning.scoring import score, scored_places
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading

KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Leaves, University of Lund, Lund, Sweden"
START, STOP = HTML.index('<ul class="authors">'), HTML.index("<p>*Correspondence")


def read(lay_out: Callable[[str], Page], authors: str) -> ArticleReading:
    """The small article with other authors."""
    return read_article(lay_out(HTML[:START] + authors + HTML[STOP:]), metadata="ignore")


def located(reading: ArticleReading) -> dict[str, list[str]]:
    """The places of each author."""
    texts = {place.id: place.text for place in reading.affiliations}
    return {
        author.family: [texts[id_] for id_ in author.affiliations] for author in reading.authors
    }


def test_a_list_that_is_folded_up(lay_out: Callable[[str], Page]) -> None:
    reading = read(
        lay_out,
        f"""<div><p><a href="/1">Ada B. King</a><sup>1</sup>, <a href="/2">Bo Lindqvist</a><sup>2
        </sup></p><button>Affiliations</button><ol class="hidden">
        <li><sup>1</sup><span>{KYOTO}</span></li><li><sup>2</sup>{LUND}</li></ol></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND]}
    assert all(place.xpath and place.box for place in reading.affiliations)


def test_what_pops_up_at_a_name(lay_out: Callable[[str], Page]) -> None:
    reading = read(
        lay_out,
        f"""<div><span><a href="/1">Ada B. King</a><span class="hidden"><div>{KYOTO}</div></span>
        </span>, <span><a href="/2">Bo Lindqvist</a><span class="hidden"><div>{LUND}</div>
        <div>{KYOTO}</div></span></span></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND, KYOTO]}


def test_what_pops_up_elsewhere_under_the_name(lay_out: Callable[[str], Page]) -> None:
    boxes = "".join(
        f'<div class="hidden"><div>{name}</div><div>{place}</div><a href="/f">Find this author</a>'
        "</div>"
        for name, place in (("Ada B. King", LUND), ("Bo Lindqvist", KYOTO))
    )
    reading = read(
        lay_out,
        f"""<div><div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p></div>
        <div>{boxes}</div></div>""",
    )
    assert located(reading) == {"King": [LUND], "Lindqvist": [KYOTO]}


def test_marks_in_elements_of_their_own(lay_out: Callable[[str], Page]) -> None:
    reading = read(
        lay_out,
        f"""<div><p>Ada B. King<sup>a</sup>, Bo Lindqvist<sup>b</sup></p><dl class="hidden">
        <dt><sup>a</sup></dt><dd>{KYOTO}</dd><dt><sup>b</sup></dt><dd>{LUND}</dd></dl></div>""",
    )
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND]}


def test_hidden_places_of_others(lay_out: Callable[[str], Page]) -> None:
    board = "".join(f"<li>Institute of Leaves {n}, University of Lund, Lund</li>" for n in range(9))
    reading = read(
        lay_out, f"<div><p>Ada B. King, Bo Lindqvist</p><ul class='hidden'>{board}</ul></div>"
    )
    assert not reading.affiliations


def test_what_is_shown_is_enough(lay_out: Callable[[str], Page]) -> None:
    reading = read(
        lay_out,
        f"""<div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p>
        <p>{KYOTO}</p><div class="hidden"><div>{LUND}</div></div></div>""",
    )
    assert [place.text for place in reading.affiliations] == [KYOTO]


def test_hidden_text_that_is_no_place(lay_out: Callable[[str], Page]) -> None:
    reading = read(
        lay_out,
        """<div><p><a href="/1">Ada B. King</a>, <a href="/2">Bo Lindqvist</a></p>
        <div class="hidden"><div>Find this author on Google Scholar, PubMed, and this site</div>
        <p>Sign in, register, or buy access to the article</p></div></div>""",
    )
    assert not reading.affiliations


def test_what_is_held_but_not_shown_is_neither_right_nor_wrong(
    lay_out: Callable[[str], Page],
) -> None:
    reading = read_article(lay_out(HTML), metadata="ignore")
    assert [place.text for place in reading.affiliations] == [KYOTO, LUND]
    truth = Truth(affiliations=(KYOTO,), held=(LUND,))
    assert [place.text for place in scored_places(reading, truth)] == [KYOTO]
    assert score(reading, truth).affiliations.f == 1
    assert score(reading, Truth(affiliations=(KYOTO,))).affiliations.precision == 0.5
