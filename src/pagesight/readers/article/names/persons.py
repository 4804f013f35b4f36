"""Persons: the names in author zones, with their marks, degrees and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pagesight.readers.article.text import (
    ASTERISKS,
    BRACKETED,
    EMAIL,
    LEADING,
    NOTHING_ELSE,
    ORCID,
    TRAILING,
    has_han,
    has_hangul,
    marks_in,
    without_brackets,
)
from pagesight.readers.article.vocabulary import (
    AND,
    BY,
    BY_UNSPACED,
    GENERAL,
    GROUP,
    MORE_DEGREES,
    NOT_IN_NAMES,
    PARTICLES,
    PERHAPS_AND,
    SUFFIXES,
    ends_with_group,
    log_odds,
    names_institution,
    unwrapped,
    word_table,
)
from pagesight.segment.text import SIGNS, folded, letters, words

SURE = 1.0  # log-odds per word from which a text can hardly be anything but a name
LONGEST_RUSSIAN = 3  # words of a name with that of the father
LONGEST_PLACE, MOST_IN_PLACE = 600, 60  # characters and words of an affiliation
LONGEST_BESIDE = 200  # characters of a name and of what is around it
LEAST_LIKELY = -2.0  # of a name, per word: "France" and "Grace" are names as well

_WITHIN_FAMILY = frozenset("eiy")  # Ortega y Gasset, Costa e Silva, Puig i Cadafalch
_SEPARATOR = re.compile(r"[,;·•|]|\s[-–—]\s")
_AND = re.compile(rf"(?<![\w'])(?:{AND})(?![\w'])")
_AND_AT_END = re.compile(rf"^(?:{AND}|{PERHAPS_AND})\s+|\s+(?:{AND}|{PERHAPS_AND})$")
_PERHAPS_AND = re.compile(rf"(?:(?<=\s)|^)(?:{PERHAPS_AND})(?=\s|$)")
_ADDRESS = re.compile(r"(?:https?://|www\.|orcid\.org/)\S+", re.IGNORECASE)
_PHRASE = re.compile(unwrapped(GENERAL["beside_names"]), re.IGNORECASE)
_ASIDE = re.compile(r"\([^)]{0,300}\)|\[[^\]]{0,300}\]")  # longer ones would take long to find
_CORRESPONDING = re.compile(r"correspond|e-?mail|contact|✉|\*", re.IGNORECASE)
_BY = re.compile(
    rf"^(?:e-?mails?(?: address(?:es)?)?\s*:|(?:{BY})\b:?|(?:{BY_UNSPACED})[:：])\s*", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"[（(]([^（）()]{1,300})[)）]")
_CITED = re.compile(r"\(\s?(?:1[89]|20)\d\d[a-z]?\s?\)")
_PATRONYMIC = re.compile(r"(?:вич|вна|ична)$")
_NEVER_IN_NAME = re.compile(r"[\d;:]")


@dataclass(frozen=True, slots=True)
class NameText:
    """A text of an author zone, as one element has it."""

    text: str
    node: int
    raised: bool = False
    link: int = -1
    target: str = ""
    begins: bool = False  # the first of its zone


@dataclass(slots=True)
class Person:
    """A name while its surroundings are read."""

    name: str
    node: int  # the text that names it
    nodes: list[int] = field(default_factory=list)  # and those that name it again
    marks: list[str] = field(default_factory=list)
    degrees: list[str] = field(default_factory=list)
    suffix: str = ""
    orcid: str | None = None
    email: str | None = None
    corresponding: bool = False
    nested: list[str] = field(default_factory=list)  # affiliations beside the name
    zones: list[int] = field(default_factory=list)  # where it is named


def persons(pieces: Iterable[NameText]) -> list[Person]:
    """The persons that author zones name, in their order, each once."""
    parser = _Parser()
    for piece in pieces:
        parser.take(piece)
    return once(parser.finished())


def placed_persons(lines: Sequence[tuple[str, int]]) -> list[Person]:
    """``Ada King, University of Kyoto; Bo Lind, Lund Labs``: persons, each with a place behind.

    `lines` are texts, each with its node. There are none in other texts.
    """
    entries = [
        (name.strip(), place.strip(" ,"), node)
        for text, node in lines
        for name, _, place in (part.partition(",") for part in text.strip(" ;.").split(";"))
    ]
    named = all(" " in name and is_name(name) for name, _, _ in entries)
    if not named or not names_institution(" ".join(place for _, place, _ in entries)):
        return []
    people = [Person(name, node, nested=[place]) for name, place, node in entries]
    return people if all(map(_is_placed, people)) else []


def _is_placed(person: Person) -> bool:
    """Whether what is behind a name may be a place, and not a group or the next name."""
    place = person.nested[0]
    other = names_institution(person.name) or is_group(place) or is_sure_name(place.split(",")[0])
    return bool(place) and not other


class _Parser:
    def __init__(self) -> None:
        self.persons: list[Person] = []
        self.text = ""
        self.node = -1
        self.link = -1
        self.ended = False  # a year has ended the names of the zone
        self.pending: list[str] = []  # marks of the name that is being read

    def finished(self) -> list[Person]:
        self._flush()
        return self.persons

    def take(self, piece: NameText) -> None:
        if piece.begins or (not piece.raised and self._is_whole(piece)):
            self._flush()
        self.ended &= not piece.begins
        if self.ended:
            return
        if year := _CITED.search(piece.text):  # "King, Ada (2011) What is a citation?"
            self.ended, piece = True, replace(piece, text=piece.text[: year.start()])
        self.link = piece.link
        if piece.target and self._take_target(piece.target, piece.text):
            return
        if piece.raised:
            self._take_marks(piece.text)
        elif is_place(_IN_BRACKETS.sub(" ", piece.text)):
            self._flush()
            if self.persons:
                place = " ".join(piece.text.split()).strip(" ,;")
                self.persons[-1].nested.append(without_brackets(place))
        else:
            self._take_text(piece)

    def _is_whole(self, piece: NameText) -> bool:
        """Whether what was read so far is a name by itself: a link, or what goes on is none."""
        text = _stripped(self.text)
        if " " not in text or not is_name(text):
            return False
        apart = piece.link != self.link and (piece.text[:1].isupper() or self.link >= 0)
        return apart or not is_name(_stripped(f"{self.text} {piece.text}"))

    def _take_target(self, target: str, text: str) -> bool:
        """Addresses in links; True if the text of the link says nothing more."""
        address = EMAIL.search(target[7:]) if target.startswith("mailto:") else None
        profile = "orcid" in target and ORCID.search(target)
        if not (address or profile) or is_name(_stripped(text)):
            return False
        self._flush()
        if address:
            self._add_email(address[0])
        return True

    def _add_email(self, address: str) -> None:
        if self.persons:
            self.persons[-1].email = self.persons[-1].email or re.sub(r"\s", "", address)

    def _take_marks(self, text: str) -> None:
        marks = marks_in(text)
        if self.text.strip(" ,;&"):
            self.pending += marks
        elif self.persons:
            self.persons[-1].marks += marks

    def _take_text(self, piece: NameText) -> None:
        at = 0
        for brackets in _IN_BRACKETS.finditer(piece.text):
            if names_institution(brackets[1]):
                self._take_list(replace(piece, text=piece.text[at : brackets.start()]))
                self._flush()
                self._add_place(brackets[1])
                at = brackets.end()
        self._take_list(replace(piece, text=piece.text[at:]))

    def _add_place(self, text: str) -> None:
        """A place in brackets is that of all who are named before and have none."""
        for person in reversed(self.persons):
            if person.nested:
                break
            person.nested.append(text)

    def _take_list(self, piece: NameText) -> None:
        text = _listed(re.sub(r"\s+", " ", piece.text).translate(ASTERISKS))
        for rank, part in enumerate(BRACKETED.split(given_first(text))):
            if rank % 2:
                self._take_marks(part)
            else:
                self._take_names(part, piece.node)

    def _take_names(self, text: str, node: int) -> None:
        at = 0
        for separator in _SEPARATOR.finditer(text):
            self._add(text[at : separator.start()], node)
            self._flush()
            at = separator.end()
        self._add(text[at:], node)

    def _add(self, text: str, node: int) -> None:
        if self.pending and text.strip() and self.text.strip():
            self._flush()  # a name ends with its marks
        if text.strip() and not self.text.strip():
            self.node = node
        self.text += text

    def _flush(self) -> None:
        text, self.text = self.text, ""
        marks, self.pending = self.pending, []
        self._take_part(text, marks)

    def _take_part(self, text: str, marks: list[str]) -> None:
        """Take a text between separators for what it is."""
        bare = _ADDRESS.sub(" ", EMAIL.sub(" ", text))
        trailing = TRAILING.search(" ".join(bare.split()))
        name, degrees, suffix = split_name(_without_notes(_stripped(bare)))
        if trailing:
            marks = marks_in(trailing[1]) + marks
        self._add_marks_before(bare)
        if name and is_name(name):
            person = Person(name, self.node, marks=marks, degrees=degrees, suffix=suffix)
            person.corresponding = "*" in marks or "✉" in text
            self.persons.append(person)
        elif self.persons:
            last = self.persons[-1]
            last.marks += marks or (marks_in(bare) if NOTHING_ELSE.fullmatch(bare) else [])
            last.degrees += degrees
            last.suffix = last.suffix or suffix
            last.corresponding |= bool(_CORRESPONDING.search(bare))
        for address in EMAIL.findall(text):
            self._add_email(address)
        if self.persons and (orcid := ORCID.search(text)):
            self.persons[-1].orcid = self.persons[-1].orcid or orcid[0]

    def _add_marks_before(self, text: str) -> None:
        """Marks before a name belong to the name before: ``Ada King,*† Bo Lindqvist``."""
        before = LEADING.match(text.strip())
        if before and self.persons and not self.persons[-1].marks:
            self.persons[-1].marks += marks_in(before[0])
            self.persons[-1].corresponding |= "*" in before[0]


def _stripped(text: str) -> str:
    """A text without marks, asides and addresses around a name."""
    text = _PHRASE.sub(" ", _ASIDE.sub(" ", _ADDRESS.sub(" ", text)))
    text = _BY.sub("", " ".join(text.split()))
    text = LEADING.sub("", text)
    text = TRAILING.sub("", text)
    return text.strip(f" ,;:{SIGNS}►↵-–—")


def bare_name(text: str) -> str:
    """A text without what is around a name: marks, addresses, notes, separators."""
    return _without_notes(_stripped(_AND_AT_END.sub("", text.strip(" ,;&"))))


def _listed(text: str) -> str:
    """A list of names with semicolons for words that mean "and"."""
    if has_han(text):
        from pagesight.readers.article.names.scripts import listed_han

        text = listed_han(text)
    return between_names(_AND.sub(";", text))


def between_names(text: str) -> str:
    """The same for words that are parts of names as well, where whole names are on both sides.

    ``Ada Ruiz y José Pérez`` are two persons, and ``José Ruiz y Pérez`` is one.
    """
    spelled = list(text)
    for word in reversed(list(_PERHAPS_AND.finditer(text))):
        start, end = word.span()
        before = "".join(spelled[max(start - LONGEST_BESIDE, 0) : start])
        behind = "".join(spelled[end : end + LONGEST_BESIDE])
        sides = (_SEPARATOR.split(before)[-1], _SEPARATOR.split(behind)[0])
        if all(not side or (" " in side and is_name(side)) for side in map(_stripped, sides)):
            spelled[start:end] = ";".ljust(end - start)
    return "".join(spelled)


def _without_notes(text: str) -> str:
    """A name without the small words behind it, such as the description of a picture."""
    parts = text.split()
    while len(parts) > 2 and parts[-1].islower() and parts[-1] not in PARTICLES:
        parts.pop()
    return " ".join(parts)


_TITLES = re.compile(
    r"(?:(?:dr|prof|professor|mr|mrs|ms|mme)(?:\.|(?=\s))\s*)+(?=\S)", re.IGNORECASE
)


def split_name(text: str) -> tuple[str, list[str], str]:
    """A name without the title in front, and the degrees and the suffix at its end, and these."""
    title = _TITLES.match(text)
    parts = text[title.end() if title else 0 :].split()
    degrees: list[str] = []
    suffix = ""
    while parts:
        key = folded(parts[-1]).replace(".", "").strip("() ")
        if key in SUFFIXES and len(parts) != 1 and not suffix:
            suffix = parts.pop()
        elif _is_degree(parts[-1], key, alone=len(parts) == 1):
            degrees.insert(0, parts.pop())
        elif len(parts) == 1 and key in SUFFIXES:
            suffix = parts.pop()
        else:
            break
    return " ".join(parts), degrees, suffix


def _is_degree(part: str, key: str, *, alone: bool) -> bool:
    if key not in MORE_DEGREES:
        return False
    capitals = sum(char.isupper() for char in part)
    # "Ma" is a name and "MA" may be initials, unless dots or length say otherwise.
    return capitals >= 2 and (len(key) > 2 or alone or key in ("md", "rn", "do"))


def is_place(text: str) -> bool:
    """Whether a text is an affiliation and nothing else."""
    if "," not in text or len(text) > LONGEST_PLACE:
        return False
    parts = text.split()
    if not 3 <= len(parts) <= MOST_IN_PLACE:
        return False
    capitals = sum(part[0].isupper() for part in parts)
    fits = capitals >= 0.6 * len(parts) - 2
    return fits and names_institution(text) and not ends_with_group(text)


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Whether a text may be the name of a person, or of a group of authors."""
    if has_han(text) or has_hangul(text):
        from pagesight.readers.article.names.scripts import is_eastern_name

        return is_eastern_name(text)
    parts = text.split()
    if not 1 <= len(parts) <= 7 or len(text) > 70 or _NEVER_IN_NAME.search(text):
        return False
    if is_group(text):
        return True
    bare = words(text)
    if not bare or NOT_IN_NAMES & set(bare):
        return False
    if any(not _may_be_in_name(part) for part in parts):
        return False
    return (len(parts) >= 2 or _is_listed(text)) and _likelihood(bare) > LEAST_LIKELY


def is_group(text: str) -> bool:
    """Whether a text is the name of a group of authors: a consortium, a collaboration."""
    return bool(GROUP.search(text)) and " " in text and text[:1].isupper()


def is_sure_name(text: str) -> bool:
    """Whether a text of several words is the name of a person, and of nothing else."""
    person = " " in text and is_name(text) and not is_group(text)
    return person and _likelihood([word for word in words(text) if word not in PARTICLES]) > SURE


def _may_be_in_name(part: str) -> bool:
    head = part.lstrip("('’‘\"“")[:1]
    if head.isupper() or not head.isalpha() or not (head.islower() or head.isupper()):
        return True
    if re.match(r"[a-z]{1,3}[A-Z]", part):  # dePamphilis
        return True
    return folded(part).strip(".'’") in PARTICLES or "-" in part or "'" in part or "’" in part


def _is_listed(text: str) -> bool:
    """Whether one word is known as a name, and not as a word that is much more frequent."""
    row = word_table().rows.get(folded(text), 0)
    counts = word_table().counts[row]
    names = counts[1] + counts[2]
    return len(text) > 2 and bool(row) and names > 5 and bool(counts[4] < 20 * names)


def _likelihood(bare: list[str]) -> float:
    """How much likelier the words are as names than as words of a text, per word."""
    return log_odds(bare, ("surname", "given"), ("abstract", "affiliation", "title"))


def given_first(text: str) -> str:
    """``King, Ada B.; Lindqvist, Bo`` as ``Ada B. King; Bo Lindqvist``; other texts as they are."""
    parts = [part for part in text.split(";") if part.strip()]
    turned = [f"{given} {family}" for family, _, given in (part.partition(",") for part in parts)]
    names = [" ".join(name.split()) for name in turned]
    listed = bool(parts) and all(part.count(",") == 1 for part in parts)
    family, _, given = text.partition(",")
    key = folded(given).replace(".", "").strip()
    single = " " not in key and key not in MORE_DEGREES | SUFFIXES  # who has but one name?
    last = [part for part in family.split() if not _is_particle(part)]
    sure = len(parts) > 1 or ((len(last) == 1 or single) and bool(key))
    whole = listed and sure and all(is_name(name) and split_name(name)[0] == name for name in names)
    return "; ".join(names) if whole else text


def once(people: Iterable[Person]) -> list[Person]:
    """Each person once; what is stated beside a repeated name belongs to the first."""
    first: dict[str, Person] = {}
    for person in people:
        known = first.setdefault(" ".join(words(person.name)), person)
        known.nodes.append(person.node)
        if known is not person:
            known.marks += [mark for mark in person.marks if mark not in known.marks]
            known.nested += [place for place in person.nested if place not in known.nested]
            known.orcid, known.email = known.orcid or person.orcid, known.email or person.email
            known.corresponding |= person.corresponding
    return list(first.values())


def divide(name: str, *, japanese: bool = False) -> tuple[str, str]:
    """Given and family name; particles belong to the family (``van der Berg``)."""
    if (has_han(name) or has_hangul(name)) and is_name(name):
        from pagesight.readers.article.names.scripts import divide_han

        return divide_han(name, japanese=japanese)
    parts = name.split()
    if len(parts) < 2 or is_group(name):
        return "", name
    if _PATRONYMIC.search(name) and len(parts) == LONGEST_RUSSIAN:  # Иванова Анна Петровна
        return " ".join(parts[1:]), parts[0]
    initials = len(parts) - 1
    while initials > 1 and _is_initials(parts[initials - 1]):
        initials -= 1
    if (
        _is_initials(parts[-1])
        and not any(map(_is_initials, parts[:initials]))
        and len(parts[0]) > 2
    ):
        return " ".join(parts[initials:]), " ".join(parts[:initials])  # King AM, King A. M.
    at = len(parts) - 1
    while at > 1 and _is_particle(parts[at - 1]):
        at -= 2 if parts[at - 1] in _WITHIN_FAMILY and at > 2 else 1
    return " ".join(parts[:at]), " ".join(parts[at:])


def _is_particle(part: str) -> bool:
    return folded(part).strip(".'’") in PARTICLES and not _is_initials(part)


def _is_initials(part: str) -> bool:
    return bool(re.fullmatch(r"(?:[A-ZА-ЯЁ]\.?-?){1,3}", part))


# Comparing names

_INITIALS = re.compile(r"[A-Z]{1,3}")
_SPACED_INITIALS = re.compile(r"(?:[A-Z]\.?[\s-]*)+")


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name, as far as it is compared."""

    given: str
    family: str

    @property
    def whole(self) -> str:
        """Given and family name."""
        return f"{self.given} {self.family}".strip()


def name_of(text: str) -> Name:
    """The name that a tag writes as ``Given Family``, ``Family, Given`` or ``Family GM``."""
    text = " ".join(text.split())
    if "," in text:
        family, given = text.split(",", 1)
        return Name(given.strip(), family.strip())
    given, _, family = text.rpartition(" ")
    if given and _INITIALS.fullmatch(family) and not _SPACED_INITIALS.fullmatch(given):
        return Name(family, given)
    return Name(given, family)


def same_person(one: Name, other: Name) -> bool:
    """Whether the folded family names are equal and the given names do not contradict.

    Where family and given name are divided differently (``van der Berg``), the words decide.
    """
    if letters(_core(one.family)) == letters(_core(other.family)):
        return _compatible(one.given, other.given)
    ours, theirs = (words(name.whole) for name in (one, other))
    return bool(ours) and sorted(ours) == sorted(theirs)


def _core(family: str) -> str:
    """A family name without its particles and suffix, which some write elsewhere."""
    parts = family.split()
    while len(parts) > 1 and folded(parts[-1]).strip(".,") in SUFFIXES:
        parts.pop()
    while len(parts) > 1 and parts[0].islower():
        parts.pop(0)
    return " ".join(parts)


def _compatible(one: str, other: str) -> bool:
    """Whether the first given names are equal, or one begins the other; initials may be glued."""
    ours, theirs = (
        words(" ".join(name) if _INITIALS.fullmatch(name) else name) for name in (one, other)
    )
    if not ours or not theirs:
        return ours == theirs
    if _INITIALS.fullmatch(one) or _INITIALS.fullmatch(other):
        return all(name[0] == same[0] for name, same in zip(ours, theirs, strict=False))
    short, long = sorted((ours[0], theirs[0]), key=len)
    return long.startswith(short) or letters(one) == letters(other)
