"""The parts of a page that can be chosen from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import pagesight
from pagesight.errors import NoSuchPart
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.watch import Watch, parts_of
from watched import NEWS, page, save

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_parts_of_a_page_are_those_that_would_be_watched(
    tmp_path: Path, embedded: AnyRenderer, lay_out: Callable[[str], Page]
) -> None:
    offers = parts_of(lay_out(page()))
    with Watch.open(str(tmp_path / "w.sqlite"), renderer=embedded) as watch:
        parts = watch.add(save(tmp_path))
        seen = watch.latest(parts)
    assert [offer.name for offer in offers] == [part.name for part in parts]
    assert [offer.xpath for offer in offers] == [seen[part.id].xpath for part in parts]
    assert [offer.text for offer in offers] == [seen[part.id].text for part in parts]
    assert [offer.box for offer in offers] == [seen[part.id].box for part in parts]


def test_the_sections_of_a_front_page_are_parts_of_their_own(embedded: AnyRenderer) -> None:
    front = pagesight.read(EXAMPLES / "news-front" / "index.html", renderer=embedded).page
    names = [offer.name for offer in parts_of(front)]
    assert {"Politics", "Science", "Sports", "Culture", "Most read"} <= {*names}


def test_a_part_is_watched_by_its_xpath(
    tmp_path: Path, embedded: AnyRenderer, lay_out: Callable[[str], Page]
) -> None:
    (news,) = (offer for offer in parts_of(lay_out(page())) if NEWS[0] in offer.text)
    assert news.to_json()["items"][0]["title"] == NEWS[0]
    with Watch.open(str(tmp_path / "w.sqlite"), renderer=embedded) as watch:
        (part,) = watch.add(save(tmp_path), select=[news.xpath])
        assert watch.observation(part.id).text == news.text


def test_an_empty_page_has_no_parts(lay_out: Callable[[str], Page]) -> None:
    with pytest.raises(NoSuchPart):
        parts_of(lay_out("<title>Nothing</title>"))
