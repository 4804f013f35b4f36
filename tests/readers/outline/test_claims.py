"""What tags claim: which blocks stand in them, whether to trust them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pagesight.page import Page
from pagesight.readers.outline.claims import Claims
from pagesight.readers.outline.reading import Seen, log_odds, shipped_model
from pagesight.segment.blocks import text_blocks

See = Callable[[str], Page]
TEXT = "Green tea is made of leaves that were not left to wither before they are dried. " * 4


@pytest.mark.browser
def test_blocks_in_headings(see: See) -> None:
    page = see(
        "<h1>Tea<div>green</div></h1><p>Text <b>bold</b></p><h2><a href=x>Sencha</a></h2>"
        "<h3></h3><h4 style='display:none'>Gone</h4><div><h5>Leaf</h5> and some more of it</div>"
    )
    blocks = text_blocks(page)
    claims = Claims.of(blocks)
    found = dict(zip(blocks.strings, claims.levels.tolist(), strict=True))
    assert found == {
        "Tea": 1, "green": 1, "Text bold": 0, "Sencha": 2, "Leaf": 5, "and some more of it": 0,
    }  # fmt: skip
    assert [page.name(node) for node in claims.heading[claims.blocks].tolist()] == [
        "h1", "h1", "h2", "h5",
    ]  # fmt: skip


@pytest.mark.browser
def test_trust_falls_where_tags_contradict_the_look(see: See) -> None:
    style = (
        "<!doctype html><style>.a{font:bold 32px serif}.b{font:bold 24px serif}"
        ".c{font:bold 19px serif}</style>"
    )
    body = "".join(
        f"<h{{{n}}} class={look}>{text}</h{{{n}}}><p>{TEXT}</p>"
        for n, look, text in (
            (0, "a", "Tea"), (1, "b", "Green"), (2, "c", "Sencha"), (2, "c", "Gyokuro"),
            (1, "b", "Black"), (2, "c", "Assam"),
        )
    )  # fmt: skip
    right, wrong = (trust(see(style + body.format(*tags))) for tags in ("123", "312"))
    assert right > 0 > wrong


def trust(page: Page) -> float:
    model, seen = shipped_model(), Seen.of(text_blocks(page))
    claims = Claims.of(seen.sight.blocks)
    weighed = seen.weighed(claims, seen.odds(model.judge))
    return float(log_odds(model.trust, weighed.trust_row(model.levels)[None])[0])
