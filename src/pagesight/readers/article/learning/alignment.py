"""Labels from what is known of an article: the visible zones that its fields talk about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import compress
from operator import not_

from pagesight.readers.article.fields.references import items_of, number_of
from pagesight.readers.article.labelling.labels import AFFILIATIONS, FIELDS, runs_of
from pagesight.readers.article.labelling.sections import headed_abstract
from pagesight.readers.article.learning.scoring import SAME, count_texts
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.names.places import is_likely_place
from pagesight.readers.article.text import BESIDE_NAMES, EMAIL, YEAR
from pagesight.readers.article.vocabulary import CUES, heading_kinds
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import dice, dice_of_pairs, letters, pairs, words

BELOW_ABSTRACT = 10  # zones in which an abstract may continue; other summaries are further away
LONGEST_PLACE = 80  # words
SHORT_NOTE = 25  # words of a zone that is not running text
MENTIONED = 0.3  # the share of affiliations in a zone up to which they are only mentioned
MOST_BETWEEN = 14  # zones between two references: links to them

Words = list[str]


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
        self.unmarked = [  # without the digits of marks that are glued to words
            [_GLUED.sub("", word) for word in words(BESIDE_NAMES.sub(" ", text))]
            for text in zones.unmarked
        ]
        self.labels = ["" for _ in self.texts]
        self.known: set[str] = set()
        self.repeated: set[int] = set()
        self.unstated: list[int] = []
        self.printed: dict[str, int] = {}  # known references, and the zone that says most of each

    def labelling(self) -> Labelling:
        title = self._title()
        self._put(title, "title")
        start = title[-1] if title else 0
        references = self._references()
        end = self._reference_start(references)
        self._put(self._abstract(start), "abstract")
        self._put(references, "reference")
        self._put(self._authors(start), "author")
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
        places = [place for title in self.truth.titles for place in self._places_of(title)]
        size = self.zones.font_size
        return max(places, key=lambda zones: (size[zones].max(), -zones[0], zones), default=[])

    def _places_of(self, title: str) -> list[list[int]]:
        wanted = words(title)
        size = sum(map(len, wanted))
        titles = []
        for zone, tokens in enumerate(self.words):
            if tokens[:1] == ["title"] and wanted[0] != "title":
                tokens = tokens[1:]  # "Title:" in front of it
            if not tokens or tokens[0] != wanted[0]:
                continue
            place, joined = [zone], "".join(tokens)
            while len(joined) < 0.9 * size and len(place) < 4 and place[-1] + 1 < len(self.words):
                place.append(place[-1] + 1)
                joined += "".join(self.words[place[-1]])
            if dice(joined, "".join(wanted)) >= 0.9:
                titles.append(place)
        return titles

    # authors

    def _authors(self, start: int) -> list[int]:
        """The run of zones near the title that names most authors."""
        names = [_NameWords(name) for name in self.truth.authors]
        if not names:
            return []
        known = {word for name in names for word in name.all}
        likely = [
            zone
            for zone, tokens in enumerate(self.unmarked)
            if _mostly(tokens, known) or any(name.begins(tokens) for name in names)
        ]
        free = [zone for zone in likely if not self.labels[zone] and zone >= start]
        named = (
            (zone, {rank for rank, name in enumerate(names) if name.is_in(self.unmarked[zone])})
            for zone in free
        )
        said = {zone: ranks for zone, ranks in named if ranks}
        runs = runs_of(sorted(said), gap=15)
        best = max(runs, key=lambda run: self._author_score(run, said, start), default=[])
        covered: set[int] = set()
        kept = []
        # Addresses that begin with a name say it, too: other zones first.
        for zone in sorted(best, key=lambda zone: not _mostly(self.unmarked[zone], known)):
            if said[zone] - covered:
                kept.append(zone)
                covered |= said[zone]
        self.repeated = set(said) - set(kept)
        return sorted(kept)

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
        authors = [_NameWords(name) for name in self.truth.authors]
        zones = []
        for zone, tokens in enumerate(self.unmarked):
            if len(tokens) < 3 or self.labels[zone]:
                continue
            if any(name.begins(tokens) for name in authors):  # says where to write to
                continue
            counts, text = Counter(tokens), self.zones.unmarked[zone]
            if _share(tokens, union) >= 0.7:
                if any(_same_place(counts, place) for place in known):
                    zones.append(zone)
            elif is_likely_place(text) and count_texts(self.truth.affiliations, [text]).right:
                zones.append(zone)
        return zones

    # abstract

    def _abstract(self, start: int) -> list[int]:
        """The zones of the abstract; where the tag and a heading of the page differ, the heading's.

        Some tags hold the first section only; others a summary, or how the text begins.
        """
        headed = headed_abstract(self.texts, start, self.zones.beyond)
        if headed or not self.truth.abstract:
            return headed
        wanted = _triples(words(self.truth.abstract))
        zones = [
            zone
            for zone in range(start, len(self.words))
            if len(self.words[zone]) >= 8 and self._in_abstract(zone, wanted)
        ]

        def covered(run: list[int]) -> int:
            tokens = _triples([word for zone in run for word in self.words[zone]])
            return (tokens & wanted).total()

        return max(runs_of(zones, gap=6), key=covered, default=[])

    def _in_abstract(self, zone: int, wanted: Counter[tuple[str, ...]]) -> bool:
        tokens = _triples(self.words[zone])
        common = (tokens & wanted).total()
        # The second case: the tag holds only the beginning of the paragraph.
        return common >= 0.7 * tokens.total() or common >= 0.9 * wanted.total()

    # references

    def _references(self) -> list[int]:
        if self.truth.references:
            cited = self._cited()
            if len(cited) >= 0.5 * len(self.truth.references):
                self.unstated = self._left_out(cited)
                return sorted([*cited, *self.unstated])
        return self._references_by_heading()

    def _left_out(self, cited: list[int]) -> list[int]:
        """Items of the same list that no tag states, and that say as much as a reference."""
        if self.zones.on_sheets:
            return self._skipped(cited)
        item, page = items_of(self.zones, cited), self.zones.page
        kinds = {
            (page.name(item[zone]), page.attribute(item[zone], "class"))
            for zone in cited
            if item[zone] > 0
        }
        listed = {
            element: zone
            for zone, element in enumerate(item)
            if element > 0
            and self._cites(zone)
            and (page.name(element), page.attribute(element, "class")) in kinds
        }
        if len(listed) <= len(self.truth.references):
            return self._skipped(cited)
        stated = {item[zone] for zone in cited}
        return sorted(zone for element, zone in listed.items() if element not in stated)

    def _skipped(self, cited: list[int]) -> list[int]:
        """Entries of a numbered list whose numbers lie between those that are stated."""
        number = {zone: number_of(self.texts[zone]) for zone in range(cited[-1])}
        stated = {number.get(zone, 0) for zone in cited}
        skipped, last = [], 0
        for zone in range(self._reference_start(cited), cited[-1]):
            if zone in cited:
                last = number[zone] or last + 1
            elif number[zone] == last + 1 and last + 1 not in stated and self._cites(zone):
                skipped.append(zone)
                last += 1
        return skipped

    def _reference_start(self, references: list[int]) -> int:
        """Where the list begins: after its heading, if that is near."""
        if not references:
            return len(self.texts)
        first = references[0]
        for zone in range(first - 1, max(first - 6, -1), -1):
            if "references" in heading_kinds(self.texts[zone]):
                return zone + 1
        return first

    def _cited(self) -> list[int]:
        """For each known reference the zone that says most of it."""
        sets = [frozenset(tokens) for tokens in self.words]
        rank: dict[str, list[int]] = {}
        for zone, tokens in enumerate(sets):
            for word in tokens:
                rank.setdefault(word, []).append(zone)
        zones: set[int] = set()
        for reference in self.truth.references:
            wanted = frozenset(words(reference))
            rare = sorted(
                (word for word in wanted if word in rank),
                key=lambda word: (len(rank[word]), word),
            )
            candidates = {zone for word in rare[:4] for zone in rank[word] if len(rank[word]) < 60}
            scores = [(_overlap(wanted, sets[zone]), zone) for zone in candidates]
            if scores and max(scores)[0] >= 0.6:
                zones.add(max(scores)[1])
                self.printed[reference] = max(scores)[1]
        # What is far above the list only says something similar.
        runs = runs_of(sorted(zones), gap=2 * MOST_BETWEEN)
        main = max(runs, key=len, default=[])
        return [zone for run in runs for zone in run if zone >= main[0] or len(run) > len(main) / 4]

    def _references_by_heading(self) -> list[int]:
        headed = [z for z, text in enumerate(self.texts) if "references" in heading_kinds(text)]
        for zone in reversed(headed):
            cited = self._citations_after(zone + 1)
            if len(cited) >= 5:
                return cited
        return []

    def _citations_after(self, zone: int) -> list[int]:
        cited: list[int] = []
        last = zone
        while zone < len(self.texts) and zone - last <= MOST_BETWEEN:
            if self._cites(zone) and not CUES["citation"].match(self.texts[zone]):
                cited.append(zone)
                last = zone
            if heading_kinds(self.texts[zone]) & {"citing", "back", "body"} and cited:
                break
            zone += 1
        return cited

    # the rest

    def _rest(self, start: int, end: int) -> None:
        """Labels for all other zones, by what they say of themselves and by where they are."""
        last_abstract = max(self._labelled("abstract"), default=-1)
        last_reference = max(self._labelled("reference"), default=len(self.texts))
        body = self._body_start(max(start, last_abstract))
        for zone, label in enumerate(self.labels):
            if label == "affiliation" and zone >= body:
                below = zone > last_reference
                self.labels[zone] = "last affiliation" if below else "late affiliation"
            if label:
                continue
            kinds = heading_kinds(self.texts[zone])
            if zone < start:
                self.labels[zone] = "before"
            elif zone > last_reference:
                citing = self._cites(zone) and not CUES["citation"].match(self.texts[zone])
                self.labels[zone] = "citing" if citing else "after"
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
        if not self._labelled("body", "reference", "reference heading"):
            last = max(self._labelled(*FIELDS, "keywords"), default=len(self.labels))
            self.labels[last + 1 :] = ["after" for _ in self.labels[last + 1 :]]

    def _labelled(self, *labels: str) -> list[int]:
        return [zone for zone, label in enumerate(self.labels) if label in labels]

    def _cites(self, zone: int) -> bool:
        return bool(YEAR.search(self.texts[zone])) and len(self.words[zone]) >= 6

    def _body_start(self, zone: int) -> int:
        """The first heading of the body, or long text, after the abstract."""
        for later in range(zone + 1, len(self.texts)):
            kinds = heading_kinds(self.texts[later])
            below = max(map(len, self.words[later + 1 : later + 4]), default=0)
            long = len(self.words[later]) >= 60 and not self.labels[later]
            if long or ("body" in kinds and below >= 30):
                return later
        return len(self.texts)

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
        truth = self.truth
        said = self._said_of_places()
        shown = [_is_said(text, said) >= 0.7 or self._is_alike(text) for text in truth.affiliations]
        return replace(
            truth,
            titles=truth.titles if "title" in self.known else (),
            authors=truth.authors if "author" in self.known else (),
            affiliations=tuple(compress(truth.affiliations, shown)),
            held=(*compress(truth.affiliations, map(not_, shown)), *self._fuller()),
            abstract=self._visible_abstract(),
            references=self._visible_references(),
        )

    def _fuller(self) -> list[str]:
        """Lines with one known place and what tags cut off or leave out: counts neither way."""
        known = list(map(letters, self.truth.affiliations))
        lines = (
            text
            for text, tokens in zip(self.zones.unmarked, self.words, strict=True)
            if known and len(tokens) <= LONGEST_PLACE and is_likely_place(_LATER.sub("", text))
        )
        joined = ((text, letters(text)) for text in lines)
        said = ((text, {place for place in known if place in line}) for text, line in joined)
        return [
            text
            for text, places in said
            if (len(places) == 1 or _LATER.match(text))
            and not count_texts(self.truth.affiliations, [text]).right
        ]

    def _said_of_places(self) -> Counter[tuple[str, ...]]:
        """What is said where places are listed, and not only mentioned in the text."""
        wanted = _triples([word for text in self.truth.affiliations for word in words(text)])
        line: Words = []
        for tokens in self.unmarked:
            triples = _triples(tokens)
            stated = sum(triple in wanted for triple in triples)
            if len(tokens) <= SHORT_NOTE or stated >= MENTIONED * len(triples):
                line += [*tokens, ""]
        return _triples(line)

    def _visible_abstract(self) -> str | None:
        """The sentences of the abstract that are seen in its place, or right below.

        Where the tag cut it off, all of it. None where the tag holds something else than what the
        page calls the abstract.
        """
        zones = self._labelled("abstract")
        if not self.truth.abstract or not zones:
            return None
        shown = " ".join(self.texts[zone] for zone in zones)
        tokens, wanted = _triples(words(shown)), _triples(words(self.truth.abstract))
        if (tokens & wanted).total() < 0.5 * min(tokens.total(), wanted.total()):
            return None
        if self.truth.cut_off or wanted.total() < 0.8 * tokens.total():
            return shown
        here = self.words[zones[0] : zones[-1] + BELOW_ABSTRACT]
        said = _triples([word for tokens in here for word in [*tokens, ""]])
        sentences = re.split(r"(?<=[.?!])\s+", self.truth.abstract)
        return " ".join(sentence for sentence in sentences if _is_said(sentence, said) >= 0.5)

    def _visible_references(self) -> tuple[str, ...]:
        """The references that are seen, and those of the same list that tags leave out.

        What is printed in other words, with "et al." say, is known as it is printed.
        """
        if "reference" not in self.known:
            return ()
        page = {word for tokens in self.words for word in tokens}
        stated = [frozenset(words(text)) for text in self.truth.references]
        shown = []
        for text in self.truth.references:
            zone = self.printed.get(text)
            said = page if zone is None else frozenset(self.words[zone])
            if _share([word for word in words(text) if len(word) > 2], said) >= 0.8:
                shown.append(text)
            elif zone is not None:
                shown.append(self.texts[zone])
        left_out = (
            self.texts[zone]
            for zone in self.unstated
            if not any(_share(self.words[zone], known) >= 0.7 for known in stated)
        )
        return (*shown, *left_out)

    def _is_alike(self, affiliation: str) -> bool:
        """Whether a zone says the same in other words: tags leave parts out, or glue them."""
        tokens = pairs(affiliation)
        return any(
            dice_of_pairs(tokens, pairs(self.texts[zone])) >= SAME
            for zone in self._labelled(*AFFILIATIONS)
        )


_LATER = re.compile(r"^\W*(?:present|current) address\b", re.IGNORECASE)
_GLUED = re.compile(r"^\d+(?=[a-z]{2})|(?<=[a-z]{2})\d+$")


class _NameWords:
    """The words of a name, and how a zone may say them."""

    def __init__(self, name: Name) -> None:
        self.family, self.given = words(name.family), words(name.given)
        self.all = {*self.family, *self.given, *(word[0] for word in self.given)}

    def is_in(self, tokens: Words) -> bool:
        """Whether the family name is beside a given name or its initial."""
        size = len(self.family)
        for at in range(len(tokens) - size + 1):
            if tokens[at : at + size] != self.family:
                continue
            near = tokens[max(at - 4, 0) : at] + tokens[at + size : at + size + 3]
            initial = self.given[0][0] if self.given else ""
            if not self.given or any(word.startswith(initial) for word in near):
                return True
        return False

    def begins(self, tokens: Words) -> bool:
        """Whether a zone begins with the name, and continues with, say, an affiliation."""
        size = len(self.family) + len(self.given)
        begin = [token for token in tokens[: size + 1] if token not in _FILLERS][:size]
        ways = (self.given + self.family, self.family + self.given)
        return size > 1 and begin in ways and len(tokens) <= LONGEST_PLACE


def _is_said(text: str, said: Counter[tuple[str, ...]]) -> float:
    """The share of the word triples of a text that are said."""
    tokens = words(text)
    triples = _triples(tokens) or _triples([*tokens, *tokens, *tokens])
    return sum(triple in said for triple in triples) / max(len(triples), 1)


_FILLERS = frozenset("and by und et y the with authors author".split())


def _mostly(tokens: Words, known: set[str]) -> bool:
    """Whether a zone says little else than these words."""
    telling = [
        word for word in tokens if word not in _FILLERS and not word.isdigit() and len(word) > 1
    ]
    if not telling:
        return False
    said = sum(word in known or word[:-1] in known for word in telling)  # a glued mark
    return said >= 0.5 * len(telling)


def _share(tokens: Sequence[str], known: Set[str]) -> float:
    return sum(word in known for word in tokens) / len(tokens) if tokens else 0.0


def _overlap(wanted: frozenset[str], tokens: frozenset[str]) -> float:
    """How much of what is wanted is there; what is there besides counts a little against it."""
    common = len(wanted & tokens)
    return common / max(len(wanted), 1) - 0.1 * max(0, len(tokens) / max(len(wanted), 1) - 2)


def _same_place(zone: Counter[str], place: Counter[str]) -> bool:
    common = (zone & place).total()
    return common >= 0.8 * place.total() or common >= 0.85 * zone.total()


def _triples(tokens: Words) -> Counter[tuple[str, ...]]:
    return Counter(zip(tokens, tokens[1:], tokens[2:], strict=False))
