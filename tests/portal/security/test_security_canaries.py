"""Hostile parts: none runs, reaches out, or leaves its tile.

`benchmarks/portal_hostile.py` shows 10,000 of them.
Each kind of canary is shown to ring for what was not cleaned: else its silence would show nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from selectolax.lexbor import LexborHTMLParser

from pagesight.portal.foreign.cleaning import cleaned
from pagesight.portal.foreign.framing import framed
from pagesight.portal.values import Look
from portal_hostile import (
    ASK,
    RUN,
    UNCLEANED,
    VECTORS,
    Stand,
    generated,
    hostile_parts,
    shown,
    stand,
)

AT_ONCE = 100  # parts on a page
TAGS = frozenset(
    "html head body a abbr article b blockquote br caption cite code col colgroup dd del dfn div "
    "dl dt em figcaption figure h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section "
    "small span strong sub sup table tbody td tfoot th thead time tr u ul var wbr".split()
)
ATTRIBUTES = frozenset(
    "alt class colspan datetime dir href lang loading rel rowspan src start target title".split()
)
RULES = re.compile(r"(?:\.s\d+\{[a-z0-9#%:;,./ -]*\})*", re.IGNORECASE)


@pytest.fixture(scope="module")
def running(live_browser: object) -> Iterator[Stand]:
    with stand() as opened:
        yield opened


@pytest.mark.live
@pytest.mark.parametrize("look", [Look.PLAIN, Look.ORIGINAL])
def test_no_canary_rings_for_hostile_parts(look: Look, running: Stand) -> None:
    parts = [*VECTORS, *generated(300 - len(VECTORS))]
    for first in range(0, len(parts), AT_ONCE):
        assert running.rings(shown(parts[first : first + AT_ONCE], look)) == []


@pytest.mark.live
@pytest.mark.parametrize("style", UNCLEANED)
def test_the_frame_holds_what_was_not_cleaned(style: str, running: Stand) -> None:
    tiles = [framed(style, "", nonce="")] * 3
    assert running.rings(tiles) == []


@pytest.mark.live
@pytest.mark.parametrize(
    ("html", "rings"),
    [
        (f"<script>{RUN}</script>", "a script ran"),
        (f"<img src={ASK}>", "the server was asked for /canary"),
        (f"<meta http-equiv=refresh content='0;url={ASK}'>", "the page was left"),
        ("<img src=http://canary.invalid/>", "asked for http://canary.invalid/"),
        ("<input autofocus>", "something took the focus"),
        ("<script>alert(1)</script>", "a dialog was opened"),
        ("<div style='position:fixed;inset:0;background:red'>x</div>", "are covered"),
        ("<div style='position:fixed;inset:0;background:red;pointer-events:none'>", "are covered"),
        ("<p style='position:absolute;top:0;left:0'>tea</p>", "are covered"),
    ],
)
def test_canaries_ring_for_what_was_neither_cleaned_nor_framed(
    html: str, rings: str, running: Stand
) -> None:
    assert any(rings in one for one in running.rings([html]))


@given(hostile_parts())
@example("".join(VECTORS))
@settings(max_examples=300, deadline=None)
def test_nothing_is_left_but_what_is_allowed(html: str) -> None:
    clean = cleaned(html, lambda url: f"/pictures/{len(url)}", is_styled=True)
    assert RULES.fullmatch(clean.rules), clean.rules
    for node in LexborHTMLParser(f"<!doctype html><body>{clean.html}").css("*"):
        assert node.tag in TAGS, node.tag
        assert node.attributes.keys() <= ATTRIBUTES, node.attributes
        address = node.attributes.get("href")
        assert address is None or re.match("https?://|mailto:", address, re.IGNORECASE)
        assert (node.attributes.get("src") or "/pictures/").startswith("/pictures/")


@given(hostile_parts())
@settings(max_examples=100, deadline=None)
def test_what_is_clean_stays_as_it_is(html: str) -> None:
    """Otherwise a second look at it by another parser might find something else."""
    once = cleaned(html, lambda _: None).html
    again = cleaned(once, lambda _: None).html
    assert tree(again) == tree(once)


def tree(html: str) -> list[tuple[str, dict[str, str | None], str]]:
    """What a parser finds, in whatever order attributes are."""
    nodes = LexborHTMLParser(html).css("*")
    return [(str(node.tag), node.attributes, node.text(deep=False)) for node in nodes]
