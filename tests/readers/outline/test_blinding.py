"""Disguised pages: the same to the eye, nothing or nonsense to whoever reads tags."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.outline.claims import tag_levels
from pagesight.readers.outline.learning.blinding import (
    Variant,
    disguised,
    disguised_corpus,
    disguised_sheet,
    revealed,
)
from pagesight.readers.outline.learning.corpus import LabelledPage

Html = Callable[[str], Page]

TEA = """<!DOCTYPE html><html><head><meta charset=iso-8859-1><title>Tea</title><style>
* { margin: 0; padding: 2px } h2 { color: #060; margin: 12px 0 } H2.quiet, div > h3 { color: #999 }
h1:first-of-type { letter-spacing: 3px } p { text-indent: 1em } .h2 { color: red }
</style></head><body><!-- h1 --><h1 align=center>Tea <small>hot</small></h1>
<p>Leaves <b>and</b> water<p>More<div><h2>Green</h2><p>Not withered.<h2 class=quiet>Black</h2>
<h3>Assam</h3><table><tr><td><h4 style="color: blue">In a cell</h4></table></div>
<pre>
 one</pre><h5>Five</h5><h6>Six</h6></body></html>"""
BARE = "<h1>Tea</h1>Hot.<h2>Green</h2><p>Cold.<h3>Gyokuro</h3><h3>Sencha</h3>"


@pytest.mark.browser
@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("html", [TEA, BARE])
def test_disguised_pages_look_the_same(see: Html, html: str, variant: Variant) -> None:
    before = see(html)
    after = see(disguised(html, variant, seed="tea"))
    texts = [[n for n in page if n.tag == "#text" and n.visible] for page in (before, after)]
    assert [n.own_text for n in texts[0]] == [n.own_text for n in texts[1]]
    assert [n.box for n in texts[0]] == [n.box for n in texts[1]]
    assert [n.style for n in texts[0]] == [n.style for n in texts[1]]


@pytest.mark.browser
def test_blind_pages_say_nothing_and_are_revealed(see: Html) -> None:
    page, levels = revealed(see(disguised(TEA)))
    assert not page.find("h1", "h2", "h3", "h4", "h5", "h6", "ps-a", "ps-b")
    assert levels[levels > 0].tolist() == [1, 2, 2, 3, 4, 5, 6]
    labelled = LabelledPage("tea", "", page, levels)
    found = dict(zip(labelled.blocks.strings, labelled.block_levels.tolist(), strict=True))
    assert found["Tea hot"] == 6
    assert found["Black"] == 5
    assert found["Not withered."] == 0


@pytest.mark.browser
def test_shuffled_pages_have_the_same_nodes_with_wrong_tags(see: Html) -> None:
    blind, shuffled = see(disguised(TEA)), see(disguised(TEA, Variant.SHUFFLED, seed="tea"))
    assert np.array_equal(blind.columns["parent"], shuffled.columns["parent"])
    truth, wrong = revealed(blind)[1], tag_levels(shuffled)
    assert (truth != wrong).any()
    many = "<h1>Tea</h1>" + "<h2>Green</h2>Hot.<p>Cold.</p>" * 100
    shuffled_often = disguised(many, Variant.SHUFFLED)
    assert 10 <= shuffled_often.count('<p data-ps="h2"') <= 30
    assert 1 <= shuffled_often.count('data-ps="p"') <= 12
    assert '<h2 data-ps="h2"' not in shuffled_often
    assert disguised(TEA, Variant.SHUFFLED, seed="tea") == disguised(
        TEA, Variant.SHUFFLED, seed="tea"
    )


def test_a_corpus_is_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path / "cache"))
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "tea.html").write_text("<link rel=stylesheet href=tea.css><h1>Th\u00e9</h1>", "utf-8")
    (corpus / "tea.css").write_bytes(b"h1 { content: '\xe9' }")
    copy = disguised_corpus(corpus, [{"file": "tea.html"}], Variant.BLIND)
    assert "<ps-a" in (copy / "tea.html").read_text("utf-8-sig")
    assert (copy / "tea.css").read_bytes() == disguised_sheet("h1 { content: '\xe9' }").encode(
        "latin-1"
    )
    (copy / "mark").touch()
    assert disguised_corpus(corpus, [{"file": "tea.html"}], Variant.BLIND) == copy
    assert (copy / "mark").exists()
