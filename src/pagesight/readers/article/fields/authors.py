"""Authors and affiliations: persons and places, linked by marks, by nesting or by order."""

from __future__ import annotations

from collections.abc import Sequence

from pagesight.readers.article.fields.affiliation_zones import affiliation_zones
from pagesight.readers.article.fields.author_zones import author_zones
from pagesight.readers.article.fields.linking import (
    Contact,
    contacts_of,
    distinct,
    links_by_name,
    links_of,
    nested_places,
    unaddressed,
)
from pagesight.readers.article.fields.notes import notes, pointed_at, unmarked_notes
from pagesight.readers.article.fields.profiles import identify
from pagesight.readers.article.fields.signed import noted_places, signed_places, signed_zones
from pagesight.readers.article.fields.unseen import unseen_places, with_unseen_names
from pagesight.readers.article.labelling.labelled import LabelledZones
from pagesight.readers.article.labelling.labels import AFFILIATIONS
from pagesight.readers.article.names.han import are_japanese
from pagesight.readers.article.names.persons import Person, Piece, divide, is_group, persons
from pagesight.readers.article.names.places import Place, places
from pagesight.readers.article.names.roles import with_role
from pagesight.readers.article.reading import Affiliation, Author
from pagesight.readers.article.zones import Zones


def authors_and_affiliations(
    labelled: LabelledZones,
) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    """Persons and places, linked by marks, by nesting or by order."""
    named = author_zones(labelled)
    found = _persons_in(labelled.zones, named)
    shown = unaddressed(_shown_places(labelled, named, found), found)
    by_name = links_by_name(found, shown)
    located = distinct([*shown, *unaddressed(nested_places(found), found)])
    ids = {id(place): f"aff{rank}" for rank, place in enumerate(located, start=1)}
    links = links_of(found, located, by_name)
    contacts = contacts_of(found, links, _letters(labelled))
    japanese = are_japanese([person.name for person in found], labelled.zones.texts)
    authors = [
        _author(
            labelled,
            person,
            divide(person.name, japanese=japanese),
            tuple(ids[id(place)] for place in own),
            contact,
        )
        for person, own, contact in zip(found, links, contacts, strict=True)
    ]
    affiliations = [
        Affiliation(**labelled.value(place.text, [place.zone]), id=ids[id(place)], mark=place.mark)
        for place in located
    ]
    return tuple(authors), tuple(affiliations)


def _persons_in(zones: Zones, named: list[int]) -> list[Person]:
    """The persons that zones name, each with the zones of its pieces."""
    found = persons(_pieces(zones, named))
    identify(zones.page, found)
    zone_of = {node: zone for zone in named for node in zones.nodes_of(zone)}
    for person in found:
        person.zones = [zone_of.get(node, named[0]) for node in person.nodes]
    return found


def _shown_places(
    labelled: LabelledZones, named: Sequence[int], found: Sequence[Person]
) -> list[Place]:
    """The places outside the zones that name the persons who were found."""
    zones = labelled.zones
    margins = signed_zones(zones, found)
    signed = {zone for margin in margins for zone in margin}
    labelled_so = [zone for zone in affiliation_zones(labelled, named) if zone not in signed]
    shown = places(zones, labelled_so) + signed_places(zones, margins)
    shown = shown or noted_places(zones, found)
    shown += pointed_at(labelled, {mark for person in found for mark in person.marks}, shown)
    if shown or any(person.nested for person in found):
        return shown
    return unseen_places(zones, found) or unmarked_notes(labelled)


def _pieces(zones: Zones, author_zones: list[int]) -> list[Piece]:
    pdf = zones.page.info.media == "pdf"
    pieces: list[Piece] = []
    for rank, zone in enumerate(author_zones):
        joins = pdf and rank > 0 and zone == author_zones[rank - 1] + 1
        for at in range(int(zones.first[zone]), int(zones.first[zone + 1])):
            begins = at == zones.first[zone] and not joins
            text = f" {zones.pieces[at]}" if zones.spaced[at] or joins else zones.pieces[at]
            link = int(zones.link[at])
            target = (zones.page.target(link) or "") if link >= 0 else ""
            pieces.append(
                Piece(text, int(zones.nodes[at]), bool(zones.raised[at]), link, target, begins)
            )
    return with_unseen_names(zones, pieces)


def _letters(labelled: LabelledZones) -> list[tuple[int, str]]:
    """The zones in which addresses of authors may stand, and what they say."""
    found = set(labelled.of("correspondence", *AFFILIATIONS, "author", "front"))
    texts = labelled.zones.texts
    if labelled.zones.page.info.media == "pdf":  # in notes at the foot, or behind the references
        margin = [zone for zone in labelled.of("before") if "@" in texts[zone]]
        found |= {*notes(labelled, sheets=2), *labelled.of("after"), *margin}
    return [(zone, with_role(texts, zone)) for zone in sorted(found)]


def _author(
    labelled: LabelledZones,
    person: Person,
    divided: tuple[str, str],
    affiliations: tuple[str, ...],
    contact: Contact,
) -> Author:
    given, family = divided
    place = labelled.value(f"{person.name} {person.suffix}".strip(), person.zones[:1])
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
