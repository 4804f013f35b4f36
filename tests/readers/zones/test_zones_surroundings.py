from __future__ import annotations

import numpy as np
import pytest

import pagesight
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import features
from pagesight.readers.zones.surroundings import SURROUNDINGS, Sums, surroundings
from pagesight.segment.leaves import leaf_zones

TEXT = "Green tea is made of leaves that were not allowed to wither, and is drunk in many places."
PAGE = f"""<base href="https://tea.example/"><style>body {{ margin: 0 }} p {{ margin: 9px }}
.menu {{ float: left; width: 200px }} .text {{ margin-left: 300px }} .menu a {{ display: block }}
</style>
<div class="menu"><a href="/a">Leaves</a><a href="/b">Pots</a><a href="http://milk.example">Milk</a>
</div>
<div class="text"><p>{TEXT} {TEXT}</p><p>{TEXT} {TEXT}</p></div>
<div class="end">Privacy policy</div>"""


def zones_of(html: str) -> Candidates:
    document = pagesight.read(html.encode(), renderer="embedded", url="https://www.tea.example/")
    return candidates(leaf_zones(document.page))


def of(html: str, css_class: str) -> dict[str, float]:
    """The features of the zone of a class."""
    zones = zones_of(html)
    page = zones.leaves.page
    (node,) = (node.id for node in page if node.attributes.get("class") == css_class)
    held = [
        zone
        for zone, element in enumerate(zones.element.tolist())
        if node <= element < page.end[node]
    ]
    return {
        name: float(column[held[0]]) for name, column in surroundings(Sums(zones), 16.0).items()
    }


def test_the_features_are_those_that_are_named() -> None:
    assert set(surroundings(Sums(zones_of(PAGE)), 16.0)) == set(SURROUNDINGS)
    assert set(SURROUNDINGS) < set(features(zones_of(PAGE)).columns)


def test_links_are_counted_with_what_they_lead_to() -> None:
    menu = of(PAGE, "menu")
    assert np.expm1(menu["link count"]) == pytest.approx(3)
    assert menu["link leaves"] == menu["short texts"] == 1
    assert menu["abroad"] == pytest.approx(1 / 3)
    assert of(PAGE, "text")["link count"] == 0


def test_a_column_sees_the_text_beside_it() -> None:
    menu, text = of(PAGE, "menu"), of(PAGE, "text")
    assert menu["beside text"] > 1
    assert menu["beside at"] > 0.2  # to the right
    assert text["beside at"] < -0.2
    assert text["prose before"] == 0 < of(PAGE, "end")["prose before"]


def test_notices_at_the_end_are_recognised() -> None:
    assert of(PAGE, "end")["says end"] == 1
    assert of(PAGE, "text")["says end"] == 0


@pytest.mark.parametrize(
    ("picture", "size", "address"),
    [
        ('<img src="x.png" width=728 height=90>', 1, 0),
        ('<img src="//x.example/adserv/7" width=300 height=99>', 1, 1),
        ('<img src="tea.png" width=640 height=480>', 0, 0),
    ],
)
def test_adverts_are_recognised_by_size_and_address(picture: str, size: int, address: int) -> None:
    seen = of(f'<p>{TEXT}</p><div class="picture">{picture}</div><p>{TEXT}</p>', "picture")
    assert (seen["advert size"], seen["advert address"]) == (size, address)


def test_siblings_of_one_width_are_alike() -> None:
    card = "<div class={} style='float:left; width:200px; margin:9px'><p>Tea<p>Milk</div>"
    cards = "".join(card.format(f"card{number}") for number in range(4))
    page = f"<div>{cards}</div><p style='clear:both'>{TEXT}</p>"
    assert np.expm1(of(page, "card1")["alike"]) == pytest.approx(3)
    assert of(page, "card1")["in row"] == 1


def test_a_page_without_anything_has_finite_features() -> None:
    for column in surroundings(Sums(zones_of("<p></p>")), 16.0).values():
        assert np.isfinite(column).all()
