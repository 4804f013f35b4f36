"""The Title Tag Analyzer: Gali and Fränti, Content-based Title Extraction from Web Page.

The title and meta tags are cut into segments, and each segment is scored by three criteria: its
placement in the tags (S1), its popularity in headings (S2), its position in the address (S3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.clues import HEADINGS, Clues
from pagesight.readers.title.text import dice, fold, plain
from pagesight.segment.text import squeeze

ALL = (1, 2, 3)
PLACEMENT = 0.1
HEADING_WEIGHTS = dict(zip(HEADINGS, (6, 5, 4, 3, 2, 1), strict=True))
HOST, PATH, DOCUMENT = 1.0, 1.5, 3.0

# Table 1; the lone dash is a long one, since a hyphen would cut inside of words.
DELIMITERS = re.compile(
    r"\s–\s|\s/\s|\s\.\s|\s:\s|,\s|\s-|:\s|\s:|\s\||\s>|\s«|\s»|\?\s?,|-\s?,|\s::|\s/|—|\s<"
)
_SPECIAL = re.compile(r"[^\w\s&'’.\-+/()]|_")


@dataclass(frozen=True, slots=True)
class Scored:
    """A segment with its three scores."""

    text: str
    placement: float
    popularity: float
    position: float

    def total(self, criteria: Collection[int] = ALL) -> float:
        """The sum of the chosen criteria (equation 6)."""
        scores = (self.placement, self.popularity, self.position)
        return sum(score for number, score in enumerate(scores, 1) if number in criteria)


def segments(text: str) -> list[str]:
    """The segments of a tag, without special characters."""
    cleaned = (squeeze(_SPECIAL.sub(" ", part)).strip("-/. ") for part in DELIMITERS.split(text))
    return [part for part in cleaned if part]


def tags(clues: Clues) -> list[list[str]]:
    """The segments of each tag that counts: title and its metas, or else the keywords."""
    if not clues.tag:
        return [segments(clues.keywords)]
    metas = [p.text for p in clues.meta if p.origin in ("og:title", "meta title")]
    return [segments(text) for text in (clues.tag, *metas)]


def analyze(clues: Clues) -> list[Scored]:
    """All candidate segments with their scores, in the order of the tags."""
    segmented = tags(clues)
    unique: dict[str, str] = {}
    for text in (text for tag in segmented for text in tag):
        unique.setdefault(fold(text), text)
    texts = list(unique.values())
    placed = {fold(text) for tag in segmented if tag for text in (tag[0], tag[-1])}
    headings = [(piece.origin, fold(piece.text)) for piece in clues.headings]
    popular = normalized([popularity(text, headings) for text in texts])
    position = normalized([position_weight(text, clues.address) for text in texts])
    return [
        Scored(text, PLACEMENT if fold(text) in placed else 0.0, f, w)
        for text, f, w in zip(texts, popular, position, strict=True)
    ]


def title(clues: Clues, criteria: Collection[int] = ALL) -> str | None:
    """The segment with the highest sum; the first of equals."""
    scored = analyze(clues)
    return max(scored, key=lambda segment: segment.total(criteria)).text if scored else None


def popularity(text: str, headings: Sequence[tuple[str, str]]) -> float:
    """How often a text appears in headings, weighted by their level (equation 2)."""
    folded = fold(text)
    return float(sum(HEADING_WEIGHTS[tag] * heading.count(folded) for tag, heading in headings))


def position_weight(text: str, address: PageAddress) -> float:
    """Similarity with host, path or document name, times the weight of the place (equation 4)."""
    words = plain(text)
    joined = words.replace(" ", "")
    host = max((dice(joined, plain(label)) for label in address.host.split(".")), default=0.0)
    path = max((dice(words, plain(folder)) for folder in address.folders), default=0.0)
    document = dice(words, plain(address.document)) if address.document else 0.0
    return max(HOST * host, PATH * path, DOCUMENT * document)


def normalized(values: Sequence[float]) -> list[float]:
    """Values on the scale from 0 to 1 (equations 3 and 5); all 0 where they are equal."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
