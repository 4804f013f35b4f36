"""Citations as a page shows them, and the lines that say where its article itself appeared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pagesight.readers.article.citations.parser import Part, Parts
from pagesight.readers.article.citations.tokens import LONGEST, Citation
from pagesight.readers.article.text import JOURNAL, YEAR
from pagesight.readers.article.vocabulary import GENERAL, unwrapped
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import BOLD
from pagesight.segment.text import dice, words

FIELDS = {"journal": "container", "volume": "volume", "issue": "issue", "pages": "pages"}
"""By field of an article the part of a citation that it is."""

OTHERS = frozenset({"reference", "reference part", "citing", "affiliation", "late affiliation",
                    "last affiliation", "author", "abstract", "keywords", "title"})  # fmt: skip
MOST_LINES, MOST_WORDS = 24, 70
MOST_WORDS_ABOVE = 10  # of a journal's name above its volume
FRONT_SHEETS = 2
SAME_TITLE = 0.7  # Dice of the title in a line and that of the article
LONG_TITLE = 4  # words
SURE = 0.5
_RIGHTS = re.compile(r"\W*(?:©|\(c\)|copyright\b|the authors?\b)", re.IGNORECASE)
_ISSUES = re.compile(rf"\W*(?:{unwrapped(GENERAL['issue_links'])})\W*", re.IGNORECASE)
_CAPTION = re.compile(r"(?<=\w)\W+e?ISSN$")  # of a number, behind the name of a journal
DIGITS = 9  # of how strong votes are; what differs in more is the same


@dataclass(frozen=True, eq=False)
class Line:
    """A line, and the zones that it consists of."""

    zones: Sequence[int]
    citation: Citation


Vote = tuple[float, Part, Line]


def own_lines(zones: Zones, labels: Sequence[str]) -> list[Line]:
    """The lines that may say where an article appeared, also with the name above them."""
    chosen = list(_candidates(zones, labels))[:MOST_LINES]
    texts = [(members, " ".join(zones.texts[zone] for zone in members)) for members in chosen]
    shown = citations_of(zones, texts)
    return [Line(members, one) for (members, _), one in zip(texts, shown, strict=True)]


def _candidates(zones: Zones, labels: Sequence[str]) -> Iterator[list[int]]:
    texts = zones.texts
    body = (zone for zone, label in enumerate(labels) if label in ("body", "reference"))
    end = next(body, len(texts))
    for zone, text in enumerate(texts):
        near = zones.sheet[zone] < FRONT_SHEETS if zones.on_sheets else zone < end
        cited = "citation" in zones.cues[zone] and any(map(str.isdigit, text))
        if labels[zone] in OTHERS or not (near or cited) or zones.words[zone] > MOST_WORDS:
            continue
        if cited or JOURNAL.search(text) or YEAR.search(text):
            located = JOURNAL.search(text)
            if located and not zones.on_sheets:
                yield from ([above, zone] for above in _names_above(zones, labels, zone))
            if located or not _RIGHTS.match(text):
                yield [zone]


def _names_above(zones: Zones, labels: Sequence[str], zone: int) -> Iterator[int]:
    """The zone above a volume that may name the journal; links to issues may be between."""
    above = zone - 1
    while above > 0 and _ISSUES.fullmatch(zones.texts[above]):
        above -= 1
    short = zones.words[above] <= MOST_WORDS_ABOVE
    if zone and short and labels[above] not in OTHERS and not YEAR.search(zones.texts[above]):
        yield above


def own_parts(
    lines: Sequence[Line], parsed: Sequence[Parts], title: str
) -> dict[str, tuple[Part, Line]]:
    """By field what most lines say, and the line that says it most surely.

    The more parts a line has, the more it counts; one about something else does not count.
    """
    votes: dict[str, dict[str, list[Vote]]] = {}
    for line, parts in zip(lines, parsed, strict=True):
        sure = {name: part for name, part in parts.parts.items() if part.chance > SURE}
        weight = _weight(sure, parts, title)
        for field, name in FIELDS.items():
            if weight and name in parts.parts:
                part = parts.parts[name]
                part = replace(part, text=_CAPTION.sub("", part.text))
                key = " ".join(words(part.text))
                votes.setdefault(field, {}).setdefault(key, []).append((weight, part, line))
    return {field: _elected(said) for field, said in votes.items()}


def _weight(sure: dict[str, Part], parts: Parts, title: str) -> float:
    cited = parts.parts.get("title")
    if cited and len(words(cited.text)) >= LONG_TITLE:
        return 3.0 if dice(cited.text, title) >= SAME_TITLE else 0.0
    located = sum(name in sure for name in ("container", "volume", "issue", "pages", "year"))
    return max(located - 1, 0.1)


def _strength(vote: Vote) -> float:
    return round(vote[0] * vote[1].chance, DIGITS)


def _elected(said: dict[str, list[Vote]]) -> tuple[Part, Line]:
    """What the best line says, the less probable the better a line is that says otherwise."""
    best = {key: max(votes, key=_strength) for key, votes in said.items()}
    (weight, part, line), *others = sorted(best.values(), key=_strength, reverse=True)
    against = max((vote[0] * vote[1].chance for vote in others), default=0.0)
    share = weight * part.chance / (weight * part.chance + against)
    return Part(part.text, part.chance * share * min(weight, 1.0)), line


# How tokens look on the page: publishers print journals and volumes apart


def citations_of(zones: Zones, texts: Iterable[tuple[Sequence[int], str]]) -> list[Citation]:
    """Texts of some zones in tokens, with the looks of these where they are not all the same."""
    italic, weight = (zones.page.columns[name][zones.nodes] for name in ("italic", "font_weight"))
    looks, first = (italic + 2 * (weight >= BOLD)).tolist(), zones.first.tolist()
    citations = []
    for members, text in texts:
        citation = Citation.of(text)
        pieces = [at for zone in members for at in range(first[zone], first[zone + 1])]
        if len({looks[at] for at in pieces}) > 1:
            drawn = _drawn(text, [(zones.pieces[at].strip(), looks[at]) for at in pieces])
            citation = citation.looking([drawn[start] for start, _ in citation.spans])
        citations.append(citation)
    return citations


def _drawn(text: str, pieces: Iterable[tuple[str, int]]) -> bytearray:
    """The look of each character of a text that consists of these pieces."""
    drawn, end = bytearray(LONGEST), 0
    for written, look in pieces:
        start = text.find(written, end, LONGEST)
        if start >= 0:
            end = start + len(written)
            drawn[start:end] = bytes([look]) * len(written)
    return drawn
