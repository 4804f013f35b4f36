"""The title: of the zones that are labelled so, or the largest line above the authors."""

from __future__ import annotations

import re

from pagesight.readers.article.cues import CUES
from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.names.words import rejoined
from pagesight.readers.article.reading import ArticleValue
from pagesight.readers.article.zones import Zones

UNSURE = 0.9  # the confidence below which the largest line is title although labelled otherwise
SUBTITLE = 0.75  # of the size of the title; what is smaller is no part of it
FEWEST_TITLE, LONGEST_TITLE = 3, 50  # words of a title
_FOOTNOTE = re.compile(r"[\s]*[*†‡§¶#☆★✩∗]+$")


def title(labelled: LabelledZones) -> ArticleValue | None:
    """The title: of several places the surest, without its footnote marks."""
    runs = labelled.runs("title") or _largest_line(labelled)
    if not runs:
        return None
    best = max(runs, key=lambda run: (labelled.confidence[run].mean(), -run[0]))
    lines = _title_lines(labelled, best)
    text = " ".join(_without_end_marks(labelled.zones, zone) for zone in lines)
    return ArticleValue(**labelled.value(_FOOTNOTE.sub("", text), lines))


def _largest_line(labelled: LabelledZones) -> list[list[int]]:
    """Where no zone is labelled as the title: the largest line above the authors."""
    zones, authors = labelled.zones, labelled.of("author")
    above = [
        zone
        for zone in range(authors[0] if authors else 0)
        if FEWEST_TITLE <= zones.words[zone] <= LONGEST_TITLE and not zones.kinds[zone]
    ]
    return [[max(above, key=lambda zone: (zones.font_size[zone], zone))]] if above else []


def _title_lines(labelled: LabelledZones, run: list[int]) -> list[int]:
    """The zones of the title: with a larger line above, without what is small or to be clicked."""
    size, texts = labelled.zones.font_size, labelled.zones.texts
    above = run[0] - 1
    if above >= 0 and size[above] > size[run].max() and labelled.confidence[above] < UNSURE:
        run = [above, *run]  # the line that was labelled is a subtitle
    largest = size[run].max()
    return [
        zone
        for zone in run
        if size[zone] >= SUBTITLE * largest
        and (zone == run[0] or not CUES["action"].match(texts[zone]))
    ]


def _without_end_marks(zones: Zones, zone: int) -> str:
    """The text of a zone without the superscripts at its end that point to footnotes."""
    start, stop = int(zones.first[zone]), int(zones.first[zone + 1])
    while stop - 1 > start and zones.raised[stop - 1] and _is_mark(zones.pieces[stop - 1]):
        stop -= 1
    text = " ".join("".join(zones.spelled[start:stop]).split())
    return rejoined(text) if zones.page.info.media == "pdf" else text


def _is_mark(text: str) -> bool:
    return bool(re.fullmatch(r"[\s\d,*†‡§¶#☆★a-c∗]{1,6}", text))
