"""Content vectors: the words and the pictures of a web component."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import numpy as np

from pagesight.page import Page
from pagesight.segment.index_tree import Fragment, pictures_of
from pagesight.segment.text import words

_SOURCES = ("data-src", "data-original", ":src", "src")  # pages that load pictures later come first
_CUT = 200  # characters of an address that is not parsed any further
_Term = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ContentVector:
    """The pair (T, I): words of the text, and file names of the pictures."""

    words: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()

    def __and__(self, other: ContentVector) -> ContentVector:
        return ContentVector(self.words & other.words, self.pictures & other.pictures)

    def __sub__(self, other: ContentVector) -> ContentVector:
        return ContentVector(self.words - other.words, self.pictures - other.pictures)

    def __le__(self, other: ContentVector) -> bool:
        """Whether all of it is in another."""
        return self.words <= other.words and self.pictures <= other.pictures

    def __len__(self) -> int:
        return len(self.words) + len(self.pictures)

    @property
    def terms(self) -> Iterator[_Term]:
        """Words and pictures, told apart."""
        yield from (("word", word) for word in self.words)
        yield from (("picture", picture) for picture in self.pictures)


class Holders:
    """Vectors, and which of them hold all of another."""

    def __init__(self, vectors: Sequence[ContentVector]) -> None:
        self.vectors = vectors
        self._places: dict[_Term, list[int]] = defaultdict(list)
        for place, vector in enumerate(vectors):
            for term in vector.terms:
                self._places[term].append(place)

    def holding(self, vector: ContentVector) -> Iterator[int]:
        """The places of the vectors that hold all of one, in order; all of them if it is empty."""
        everywhere: Sequence[int] = range(len(self.vectors))
        places = (self._places.get(term, ()) for term in vector.terms)
        fewest = min(places, key=len, default=everywhere)
        return (place for place in fewest if vector <= self.vectors[place])


def content_vectors(page: Page, fragments: Sequence[Fragment]) -> list[ContentVector]:
    """The content vectors of web components: what is written in them, and their pictures."""
    pictures = np.flatnonzero(pictures_of(page))
    return [
        ContentVector(
            frozenset(words(page.text_of(fragment.nodes))),
            frozenset(_file_names(page, _inside(page, pictures, fragment.nodes))),
        )
        for fragment in fragments
    ]


def _inside(page: Page, nodes: np.typing.NDArray[np.int64], roots: Sequence[int]) -> list[int]:
    """Which of these nodes, in document order, are in the subtrees of some roots."""
    found: list[int] = []
    for root in roots:
        first, last = np.searchsorted(nodes, (root, page.end[root]))
        found += nodes[first:last].tolist()
    return found


def _file_names(page: Page, pictures: Sequence[int]) -> Iterator[str]:
    for picture in pictures:
        attributes = page.attributes(picture)
        addresses = (attributes.get(name, "").strip() for name in _SOURCES)
        known = [address for address in addresses if address and not address.startswith("data:")]
        if known and (name := file_name(known[0])):
            yield name


def file_name(address: str) -> str:
    """The last part of an address, without what is asked for: ``a/tea.png?w=9`` is tea.png."""
    try:
        path = urlsplit(address).path
    except ValueError:  # strangers write addresses
        return address[:_CUT]
    return unquote(path.rstrip("/").rpartition("/")[2])
