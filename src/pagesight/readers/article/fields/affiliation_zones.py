"""Which zones say where the authors are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.labelling.labels import AFFILIATIONS, FIELDS
from pagesight.readers.article.names.lexicon import INSTITUTION
from pagesight.readers.article.names.places import (
    is_likely_place,
    may_read_like_place,
    says_it_is_place,
)
from pagesight.readers.article.names.roles import is_editors
from pagesight.readers.article.text import in_own_letters
from pagesight.readers.article.zones import Zones

NEAR = 40  # zones around a place in which others may stand
LONGEST_INSTITUTION = 10  # words of a line that names an institution without its place
_PAID = re.compile(r"\W*(?:\d+\W+)?(?:funding|acknowledge?ments?|disclosures?)\W*$", re.IGNORECASE)


def affiliation_zones(labelled: LabelledZones, authors: Sequence[int]) -> list[int]:
    """The affiliation zones; those alike near them; and what reads so below a heading for them."""
    zones, labels = labelled.zones, labelled.labels
    found = set(labelled.of(*AFFILIATIONS))
    below = _below_headings(zones, lambda zone: "affiliations" in zones.kinds[zone])
    free = {zone for zone in range(len(zones)) if labels[zone] not in FIELDS}

    def reads_so(zone: int) -> bool:
        return is_likely_place(zones.unmarked[zone])

    sure = {zone for zone in found if labels[zone] != "last affiliation" or reads_so(zone)}
    near = below | {at for zone in sure for at in range(zone - NEAR, zone + NEAR)}
    sure |= {zone for zone in below & free if reads_so(zone)}
    pdf = zones.page.info.media == "pdf"
    found = sure if pdf else _places_alike(zones, found, sure, near & free)
    found |= {zone for zone in range(len(zones)) if says_it_is_place(zones.texts[zone])}
    found -= _below_headings(zones, lambda zone: bool(_PAID.match(zones.texts[zone])))
    kept = in_own_letters(
        zones.texts,
        sorted(zone for zone in found if zone - 1 in authors or not is_editors(zones.texts, zone)),
    )
    return kept or [zone + 1 for zone in authors[-1:] if _is_line_below(labelled, zone + 1)]


def _places_alike(zones: Zones, found: set[int], sure: set[int], near: set[int]) -> set[int]:
    """Sure places; others that were found in elements like theirs; and those `near` in such."""
    kinds = {zones.kind_of(zones.nodes_of(zone)[0]) for zone in sure}
    kept = {zone for zone in found if zones.kind_of(zones.nodes_of(zone)[0]) in kinds}
    for zone in near - sure:
        kind = zones.kind_of(zones.nodes_of(zone)[0])
        own = any(kind[1::2])  # a list of its own has classes
        reads = may_read_like_place if own else is_likely_place
        if kind in kinds and reads(zones.unmarked[zone]):
            kept.add(zone)
    return kept | sure


def _is_line_below(labelled: LabelledZones, zone: int) -> bool:
    """Whether the line below the authors is their place, although nothing says so."""
    if zone >= len(labelled.zones) or labelled.labels[zone] in (*FIELDS, "dates"):
        return False
    text = labelled.zones.unmarked[zone]
    institution = INSTITUTION.search(text) and len(text.split()) <= LONGEST_INSTITUTION
    return may_read_like_place(f"{text}," if institution else text)


def _below_headings(zones: Zones, is_wanted: Callable[[int], bool]) -> set[int]:
    """The zones that follow a heading that is wanted, up to the next heading."""
    headings = [zone for zone, kinds in enumerate(zones.kinds) if kinds]
    found: set[int] = set()
    for heading, end in pairwise([*headings, len(zones)]):
        if is_wanted(heading):
            found.update(range(heading + 1, end))
    return found
