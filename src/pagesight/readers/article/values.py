"""From labelled zones to values: title, persons, places, abstract and references."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article import citations
from pagesight.readers.article.cues import CUES, JOURNAL, SHORT_PIECES
from pagesight.readers.article.han import has_han
from pagesight.readers.article.headed import (
    before_sections,
    before_text,
    headed_abstract,
    without_tail,
)
from pagesight.readers.article.headings import heading_kinds
from pagesight.readers.article.identifiers import DOI, YEAR
from pagesight.readers.article.labels import AFFILIATIONS, FIELDS
from pagesight.readers.article.lexicon import INSTITUTION
from pagesight.readers.article.linking import (
    Contact,
    contacts_of,
    distinct,
    links_by_name,
    links_of,
    nested_places,
    unaddressed,
)
from pagesight.readers.article.marks import SIGNS
from pagesight.readers.article.persons import (
    Person,
    Piece,
    bare_name,
    divide,
    is_group,
    is_name,
    is_sure_name,
    persons,
)
from pagesight.readers.article.places import (
    Place,
    is_likely_place,
    may_read_like_place,
    places,
    says_it_is_place,
)
from pagesight.readers.article.profiles import identify
from pagesight.readers.article.reading import (
    Abstract,
    Affiliation,
    Author,
    LabelledZone,
    Reference,
    Section,
    Value,
)
from pagesight.readers.article.reviews import NEAR_TITLE, is_review, reviewers
from pagesight.readers.article.signed import noted_places, signed_places, signed_zones
from pagesight.readers.article.text import is_other_script
from pagesight.readers.article.unseen import unseen_places, with_unseen_names
from pagesight.readers.article.words import rejoined
from pagesight.readers.article.zones import Zones

FRONT = ("title", "author", "affiliation", "dates", "correspondence")
LONGEST_ABSTRACT = 420  # words, but for sections with headings
FEWEST_BEFORE = 40  # words of an abstract by whose look it is told from the text
MOST_ALIKE = 4  # paragraphs that are looked at
OTHER_SIZE = 0.015  # by which the text of a PDF is larger or smaller than its abstract
SURE = 0.5  # the confidence from which a label is believed
UNSURE = 0.9  # the confidence below which the largest line is title although labelled otherwise
SUBTITLE = 0.75  # of the size of the title; what is smaller is no part of it
FEWEST_TITLE, LONGEST_TITLE = 3, 50  # words of a title
LONGEST_KEYWORD = 4  # words, of one that has a line to itself
LONGEST_NOTE = 200  # words of a zone that holds places
LONGEST_PLACE = 40  # words of a place to which nothing points
LONGEST_LEAD = 120  # characters of such a zone in which the first mark stands
LONGEST_INSTITUTION = 10  # words of a line that names an institution without its place
LONGEST_ROLE = 4  # words of a line that says who is named below
LONGEST_BETWEEN = 60  # words of a zone between names
NEAR = 40  # zones around an author in which others may stand
_TO_WHOM = re.compile(r"\W*(?:author )?(?:for )?correspondence(?: to)?\W*$", re.IGNORECASE)
_PUBLISHED = re.compile(r"publish|online|issue|volume|vol\.|©|copyright", re.IGNORECASE)
_PAID = re.compile(r"\W*(?:\d+\W+)?(?:funding|acknowledge?ments?|disclosures?)\W*$", re.IGNORECASE)
_STARTS_WITH_MARK = re.compile(
    rf"(?:^|[|.;,]\s*)[(\[]?(?:\d{{1,2}}|[a-z]|[{SIGNS}]{{1,3}})[)\].]?\s?[A-Z]"
)
SURE_GROUP = re.compile(
    r"(?:the )?(?-i:[A-Z][\w-]*)(?: [\w&-]+){0,8} (?:collaborations?|consortium|investigators|"
    r"(?:study|working|research|trial) group|task force|trialists|collaborators)", re.IGNORECASE
)  # fmt: skip
_KEYWORDS = re.compile(r"\s*[;,•·|；，、]\s*|\s[–—]\s")
_FOOTNOTE = re.compile(r"[\s]*[*†‡§¶#☆★✩∗]+$")
_ABSTRACT = re.compile(
    rf"(?:{CUES['abstract'].pattern}|a\ b\ s\ t\ r\ a\ c\ t)\s*[:：.—–-]*\s*(?=[^\W_]|[“(\[])",
    re.IGNORECASE | re.VERBOSE,
)
_INLINE_HEADING = re.compile(r"([A-Z][\w/&’' -]{2,45}?)\s*[:.—–]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Around:
    """The element around some zones, which is looked for when its address is asked for."""

    zones: Zones
    own: list[int]

    @property
    def xpath(self) -> str:
        return self.zones.element(self.own).xpath

    @property
    def css(self) -> str:
        return self.zones.element(self.own).css


@dataclass(frozen=True, eq=False)
class LabelledZones:
    """Zones with the label of each and how sure the model is of it."""

    zones: Zones
    labels: list[str]
    confidence: NDArray[np.float64]

    def of(self, *labels: str) -> list[int]:
        """The zones that have one of these labels."""
        return sorted(zone for label in labels for zone in self._by_label.get(label, ()))

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for zone, label in enumerate(self.labels):
            found.setdefault(label, []).append(zone)
        return found

    def value(self, text: str, zones: list[int]) -> dict[str, object]:
        """What every value has, of these zones."""
        element = Around(self.zones, zones)
        return {
            "text": text,
            "confidence": float(self.confidence[zones].sum()) / len(zones),
            "xpath": element,
            "css": element,
            "box": self.zones.box_of(zones),
        }

    def runs(self, label: str, gap: int = 1) -> list[list[int]]:
        """The zones of a label, in runs with no more than `gap` - 1 others in between."""
        runs: list[list[int]] = []
        for zone in self.of(label):
            if runs and zone - runs[-1][-1] <= gap:
                runs[-1].append(zone)
            else:
                runs.append([zone])
        return runs


def title(labelled: LabelledZones) -> Value | None:
    """The title: of several places the surest, without its footnote marks."""
    runs = labelled.runs("title") or _largest_line(labelled)
    if not runs:
        return None
    best = max(runs, key=lambda run: (labelled.confidence[run].mean(), -run[0]))
    lines = _title_lines(labelled, best)
    text = " ".join(_without_end_marks(labelled.zones, zone) for zone in lines)
    return Value(**labelled.value(_FOOTNOTE.sub("", text), lines))  # type: ignore[arg-type]


def _largest_line(labelled: LabelledZones) -> list[list[int]]:
    """Where no zone is labelled as the title: the largest line above the authors."""
    zones, authors = labelled.zones, labelled.of("author")
    above = [
        zone
        for zone in range(authors[0] if authors else 0)
        if FEWEST_TITLE <= zones.words[zone] <= LONGEST_TITLE and not zones.kinds[zone]
    ]
    return [[max(above, key=lambda zone: (zones.font_size[zone], zone))]] if above else []


def _title_lines(labelled: LabelledZones, run: list[int]) -> list[int]:
    """The zones of the title: with a larger line above, without what is small or to be clicked."""
    size, texts = labelled.zones.font_size, labelled.zones.texts
    above = run[0] - 1
    if above >= 0 and size[above] > size[run].max() and labelled.confidence[above] < UNSURE:
        run = [above, *run]  # the line that was labelled is a subtitle
    largest = size[run].max()
    return [
        zone
        for zone in run
        if size[zone] >= SUBTITLE * largest
        and (zone == run[0] or not CUES["action"].match(texts[zone]))
    ]


def _without_end_marks(zones: Zones, zone: int) -> str:
    """The text of a zone without the superscripts at its end that point to footnotes."""
    start, stop = int(zones.first[zone]), int(zones.first[zone + 1])
    while stop - 1 > start and zones.raised[stop - 1] and _is_mark(zones.pieces[stop - 1]):
        stop -= 1
    text = " ".join("".join(zones.spelled[start:stop]).split())
    return rejoined(text) if zones.page.info.media == "pdf" else text


def _is_mark(text: str) -> bool:
    return bool(re.fullmatch(r"[\s\d,*†‡§¶#☆★a-c∗]{1,6}", text))


def abstract(labelled: LabelledZones) -> Abstract | None:
    """The abstract with its sections."""
    best = _main_abstract(labelled)
    if not best:
        return None
    texts = labelled.zones.texts
    sections: list[Section] = []
    for zone in best:
        heading = _heading_before(labelled, zone)
        found, text = _inline_heading(without_tail(_unheaded(texts[zone])))
        if not heading and not found and sections:
            last = sections.pop()
            sections.append(Section(heading=last.heading, text=f"{last.text}\n{text}"))
        else:
            sections.append(Section(heading=heading or found, text=text))
    text = "\n".join(_section_text(section) for section in sections)
    return Abstract(**labelled.value(text, best), sections=tuple(sections))  # type: ignore[arg-type]


def _main_abstract(labelled: LabelledZones) -> list[int]:
    """The zones of the abstract: below its heading, if it has one; otherwise as labelled.

    Where an abstract ends is told better by the next heading than by the labels.
    """
    runs: list[list[int]] = []
    for zone in before_sections(labelled.zones.texts, labelled.of("abstract")):
        between = labelled.labels[runs[-1][-1] + 1 : zone] if runs else ["none"]
        if all(label == "abstract heading" for label in between):
            runs[-1].append(zone)
        else:
            runs.append([zone])
    texts, labels = labelled.zones.texts, labelled.labels

    def weight(run: list[int]) -> tuple[bool, float]:
        headed = run[0] > 0 and labels[run[0] - 1] == "abstract heading"
        return headed, float(sum(labelled.confidence[zone] * len(texts[zone]) for zone in run))

    best = max(runs, key=weight, default=[])
    titles = labelled.of("title")
    start = titles[-1] + 1 if titles else 0
    if headed := _headed(texts, start, own=bool(titles) and is_other_script(texts[titles[0]])):
        return headed
    if any(SHORT_PIECES.match(text) for text in texts[max(start - NEAR_TITLE, 0) : start + 2]):
        return []
    own = _with_sections(texts, _trimmed(labelled, best))
    last = max(labelled.of(*FRONT), default=start - 1)
    return own or before_text(texts, last + 1) or _by_look(labelled, start)


def _with_sections(texts: Sequence[str], own: list[int]) -> list[int]:
    """An abstract whose sections begin with headings, with those that follow it."""
    while own and own[-1] + 1 < len(texts) and _inline_heading(texts[own[-1]])[0]:
        if not _inline_heading(texts[own[-1] + 1])[0]:
            break
        own = [*own, own[-1] + 1]
    return own


def _headed(texts: Sequence[str], start: int, *, own: bool) -> list[int]:
    """The abstract that has a heading; if `own`, first that in the letters of the title."""
    same = [text if is_other_script(text) else "" for text in texts] if own else []
    return headed_abstract(same, start) or headed_abstract(texts, start)


def _trimmed(labelled: LabelledZones, run: list[int]) -> list[int]:
    """An abstract without the paragraphs that make it longer than abstracts are."""
    kept: list[int] = []
    total = 0
    for zone in _in_one_look(labelled.zones, run):
        total += len(labelled.zones.texts[zone].split())
        if kept and total > LONGEST_ABSTRACT and not _heading_before(labelled, zone):
            break
        kept.append(zone)
    return kept


def _by_look(labelled: LabelledZones, start: int) -> list[int]:
    """The first paragraph of a PDF, if it looks otherwise than those that follow it."""
    zones = labelled.zones
    if zones.page.info.media != "pdf":
        return []
    others = {*labelled.of("author", "reference", *AFFILIATIONS, "correspondence")}
    long = np.flatnonzero(zones.words >= FEWEST_BEFORE).tolist()
    wordy = [zone for zone in long if zone >= start and zone not in others]
    first = _in_one_look(zones, wordy[:MOST_ALIKE])
    size = zones.words[first].sum()
    return first if len(first) < len(wordy[:MOST_ALIKE]) and size <= LONGEST_ABSTRACT else []


def _in_one_look(zones: Zones, run: list[int]) -> list[int]:
    """Zones up to where a PDF goes on otherwise than its abstract: in another size, not bold."""
    if zones.page.info.media != "pdf" or not run or zones.words[run[0]] < FEWEST_BEFORE:
        return run
    first = run[0]
    size = zones.font_size
    others = (
        rank
        for rank, zone in enumerate(run)
        if zones.words[zone] >= FEWEST_BEFORE
        and (
            zones.bold[zone] != zones.bold[first]
            or zones.italic[zone] != zones.italic[first]
            or abs(size[zone] - size[first]) > OTHER_SIZE * size[first]
        )
    )
    return run[: next(others, len(run))]


def _section_text(section: Section) -> str:
    return f"{section.heading}: {section.text}" if section.heading else section.text


def _heading_before(labelled: LabelledZones, zone: int) -> str:
    """The heading of a section, if one stands in front of the zone."""
    if zone and labelled.labels[zone - 1] == "abstract heading":
        text = labelled.zones.texts[zone - 1]
        if "abstract" not in heading_kinds(text):
            return text.strip(" :.[]")
    return ""


def _unheaded(text: str) -> str:
    """An abstract without ``Abstract`` in the same zone."""
    found = _ABSTRACT.match(text)
    return text[found.end() :] if found else text


def _inline_heading(text: str) -> tuple[str, str]:
    found = _INLINE_HEADING.match(text)
    if found and "abstract part" in heading_kinds(found[1]):
        return found[1], text[found.end() :]
    return "", text


def keywords(labelled: LabelledZones) -> list[Value]:
    """The keywords, one by one."""
    found: list[Value] = []
    zones = labelled.zones
    runs = [run for run in labelled.runs("keywords") if _may_head_keywords(zones.kinds[run[0]])]
    for zone in (zone for run in runs for zone in _below_keywords(zones, run)):
        text = zones.texts[zone]
        if "keywords" in zones.kinds[zone] or CUES["citation"].match(text):
            continue
        if _inline_heading(text)[0]:
            continue
        if cue := CUES["keywords"].match(text):
            text = text[cue.end() :]
        parts = _KEYWORDS.split(text.strip(" .:;。：；"))
        if len(parts) == 1 and has_han(text):
            parts = parts[0].split()
        elif len(parts) == 1 and zones.page.info.media == "pdf":
            parts = _lines(zones, zone, parts[0])
        found += [Value(**labelled.value(part, [zone])) for part in parts if part.strip()]  # type: ignore[arg-type]
    return found[:40]


def _below_keywords(zones: Zones, run: list[int]) -> list[int]:
    """The zones of a run from the heading of keywords on, if it has one, up to a citation."""
    headed = [rank for rank, zone in enumerate(run) if "keywords" in zones.kinds[zone]]
    own = run[headed[0] :] if headed else run
    cited = (rank for rank, zone in enumerate(own) if DOI.search(zones.texts[zone]))
    return own[: next(cited, len(own))]


def _lines(zones: Zones, zone: int, text: str) -> list[str]:
    """The lines of a zone of a PDF, if they all stand in its text and none is long."""
    start, stop = zones.first[zone : zone + 2].tolist()
    found = [""]
    for at in range(start, stop):
        below = at > start and zones.spaced[at] and _is_below(zones, at)
        found += [""] if below else []
        found[-1] += zones.spelled[at]
    lines = [line.strip() for line in found]
    short = all(len(line.split()) <= LONGEST_KEYWORD and line in text for line in lines)
    return lines if short else [text]


def _is_below(zones: Zones, at: int) -> bool:
    box = zones.page.columns["box"]
    return bool(box[zones.nodes[at]][1] >= box[zones.nodes[at - 1]][1:4:2].sum() - 1)


def _may_head_keywords(kinds: frozenset[str]) -> bool:
    """Whether keywords may begin so: with no heading of something else."""
    return not kinds or "keywords" in kinds


def authors_and_affiliations(
    labelled: LabelledZones,
) -> tuple[tuple[Author, ...], tuple[Affiliation, ...]]:
    """Persons and places, linked by marks, by nesting or by order."""
    zones = labelled.zones
    author_zones = _main_authors(labelled)
    found = persons(_pieces(zones, author_zones))
    identify(zones.page, found)
    zone_of = {node: zone for zone in author_zones for node in zones.nodes_of(zone)}
    for person in found:
        person.zones = [zone_of.get(node, author_zones[0]) for node in person.nodes]
    margins = signed_zones(zones, found) if zones.page.info.media == "pdf" else []
    signed = {zone for margin in margins for zone in margin}
    labelled_so = _affiliation_zones(labelled, author_zones)
    shown = places(zones, [zone for zone in labelled_so if zone not in signed])
    shown += signed_places(zones, margins) if margins else []
    shown += noted_places(zones, found) if not shown else []
    shown += _pointed_at(labelled, {mark for person in found for mark in person.marks}, shown)
    if not shown and not any(person.nested for person in found):
        shown = unseen_places(zones, found) or _unmarked_notes(labelled)
    shown = unaddressed(shown, found)
    named = links_by_name(found, shown)
    located = distinct([*shown, *unaddressed(nested_places(found), found)])
    ids = {id(place): f"aff{rank}" for rank, place in enumerate(located, start=1)}
    links = links_of(found, located, named)
    contacts = contacts_of(found, links, _letters(labelled))
    authors = [
        _author(labelled, person, tuple(ids[id(place)] for place in own), contact)
        for person, own, contact in zip(found, links, contacts, strict=True)
    ]
    affiliations = [
        Affiliation(**labelled.value(place.text, [place.zone]), id=ids[id(place)], mark=place.mark)  # type: ignore[arg-type]
        for place in located
    ]
    return tuple(authors), tuple(affiliations)


def _main_authors(labelled: LabelledZones) -> list[int]:
    """The author zones that belong together: those next to the title, if the model is sure."""
    texts, title = labelled.zones.texts, max(labelled.of("title"), default=-1)
    reviewing = reviewers(texts, title + 1)
    if reviewing and is_review(texts, title):
        return reviewing
    runs = labelled.runs("author", gap=30) or _first_name(labelled)
    if not runs:
        return reviewing
    sure = [run for run in runs if labelled.confidence[run].max() >= SURE]
    found = _in_own_letters(texts, _with_alike(labelled, (sure or runs)[0]))
    kept = [
        zone
        for zone in found
        if not _is_editors(texts, zone)
        and not says_it_is_place(texts[zone])
        and not _is_letter(texts, zone)
    ]
    named = [zone for zone in kept if not CUES["correspondence"].match(texts[zone])]
    return named or kept or reviewing


def _in_own_letters(texts: Sequence[str], found: list[int]) -> list[int]:
    """Zones without those that say the same in English, where the first is in other letters."""
    own = [zone for zone in found if is_other_script(texts[zone])]
    return own if found[:1] == own[:1] else found


def _is_editors(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone is about an editor, or stands below a line that says so."""
    above = texts[zone - 1] if zone else ""
    named = len(above.split()) <= LONGEST_ROLE and CUES["editor"].match(above)
    return bool(CUES["editor"].match(texts[zone]) or named)


def _is_letter(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone stands below a line that says to whom to write."""
    above = texts[zone - 1] if zone else ""
    return len(above.split()) <= LONGEST_ROLE and bool(_TO_WHOM.match(above))


def _first_name(labelled: LabelledZones) -> list[list[int]]:
    """Where no zone is labelled so: the first after the title that can hardly be but a name."""
    texts, last = labelled.zones.unmarked, max(labelled.of("title"), default=len(labelled.labels))
    for zone in range(last + 1, min(last + NEAR, len(texts))):
        name = bare_name(texts[zone])
        if is_sure_name(name) or SURE_GROUP.fullmatch(name):
            return [[zone]]
    return []


def _with_alike(labelled: LabelledZones, authors: list[int]) -> list[int]:
    """The author zones, and names near them in elements like theirs: a list repeats itself."""
    zones = labelled.zones
    if zones.page.info.media == "pdf":
        return authors
    kinds = {zones.kind_of(zones.nodes_of(zone)[0]) for zone in authors}
    found, at, last = set(authors), max(authors[0] - NEAR, 0), authors[-1]
    while at < min(last + NEAR, len(zones)) and (at <= authors[-1] or not _ends_names(zones, at)):
        if (
            labelled.labels[at] not in ("title", "reference")
            and zones.kind_of(zones.nodes_of(at)[0]) in kinds
            and is_name(bare_name(zones.unmarked[at]))
        ):
            found.add(at)
            last = max(last, at)
        at += 1
    return sorted(found)


def _ends_names(zones: Zones, zone: int) -> bool:
    """Whether no list of authors goes on behind a zone: names below are those of other articles."""
    text = zones.texts[zone]
    return bool(heading_kinds(text)) or len(text.split()) > LONGEST_BETWEEN


def _affiliation_zones(labelled: LabelledZones, authors: Sequence[int]) -> list[int]:
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
    kept = _in_own_letters(
        zones.texts,
        sorted(zone for zone in found if zone - 1 in authors or not _is_editors(zones.texts, zone)),
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


def _pointed_at(labelled: LabelledZones, marks: set[str], known: Sequence[Place]) -> list[Place]:
    """Places that begin with a mark that an author has, and no place: notes at the foot, say."""
    missing = marks - {place.mark for place in known}
    if not missing or (known and not any(place.mark for place in known)):
        return []
    zones = labelled.zones
    beside = {at for place in known for at in (place.zone - 1, place.zone + 1)}
    found: list[Place] = []
    for zone in _notes(labelled):
        if _STARTS_WITH_MARK.search(zones.texts[zone][:LONGEST_LEAD]):
            found += [
                place
                for place in places(zones, [zone])
                if place.mark in missing
                and ((zone in beside and place.mark.isalnum()) or is_likely_place(f"{place.text},"))
            ]
    return found


def _unmarked_notes(labelled: LabelledZones) -> list[Place]:
    """Places at the foot of a sheet, or behind all, that nothing points to."""
    zones = labelled.zones
    if zones.page.info.media != "pdf":
        return []
    found = [
        zone
        for zone in sorted({*_notes(labelled), *labelled.of("after")})
        if zones.words[zone] <= LONGEST_PLACE
        and INSTITUTION.search(" ".join(zones.texts[zone].split()[:LONGEST_INSTITUTION]))
        and is_likely_place(zones.unmarked[zone])
    ]
    return places(zones, found)


def _notes(labelled: LabelledZones, sheets: int = 1) -> list[int]:
    """The zones up to the sheet of the title that may be notes to it, or further `sheets`."""
    zones = labelled.zones
    dull = {*labelled.of("before", *FIELDS, *AFFILIATIONS, "reference part", "citing")}
    titles = labelled.of("title")
    last = (max(1, int(zones.sheet[titles[-1]])) if titles else 1) + sheets - 1
    short = np.flatnonzero((zones.sheet <= last) & (zones.words <= LONGEST_NOTE))
    return [zone for zone in short.tolist() if zone not in dull]


def _below_headings(zones: Zones, is_wanted: Callable[[int], bool]) -> set[int]:
    """The zones that follow a heading that is wanted, up to the next heading."""
    headings = [zone for zone, kinds in enumerate(zones.kinds) if kinds]
    found: set[int] = set()
    for heading, end in pairwise([*headings, len(zones)]):
        if is_wanted(heading):
            found.update(range(heading + 1, end))
    return found


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
        found |= {*_notes(labelled, sheets=2), *labelled.of("after"), *margin}
    return [(zone, _with_role(texts, zone)) for zone in sorted(found)]


def _with_role(texts: Sequence[str], zone: int) -> str:
    return f"{texts[zone - 1]} {texts[zone]}" if _is_letter(texts, zone) else texts[zone]


def _author(
    labelled: LabelledZones, person: Person, affiliations: tuple[str, ...], contact: Contact
) -> Author:
    given, family = divide(person.name)
    place = labelled.value(f"{person.name} {person.suffix}".strip(), person.zones[:1])
    node = labelled.zones.page[person.node].parent
    if node is not None:
        place |= {"xpath": node, "css": node}
    return Author(
        **place,  # type: ignore[arg-type]
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


def references(labelled: LabelledZones) -> tuple[Reference, ...]:
    """The references, one by one."""
    return tuple(
        Reference(
            **labelled.value(item.text, item.zones),  # type: ignore[arg-type]
            number=item.number,
            year=item.year,
            doi=item.doi,
            url=item.url,
        )
        for item in citations.items(labelled.zones, labelled.labels)
    )


def labelled_zones(labelled: LabelledZones) -> tuple[LabelledZone, ...]:
    """The zones that are more than text, navigation, links in references and the like."""
    dull = ("before", "body", "after", "front", "reference part")
    return tuple(
        LabelledZone(**labelled.value(labelled.zones.texts[zone], [zone]), label=label)  # type: ignore[arg-type]
        for zone, label in enumerate(labelled.labels)
        if label not in dull
    )


def doi(labelled: LabelledZones) -> str | None:
    """The DOI that the front matter shows most often."""
    end = min(labelled.of("body", "reference"), default=len(labelled.labels))
    start = max(end - 400, 0)
    found = [mail for zone in range(start, end) for mail in DOI.findall(labelled.zones.texts[zone])]
    return max(found, key=found.count) if found else None


def year(labelled: LabelledZones) -> str | None:
    """The year in which the front matter says that the article was published."""
    front = labelled.of("dates", "front", "before")
    said = [labelled.zones.texts[zone] for zone in front]
    published = [text for text in said if _PUBLISHED.search(text) or JOURNAL.search(text)]
    years = [found[:4] for text in published for found in YEAR.findall(text)]
    return max(years, key=years.count) if years else None
