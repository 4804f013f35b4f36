"""References written again in other styles, so that a model learns more than those of a few houses.

A style is a line of `citation_styles.txt` with the names of parts in braces. What is in square
brackets is left out where a part in it is missing; ``~x~`` is italic, ``*x*`` is bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from pagesight.readers.article.citations.labels import NUMBER
from pagesight.readers.article.citations.tokens import Citation
from pagesight.readers.article.learning.citation_labels import (
    LabelledCitation,
    allowed_states,
    given_names,
)
from pagesight.readers.article.learning.cited import Cited
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.vocabulary import COLUMN, word_table

STYLES, OWN, MONTHS, GROUPS, BODIES = (
    list(filter(None, section.splitlines()[1:]))
    for section in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n# ")
)
"""How works are cited; how articles say where they appeared; and names to put in."""

OWN_SHARE = 0.25  # of the references that are written as if they were articles' own
ANDS = (" and ", " & ", ", and ", ", & ", ", ", " und ", " et ", " y ", " e ", "; ")
_PART = re.compile(r"\{(\w+)\}|([~*])|([^{}~*]+)")
_NAMES = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\[([^\[\]]*\{[^\[\]]*)\]")
_AS = {"names": "", "place": "publisher", "month": "other", "number": "other", "number2": "other",
       "later": "other", "doi": "other", "editors": "editor"}  # fmt: skip


@dataclass(slots=True)
class _Line:
    """A text while it is written, with the label and the look of each character."""

    text: str = ""
    labels: str = ""  # a letter for each label
    looks: str = ""

    def add(self, text: str, label: str = "other", look: int = 0) -> None:
        if text[:1] == "." and self.text[-1:] in (".", "?", "!"):
            text = text[1:]
        self.text += text
        self.labels += chr(NUMBER[label] + 65) * len(text)
        self.looks += str(look) * len(text)


class Restyled:
    """Writes references in other styles; what is missing comes from others of them."""

    def __init__(self, known: Sequence[Cited], seed: int = 0) -> None:
        self.random = Random(seed)  # noqa: S311 - nothing to hide
        self.titles = [cited.title for cited in known if cited.title]
        self.names = [cited.persons for cited in known if cited.persons]
        self.containers = [name for cited in known for name in cited.containers[:1]]
        publishers = [cited.publishers for cited in known if len(cited.publishers) == 2]
        self.publishers = publishers or [("Tea Press", "London")]

    def written(self, cited: Cited, styles: Sequence[str] = STYLES) -> LabelledCitation:
        """A reference in one of the styles, at random."""
        style = self.random.choice(styles)
        parts = self._parts(cited)
        style = _CHOICE.sub(
            lambda choice: choice[1] * all(parts[name] for name in _NAMES.findall(choice[1])), style
        )
        line, look = _Line(), 0
        for part, mark, text in _PART.findall(style):
            if mark:
                look ^= 1 if mark == "~" else 2
            elif part in ("names", "editors"):
                persons = cited.persons if part == "names" else self.random.choice(self.names)
                self._persons(line, persons[:8], editors=part == "editors")
            elif part:
                line.add(parts[part] or "1", _AS.get(part, part), look)
            else:
                line.add(text)
        return self._labelled(line)

    def _parts(self, cited: Cited) -> dict[str, str]:
        choice, chance = self.random.choice, self.random.random
        publisher, place = choice(self.publishers)[:2]
        title = cited.title or choice(self.titles)
        container = choice(cited.containers or self.containers)
        pages = "–".join(cited.pages[:2]) or str(self.random.randrange(1, 3000))
        return {
            "title": self._varied(title.rstrip(".")),
            "container": container.replace(".", "") if chance() < 0.3 else container.rstrip("."),
            "volume": cited.volume or str(self.random.randrange(1, 150)),
            "issue": cited.issue or ("" if chance() < 0.4 else str(self.random.randrange(1, 13))),
            "pages": pages.replace("–", "-") if chance() < 0.4 else pages,
            "year": (cited.year or "2004") + ("ab"[int(chance() * 2)] if chance() < 0.05 else ""),
            "doi": "" if chance() < 0.5 else cited.doi,
            "publisher": publisher,
            "place": place,
            "month": choice(MONTHS),
            "later": str(self.random.randrange(2001, 2027)),
            "number": str(self.random.randrange(1000, 10**7)),
            "number2": str(self.random.randrange(1, 29)),
            "group": choice(cited.groups) if cited.groups else self._group(),
        }

    def _varied(self, title: str) -> str:
        """A title as it is, in capitals, or with years in it."""
        choice, kind = self.random.choice, self.random.random()
        year = self.random.randrange(1900, 2025)
        added = choice((f", {year}–{year + 9}", f" in {year}", f": the {year} survey"))
        return title.title() if kind < 0.15 else title + added if kind < 0.25 else title

    def _group(self) -> str:
        """The name of an institution about words of titles."""
        choice, topics = self.random.choice, self.random.choice(self.titles).title().split()
        topic = choice((topics[0], " and ".join(topics[-2:]), " ".join(topics[-2:])))
        named = f"{choice(BODIES)} {choice(('of', 'for', 'on'))} {topic.strip('.,:;?')}"
        return choice((choice(GROUPS), named))

    def _persons(self, line: _Line, persons: Sequence[Name], *, editors: bool) -> None:
        choice, chance = self.random.choice, self.random.random
        order, dots = choice(("FG", "FG", "GF", "FG first")), choice(("A. B.", "AB", "A.B.", "A B"))
        comma, between, last = choice((", ", " ")), choice((", ", ", ", "; ")), choice(ANDS)
        full, upper = chance() < 0.25 and not editors, chance() < 0.07
        shown = persons[: self.random.randrange(1, 5)] if chance() < 0.25 else persons
        for rank, name in enumerate(shown):
            if rank:
                final = rank == len(persons) - 1
                line.add(last if final else between)
            family = name.family.upper() if upper else name.family
            given = self._given(name.given, dots, full=full)
            as_family, as_given = ("editor", "editor") if editors else ("family", "given")
            if order == "GF" or (order == "FG first" and rank):
                parts = ((given, as_given), (" " if given else "", "other"), (family, as_family))
            else:
                parts = ((family, as_family), (comma if given else "", "other"), (given, as_given))
            for text, label in parts:
                line.add(text, label)
        if len(shown) < len(persons):
            line.add(choice((" et al", ", et al", " et al.", ", … ", " u. a.", " и др")))

    def _given(self, given: str, dots: str, *, full: bool) -> str:
        initials = [name[0].upper() for name in given_names(given)]
        if full and initials:
            known = _names_by_initial().get(initials[0].lower())
            initials[0] = self.random.choice(known).title() if known else initials[0]
            return " ".join([initials[0], *(f"{letter}." for letter in initials[1:])])
        joined = {"A. B.": ". ", "AB": "", "A.B.": ".", "A B": " "}[dots].join(initials)
        return joined + "." if "." in dots and initials else joined

    def _labelled(self, line: _Line) -> LabelledCitation:
        citation = Citation.of(line.text)
        labels, looks = [], []
        for start, end in citation.spans:
            label = ord(line.labels[start]) - 65
            labels.append([NUMBER["address"] if "/" in line.text[start:end] else label])
            looks.append(int(line.looks[start]))
        drawn = any(looks) and self.random.random() < 0.6
        shown = citation.looking(looks) if drawn else citation
        return LabelledCitation(shown, allowed_states(labels))


@cache
def _names_by_initial() -> dict[str, list[str]]:
    """The commonest given names, by their first letters."""
    table = word_table()
    given, family = (table.counts[:, COLUMN[name]] for name in ("given", "surname"))
    names: dict[str, list[str]] = {}
    for word, row in table.rows.items():
        if len(word) > 2 and given[row] >= 20 and given[row] > family[row]:
            names.setdefault(word[0], []).append(word)
    return names


def restyled(known: Sequence[Cited], seed: int = 0) -> Iterator[LabelledCitation]:
    """Each reference that has authors and a title or container, in another style.

    Some are written as an article says where it appeared.
    """
    writer = Restyled(known, seed)
    for cited in known:
        if cited.persons and (cited.title or cited.containers):
            yield writer.written(cited)
            if writer.random.random() < OWN_SHARE:
                yield writer.written(cited, OWN)
