"""Articles in layouts of many kinds, and pages that look like articles: how they are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesight.page import Page
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]
LAYOUTS = Path(__file__).parent / "layouts"  # of the same shapes as those that are learned from
NAMES = sorted(path.stem for path in LAYOUTS.glob("*.html"))


def labelled(name: str) -> tuple[dict[str, Any], str]:
    """What a layout shows, which its first comment says, and its HTML."""
    html = (LAYOUTS / f"{name}.html").read_text(encoding="utf-8")
    return json.loads(html.removeprefix("<!--").partition("-->")[0]), html


def layouts(*, articles: bool) -> list[str]:
    """The layouts that show an article, or those that do not."""
    return [name for name in NAMES if name.startswith("other_") != articles]


@pytest.mark.parametrize("name", layouts(articles=True))
def test_an_article_is_read_in_any_layout(lay_out: LayOut, name: str) -> None:
    labels, html = labelled(name)
    reading = read_article(lay_out(html), metadata="ignore")
    assert reading.is_article
    assert reading.title is not None
    assert reading.title.text == labels["title"]
    assert [author.family for author in reading.authors] == labels["families"]


@pytest.mark.parametrize("name", layouts(articles=False))
def test_what_looks_like_an_article_is_not_one(lay_out: LayOut, name: str) -> None:
    labels, html = labelled(name)
    reading = read_article(lay_out(html), metadata="ignore")
    assert not labels["is_article"]
    assert not reading.is_article
    assert all(author.confidence < 0.5 for author in reading.authors)
