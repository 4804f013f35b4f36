"""What a whole page says of itself, and the two steps in which its kind is learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pagesight.page import Page
from pagesight.readers.records.kinds import ABOUT, kind_of, page_clues
from pagesight.readers.records.learning.examples import RecordsPage
from pagesight.readers.records.learning.seen import seen_on
from pagesight.readers.records.learning.training import finished
from pagesight.readers.records.model import DETAIL_NAME, DETAIL_PRICE, RecordsModel, shipped_model
from pagesight.readers.records.price_clues import headline_of
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import sight_of

LayOut = Callable[[str], Page]
PRODUCT = (
    "<title>Harbour lamp {0}</title><h1>Harbour lamp {0}</h1><img src=l.jpg width=300 height=300>"
    "<p>In stock</p><p>Price: <b>$7{0}.50</b></p><button>Add to cart</button><p>3 reviews</p>"
)
TEXT = "<title>On lamps</title><h1>On lamps {0}</h1><p>By May Day, 2019</p>" + (
    "<p>" + "A lamp in a harbour has to be seen from far away, whatever the weather is. " * 6
)


def clues(page: Page) -> dict[str, float]:
    return page_clues(sight_of(page), headline_of(page))


def test_shops_and_texts_say_other_things(lay_out: LayOut) -> None:
    product, text = (clues(lay_out(html.format(1))) for html in (PRODUCT, TEXT))
    assert product["about shop share"] > text["about shop share"]
    assert product["about date"] < text["about date"]
    assert product["in paragraphs of 250"] < text["in paragraphs of 250"]
    assert product["headline carts after"] > text["headline carts after"]
    assert product["headline h1"] == text["headline h1"] == 1


def test_a_page_that_only_shows_a_picture_has_clues_as_others(lay_out: LayOut) -> None:
    picture = clues(lay_out("<img src=l.jpg width=300 height=300>"))
    assert picture.keys() == clues(lay_out(TEXT)).keys()
    assert picture["headline h1"] == -1


def test_words_are_folded_as_those_of_pages_are() -> None:
    words = {word for known in ABOUT.values() for word in known}
    assert {word for word in words if word != word.casefold() or len(word) < 2} == set()


@pytest.fixture
def pages(lay_out: LayOut) -> list[RecordsPage]:
    """Products, half of which cost what they say, and texts."""
    truth = {"name": ["Harbour lamp"], "price": ["71.50"]}
    return [
        RecordsPage(f"{kind} {at}", f"{kind} {at}", "", "train", kind, lay_out(html.format(at)),
                    truth=truth if kind is Kind.DETAIL else None)
        for at in (1, 2)
        for kind, html in ((Kind.DETAIL, PRODUCT), (Kind.OTHER, TEXT))
        for _ in range(8)
    ]  # fmt: skip


def test_kinds_and_judges_are_learned_from_what_is_seen(pages: list[RecordsPage]) -> None:
    model: RecordsModel = replace(shipped_model(), kinds={}, judges={})
    seen = [seen_on(model, page) for page in pages]
    assert [bool(some.price.right.all()) for some in seen if some.price] == [True] * 8 + [False] * 8
    learned = finished(model, seen)
    assert learned.judges.keys() == {DETAIL_PRICE, DETAIL_NAME}
    assert [kind_of(learned, some.kind)[0] for some in seen] == [page.kind for page in pages]
