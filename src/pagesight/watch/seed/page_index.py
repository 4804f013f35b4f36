"""The page index: the ID and the signature of every web component of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from pagesight.errors import ModelError
from pagesight.watch.seed.vectors import ContentVector

FORMAT = 1
_ID = re.compile(r"[0-9]+(?:-[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Sample:
    """One fetch of the page during training."""

    components: int
    kept: bool
    """Whether it has the structure of the last one; others are rejected."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where a weak component is: in a series of weak ones, between two that are not (figure 2)."""

    previous: int | None
    """The sequence number of the component before the series; None at the top of the page."""

    next: int | None
    """That of the component after it; None at the end of the page."""

    position: int
    """The place in the series, from 0."""


@dataclass(frozen=True, slots=True)
class Component:
    """A web component as it was in the last sample, and its signature."""

    id: str
    vector: ContentVector
    """The ICV: what is constant in it, without what all components have."""

    text: int
    """Characters of its text."""

    pictures: int
    neighbours: Neighbours | None = None
    """The identifier of a weak component; None for one that its ICV identifies."""

    @property
    def weak(self) -> bool:
        return self.neighbours is not None

    @property
    def empty(self) -> bool:
        """Whether nothing is left in its ICV."""
        return not len(self.vector)


class Asked(NamedTuple):
    """How somebody calls what is asked for, and the selector by which that was chosen."""

    id: str
    select: str | None
    name: str


@dataclass(frozen=True, slots=True)
class PageIndex:
    """What was learned of a page."""

    size: int
    """u, as the fragmentation was asked for it."""

    tags: tuple[str, ...]
    """The elements that the index tree is made of."""

    structure: str
    """A digest of the index tree."""

    samples: tuple[Sample, ...]
    components: tuple[Component, ...]
    wanted: tuple[tuple[int, ...], ...]
    """What is asked for: each is one component or several, by their sequence numbers."""

    asked: tuple[Asked, ...] = ()
    """The same as somebody calls it; nothing if all components are asked for."""

    @property
    def ids(self) -> list[str]:
        return [component.id for component in self.components]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        components = [_component_to_json(component) for component in self.components]
        samples = [asdict(sample) for sample in self.samples]
        return {
            "format": FORMAT,
            "size": self.size,
            "tags": list(self.tags),
            "structure": self.structure,
            "samples": samples,
            "components": components,
            "wanted": [list(places) for places in self.wanted],
            "asked": [asked._asdict() for asked in self.asked],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PageIndex:
        """What `to_json` wrote; raises `ModelError` if it is something else."""
        try:
            return _checked(_index_of_json(value))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(
                f"the page index is damaged ({error})", hint="learn the page again"
            ) from error


def _index_of_json(value: Mapping[str, Any]) -> PageIndex:
    if value["format"] != FORMAT:
        raise ValueError("written by another version of Pagesight")
    return PageIndex(
        size=int(value["size"]),
        tags=tuple(map(str, value["tags"])),
        structure=str(value["structure"]),
        samples=tuple(Sample(**sample) for sample in value["samples"]),
        components=tuple(map(_component_of_json, value["components"])),
        wanted=tuple(tuple(map(int, places)) for places in value["wanted"]),
        asked=tuple(map(_asked_of_json, value.get("asked", ()))),
    )


def _asked_of_json(value: Mapping[str, Any]) -> Asked:
    select = value["select"]
    return Asked(str(value["id"]), None if select is None else str(select), str(value["name"]))


def _checked(index: PageIndex) -> PageIndex:
    known = range(len(index.components))
    if any(place not in known for places in index.wanted for place in places):
        raise ValueError("it asks for components that it does not have")
    if index.asked and len(index.asked) != len(index.wanted):
        raise ValueError("what it asks for has other names")
    if any(component.empty and not component.weak for component in index.components):
        raise ValueError("a component has no signature")
    return index


def _component_to_json(component: Component) -> dict[str, Any]:
    vector, neighbours = component.vector, component.neighbours
    return {
        "id": component.id,
        "words": sorted(vector.words),
        "picture_names": sorted(vector.pictures),
        "text": component.text,
        "pictures": component.pictures,
        "neighbours": None if neighbours is None else asdict(neighbours),
    }


def _component_of_json(value: Mapping[str, Any]) -> Component:
    vector = ContentVector(frozenset(value["words"]), frozenset(value["picture_names"]))
    neighbours = value["neighbours"] and Neighbours(**value["neighbours"])
    if not _ID.fullmatch(value["id"]):
        raise ValueError(f"{value['id']!r} is not an ID")
    return Component(value["id"], vector, int(value["text"]), int(value["pictures"]), neighbours)
