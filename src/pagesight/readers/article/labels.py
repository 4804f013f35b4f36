"""Labels: the visible zones that the known fields of an article talk about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.headed import headed_abstract
from pagesight.readers.article.lexicon import CUES, EMAIL, ORCID, YEAR, heading_kinds
from pagesight.readers.article.metrics import Name
from pagesight.readers.article.text import dice, words
from pagesight.readers.article.truth import Truth
from pagesight.readers.article.zones import Zones

FIELDS = ("title", "author", "affiliation", "abstract", "reference")
LABELS = (
    "before", "title", "author", "affiliation", "front", "dates", "correspondence",
    "abstract heading", "abstract", "keywords", "body", "reference heading", "reference",
    "reference part", "late affiliation", "citing", "after",
)  # fmt: skip
_STAGES = {"before": 0, "title": 1, "body": 3, "reference heading": 4, "reference": 4,
           "reference part": 4, "late affiliation": 5, "citing": 5, "after": 5}  # fmt: skip


def possible_transitions() -> NDArray[np.bool_]:
    """Which label may follow which: articles go from the title to the references, never back.

    What is true of authors and their like is in between, in any order. Affiliations may come late,
    before the references or after them.
    """
    stages = np.array([_STAGES.get(label, 2) for label in LABELS])
    possible: NDArray[np.bool_] = stages[None, :] >= stages[:, None]
    late = LABELS.index("late affiliation")
    possible[late, stages >= 3] = True
    possible[LABELS.index("before"), stages >= 2] = False  # nothing comes before the title
    return possible


LONGEST_AFFILIATION = 80  # words
MOST_BETWEEN = 14  # zones between two references: links to them

Words = list[str]
_ADDRESS = re.compile(
    rf"(?:https?://|www\.|orcid\.org)\S*|{EMAIL.pattern}|{ORCID.pattern}|view orcid profile|"
    r"search for more papers by this author|email author",
    re.IGNORECASE,
)  # what stands beside names


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """A label for each zone; what is known for certain; and the truth as far as it is visible."""

    labels: list[str]
    known: frozenset[str]  # fields whose labels come from the truth, not from headings
    truth: Truth
    repeated: frozenset[int] = frozenset()  # zones that name authors once more


def align(zones: Zones, truth: Truth) -> Labelling:
    """Label each zone by what it says."""
    return _Aligner(zones, truth).labelling()


class _Aligner:
    def __init__(self, zones: Zones, truth: Truth) -> None:
        self.zones, self.truth = zones, truth
        self.texts = zones.texts
        self.words = [words(text) for text in self.texts]
        self.unmarked = [
            words(_ADDRESS.sub(" ", bare)) if text is not bare or _ADDRESS.search(bare) else own
            for own, text, bare in zip(self.words, self.texts, zones.unmarked, strict=True)
        ]
        self.labels = ["" for _ in self.texts]
        self.known: set[str] = set()
        self.repeated: set[int] = set()

    def labelling(self) -> Labelling:
        title = self._title()
        self._put(title, "title")
        start = title[-1] if title else 0
        references = self._references()
        end = self._reference_start(references)
        abstract = self._abstract(start)
        self._put(abstract, "abstract")
        self._put(references, "reference")
        authors = self._authors(start)
        self._put(authors, "author")
        self._put(self._affiliations(), "affiliation")
        self._rest(start, end)
        return Labelling(
            labels=self.labels,
            known=frozenset(self.known),
            truth=self._visible_truth(),
            repeated=frozenset(self.repeated),
        )

    def _put(self, zones: Iterable[int], label: str) -> None:
        for zone in zones:
            if not self.labels[zone]:
                self.labels[zone] = label
                if label in FIELDS:
                    self.known.add(label)

    # title

    def _title(self) -> list[int]:
        """The zones that say one of the titles; of several places, the largest, then the first."""
        best: tuple[float, int, list[int]] | None = None
        for title in self.truth.titles:
            for place in self._places_of(title):
                score = (float(self.zones.font_size[place].max()), -place[0], place)
                best = max(best, score) if best else score
        return best[2] if best else []

    def _places_of(self, title: str) -> list[list[int]]:
        wanted = words(title)
        size = sum(map(len, wanted))
        found = []
        for zone, own in enumerate(self.words):
            if not own or own[0] != wanted[0]:
                continue
            place, joined = [zone], "".join(own)
            while len(joined) < 0.9 * size and len(place) < 4 and place[-1] + 1 < len(self.words):
                place.append(place[-1] + 1)
                joined += "".join(self.words[place[-1]])
            if dice(joined, "".join(wanted)) >= 0.9:
                found.append(place)
        return found

    # authors

    def _authors(self, start: int) -> list[int]:
        """The run of zones near the title that names most authors."""
        names = [_NameWords(name) for name in self.truth.authors]
        if not names:
            return []
        known = {word for name in names for word in name.all}
        likely = [
            zone
            for zone, own in enumerate(self.unmarked)
            if _mostly(own, known) or any(name.begins(own) for name in names)
        ]
        free = [zone for zone in likely if not self.labels[zone] and zone >= start]
        said = {zone: self._named(zone, names) for zone in free}
        said = {zone: found for zone, found in said.items() if found}
        runs = _runs(sorted(said), gap=15)
        best = max(runs, key=lambda run: self._author_score(run, said, start), default=[])
        covered: set[int] = set()
        kept = []
        for zone in best:
            if said[zone] - covered:
                kept.append(zone)
                covered |= said[zone]
        self.repeated = set(said) - set(kept)
        return kept

    def _named(self, zone: int, names: Sequence[_NameWords]) -> set[int]:
        own = self.unmarked[zone]
        return {rank for rank, name in enumerate(names) if name.is_in(own)}

    def _author_score(self, run: list[int], said: dict[int, set[int]], start: int) -> float:
        covered = len(set().union(*(said[zone] for zone in run)))
        distance = run[0] - start
        return covered - 0.3 * len(self.truth.authors) * min(distance / 60, 2)

    # affiliations

    def _affiliations(self) -> list[int]:
        known = [Counter(words(text)) for text in self.truth.affiliations]
        if not known:
            return []
        union: set[str] = set().union(*known)
        found = []
        for zone, own in enumerate(self.unmarked):
            if len(own) >= 3 and not self.labels[zone] and _share(own, union) >= 0.7:
                if self._names_first(own):
                    continue
                counts = Counter(own)
                if any(_same_place(counts, place) for place in known):
                    found.append(zone)
        return found

    def _names_first(self, own: Words) -> bool:
        """Whether a zone begins with an author, and says where to write to."""
        return any(_NameWords(name).begins(own) for name in self.truth.authors)

    # abstract

    def _abstract(self, start: int) -> list[int]:
        headed = self._abstract_by_heading(start)
        tagged = self._abstract_by_tag(start)
        # Some tags hold the first section only.
        return headed if not tagged or tagged[0] in headed else tagged

    def _abstract_by_tag(self, start: int) -> list[int]:
        truth = self.truth.abstract
        if not truth:
            return []
        wanted = _triples(words(truth))
        found = [
            zone
            for zone in range(start, len(self.words))
            if len(self.words[zone]) >= 8 and self._in_abstract(zone, wanted)
        ]
        runs = _runs(found, gap=6)
        return max(runs, key=lambda run: self._covered(run, wanted), default=[])

    def _in_abstract(self, zone: int, wanted: Counter[tuple[str, ...]]) -> bool:
        own = _triples(self.words[zone])
        common = (own & wanted).total()
        # The second case: the tag holds only the beginning of the paragraph.
        return common >= 0.7 * own.total() or common >= 0.9 * wanted.total()

    def _covered(self, run: list[int], wanted: Counter[tuple[str, ...]]) -> float:
        own = _triples([word for zone in run for word in self.words[zone]])
        return (own & wanted).total()

    def _abstract_by_heading(self, start: int) -> list[int]:
        return headed_abstract(self.texts, start)

    # references

    def _references(self) -> list[int]:
        if self.truth.references:
            found = self._cited()
            if len(found) >= 0.5 * len(self.truth.references):
                return found
        return self._references_by_heading()

    def _reference_start(self, references: list[int]) -> int:
        """Where the list begins: after its heading, if that is near."""
        if not references:
            return len(self.texts)
        first = references[0]
        for zone in range(first - 1, max(first - 4, -1), -1):
            if "references" in heading_kinds(self.texts[zone]):
                return zone + 1
        return first

    def _cited(self) -> list[int]:
        """For each known reference the zone that says most of it."""
        sets = [frozenset(own) for own in self.words]
        rank: dict[str, list[int]] = {}
        for zone, own in enumerate(sets):
            for word in own:
                rank.setdefault(word, []).append(zone)
        found: dict[int, float] = {}
        for reference in self.truth.references:
            wanted = frozenset(words(reference))
            rare = sorted(
                (word for word in wanted if word in rank), key=lambda word: len(rank[word])
            )
            candidates = {zone for word in rare[:4] for zone in rank[word] if len(rank[word]) < 60}
            scores = [(_overlap(wanted, sets[zone]), zone) for zone in candidates]
            if scores and max(scores)[0] >= 0.6:
                zone = max(scores)[1]
                found[zone] = 1
        return sorted(found)

    def _references_by_heading(self) -> list[int]:
        headed = [z for z, text in enumerate(self.texts) if "references" in heading_kinds(text)]
        for zone in reversed(headed):
            found = self._citations_after(zone + 1)
            if len(found) >= 5:
                return found
        return []

    def _citations_after(self, zone: int) -> list[int]:
        found: list[int] = []
        last = zone
        while zone < len(self.texts) and zone - last <= MOST_BETWEEN:
            if self._cites(zone) and not CUES["citation"].match(self.texts[zone]):
                found.append(zone)
                last = zone
            if heading_kinds(self.texts[zone]) & {"citing", "back", "body"} and found:
                break
            zone += 1
        return found

    # the rest

    def _rest(self, start: int, end: int) -> None:
        """Labels for all other zones, by what they say of themselves and by where they stand."""
        last_abstract = max(
            (z for z, label in enumerate(self.labels) if label == "abstract"), default=-1
        )
        last_reference = max(
            (z for z, label in enumerate(self.labels) if label == "reference"),
            default=len(self.texts),
        )
        body = self._body_start(max(start, last_abstract))
        for zone, label in enumerate(self.labels):
            if label == "affiliation" and zone >= body:
                self.labels[zone] = "late affiliation"
            if label:
                continue
            kinds = heading_kinds(self.texts[zone])
            if zone < start:
                self.labels[zone] = "before"
            elif zone > last_reference:
                self.labels[zone] = "citing" if self._cites(zone) else "after"
            elif zone >= end:
                self.labels[zone] = (
                    "reference heading" if "references" in kinds else "reference part"
                )
            elif "references" in kinds and zone >= end - 8 and end < len(self.texts):
                self.labels[zone] = "reference heading"
            elif zone < body:
                self.labels[zone] = self._front_label(zone, last_abstract, kinds)
            else:
                self.labels[zone] = "body"

    def _cites(self, zone: int) -> bool:
        return bool(YEAR.search(self.texts[zone])) and len(self.words[zone]) >= 6

    def _body_start(self, zone: int) -> int:
        """The first heading of the body, or long text, after the abstract."""
        for later in range(zone + 1, len(self.texts)):
            kinds = heading_kinds(self.texts[later])
            if "body" in kinds and self._is_heading(later):
                return later
            if len(self.words[later]) >= 60 and not self.labels[later]:
                return later
        return len(self.texts)

    def _is_heading(self, zone: int) -> bool:
        return any(len(own) >= 30 for own in self.words[zone + 1 : zone + 4])

    def _front_label(self, zone: int, last_abstract: int, kinds: frozenset[str]) -> str:
        text = self.texts[zone]
        if "keywords" in kinds or CUES["keywords"].match(text):
            return "keywords"
        if zone < last_abstract and kinds & {"abstract", "abstract part"}:
            near = any(label == "abstract" for label in self.labels[zone + 1 : zone + 4])
            return "abstract heading" if near else "front"
        if zone and self.labels[zone - 1] == "keywords" and len(self.words[zone]) <= 40:
            return "keywords"
        if CUES["dates"].match(text) and YEAR.search(text):
            return "dates"
        if CUES["correspondence"].match(text) or EMAIL.search(text):
            return "correspondence"
        return "front"

    def _visible_truth(self) -> Truth:
        """The truth without the fields that nobody can see on the page."""
        shown = set().union(*map(set, self.unmarked)) if self.words else set()
        page_text = " ".join(" ".join(own) for own in self.unmarked)
        truth = self.truth
        abstract = truth.abstract
        zones = [z for z, label in enumerate(self.labels) if label == "abstract"]
        if abstract and (not zones or self._is_beginning(zones)):
            abstract = " ".join(self.texts[zone] for zone in zones) if zones else None
        return replace(
            truth,
            titles=truth.titles if "title" in self.known else (),
            authors=truth.authors if "author" in self.known else (),
            affiliations=tuple(
                text for text in truth.affiliations if self._is_shown(text, page_text, shown)
            ),
            abstract=abstract,
            references=truth.references if "reference" in self.known else (),
        )

    def _is_beginning(self, zones: list[int]) -> bool:
        """Whether the tag cut the abstract off."""
        shown = sum(len(self.words[zone]) for zone in zones)
        return self.truth.cut_off or len(words(self.truth.abstract or "")) < 0.8 * shown

    def _is_shown(self, affiliation: str, page_text: str, shown: set[str]) -> bool:
        wanted = words(affiliation)
        if not wanted or _share(wanted, shown) < 0.9:
            return False
        triples = _triples(wanted)
        said = sum(" ".join(triple) in page_text for triple in triples)
        return said >= 0.7 * max(len(triples), 1)


class _NameWords:
    """The words of a name, and how a zone may say them."""

    def __init__(self, name: Name) -> None:
        self.family, self.given = words(name.family), words(name.given)
        self.all = {*self.family, *self.given, *(word[0] for word in self.given)}

    def is_in(self, own: Words) -> bool:
        """Whether the family name stands beside a given name or its initial."""
        size = len(self.family)
        for at in range(len(own) - size + 1):
            if own[at : at + size] != self.family:
                continue
            near = own[max(at - 4, 0) : at] + own[at + size : at + size + 3]
            initial = self.given[0][0] if self.given else ""
            if not self.given or any(word.startswith(initial) for word in near):
                return True
        return False

    def begins(self, own: Words) -> bool:
        """Whether a zone begins with the name, and goes on with, say, an affiliation."""
        whole = self.given + self.family
        return len(whole) > 1 and own[: len(whole)] == whole and len(own) <= LONGEST_AFFILIATION


_FILLERS = frozenset("and by und et y the with authors author".split())


def _mostly(own: Words, known: set[str]) -> bool:
    """Whether a zone says little else than these words."""
    telling = [
        word for word in own if word not in _FILLERS and not word.isdigit() and len(word) > 1
    ]
    if not telling:
        return False
    said = sum(word in known or word[:-1] in known for word in telling)  # a glued mark
    return said >= 0.5 * len(telling)


def _share(own: Sequence[str], known: set[str]) -> float:
    return sum(word in known for word in own) / len(own) if own else 0.0


def _overlap(wanted: frozenset[str], own: frozenset[str]) -> float:
    """How much of what is wanted is there; what is there besides counts a little against it."""
    common = len(wanted & own)
    return common / max(len(wanted), 1) - 0.1 * max(0, len(own) / max(len(wanted), 1) - 2)


def _same_place(zone: Counter[str], place: Counter[str]) -> bool:
    common = (zone & place).total()
    return common >= 0.8 * place.total() or common >= 0.85 * zone.total()


def _triples(own: Words) -> Counter[tuple[str, ...]]:
    return Counter(zip(own, own[1:], own[2:], strict=False))


def _runs(zones: Sequence[int], gap: int) -> list[list[int]]:
    """Zones in groups that lie no more than `gap` apart."""
    runs: list[list[int]] = []
    for zone in zones:
        if runs and zone - runs[-1][-1] <= gap:
            runs[-1].append(zone)
        else:
            runs.append([zone])
    return runs
