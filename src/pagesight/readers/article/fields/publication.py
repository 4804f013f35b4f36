"""What the front matter says of the publication: title, journal, dates, DOI, year, keywords."""

from __future__ import annotations

import re
from datetime import date

from pagesight.readers.article.fields.abstract import inline_heading
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.reading import ArticleDate, ArticleValue
from pagesight.readers.article.text import DOI, JOURNAL, YEAR, has_han
from pagesight.readers.article.vocabulary import CUES, GENERAL, heading_kinds, unwrapped
from pagesight.readers.article.zones import Zones

_BADGE = re.compile(rf"\W*(?:{unwrapped(GENERAL['badges'])})\W*", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\s*[*†‡§¶#☆★✩∗]+$")
_PUBLISHED = re.compile(r"publish|online|issue|volume|vol\.|©|copyright", re.IGNORECASE)
_DATED = re.compile(
    r"""\b(?P<kind>received|revised|accepted|published)\b(?:\s(?:in|revised|form|online|on|date))*\W{1,3}
    (?P<date>(?P<d>\d{1,2})(?:st|nd|rd|th)?\.?\s(?P<m>[A-Z][a-z]{2,8})\.?,?\s(?P<y>(?:19|20)\d\d)
    |(?P<m2>[A-Z][a-z]{2,8})\.?\s(?P<d2>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<y2>(?:19|20)\d\d))""",
    re.IGNORECASE | re.VERBOSE,
)
_MONTHS = {
    month: number
    for number, month in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_KINDS = ("ceived", "vised", "cepted", "blished", "CEIVED", "VISED", "CEPTED", "BLISHED")
LONGEST_DATES = 600  # characters of a zone with dates
LEAST_SURE = 0.5  # the confidence from which a volume and the like is told
MOST_KEYWORDS = 40  # keywords of an article
_KEYWORDS = re.compile(r"\s*[;,•·|；，、]\s*|\s[–—]\s")


def title(labelled: LabelledZones) -> ArticleValue | None:
    """The title: of several places the most confident, without the marks of footnotes."""
    runs = labelled.runs("title")
    if not runs:
        return None
    best = max(runs, key=lambda run: (labelled.confidence[run].mean(), -run[0]))
    text = " ".join(_without_badges(labelled.zones, zone) for zone in best)
    return ArticleValue(**labelled.value(_FOOTNOTE.sub("", text), best, "title"))


def _without_badges(zones: Zones, zone: int) -> str:
    """The text of a zone without what says how the article can be had, in elements of its own."""
    parent = zones.page.columns["parent"]
    start, stop = zones.first[zone : zone + 2].tolist()
    holders = [int(parent[node]) for node in zones.nodes[start:stop].tolist()]
    longest = max(range(start, stop), key=lambda piece: len(zones.pieces[piece])) - start
    kept = [
        text
        for text, holder in zip(zones.spelled[start:stop], holders, strict=True)
        if holder == holders[longest] or not _BADGE.fullmatch(text.strip())
    ]
    return zones.texts[zone] if len(kept) == len(holders) else " ".join("".join(kept).split())


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


def appeared(labelled: LabelledZones, title_text: str) -> dict[str, ArticleValue]:
    """Journal, volume, issue and pages of the article, as its front matter or its citation says."""
    from pagesight.readers.article.citations.lines import own_lines, own_parts
    from pagesight.readers.article.citations.parser import parse
    from pagesight.readers.article.citations.weights import shipped_weights

    weights = shipped_weights()
    lines = own_lines(labelled.zones, labelled.labels)
    parsed = parse([line.citation for line in lines], weights)
    values = {}
    for name, (part, line) in own_parts(lines, parsed, title_text).items():
        sure = weights.calibration[f"own {name}"].of(part.chance)
        if sure >= LEAST_SURE:
            placed = labelled.value(part.text, list(line.zones)) | {"confidence": sure}
            values[name] = ArticleValue(**placed)
    return values


def dates(labelled: LabelledZones) -> tuple[ArticleDate, ...]:
    """When the article was received, accepted and so on: the first date of each kind."""
    found: dict[str, ArticleDate] = {}
    for zone in labelled.of("dates", "front", "before", "correspondence", "body", "after"):
        text = labelled.zones.texts[zone]
        dated = len(text) <= LONGEST_DATES and any(map(text.__contains__, _KINDS))
        for match in _DATED.finditer(text) if dated else ():
            kind, day = match["kind"].lower(), _iso(match)
            if day and kind not in found:
                placed = labelled.value(match["date"], [zone])
                found[kind] = ArticleDate(**placed, kind=kind, date=day)
    return tuple(found.values())


def _iso(match: re.Match[str]) -> str | None:
    """A date as computers write it; None if there is no such day."""
    year, month, day = (match[name] or match[f"{name}2"] for name in "ymd")
    number = int(month) if month.isdigit() else _MONTHS.get(month[:3].lower(), 0)
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return None


def keywords(labelled: LabelledZones) -> list[ArticleValue]:
    """The keywords, one by one."""
    values: list[ArticleValue] = []
    zones = labelled.zones
    runs = labelled.runs("keywords")
    for zone in (zone for run in runs for zone in _below_keywords(zones, run)):
        text = zones.texts[zone]
        if "keywords" in heading_kinds(text) or "citation" in zones.cues[zone]:
            continue
        if not inline_heading(text)[0]:
            values += [ArticleValue(**labelled.value(part, [zone])) for part in _parts(text)]
    return values[:MOST_KEYWORDS]


def _parts(text: str) -> list[str]:
    """The keywords in a text, without the heading in it: between signs or spaces."""
    if cue := CUES["keywords"].match(text):
        text = text[cue.end() :]
    parts = _KEYWORDS.split(text.strip(" .:;。：；"))
    if len(parts) == 1 and has_han(text):
        parts = parts[0].split()
    return [part for part in parts if part.strip()]


def _below_keywords(zones: Zones, run: list[int]) -> list[int]:
    """The zones of a run from the heading of keywords on, if any, up to a citation or a section."""
    headed = [rank for rank, zone in enumerate(run) if "keywords" in zones.kinds[zone]]
    kept = run[headed[0] :] if headed else run
    ends = (
        rank
        for rank, zone in enumerate(kept)
        if DOI.search(zones.texts[zone]) or (rank and _begins_section(zones, kept[rank - 1], zone))
    )
    return kept[: next(ends, len(kept))]


def _begins_section(zones: Zones, before: int, zone: int) -> bool:
    """Whether a zone is a heading of something else, and looks like one after the zone before."""
    stands_out = zones.bold[zone] > zones.bold[before] or (
        zones.font_size[zone] > zones.font_size[before]
    )
    return bool(stands_out and zones.kinds[zone] and "keywords" not in zones.kinds[zone])
