"""Which person is at which place, and how to write to whom: marks, names, nesting and order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from pagesight.readers.article.names.persons import Person, divide, split_name
from pagesight.readers.article.names.places import Institution, cut
from pagesight.readers.article.text import EMAIL, marks_in
from pagesight.readers.article.vocabulary import CUES
from pagesight.segment.text import letters, words

MOST_BELOW = 12  # zones below a name in which its places may be
MOST_LETTERS = 3  # addresses in a note that says who is to be written to
MOST_COMPARED = 500_000  # addresses times persons; more are not looked at
LONGEST_BEHIND = 250  # characters behind an address that may say whose it is
SHORTEST = 3  # letters of a name by which an address is recognised
IN_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]{2,200})[)\]][.;,]?")
_BETWEEN = re.compile(r"\s*(?:[,;&]|\band\b)\s*")

_SEVERAL = re.compile(r"\{([\w.,;|\s-]+)\}\s?@\s?([\w-]+(?:\.[\w-]+)+)")
_CORRESPONDING = re.compile(r"correspond|to whom|reprint|通[信讯訊]作者|корреспонд", re.IGNORECASE)
_AT = ("@", "(at)", "[at]", "/at/")  # without one of these there is no address
_DEGREE = re.compile(r"(?<=[a-z])\s[A-Z]{2,4}$")
_UMLAUT = re.compile(r"([aou])e")  # mueller is Müller

Links = list[list[Institution]]  # by person


@dataclass(frozen=True, slots=True)
class Contact:
    """How to write to a person."""

    email: str | None = None
    corresponding: bool = False


def unaddressed(located: Sequence[Institution], people: Sequence[Person]) -> list[Institution]:
    """The places that do not begin with a person: such say where to write to."""
    lasts: dict[str, set[str]] = {}  # of persons, by their first word
    for person in people:
        first, *others = words(person.name) or [""]
        lasts.setdefault(first, set()).update(others[-1:])
    heads = ((place, words(place.text)[:5]) for place in located)
    return [place for place, head in heads if not (head and lasts.get(head[0], set()) & set(head))]


def distinct(located: Sequence[Institution]) -> list[Institution]:
    """Each place once; of the same the first, with the mark of either, and as it is best spaced."""
    kept: dict[str, Institution] = {}
    for place in located:
        same = kept.setdefault(letters(place.text), place)
        same.mark = same.mark or place.mark
        same.text = max(same.text, place.text, key=len)
        same.again.append(place.zone)
    return list(kept.values())


def nested_places(people: Sequence[Person]) -> list[Institution]:
    """The places beside names, in the same zones."""
    return [
        place
        for person in people
        for text in person.nested
        for place in cut(Institution(text, None, person.node, person.zones[0]))
    ]


def links_of(people: Sequence[Person], located: Sequence[Institution], named: Links) -> Links:
    """For each person the places: by marks, names or nesting; by order; or the only one."""
    by_mark: dict[str, list[Institution]] = {}
    for place in located:
        for mark in marks_in(place.mark or ""):
            by_mark.setdefault(mark, []).append(place)
    by_text = {letters(place.text): place for place in located}
    links = []
    for person, named_places in zip(people, named, strict=True):
        marks = dict.fromkeys(person.marks)
        linked = [place for mark in marks for place in by_mark.get(mark, ())]
        keys = (letters(place.text) for place in (*named_places, *nested_places([person])))
        linked += [by_text[key] for key in keys if key in by_text]
        links.append(list({id(place): place for place in linked}.values()))
    if any(links) or not located:
        return links
    return [[located[0]] for _ in people] if len(located) == 1 else _by_order(people, located)


def links_by_name(people: Sequence[Person], located: Sequence[Institution]) -> Links:
    """Places that name their persons in brackets, which are taken off: ``Kyoto (A.K., B.L.)``."""
    links: Links = [[] for _ in people]
    signs = _by_sign(people)
    for place in located:
        for brackets in IN_BRACKETS.finditer(place.text):
            parts = called_in(brackets[1])
            if parts and all(part in signs for part in parts):
                place.text = place.text.replace(brackets[0], "").strip(" ,;.")
                for rank in {rank for part in parts for rank in signs[part]}:
                    links[rank].append(place)
    return links


def _by_sign(people: Sequence[Person]) -> dict[str, list[int]]:
    signs: dict[str, list[int]] = {}
    for rank, person in enumerate(people):
        for sign in signs_of(person.name):
            signs.setdefault(sign, []).append(rank)
    return signs


def called_in(text: str) -> list[str]:
    """Who is called in brackets behind a place, for short: ``A J King MD, Prof B Lind`` are two."""
    parts = [part.strip() for part in _BETWEEN.split(text) if part.strip()]
    # A part alone may be initials: M.D.
    bare = (_DEGREE.sub("", split_name(part)[0]) if " " in part else part for part in parts)
    return [letters(part) for part in bare if part]


@lru_cache(maxsize=1 << 14)
def signs_of(name: str) -> frozenset[str]:
    """How a person may be called for short: by initials, or by the family name."""
    given, family = _words_of(name)
    initials = "".join(word[0] for word in given + family)
    lasts = "".join(word[0] for word in family)
    given_initials = "".join(word[0] for word in given)
    whole = "".join(family)
    short = {initials, initials[:1] + lasts, whole, given_initials + whole, initials[:1] + whole}
    return frozenset(sign for sign in short if len(sign) > 1 and given)


@lru_cache(maxsize=1 << 14)
def _words_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the given name, and those of the family name."""
    given, family = divide(name)
    return tuple(words(given)), tuple(words(family))


def _by_order(people: Sequence[Person], located: Sequence[Institution]) -> Links:
    """Each place belongs to whom was named last before it, if persons and places take turns."""
    mentions: dict[int, list[int]] = {}
    for rank, person in enumerate(people):
        for zone in person.zones:
            mentions.setdefault(zone, []).append(rank)
    links: Links = [[] for _ in people]
    named = sorted(mentions)
    if len(named) < 2:
        return links
    for place in located:
        owners: set[int] = set()
        for zone in place.again:
            at = bisect_right(named, zone) - 1
            if at >= 0 and zone - named[at] <= MOST_BELOW:
                owners.update(mentions[named[at]])
        for rank in owners:
            links[rank].append(place)
    return links if links[0] else [[] for _ in people]


def contacts_of(
    people: Sequence[Person], links: Links, lines: Sequence[tuple[int, str]]
) -> list[Contact]:
    """For each person the address, and whether to write to it.

    `lines` are the zones in which there may be addresses, and their texts.
    """
    emails = [person.email for person in people]
    called = {rank for rank, person in enumerate(people) if person.corresponding}
    starred = sorted(called)
    left = MOST_COMPARED // max(1, len(people))
    for zone, text in lines:
        owners: list[int | None] = []
        if any(map(text.__contains__, _AT)):
            mails = list(islice(_mails(text), left))
            left -= len(mails)
            named = [rank for rank, person in enumerate(people) if person.name in text]
            owners = [_owner(mail, zone, named, people, links) for mail in mails]
            for mail, rank in zip(mails, owners, strict=True):
                if rank is not None and mail.address not in emails:
                    emails[rank] = emails[rank] or mail.address
        if not starred:
            called |= _asked_for(text, owners, people)
    if not called and not (len(people) > 1 and all(emails)):
        # Where all have an address, it says nothing; nor where the page states whom to write to.
        called = {rank for rank, mail in enumerate(emails) if mail}
    return [Contact(mail, rank in called) for rank, mail in enumerate(emails)]


def _asked_for(text: str, owners: Sequence[int | None], people: Sequence[Person]) -> set[int]:
    """Whom a text says to write to: whose addresses it has, and whom it names."""
    asked = {rank for rank in owners if rank is not None}
    if asked and not _CORRESPONDING.search(text):
        asked = set()
    if CUES["correspondence"].match(text) and len(owners) <= MOST_LETTERS:
        asked |= {rank for rank, person in enumerate(people) if person.name in text}
    return asked


class Mail(NamedTuple):
    """An address in a text, what is between it and the one before, and what follows it."""

    address: str
    before: str
    behind: str


def _mails(text: str) -> Iterator[Mail]:
    """The addresses in a text; ``{king, lind}@tea.org`` are two."""
    for several in _SEVERAL.finditer(text):
        for local in re.split(r"[\s,;|]+", several[1].strip()):
            yield Mail(f"{local}@{several[2]}", "", "")
    at = 0
    for written in EMAIL.finditer(text):
        if not written[0][-1].isdigit():  # "a processor @ 2.40 GHz"
            address = re.sub(r"\s", "", written[0])
            behind = text[written.end() : written.end() + LONGEST_BEHIND]
            yield Mail(address, text[at : written.start()], behind)
        at = written.end()


def _owner(
    mail: Mail, zone: int, named: Sequence[int], people: Sequence[Person], links: Links
) -> int | None:
    """Whose it is: who is called behind it; by its letters; who is named, or alone, beside it.

    `named` are the persons whom the text names.
    """
    called = _called(mail.behind, people)
    if called is None:
        called = _spelled(re.split(r"@|[(\[/]at[)\]/]", mail.address.lower())[0], people)
    if called is not None:
        return called
    before = [rank for rank, person in enumerate(people) if person.name in mail.before]
    if len(before) == 1:
        return before[0]
    near = named or _located(links, zone)
    near = near or [rank for rank, person in enumerate(people) if "*" in person.marks]
    return near[0] if len(near) == 1 else None


def _called(rest: str, people: Sequence[Person]) -> int | None:
    """The person whose initials are in brackets at the beginning of a text."""
    brackets = IN_BRACKETS.match(rest)
    return _signed(letters(brackets[1]), people) if brackets else None


def _signed(sign: str, people: Sequence[Person]) -> int | None:
    """The only person who may be called so for short."""
    fits = [rank for rank, person in enumerate(people) if sign in signs_of(person.name)]
    return fits[0] if len(fits) == 1 else None


def _spelled(local: str, people: Sequence[Person]) -> int | None:
    """The person whose name, a part of it, or initials the letters of an address are."""
    local = " ".join((local, _UMLAUT.sub(r"\1", local)))
    divided = [_words_of(person.name) for person in people]
    families = ["".join(family) for _, family in divided]
    fits = [rank for rank, name in enumerate(families) if len(name) > SHORTEST and name in local]
    if fits:  # family names tell more than given ones
        return fits[0]
    parts = [family for _, family in divided]
    for names in (parts, [("".join(given),) for given, _ in divided]):
        fits = [
            rank
            for rank, parts_of_name in enumerate(names)
            if any(len(part) > SHORTEST and part in local for part in parts_of_name)
        ]
        if len(fits) == 1:
            return fits[0]
    return _signed(local.split()[0], people)


def _located(links: Links, zone: int) -> list[int]:
    """The persons who are at a place that is in a zone."""
    return [
        rank for rank, places in enumerate(links) if any(zone in place.again for place in places)
    ]


# Lines that say who is named below them

LONGEST_ROLE = 4  # words of a line that says who is named below
_TO_WHOM = re.compile(r"\W*(?:author )?(?:for )?correspondence(?: to)?\W*$", re.IGNORECASE)


def is_editors(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone is about an editor, or is below a line that says so."""
    above = texts[zone - 1] if zone else ""
    named = len(above.split()) <= LONGEST_ROLE and CUES["editor"].match(above)
    return bool(CUES["editor"].match(texts[zone]) or named)


def is_letter(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone is below a line that says to whom to write."""
    above = texts[zone - 1] if zone else ""
    return bool(_TO_WHOM.match(above)) and len(above.split()) <= LONGEST_ROLE


def with_role(texts: Sequence[str], zone: int) -> str:
    """The text of a zone, behind the line above that says to whom to write."""
    return f"{texts[zone - 1]} {texts[zone]}" if is_letter(texts, zone) else texts[zone]
