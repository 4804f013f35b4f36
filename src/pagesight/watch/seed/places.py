"""Which component of an instance of a page each component of a page index is, and by what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.index_tree import Fragment
from pagesight.watch.seed.page_index import Component, PageIndex
from pagesight.watch.seed.vectors import ContentVector, Holders, content_vectors

Floats = NDArray[np.float64]


class Status(StrEnum):
    """How a component was found, from the surest way to the least sure."""

    SAME = "same"  # the components of the page have the same IDs as in training
    SIGNATURE = "signature"  # all of its ICV is in the content vector
    ID = "id"  # the index tree is the same, though its components are not
    POSITION = "position"  # a weak one: between its neighbours
    ORDER = "order"  # as many components are left as in training, and it is as far down
    CLOSEST = "closest"  # of what is left, what fits best in order and size
    MISSING = "missing"


_DOUBT = {status: rank for rank, status in enumerate(Status)}


@dataclass(frozen=True, slots=True)
class Found:
    """Where a component, or several that were asked for as one, is in an instance of the page."""

    id: str
    """The ID in the page index; several are separated by spaces."""

    nodes: tuple[int, ...] | None
    status: Status
    score: float
    """The share of the ICV that is there; of weak components, the likeness of the sizes."""

    @classmethod
    def joined(cls, parts: Sequence[Found]) -> Found:
        """Several as one: as sure as the least sure of those that are there."""
        if len(parts) == 1:
            return parts[0]
        there = [part for part in parts if part.nodes]
        nodes = tuple(sorted(node for part in there for node in part.nodes or ()))
        status = max((part.status for part in there), key=_DOUBT.__getitem__,
                     default=Status.MISSING)  # fmt: skip
        score = sum(part.score for part in parts) / max(len(parts), 1)
        return cls(" ".join(part.id for part in parts), nodes or None, status, score)


class Instance:
    """Components of an instance of the page, in document order."""

    def __init__(self, page: Page, fragments: Sequence[Fragment]) -> None:
        self.page, self.fragments = page, fragments

    def __len__(self) -> int:
        return len(self.fragments)

    @property
    def ids(self) -> list[str]:
        return [fragment.id for fragment in self.fragments]

    @cached_property
    def vectors(self) -> list[ContentVector]:
        return content_vectors(self.page, self.fragments)

    @cached_property
    def holders(self) -> Holders:
        return Holders(self.vectors)

    @cached_property
    def sizes(self) -> Floats:
        return sizes(self.fragments)


class Places:
    """Components of a page index, by sequence number, and their places in an instance."""

    def __init__(self, index: PageIndex, instance: Instance) -> None:
        self.index, self.instance = index, instance
        self.of: dict[int, int] = {}
        self._status: dict[int, Status] = {}
        self._taken = [False] * len(instance)
        self._sizes = sizes(index.components)

    def take(self, pairs: Iterable[tuple[int, int]], status: Status) -> None:
        """Each of these numbers is in the place beside it, which is no longer free."""
        for number, place in pairs:
            self.of[number], self._status[number] = place, status
            self._taken[place] = True

    @property
    def left(self) -> list[int]:
        """The numbers that have no place yet."""
        return [number for number in range(len(self.index.components)) if number not in self.of]

    def free(self, places: Iterable[int]) -> list[int]:
        """Which of these places are not taken."""
        return [place for place in places if not self._taken[place]]

    def likeness(self, numbers: Sequence[int], places: Sequence[int]) -> Floats:
        """How much alike the sizes are of components (rows) and in places (columns), 0 to 1."""
        return alike(self._sizes[list(numbers)][:, None], self.instance.sizes[list(places)])

    def found(self) -> list[Found]:
        """All components, those that have no place among them."""
        return [
            self._found(number, component) if number in self.of
            else Found(component.id, None, Status.MISSING, 0.0)
            for number, component in enumerate(self.index.components)
        ]  # fmt: skip

    def _found(self, number: int, component: Component) -> Found:
        place = self.of[number]
        if component.weak:
            score = float(self.likeness([number], [place])[0, 0])
        else:
            held = component.vector & self.instance.vectors[place]
            score = len(held) / len(component.vector)
        nodes = self.instance.fragments[place].nodes
        return Found(component.id, nodes, self._status[number], score)


def sizes(parts: Sequence[Component] | Sequence[Fragment]) -> Floats:
    """Characters and pictures of each."""
    listed = [(part.text, part.pictures) for part in parts]
    return np.array(listed, dtype=np.float64).reshape(-1, 2)


def alike(one: Floats, other: Floats) -> Floats:
    """The mean ratio of sizes: of texts, and of numbers of pictures."""
    ratio = (1 + np.minimum(one, other)) / (1 + np.maximum(one, other))
    return np.asarray(ratio.mean(axis=-1))
