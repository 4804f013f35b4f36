"""Where the authors are: zones that say it, notes that marks point to, what is not shown yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Visibility
from pagesight.page.columns import nearest
from pagesight.readers.article.fields.linking import (
    IN_BRACKETS,
    called_in,
    is_editors,
    signs_of,
    unaddressed,
)
from pagesight.readers.article.labelling.labels import AFFILIATIONS, FIELDS, LabelledZones
from pagesight.readers.article.names.persons import Person, bare_name
from pagesight.readers.article.names.places import (
    MOST_WORDS,
    Institution,
    cleaned,
    is_likely_place,
    may_read_like_place,
    places,
)
from pagesight.readers.article.text import EMAIL, in_own_letters, marks_in
from pagesight.readers.article.vocabulary import names_institution
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import inside, named
from pagesight.segment.text import SIGNS, rejoined, words
from pagesight.segment.tree import common_element

NEAR = 40  # zones around a place in which there may be others
LONGEST_NOTE = 200  # words of a zone that holds places
LONGEST_LEAD = 120  # characters of such a zone in which the first mark is
HIGHEST = 5  # elements, one around the other, in which what belongs together is looked for
MOST_NODES, LONGEST_POPUP = 200, 2000  # nodes and characters of a pop-up
MARGIN_SHEETS = 2  # on which there may be such a margin
FEWEST_CALLED = 3  # authors
LONGEST_MARGIN = 400  # words of a zone of it
_PAID = re.compile(r"\W*(?:\d+\W+)?(?:funding|acknowledge?ments?|disclosures?)\W*$", re.IGNORECASE)
_STARTS_WITH_MARK = re.compile(
    rf"(?:^|[|.;,]\s*)[(\[]?(?:\d{{1,2}}|[a-z]|[{SIGNS}]{{1,3}})[)\].]?\s?[A-Z]"
)
_INLINE = frozenset("a abbr b bdi cite em font i institution nobr small span strong sup u".split())
_AND = re.compile(r"^[\s,;.]*(?:and\s+)?")
_ENDS_IN_EMAIL = re.compile(rf"{EMAIL.pattern}$")
_ENDS = re.compile(r";\s*|(?<=\))\s*\.?$")


def affiliation_zones(labelled: LabelledZones, authors: Sequence[int]) -> list[int]:
    """The affiliation zones; those alike near them; and what reads so below a heading for them."""
    zones, labels = labelled.zones, labelled.labels
    stated = set(labelled.of(*AFFILIATIONS))
    below = _below_headings(zones, lambda zone: "affiliations" in zones.kinds[zone])
    free = {zone for zone in range(len(zones)) if labels[zone] not in FIELDS}

    def reads_so(zone: int) -> bool:
        return is_likely_place(zones.unmarked[zone])

    early = {"affiliation", "late affiliation"} if zones.on_sheets else {"affiliation"}
    sure = {zone for zone in stated if labels[zone] in early or reads_so(zone)}
    sure -= {zone for zone in sure if "dates" in zones.cues[zone]}
    near = below | {at for zone in sure for at in range(zone - NEAR, zone + NEAR)}
    sure |= {zone for zone in below & free if reads_so(zone)}
    alike = _places_alike(zones, stated, sure, near & free)
    alike -= _below_headings(zones, lambda zone: bool(_PAID.match(zones.texts[zone])))
    kept = [zone for zone in alike if zone - 1 in authors or not is_editors(zones.texts, zone)]
    return in_own_letters(zones.texts, sorted(kept))


def _places_alike(
    zones: Zones, labelled_zones: set[int], sure: set[int], near: set[int]
) -> set[int]:
    """Sure places; others that were found in elements like theirs; and those `near` in such."""
    kept = sure | {zone for zone, _ in zones.alike(sure, labelled_zones)}
    for zone, kind in zones.alike(sure, near - sure):
        has_classes = any(kind[1::2])
        reads = may_read_like_place if has_classes else is_likely_place
        if reads(zones.unmarked[zone]):
            kept.add(zone)
    return kept


def _below_headings(zones: Zones, is_wanted: Callable[[int], bool]) -> set[int]:
    """The zones that follow a heading that is wanted, up to the next heading."""
    headings = [zone for zone, kinds in enumerate(zones.kinds) if kinds]
    below: set[int] = set()
    for heading, end in pairwise([*headings, len(zones)]):
        if is_wanted(heading):
            below.update(range(heading + 1, end))
    return below


# Notes, at the foot of the first sheet, say


def pointed_at(
    labelled: LabelledZones, marks: set[str], known: Sequence[Institution]
) -> list[Institution]:
    """Places that begin with a mark that an author has, and no place: notes at the foot, say."""
    missing = marks - {mark for place in known for mark in marks_in(place.mark or "")}
    if not missing or (known and not any(place.mark for place in known)):
        return []
    zones = labelled.zones
    beside = {at for place in known for at in (place.zone - 1, place.zone + 1)}
    pointed: list[Institution] = []
    for zone in notes(labelled):
        if _STARTS_WITH_MARK.search(zones.texts[zone][:LONGEST_LEAD]):
            pointed += [
                place
                for place in places(zones, [zone])
                if place.mark in missing
                and ((zone in beside and place.mark.isalnum()) or is_likely_place(f"{place.text},"))
            ]
    return pointed


def notes(labelled: LabelledZones, sheets: int = 1) -> list[int]:
    """The zones up to the sheet of the title that may be notes to it, or further `sheets`."""
    zones = labelled.zones
    dull = {*labelled.of("before", *FIELDS, *AFFILIATIONS, "reference part", "citing")}
    titles = labelled.of("title")
    last = (max(1, int(zones.sheet[titles[-1]])) if titles else 1) + sheets - 1
    short = np.flatnonzero((zones.sheet <= last) & (zones.words <= LONGEST_NOTE))
    return [zone for zone in short.tolist() if zone not in dull]


def add_places_below_names(zones: Zones, people: Sequence[Person]) -> None:
    """Give authors the places below their names where these are printed again: at the end, say."""
    named = {" ".join(words(person.name)): person for person in people if not person.nested}
    for zone, text in enumerate(zones.unmarked[:-1] if named else ()):
        person = named.get(" ".join(words(bare_name(text)))) if len(text) <= LONGEST_LEAD else None
        place = zones.texts[zone + 1]
        if person and names_institution(place) and zones.words[zone + 1] <= MOST_WORDS:
            person.nested.append(place)


# What the page holds and does not show yet: places in pop-ups


def unseen_places(zones: Zones, people: Sequence[Person]) -> list[Institution]:
    """Places near the authors that are not shown; what is beside one author is theirs."""
    if not people:
        return []
    page = zones.page
    nodes = [person.node for person in people]
    above = common_element(page, nodes).id
    is_likely = cache(is_likely_place)  # each element around says the same and more
    for _ in range(HIGHEST):
        lines = _blocks(page, _unseen_texts(page, above), people[0].zones[0])
        blocks = unaddressed([line for line in lines if is_likely(line.text)], people)
        if blocks or above <= 0:
            break
        above = int(page.columns["parent"][above])
    named_in = cache(partial(_named_in, page, people))
    free = []
    for place in blocks:
        if (owner := _owner(page, place.node, named_in)) is None:
            free.append(place)
        elif place.text not in owner.nested:
            owner.nested.append(place.text)
    # What nobody is linked to may be of editors and the like.
    return [place for place in free if place.mark or len(free) == 1]


def _blocks(page: Page, texts: Iterable[int], zone: int) -> Iterator[Institution]:
    """The texts as lines: those in one block together, with the mark in front of them."""
    raised = inside(np.flatnonzero(named(page, {"sup"})), page.end)
    parent = page.columns["parent"]
    in_seen = page.columns["visibility"][parent] == Visibility.VISIBLE
    block = nearest(~named(page, _INLINE) | in_seen, parent)[parent]
    lines: dict[int, Institution] = {}
    for node in map(int, texts):
        line = lines.setdefault(int(block[node]), Institution("", None, node, zone))
        text = page.strings[page.columns["text"][node]]
        if raised[node] and not line.text.strip():
            line.mark = text.strip() or line.mark
        else:
            line.text += text
    before: str | None = None  # a mark that has a block of its own
    for line in map(cleaned, lines.values()):
        line.mark = line.mark or (before if line.text else None)
        before = line.mark if not line.text else None
        yield line


def _named_in(page: Page, people: Sequence[Person], above: int) -> list[Person]:
    """Whom an element names: in what is seen, or in what it will show if it is small."""
    end = int(page.end[above])
    shown = [person for person in people if above <= person.node < end]
    if shown or end - above > MOST_NODES:
        return shown
    nodes = _unseen_texts(page, above).tolist()
    joined = " ".join(page.strings[page.columns["text"][node]] for node in nodes)
    text = " ".join(joined[:LONGEST_POPUP].split())
    return [person for person in people if person.name in text]


def _owner(page: Page, above: int, named_in: Callable[[int], list[Person]]) -> Person | None:
    """To whom a text belongs: to the only author whom the innermost element around it names."""
    for _ in range(HIGHEST):
        above = max(int(page.columns["parent"][above]), 0)
        if owners := named_in(above):
            return owners[0] if len(owners) == 1 else None
    return None


def _unseen_texts(page: Page, above: int) -> NDArray[np.int64]:
    here = slice(above, int(page.end[above]))
    unseen = page.columns["visibility"][here] != Visibility.VISIBLE
    return np.flatnonzero(unseen & (page.columns["kind"][here] == NodeKind.TEXT)) + above


# Margins of PDFs that name the authors of each place


def signed_zones(zones: Zones, people: Sequence[Person]) -> list[list[int]]:
    """The zones of such margins, by sheet: from the first that calls an author to the last."""
    if not zones.on_sheets:
        return []
    signs = {sign for person in people for sign in signs_of(person.name)}
    calling: dict[int, list[int]] = {}
    for zone in range(len(zones)):
        if zones.sheet[zone] > MARGIN_SHEETS or zones.words[zone] > LONGEST_MARGIN:
            continue
        called = {part for inner in _brackets(zones.texts[zone]) for part in called_in(inner)}
        if any(len(part) > 2 for part in called & signs):
            calling.setdefault(int(zones.sheet[zone]), []).append(zone)
    blocks = [_margin(zones, members[0], members[-1]) for members in calling.values()]
    text = " ".join(zones.texts[zone] for block in blocks for zone in block)
    called = {part for inner in _brackets(text) for part in called_in(inner)} & signs
    return blocks if len(called) >= FEWEST_CALLED else []


def _brackets(text: str) -> Iterator[str]:
    """What is in brackets, except behind addresses of authors."""
    for brackets in IN_BRACKETS.finditer(text):
        if not _ENDS_IN_EMAIL.search(text[: brackets.start()]):
            yield brackets[1]


def _margin(zones: Zones, first: int, last: int) -> list[int]:
    """The zones of a column between two, with those around that belong to it."""
    size = zones.font_size[first]

    def belongs(zone: int) -> bool:
        left, right = zones.box[first][0], zones.box[first][0] + zones.box[first][2]
        beside = zones.box[zone][0] < right and left < zones.box[zone][0] + zones.box[zone][2]
        alike = abs(zones.font_size[zone] - size) < 0.06 * size
        return bool(beside and alike and zones.sheet[zone] == zones.sheet[first])

    while first > 0 and belongs(first - 1):
        text = zones.texts[first - 1]
        if not (text.startswith("(") or names_institution(text)):
            break
        first -= 1
    return [zone for zone in range(first, last + 1) if belongs(zone)]


def signed_places(zones: Zones, blocks: Sequence[Sequence[int]]) -> list[Institution]:
    """The places of such margins, each with the brackets that name its authors."""
    members = [zone for block in blocks for zone in block]
    text = rejoined(" ".join(zones.texts[zone] for zone in members))
    return [
        Institution(text_of_place, None, zones.nodes_of(members[0])[0], members[0])
        for part in _ENDS.split(text)
        for text_of_place in _shared(part)
    ]


def _shared(text: str) -> Iterator[str]:
    """The places of a part: what follows all brackets belongs to each place before them."""
    at = 0
    brackets = list(IN_BRACKETS.finditer(text))
    tail = text[brackets[-1].end() :].strip(" ,;.") if brackets else ""
    for names in brackets:
        head = _AND.sub("", text[at : names.start()]).strip(" ,")
        at = names.end()
        if head:
            yield f"{head}, {tail} ({names[1]})" if tail else f"{head} ({names[1]})"
