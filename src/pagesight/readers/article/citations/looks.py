"""How the tokens of a citation look on the page: publishers print journals and volumes apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pagesight.readers.article.citations.tokens import LONGEST, Citation
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import BOLD


def citation_of(zones: Zones, members: Sequence[int], text: str) -> Citation:
    """A text of some zones in tokens, with the looks of these where they are not all the same."""
    citation = Citation.of(text)
    pieces = [at for zone in members for at in range(zones.first[zone], zones.first[zone + 1])]
    nodes, columns = zones.nodes[pieces], zones.page.columns
    looks = columns["italic"][nodes] + 2 * (columns["font_weight"][nodes] >= BOLD)
    if not len(looks) or (looks == looks[0]).all():
        return citation
    drawn = bytearray(LONGEST)
    end = 0
    for at, look in zip(pieces, looks.tolist(), strict=True):
        written = zones.pieces[at].strip()
        start = text.find(written, end, LONGEST)
        if start >= 0:
            end = start + len(written)
            drawn[start:end] = bytes([look]) * len(written)
    return Citation(text, citation.tokens, citation.gaps, tuple(drawn[s] for s, _ in citation.spans()))
