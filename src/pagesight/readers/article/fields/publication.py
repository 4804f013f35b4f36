"""What the front matter says of the publication: its DOI, its year, and its keywords."""

from __future__ import annotations

import re

from pagesight.readers.article.fields.abstract import inline_heading
from pagesight.readers.article.identifiers import DOI, JOURNAL, YEAR
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.names.scripts import has_han
from pagesight.readers.article.reading import ArticleValue
from pagesight.readers.article.rules import rule
from pagesight.readers.article.vocabulary import CUES
from pagesight.readers.article.zones import Zones

_PUBLISHED = re.compile(r"publish|online|issue|volume|vol\.|©|copyright", re.IGNORECASE)
MOST_KEYWORDS = 40  # keywords of an article
LONGEST_KEYWORD = 4  # words, of one that has a line to itself
_KEYWORDS = re.compile(r"\s*[;,•·|；，、]\s*|\s[–—]\s")


def doi(labelled: LabelledZones) -> str | None:
    """The DOI that the front matter shows most often."""
    end = min(labelled.of("body", "reference"), default=len(labelled.labels))
    start = max(end - 400, 0)
    dois = [
        written for zone in range(start, end) for written in DOI.findall(labelled.zones.texts[zone])
    ]
    return max(dois, key=dois.count) if dois else None


def year(labelled: LabelledZones) -> str | None:
    """The year in which the front matter says that the article was published."""
    front = labelled.of("dates", "front", "before")
    front_texts = [labelled.zones.texts[zone] for zone in front]
    published = [text for text in front_texts if _PUBLISHED.search(text) or JOURNAL.search(text)]
    years = [written[:4] for text in published for written in YEAR.findall(text)]
    return max(years, key=years.count) if years else None


def keywords(labelled: LabelledZones) -> list[ArticleValue]:
    """The keywords, one by one."""
    values: list[ArticleValue] = []
    zones = labelled.zones
    runs = labelled.runs("keywords")
    for zone in (zone for run in runs for zone in _below_keywords(zones, run)):
        text = zones.texts[zone]
        if "keywords" in zones.kinds[zone] or CUES["citation"].match(text):
            continue
        if not inline_heading(text)[0]:
            values += [ArticleValue(**labelled.value(part, [zone])) for part in _parts(zones, zone)]
    return values[:MOST_KEYWORDS]


def _parts(zones: Zones, zone: int) -> list[str]:
    """The keywords of a zone, without the heading in it: between signs, spaces or lines."""
    text = zones.texts[zone]
    if cue := CUES["keywords"].match(text):
        text = text[cue.end() :]
    parts = _KEYWORDS.split(text.strip(" .:;。：；"))
    if len(parts) == 1 and has_han(text):
        parts = parts[0].split()
    elif len(parts) == 1:
        parts = _lines(zones, zone, parts[0])
    return [part for part in parts if part.strip()]


@rule(lambda _zones, run: run)
def _below_keywords(zones: Zones, run: list[int]) -> list[int]:
    """The zones of a run from the heading of keywords on, if it has one, up to a citation."""
    headed = [rank for rank, zone in enumerate(run) if "keywords" in zones.kinds[zone]]
    kept = run[headed[0] :] if headed else run
    cited = (rank for rank, zone in enumerate(kept) if DOI.search(zones.texts[zone]))
    return kept[: next(cited, len(kept))]


@rule(lambda _zones, _zone, text: [text])
def _lines(zones: Zones, zone: int, text: str) -> list[str]:
    """The lines of a zone of a PDF, if they are all in its text and none is long."""
    start, stop = zones.first[zone : zone + 2].tolist()
    parts = [""]
    for at in range(start, stop):
        below = at > start and zones.spaced[at] and _is_below(zones, at)
        parts += [""] if below else []
        parts[-1] += zones.spelled[at]
    lines = [line.strip() for line in parts]
    short = all(len(line.split()) <= LONGEST_KEYWORD and line in text for line in lines)
    return lines if short else [text]


def _is_below(zones: Zones, at: int) -> bool:
    box = zones.page.columns["box"]
    return bool(box[zones.nodes[at]][1] >= box[zones.nodes[at - 1]][1:4:2].sum() - 1)
