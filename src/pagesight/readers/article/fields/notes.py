"""Notes to an article, at the foot of its first sheet say, and the places that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from pagesight.readers.article.fields.affiliation_zones import LONGEST_INSTITUTION
from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.labelling.labels import AFFILIATIONS, FIELDS
from pagesight.readers.article.names.lexicon import INSTITUTION
from pagesight.readers.article.names.marks import SIGNS
from pagesight.readers.article.names.places import Place, is_likely_place, places

LONGEST_NOTE = 200  # words of a zone that holds places
LONGEST_PLACE = 40  # words of a place to which nothing points
LONGEST_LEAD = 120  # characters of such a zone in which the first mark stands
_STARTS_WITH_MARK = re.compile(
    rf"(?:^|[|.;,]\s*)[(\[]?(?:\d{{1,2}}|[a-z]|[{SIGNS}]{{1,3}})[)\].]?\s?[A-Z]"
)


def pointed_at(labelled: LabelledZones, marks: set[str], known: Sequence[Place]) -> list[Place]:
    """Places that begin with a mark that an author has, and no place: notes at the foot, say."""
    missing = marks - {place.mark for place in known}
    if not missing or (known and not any(place.mark for place in known)):
        return []
    zones = labelled.zones
    beside = {at for place in known for at in (place.zone - 1, place.zone + 1)}
    found: list[Place] = []
    for zone in notes(labelled):
        if _STARTS_WITH_MARK.search(zones.texts[zone][:LONGEST_LEAD]):
            found += [
                place
                for place in places(zones, [zone])
                if place.mark in missing
                and ((zone in beside and place.mark.isalnum()) or is_likely_place(f"{place.text},"))
            ]
    return found


def unmarked_notes(labelled: LabelledZones) -> list[Place]:
    """Places at the foot of a sheet, or behind all, that nothing points to."""
    zones = labelled.zones
    if zones.page.info.media != "pdf":
        return []
    found = [
        zone
        for zone in sorted({*notes(labelled), *labelled.of("after")})
        if zones.words[zone] <= LONGEST_PLACE
        and INSTITUTION.search(" ".join(zones.texts[zone].split()[:LONGEST_INSTITUTION]))
        and is_likely_place(zones.unmarked[zone])
    ]
    return places(zones, found)


def notes(labelled: LabelledZones, sheets: int = 1) -> list[int]:
    """The zones up to the sheet of the title that may be notes to it, or further `sheets`."""
    zones = labelled.zones
    dull = {*labelled.of("before", *FIELDS, *AFFILIATIONS, "reference part", "citing")}
    titles = labelled.of("title")
    last = (max(1, int(zones.sheet[titles[-1]])) if titles else 1) + sheets - 1
    short = np.flatnonzero((zones.sheet <= last) & (zones.words <= LONGEST_NOTE))
    return [zone for zone in short.tolist() if zone not in dull]
