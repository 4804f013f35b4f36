"""Verdicts by hand: what a visitor takes for a heading, whatever the tags of a page say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pagesight.learning.corpora import Corpora, rows
from pagesight.readers.outline.claims import tag_levels
from pagesight.readers.outline.features import BlockSight
from pagesight.readers.outline.learning import verdicts
from pagesight.readers.outline.learning.corpus import CORPUS, FRESH, LabelledPage
from pagesight.readers.outline.learning.verdicts import DOUBTFUL, NONE, Verdict, corrected
from pagesight.segment.blocks import text_blocks
from pagesight.segment.selectors import Elements
from small_pages import el, make_page

PAGE = make_page(
    el("p", "Tea", attributes={"class": "name"}),
    el("h1", "Green"),
    el("h2", "brew(water)"),
    el("h1", "Black", el("small", "since 1848")),
    el("p", "Leaves that were not left to wither."),
)


def decided(monkeypatch: pytest.MonkeyPatch, *given: Verdict) -> dict[str, int]:
    """The levels of the page's elements that have one, by text, if this is decided."""
    monkeypatch.setattr(verdicts, "verdicts", lambda: {"tea": given})
    levels = corrected(PAGE, "tea", tag_levels(PAGE))
    return {
        PAGE[node].children[0].own_text: int(levels[node])
        for node in np.flatnonzero(levels).tolist()
    }


def test_without_verdicts_tags_count(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided(monkeypatch) == {"Green": 1, "brew(water)": 2, "Black": 1}


def test_a_title_that_is_not_tagged_moves_all_others_down(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = decided(monkeypatch, Verdict(".name", "title"))
    assert levels == {"Tea": 1, "Green": 2, "brew(water)": 3, "Black": 2}


def test_a_title_alone_on_the_first_level_moves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = decided(monkeypatch, Verdict(".name", "title"), Verdict("h1", 2))
    assert levels == {"Tea": 1, "Green": 2, "brew(water)": 2, "Black": 2}


def test_what_is_not_a_heading_and_what_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = decided(monkeypatch, Verdict("h2", "none"), Verdict("small", "doubtful"))
    assert levels == {"Green": 1, "brew(water)": NONE, "Black": 1, "since 1848": DOUBTFUL}


@pytest.mark.browser
def test_what_is_in_doubt_counts_neither_way_and_has_no_level(see: object) -> None:
    assert callable(see)
    page = see("<h1>Tea</h1><p>Leaves</p><h2>Green</h2><p>Oil</p>")
    levels = tag_levels(page)
    levels[levels == 2] = DOUBTFUL
    labelled = LabelledPage.of("a", "tea", BlockSight(text_blocks(page)), levels)
    assert labelled.levels.tolist() == [1, 0, 0, 0]
    assert labelled.doubtful.tolist() == [False, False, True, False]


@pytest.mark.corpora
@pytest.mark.browser
def test_every_verdict_is_about_something(corpora: Path) -> None:
    missing = {
        (family, own.css) for family, all_of in verdicts.verdicts().items() for own in all_of
    }
    given = Corpora(corpora, "chromium")
    for corpus, index in ((CORPUS, "dev.jsonl"), (FRESH, "labels.jsonl")):
        folder = given.folder_of(corpus)
        known = [row for row in rows(folder, index) if row.get("family") in verdicts.verdicts()]
        for row, page in given.pages(folder, known):
            elements = Elements(page)
            missing -= {
                (family, css) for family, css in missing
                if family == row["family"] and len(elements.select(css))
            }  # fmt: skip
    assert not missing
