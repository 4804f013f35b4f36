"""Whether a segmentation keeps the fields of an article in zones of their own.

    python benchmarks/integrity.py

The citation tags of a page serve to find the text of a field among its zones, and for nothing else.
The pages come from the corpora, see `PAGESIGHT_CORPORA`.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from pagesight.learning.corpora import Corpora, rows
from pagesight.learning.tables import show, table
from pagesight.page import Page
from pagesight.segment import leaf_zones, prune, zone_tree

FIELDS = ("title", "abstract", "reference")
Meta = Mapping[str, Sequence[str]]

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_SHORTENED = re.compile(r"(\.\.\.|…)\s*$")
_TAGS = {
    "title": ("citation_title", "dc.title"),
    "abstract": ("citation_abstract", "dc.description"),
}
_FOUND = 0.6  # share of the groups of three words of a field that a place has, near in order
_WHOLE = 0.9  # share of an occurrence that one zone holds, where the field is not split
_OTHER_WORDS = 6  # a zone may have, e.g. a number or "Abstract:"
_OTHER_SHARE = 0.3  # of the words of a long field
_UNNAMED_WORDS = 60  # of a reference whose tag only names some parts


@dataclass(frozen=True, slots=True)
class Integrity:
    """How often a field is in a zone of its own. A field may be both split and merged."""

    found: int = 0
    own: int = 0
    split: int = 0  # over several zones
    merged: int = 0  # with other text
    clean: int = 0  # of those that are split: over zones that hold nothing else

    def __add__(self, other: Integrity) -> Integrity:
        sums = (a + b for a, b in zip(astuple(self), astuple(other), strict=True))
        return Integrity(*sums)

    @property
    def share(self) -> float:
        """The share of fields in zones of their own."""
        return self.own / self.found if self.found else 0.0


@dataclass(frozen=True, slots=True)
class KnownField:
    """The words of a field as they appear in one place, and all words that belong to it."""

    words: tuple[str, ...]
    belonging: tuple[str, ...]
    complete: bool = True  # whether these are all words that a reader would count to it


def pruned_texts(page: Page) -> list[str]:
    """The texts of the pruned zone tree of a page."""
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)
    return [tree[zone].text for zone in prune(tree, leaves).tolist()]


def measure(
    corpora: Corpora,
    *,
    split: str | None = None,
    texts: Callable[[Page], Sequence[str]] = pruned_texts,
) -> dict[str, Integrity]:
    """The integrity of the fields of all article pages of the corpus, or of one split of it."""
    folder = corpora.folder_of("articles")
    chosen = [row for row in rows(folder, "articles.jsonl") if split in (None, row["split"])]
    total = dict.fromkeys(FIELDS, Integrity())
    for row, page in corpora.pages(folder, chosen):
        of_page = field_integrity(texts(page), row["meta"])
        total = {name: total[name] + of_page[name] for name in FIELDS}
    return total


def integrity_table(total: Mapping[str, Integrity], title: str = "") -> str:
    """What was measured, as lines of text."""
    header = ["field", "found", "own zone", "split", "(clean)", "merged"]
    rows_ = [
        [name, field.found, f"{field.share:.1%}", field.split, field.clean, field.merged]
        for name, field in total.items()
    ]
    return table(header, rows_, title=title)


def field_integrity(zones: Sequence[str], meta: Meta) -> dict[str, Integrity]:
    """How the fields that citation tags name lie in zones, given as texts in reading order."""
    text = ZoneText(zones)
    result = {
        name: text.best(field) if (field := _field(meta, *_TAGS[name])) else Integrity()
        for name in ("title", "abstract")
    }
    references = [_reference(value) for value in meta.get("citation_reference", ())]
    return result | {"reference": text.references([field for field in references if field.words])}


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case."""
    return tuple(_WORD.findall(text.casefold()))


def _tag_words(value: str) -> tuple[str, ...]:
    """The words that a tag holds, without its markup."""
    return words_of(html.unescape(_MARKUP.sub(" ", value)))


def _field(meta: Meta, *tags: str) -> KnownField | None:
    """The field that the first of these tags gives whole."""
    for tag in tags:
        for value in meta.get(tag, ())[:1]:
            words = _tag_words(value)
            if len(words) > 2 and not _SHORTENED.search(value):
                return KnownField(words, words)
    return None


def _reference(value: str) -> KnownField:
    """A reference: its full text, or the title with the other parts that its tag names."""
    if "citation_title=" not in value:
        words = _tag_words(value) if "citation_" not in value else ()
        return KnownField(words if len(words) > 4 else (), words)
    parts = dict(part.strip().partition("=")[::2] for part in value.split(";"))
    title = _tag_words(parts["citation_title"])
    names = ("citation_journal_title", "citation_publication_date", "citation_volume")
    others = _tag_words(" ".join(parts.get(name, "") for name in names))
    return KnownField(title if len(title) > 3 else (), title + others, complete=False)


class ZoneText:
    """The words of all zones in reading order."""

    def __init__(self, zones: Sequence[str]) -> None:
        by_zone = [words_of(zone) for zone in zones]
        self.bags = [Counter(words) for words in by_zone]
        self.words = [word for words in by_zone for word in words]
        self.zone = [zone for zone, words in enumerate(by_zone) for _ in words]
        self.starts: dict[tuple[str, ...], list[int]] = {}
        for position in range(len(self.words) - 2):
            self.starts.setdefault(tuple(self.words[position : position + 3]), []).append(position)

    def best(self, field: KnownField) -> Integrity:
        """The best that one of the places where a field appears has to offer."""
        judged = [self._judge(field, span) for span in self.places(field)]
        return max(judged, key=lambda one: (one.own, -one.merged, one.clean), default=Integrity())

    def references(self, fields: Sequence[KnownField]) -> Integrity:
        """References are looked for in their last place, behind the text that cites them."""
        total = Integrity()
        for field in fields:
            for span in list(self.places(field))[-1:]:
                total += self._judge(field, span)
        return total

    def places(self, field: KnownField) -> Iterator[tuple[int, int]]:
        """Where the words of a field are, more or less: first position and the one after it."""
        threes = max(1, len(field.words) - 2)
        hits = sorted(
            (position - index, position)
            for index in range(threes)
            for position in self.starts.get(field.words[index : index + 3], ())
        )
        slack = 3 + len(field.words) // 10  # words that the page has more or less than the tag
        while hits:
            # The hits of one place lie on one diagonal, or near it.
            near = [position for start, position in hits if start - hits[0][0] <= slack]
            hits = hits[len(near) :]
            if len(set(near)) >= _FOUND * threes:
                yield min(near), max(near) + 3

    def _judge(self, field: KnownField, span: tuple[int, int]) -> Integrity:
        inside = Counter(self.zone[slice(*span)])
        main, held = inside.most_common(1)[0]
        split = held < _WHOLE * inside.total() or self._is_spread(field, main)
        merged = self._other(main, field) > 0
        clean = split and not any(self._other(zone, field) for zone in inside)
        return Integrity(1, int(not split and not merged), int(split), int(merged), int(clean))

    def _is_spread(self, field: KnownField, main: int) -> bool:
        """Whether words that belong to the field are in the zones next to the main one."""
        belonging = Counter(field.belonging)
        around = self.bags[max(main - 1, 0) : main + 2]
        near = belonging & sum(around, Counter[str]())
        return (belonging & self.bags[main]).total() < 0.8 * near.total()

    def _other(self, zone: int, field: KnownField) -> int:
        """How many more words than it may a zone has that are none of the field's."""
        more = self.bags[zone].total() - (self.bags[zone] & Counter(field.belonging)).total()
        share = _OTHER_SHARE * len(field.words) if field.complete else _UNNAMED_WORDS
        return max(0, int(more - max(_OTHER_WORDS, share)))


if __name__ == "__main__":
    for split in ("train", "dev"):
        title = f"fields of articles in pruned zones, {split} publishers"
        show(integrity_table(measure(Corpora(), split=split), title))
