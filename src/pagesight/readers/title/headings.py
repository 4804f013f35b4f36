"""The heading of a page: which of its h1, and without what is in it beside the title."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pagesight.readers.title.clues import Clues, TitleText
from pagesight.readers.title.sites import SITE_ALIKE, Site
from pagesight.readers.title.text import alike, fold, plain

SUPPORTED = 0.6  # how like another name of the page a heading is that is preferred for it
ADDRESSED = 0.8  # how like the address a lower one is: "Buy oolong" is not the name of /oolong
MOST = 3  # texts that may replace a missing h1


def without_asides(
    pieces: Sequence[TitleText], names: Collection[str], tag: str
) -> list[TitleText]:
    """The headings, each without the date, badge or hint in it that other names leave out.

    A heading of several texts is cut to those that make up one of the names; one that the tag has
    as a whole, though with other signs between its parts, stays as it is.
    """
    words = plain(tag)
    return [
        replace(piece, text=next(_named_parts(piece.texts, names), piece.text))
        if piece.texts and plain(piece.text) not in words
        else piece
        for piece in pieces
    ]


def _named_parts(texts: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The stretches of texts that are one of the names, those of most texts first."""
    whole = sum(map(len, texts))
    for length in range(len(texts) - 1, 0, -1):
        for start in range(len(texts) - length + 1):
            part = " ".join(texts[start : start + length])
            if 2 * len(part) > whole and fold(part) in names:
                yield part


def heading_of(clues: Clues, site: Site, names: Sequence[str]) -> str:
    """The h1 that is most like another name of the page, otherwise the first.

    Logos and what is in menus count only if there is nothing else. Where no h1 says more than
    the name of the site, a lower or a large text is the heading if it is like another name.
    """
    high = [piece for piece in clues.headings if piece.origin == "h1"]
    folded = [fold(piece.text) for piece in high if not (piece.around.chrome or piece.around.home)]
    proper = [text for text in folded if site.likeness(text) < SITE_ALIKE]
    if proper:
        return _supported(proper, names) or proper[0]
    low = [piece for piece in clues.headings if piece.origin != "h1" and not piece.around.chrome]
    lower = [fold(piece.text) for piece in (*clues.seen[:MOST], *low[:MOST])]
    of_page = [name for name in names if site.likeness(name) < SITE_ALIKE]
    supported = _supported(lower, of_page) or _supported(lower, [clues.address.slug], ADDRESSED)
    return supported or (fold(high[0].text) if high else "")


def _supported(texts: Sequence[str], names: Sequence[str], at_least: float = SUPPORTED) -> str:
    """The text that is most like one of the names, if any is."""
    support = [max((alike(text, name) for name in names), default=0.0) for text in texts]
    best = max(support, default=0.0)
    return texts[support.index(best)] if best >= at_least else ""
