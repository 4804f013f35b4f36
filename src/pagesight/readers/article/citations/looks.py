"""How the tokens of citations look on the page: publishers print journals and volumes apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagesight.readers.article.citations.tokens import LONGEST, Citation
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import BOLD


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
