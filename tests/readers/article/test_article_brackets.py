"""Places in brackets behind other texts, and names that come once more above their places."""

from __future__ import annotations

from collections.abc import Callable

from small_article import HTML
from test_article_unseen import located, read

from pagesight.page import Page
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]
KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Leaves, University of Lund, Lund, Sweden"


def test_what_is_in_brackets_belongs_to_the_place_before_it(lay_out: LayOut) -> None:
    reading = read(
        lay_out,
        """<p><a href="/1">Ada B. King</a> <sup>(1)</sup>, <a href="/2">Bo Lindqvist</a>
        <sup>(1, 2)</sup></p>
        <div><sup>1</sup> LTF - Leaves, Tea, Fermentation
        <i>(University of Kyoto, Kyoto - Japan)</i></div>
        <div><sup>2</sup> Tea Sciences Lund
        <i>(University of Lund, 221 00 Lund - Sweden)</i></div>""",
    )
    kyoto = "LTF - Leaves, Tea, Fermentation (University of Kyoto, Kyoto - Japan)"
    lund = "Tea Sciences Lund (University of Lund, 221 00 Lund - Sweden)"
    assert located(reading) == {"King": [kyoto], "Lindqvist": [kyoto, lund]}


def test_each_of_a_list_of_names_has_its_place_in_brackets(lay_out: LayOut) -> None:
    reading = read(
        lay_out,
        """<ul><li><a href="/1">Ada B. King</a>
        <small>(University of Kyoto, Department of Botany)</small>
        <li><a href="/2">Bo Lindqvist</a>
        <small>(Bank of Leaves; Lund Centre for Tea Policy)</small></ul>""",
    )
    assert located(reading) == {
        "King": ["University of Kyoto, Department of Botany"],
        "Lindqvist": ["Bank of Leaves; Lund Centre for Tea Policy"],
    }


def test_names_that_come_again_at_the_end_have_their_places_below(lay_out: LayOut) -> None:
    start, stop = HTML.index('<ul class="authors">'), HTML.index("<p>*Correspondence")
    references = HTML.index("<h2>References")
    again = "".join(
        f'<div class="card"><div><a href="/{number}">{name}</a></div><div>{place}</div></div>'
        for number, (name, place) in enumerate(
            [("Ada B. King", KYOTO), ("Bo Lindqvist", LUND), ("Li-Hua Xu", KYOTO)]
        )
    )
    names = """<div><span><a href="/1">Ada B. King</a> ;</span> <span><a href="/2">Bo Lindqvist</a>
        ;</span> <span><a href="/3">Li-Hua Xu</a></span></div>"""
    html = HTML[:start] + names + HTML[stop:references] + f"<h2>Authors</h2>{again}"
    reading = read_article(lay_out(html + HTML[references:]), metadata="ignore")
    assert located(reading) == {"King": [KYOTO], "Lindqvist": [LUND], "Xu": [KYOTO]}
