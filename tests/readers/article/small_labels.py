"""Small pages whose zones have labels that are given, and what is written on them."""

from __future__ import annotations

from collections.abc import Callable

from pagesight.page import Page
from pagesight.readers.article.labelling.labels import LabelledZones, certain
from pagesight.readers.article.zones import article_zones

LayOut = Callable[[str], Page]

KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Plant Sciences, Lund University, Lund, Sweden"
CITED = [
    f"King {letter}. On tea {letter} and cups. J Tea. {1990 + rank};3:1–9."
    for rank, letter in enumerate("ABCDEFG")
]


def labelled(page: Page, *labels: str) -> LabelledZones:
    """The zones of a page with these labels, one for each."""
    zones = article_zones(page)
    assert len(labels) == len(zones), zones.texts
    return LabelledZones(zones, list(labels), certain(labels))


def paragraphs(lay_out: LayOut, *texts: str) -> Page:
    """A page of these paragraphs."""
    return lay_out("".join(f"<p>{text}</p>" for text in texts))
