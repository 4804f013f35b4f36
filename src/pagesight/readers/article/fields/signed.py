"""Places in the margin or at the foot of a PDF that name their authors.

In brackets: ``Botany, Basel (A B Keller MD); Zoology (J Moreau) and Ecology (C Lind), Lyon``; or in
the line above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pagesight.readers.article.fields.linking import IN_BRACKETS, called_in, signs_of
from pagesight.readers.article.identifiers import EMAIL
from pagesight.readers.article.names.lexicon import INSTITUTION
from pagesight.readers.article.names.persons import Person
from pagesight.readers.article.names.places import Place, is_likely_place, places
from pagesight.readers.article.names.words import rejoined
from pagesight.readers.article.zones import Zones

SHEETS = 2  # on which such a margin stands: it may go on
FEWEST_CALLED = 3  # authors
LONGEST = 400  # words of a zone of it
_AND = re.compile(r"^[\s,;.]*(?:and\s+)?")
_GOES_ON = re.compile(rf"^\(|{INSTITUTION.pattern}", INSTITUTION.flags)
_ENDS_IN_EMAIL = re.compile(rf"{EMAIL.pattern}$")
_SIGN = re.compile(r"\(?[✉*†‡]\)?|\([^()]\)|[·•&]|\band\b")
_ENDS = re.compile(r";\s*|(?<=\))\s*\.?$")


def signed_zones(zones: Zones, found: Sequence[Person]) -> list[list[int]]:
    """The zones of such margins, by sheet: from the first that calls an author to the last."""
    if zones.page.info.media != "pdf":
        return []
    signs = {sign for person in found for sign in signs_of(person.name)}
    calling: dict[int, list[int]] = {}
    for zone in range(len(zones)):
        short = zones.sheet[zone] <= SHEETS and zones.words[zone] <= LONGEST
        if short and any(_calls(text, signs) for text in _brackets(zones.texts[zone])):
            calling.setdefault(int(zones.sheet[zone]), []).append(zone)
    blocks = [_block(zones, own[0], own[-1]) for own in calling.values()]
    text = " ".join(zones.texts[zone] for block in blocks for zone in block)
    called = {part for inner in _brackets(text) for part in called_in(inner)} & signs
    return blocks if len(called) >= FEWEST_CALLED else []


def _brackets(text: str) -> Iterator[str]:
    """What stands in brackets, but behind addresses of authors."""
    for found in IN_BRACKETS.finditer(text):
        if not _ENDS_IN_EMAIL.search(text[: found.start()]):
            yield found[1]


def _calls(text: str, signs: set[str]) -> bool:
    parts = called_in(text)
    return any(len(part) > 2 and part in signs for part in parts)


def _block(zones: Zones, first: int, last: int) -> list[int]:
    """The zones of a column between two, with those around that belong to it."""
    size = zones.font_size[first]

    def belongs(zone: int) -> bool:
        left, right = zones.box[first][0], zones.box[first][0] + zones.box[first][2]
        beside = zones.box[zone][0] < right and left < zones.box[zone][0] + zones.box[zone][2]
        alike = abs(zones.font_size[zone] - size) < 0.06 * size
        return bool(beside and alike and zones.sheet[zone] == zones.sheet[first])

    while first > 0 and belongs(first - 1) and _GOES_ON.search(zones.texts[first - 1]):
        first -= 1
    return [zone for zone in range(first, last + 1) if belongs(zone)]


def signed_places(zones: Zones, blocks: Sequence[Sequence[int]]) -> list[Place]:
    """The places of such margins, each with the brackets that name its authors."""
    own = [zone for block in blocks for zone in block]
    text = rejoined(" ".join(zones.texts[zone] for zone in own))
    return [
        Place(each, None, zones.nodes_of(own[0])[0], own[0])
        for part in _ENDS.split(text)
        for each in _shared(part)
    ]


def _shared(text: str) -> Iterator[str]:
    """The places of a part: what stands behind all brackets belongs to each place before them."""
    at = 0
    brackets = list(IN_BRACKETS.finditer(text))
    tail = text[brackets[-1].end() :].strip(" ,;.") if brackets else ""
    for found in brackets:
        head = _AND.sub("", text[at : found.start()]).strip(" ,")
        at = found.end()
        if head:
            yield f"{head}, {tail} ({found[1]})" if tail else f"{head} ({found[1]})"


def noted_places(zones: Zones, found: Sequence[Person]) -> list[Place]:
    """The places at the foot of a PDF below the names of those who are there, in short form.

    ``A. King (✉) · B. Lind`` in one line, and in the next the place of both.
    """
    if zones.page.info.media != "pdf":
        return []
    signs = {sign for person in found for sign in signs_of(person.name)}
    located: list[Place] = []
    for zone in range(len(zones) - 1):
        names = called_in(_SIGN.sub(",", zones.texts[zone])) if zones.words[zone] <= 40 else []
        if names and zones.sheet[zone] <= SHEETS and signs.issuperset(names):
            written = ", ".join(_split_called(zones.texts[zone]))
            located += [
                replace(place, text=f"{place.text} ({written})")
                for place in places(zones, [zone + 1])
                if is_likely_place(place.text)
            ]
    return located


def _split_called(text: str) -> list[str]:
    return [part.strip() for part in _SIGN.sub(",", text).split(",") if part.strip()]
