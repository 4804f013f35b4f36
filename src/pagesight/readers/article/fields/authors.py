"""Authors: the persons whom author zones name, with their identifiers, places and addresses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

import numpy as np

from pagesight.page import Page
from pagesight.readers.article.fields.affiliations import (
    add_places_below_names,
    affiliation_zones,
    named_alone,
    notes,
    pointed_at,
    signed_places,
    signed_zones,
    unseen_places,
)
from pagesight.readers.article.fields.linking import (
    IN_BRACKETS,
    Contact,
    contacts_of,
    distinct,
    is_editors,
    is_letter,
    links_by_name,
    links_of,
    nested_places,
    unaddressed,
    with_role,
)
from pagesight.readers.article.labelling.confidence import StatedValue
from pagesight.readers.article.labelling.judging import is_entry
from pagesight.readers.article.labelling.labels import (
    AFFILIATIONS,
    SIGNATURE,
    LabelledZones,
    runs_of,
)
from pagesight.readers.article.names.persons import (
    NameText,
    Person,
    bare_name,
    divide,
    given_first,
    is_group,
    is_name,
    is_sure_name,
    once,
    persons,
    placed_persons,
)
from pagesight.readers.article.names.places import Institution, places
from pagesight.readers.article.reading import Affiliation, Author
from pagesight.readers.article.text import EMAIL, ORCID, has_han, in_own_letters
from pagesight.readers.article.vocabulary import names_institution
from pagesight.readers.article.zones import Zones, names_persons
from pagesight.readers.value import ValueFields
from pagesight.segment.nodes import named, with_attribute
from pagesight.segment.text import folded, squeeze

CONFIDENT = 0.5  # from which a label is believed
NEAR = 40  # zones around an author in which there may be others
LONGEST_BEGINNING = 40  # characters of a title by which it is known again
FEWEST_ENTRIES = 2  # of a list of other articles
FEWEST_LISTED = 2  # persons with the same class
HIGHEST = 4  # elements, one around the other, in which a link and a name are together

Owners = Callable[[int], Person | None]
"""From a link to the author beside whom it is."""


def authors_and_affiliations(
    labelled: LabelledZones,
) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    """Persons and places, linked by marks, by nesting or by order."""
    named = _with_mixed(labelled, author_zones(labelled))
    people = _persons_in(labelled, named)
    if (roster := _roster(labelled, named)) and len(roster[1]) > len(people):
        named, people = roster
    shown = unaddressed(_shown_places(labelled, named, people), people)
    by_name = links_by_name(people, shown)
    located = distinct([*shown, *unaddressed(nested_places(people), people)])
    ids = {id(place): f"aff{rank}" for rank, place in enumerate(located, start=1)}
    links = links_of(people, located, by_name)
    contacts = contacts_of(people, links, _letters(labelled))
    japanese = _are_japanese(people, labelled.zones.texts)
    names = [divide(person.name, japanese=japanese) for person in people]
    stated = [
        StatedValue(
            f"{person.name} {person.suffix}".strip(),
            person.zones[:1],
            marked=bool(person.marks),
            linked=bool(located_at),
            given=given,
            family=family,
        )
        for person, (given, family), located_at in zip(people, names, links, strict=True)
    ]
    authors = [
        _author(
            labelled, value, person, name, tuple(ids[id(place)] for place in located_at), contact
        )
        for value, person, name, located_at, contact in zip(
            labelled.values("author", stated), people, names, links, contacts, strict=True
        )
    ]
    linked = {id(place) for located_at in links for place in located_at}
    stated = [
        StatedValue(place.text, [place.zone], marked=bool(place.mark), linked=id(place) in linked)
        for place in located
    ]
    affiliations = [
        Affiliation(**value, id=ids[id(place)], mark=place.mark)
        for value, place in zip(labelled.values("affiliation", stated), located, strict=True)
    ]
    return tuple(authors), tuple(affiliations)


def _are_japanese(people: Sequence[Person], texts: Sequence[str]) -> bool:
    names = [person.name for person in people]
    if not any(map(has_han, names)):
        return False
    from pagesight.readers.article.names.scripts import are_japanese

    return are_japanese(names, texts)


def _persons_in(labelled: LabelledZones, named: list[int]) -> list[Person]:
    """The persons that zones name, each with the zones of its pieces."""
    zones = labelled.zones
    lines = [(zones.texts[zone], zones.nodes_of(zone)[0]) for zone in named]
    people = once(placed_persons(lines) or persons(_pieces(zones, named)))
    identify(zones, people)
    zone_of = {node: zone for zone in named for node in zones.nodes_of(zone)}
    again = named_alone(zones, people)
    for person in people:
        person.zones = [zone_of.get(node, named[0]) for node in person.nodes]
        person.zones += again.get(person.name, ())
    return people


def _roster(labelled: LabelledZones, named: list[int]) -> tuple[list[int], list[Person]] | None:
    """The zones and persons of a list in which only class names tell names from what follows them.

    As LaTeX makes it: name, address, institution, town and country, each in a `span` of its class.
    """
    zones = labelled.zones
    below = range(named[0], len(zones)) if named and not zones.on_sheets else ()
    signed = list(takewhile(lambda zone: labelled.labels[zone] in SIGNATURE, below))
    first, last = zones.first[[signed[0], signed[-1] + 1]].tolist() if signed else (0, 0)
    people = [] if zones.raised[first:last].any() else _of_one_class(zones, first, last)
    in_one_line = bool(people) and zones.first[signed[0] + 1] > first + 1
    are_persons = all(is_name(person.name) for person in people)
    located = all(names_institution(person.nested[0]) for person in people)
    if len(people) < FEWEST_LISTED or not (in_one_line and are_persons and located):
        return None
    identify(zones, people)
    return signed, people


def _of_one_class(zones: Zones, first: int, last: int) -> list[Person]:
    """Persons in elements like that of the first of some pieces, with all that is between them."""
    page = zones.page
    around = page.columns["parent"][zones.nodes[first:last]].tolist()
    kinds = [(page.name(node), page.attribute(node, "class")) for node in around]
    starts = [at for at, kind in enumerate(kinds, first) if kind == kinds[0] and kind[1]]
    people = []
    for start, stop in pairwise([*starts, last]):
        behind = list(map(squeeze, zones.pieces[start + 1 : stop]))
        emails = [email[0] for email in map(EMAIL.search, behind) if email]
        place = ", ".join(text for text in behind if not EMAIL.search(text))
        node, zone = int(zones.nodes[start]), int(np.searchsorted(zones.first, start, "right")) - 1
        person = Person(bare_name(zones.pieces[start]), node, [node], nested=[place], zones=[zone])
        person.email = next(iter(emails), None)
        people.append(person)
    return people


def _shown_places(
    labelled: LabelledZones, named: Sequence[int], people: Sequence[Person]
) -> list[Institution]:
    """The places outside the zones that name the persons who were found."""
    zones = labelled.zones
    margins = signed_zones(zones, people)
    signed = {*named, *(zone for margin in margins for zone in margin)}
    labelled_so = [zone for zone in affiliation_zones(labelled, named) if zone not in signed]
    shown = places(zones, labelled_so) + signed_places(zones, margins)
    shown += pointed_at(labelled, {mark for person in people for mark in person.marks}, shown)
    if not shown:
        add_places_below_names(zones, people)
    if shown or any(person.nested for person in people):
        return shown
    return unseen_places(zones, people)


def _pieces(zones: Zones, author_zones: list[int]) -> list[NameText]:
    pieces: list[NameText] = []
    for rank, zone in enumerate(author_zones):
        joins = zones.on_sheets and rank > 0 and zone == author_zones[rank - 1] + 1
        for at in range(int(zones.first[zone]), int(zones.first[zone + 1])):
            begins = at == zones.first[zone] and not joins
            text = f" {zones.pieces[at]}" if zones.spaced[at] or joins else zones.pieces[at]
            link = int(zones.link[at])
            target = (zones.page.attribute(link, "href") or "").strip() if link >= 0 else ""
            pieces.append(
                NameText(text, int(zones.nodes[at]), bool(zones.raised[at]), link, target, begins)
            )
    return pieces


def _letters(labelled: LabelledZones) -> list[tuple[int, str]]:
    """The zones in which addresses of authors may be, and what they say."""
    texts = labelled.zones.texts
    margin = [zone for zone in labelled.of("before") if "@" in texts[zone]]
    letters = {*labelled.of("correspondence", "author", "front", "after", *AFFILIATIONS), *margin}
    letters |= {*notes(labelled, sheets=2)}  # at the foot, say
    return [(zone, with_role(texts, zone)) for zone in sorted(letters)]


def _author(
    labelled: LabelledZones,
    place: ValueFields,
    person: Person,
    divided: tuple[str, str],
    affiliations: tuple[str, ...],
    contact: Contact,
) -> Author:
    given, family = divided
    node = labelled.zones.page[person.node].parent
    if node is not None:
        place["place"] = node
    return Author(
        **place,
        given=given,
        family=family,
        group=is_group(person.name),
        suffix=person.suffix,
        degrees=tuple(person.degrees),
        orcid=person.orcid,
        email=contact.email,
        corresponding=contact.corresponding,
        affiliations=affiliations,
    )


# Which zones name the authors


def author_zones(labelled: LabelledZones) -> list[int]:
    """The author zones that belong together: the first ones that the model is confident of."""
    texts, runs = labelled.zones.texts, labelled.runs("author", gap=30)
    if not runs:
        return _citing_zone(labelled)
    confident = [run for run in runs if labelled.confidence[run].max() >= CONFIDENT]
    first = _above_abstract(labelled, (confident or runs)[0])
    alike = _without_entries(labelled, _with_alike(labelled, first))
    alike = [zone for zone in alike if persons(_pieces(labelled.zones, [zone]))]
    if not alike:
        return _citing_zone(labelled)
    zones = in_own_letters(texts, alike)
    kept = [zone for zone in zones if not is_editors(texts, zone) and not is_letter(texts, zone)]
    names = [zone for zone in kept if "correspondence" not in labelled.zones.cues[zone]]
    return names or kept


def _above_abstract(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """The author zones above the abstract, or the references, that come next.

    Those below name others, say.
    """
    zones = labelled.zones
    headings = {zone for zone, kinds in enumerate(zones.kinds) if "references" in kinds}
    headings -= set(np.flatnonzero(zones.link_share == 1).tolist())  # which are in menus
    below = {zone for zone in headings | {*labelled.of("abstract")} if zone > authors[0]}
    return [zone for zone in authors if zone < min(below, default=len(zones))]


def _citing_zone(labelled: LabelledZones) -> list[int]:
    """A zone near the title that says how to cite the article: names, the year, and the title."""
    texts, titles = labelled.zones.texts, labelled.of("title")
    title = folded(" ".join(texts[zone] for zone in titles))[:LONGEST_BEGINNING]
    near = range(titles[-1] + 1, min(titles[-1] + NEAR, len(texts))) if title else ()
    return [zone for zone in near if folded(texts[zone]).find(title) > 0][:1]


def _with_mixed(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """With zones beside of places behind names: ``Ada King (Kyoto)``, ``Bo Lind, Lund Labs``."""
    texts = labelled.zones.texts
    mixed = [
        zone
        for zone in labelled.of("affiliation")
        if _names_before_places(texts[zone])
        or (zone - 1 in authors and labelled.zones.is_in_brackets(zone))
    ]
    runs = runs_of(sorted({*mixed, *authors}), gap=1)
    beside = [run for run in runs if set(run) & set(authors)] or runs[:1]
    return in_own_letters(texts, [zone for run in beside for zone in run]) if runs else []


def _names_before_places(text: str) -> bool:
    if "(" not in text:
        people = placed_persons([(text, 0)])
        return bool(people) and all(is_sure_name(person.name) for person in people)
    outside = IN_BRACKETS.sub(", ", text).strip(" ,;")
    return names_persons(outside) or is_sure_name(given_first(outside))


def _with_alike(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """The author zones, and names near them in elements like theirs: a list repeats itself."""
    zones, names, last = labelled.zones, set(authors), authors[-1]
    headings = (zone for zone in range(last + 1, len(zones)) if zones.kinds[zone])
    near = range(max(authors[0] - NEAR, 0), next(headings, len(zones)))
    for zone, _ in zones.alike(authors, near):
        if zone >= last + NEAR:
            break
        is_other = labelled.labels[zone] in ("title", "reference")
        if not is_other and is_name(bare_name(zones.unmarked[zone])):
            names.add(zone)
            last = max(last, zone)
    return sorted(names)


def _without_entries(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """The author zones before a list of other articles, each of which has a title of its own."""
    entries = [zone for zone in authors[1:] if is_entry(labelled, zone)]
    titles = {labelled.zones.texts[zone - 1] for zone in entries}
    if len(titles) < max(FEWEST_ENTRIES, len(entries)):  # what is repeated is not a title
        return authors
    return [zone for zone in authors if zone < entries[0]]


# Links to the identifiers of authors, most of them around a picture


def identify(zones: Zones, people: Sequence[Person]) -> None:
    """Give authors the identifiers that links beside their names lead to.

    Whether a link is before its name or behind it is decided by the elements around both, which
    the text alone does not show.
    """
    page = zones.page
    owner_of = (_owners_on_sheets if zones.on_sheets else _owners_beside)(page, people)
    is_link, owners = named(page, {"a"}), dict[str, Person]()
    for link, target in zip(*with_attribute(page, "href"), strict=True):
        orcid = ORCID.search(target) if "orcid" in target and is_link[link] else None
        if orcid and orcid[0] not in owners and (owner := owner_of(int(link))):
            owners[orcid[0]] = owner
    for number, owner in owners.items():
        owner.orcid = owner.orcid or number


def _owners_beside(page: Page, people: Sequence[Person]) -> Owners:
    """Whom the innermost element around a link names; of several, the one next to the link."""
    named = sorted((node, rank) for rank, person in enumerate(people) for node in person.nodes)
    nodes = [node for node, _ in named]
    leads: dict[int, bool] = {}  # by element: whether links come before their names

    def owner_of(link: int) -> Person | None:
        above = link
        for _ in range(HIGHEST):
            first, last = (bisect_left(nodes, at) for at in (above, int(page.end[above])))
            if first < last:
                at = bisect_left(nodes, link)
                at -= not leads.setdefault(above, at == first)
                return people[named[at][1]] if first <= at < last else None
            above = max(int(page.columns["parent"][above]), 0)
        return None

    return owner_of


def _owners_on_sheets(page: Page, people: Sequence[Person]) -> Owners:
    """Who is named last before a link in a PDF, where only places decide."""
    boxes = page.columns["box"]
    starts = []  # of names: the level, the place on it, and the height of the line
    for person in people:
        left, top, width, height = boxes[person.node].tolist()
        text = page.strings[int(page.columns["text"][person.node])]
        share = max(text.find(person.name.split()[0]), 0) / max(len(text), 1)
        starts.append((top + height / 2, left + width * share, height, person))
    starts.sort(key=lambda start: start[:2])

    def owner_of(link: int) -> Person | None:
        left, top, _, size = boxes[link].tolist()
        before = [
            person
            for level, start, height, person in starts
            if (
                start < left
                if abs(top + size / 2 - level) < 0.8 * height
                else level < top + size / 2
            )
        ]
        return before[-1] if before else None

    return owner_of
