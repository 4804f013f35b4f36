"""The parts of a page that can be chosen from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pagesight.errors import NoSuchPart
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.watch import Watch, parts_of
from watched import NEWS, page, save


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
