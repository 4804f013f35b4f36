"""The readings that there are, in one place.

A reading is declared by a `Reading`: its name, the question that it answers, and what to call for
each thing that is done with it, written as ``module:function`` and imported when it is needed.
Whatever lists readings (`Document`, the commands, the inspector) takes them from here. Other
packages add theirs with `register`, or with an entry point in the group ``pagesight.readings``.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pagesight.lazy import imported

GROUP = "pagesight.readings"
_OURS = ("zones", "title", "outline", "article", "records")  # packages beside this module
_OF_DOCUMENTS = frozenset(
    {"source", "page", "picture", "original", "reading_time", "reading", "glance", "problem",
     "problems", "state", "json_of", "to_json"}
)  # fmt: skip
"""Attributes that every Document has, which no reading may hide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSpec:
    """One layer of the inspector: what marks a page with what was read."""

    name: str
    title: str

    marks: str
    """``(page, result) -> Iterable[Mark]``, see `pagesight.output.inspector`."""

    table: str = ""
    """The label of marks that are the rows of a table, whose columns are their details."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What can be read from a page, and what to call for it. Empty is what there is not."""

    name: str

    question: str
    """What it answers, in one line."""

    read: str
    """``(page) -> result``, of a type that has `to_json`."""

    glance: str = ""
    """``(page) -> result | None``: the result where a glance at the page is enough, else None."""

    unread: str = ""
    """``(page, problem) -> result``: an empty result, for a page that takes too long."""

    lines: str = ""
    """``(result, width) -> Iterable[Text]``: what `pagesight read` shows of it."""

    section: bool = False
    """Whether these lines are a section of their own, and not a line or two among the facts."""

    layers: tuple[LayerSpec, ...] = ()

    train: str = ""
    """``(corpora, *, output)``, which writes weights; see `pagesight.learning.corpora.Corpora`."""

    evaluate: str = ""
    """``(corpora, *, worst)``, which prints tables. Some take more."""

    def call(self, what: str, *args: Any, **options: Any) -> Any:
        """Import one of the functions, and call it."""
        return self.function(what)(*args, **options)

    def function(self, what: str) -> Any:
        """One of the functions, by what it does: ``read`` or ``train``, for example."""
        return imported(getattr(self, what))


_added: dict[str, Reading] = {}


def register(reading: Reading) -> Reading:
    """Add a reading, after all others."""
    _added[reading.name] = _checked(reading, {known.name for known in readings()})
    return reading


def _checked(reading: Reading, taken: set[str]) -> Reading:
    """The reading; raises `ValueError` if a Document cannot have it under its name."""
    if reading.name in taken:
        raise ValueError(f"there is a reading {reading.name!r} already")
    if not reading.name.isidentifier() or reading.name in _OF_DOCUMENTS:
        raise ValueError(f"{reading.name!r} cannot be the name of an attribute")
    return reading


def readings() -> tuple[Reading, ...]:
    """All readings, in the order in which they are shown."""
    return (*_installed(), *_added.values())


def reading_named(name: str) -> Reading:
    """The reading of this name; raises `KeyError` if there is none."""
    if name in _OURS:  # without the packages of all others
        return _ours(name)
    return {reading.name: reading for reading in readings()}[name]


def layer_names() -> list[str]:
    """The layers of the inspector, in the order in which they are shown."""
    return [layer.name for reading in readings() for layer in reading.layers]


def _ours(name: str) -> Reading:
    reading: Reading = imported(f"{__package__}.{name}:READING")
    return reading


@cache
def _installed() -> tuple[Reading, ...]:
    """Our own readings, and those of other packages that are installed."""
    ours = [_ours(name) for name in _OURS]
    names = {reading.name for reading in ours}
    for point in entry_points(group=GROUP):
        try:
            ours.append(_checked(point.load(), names))
        except Exception as error:  # noqa: BLE001 - a package of somebody else must not break ours
            warnings.warn(f"the reading {point.name!r} cannot be used: {error}", stacklevel=2)
            continue
        names.add(ours[-1].name)
    return tuple(ours)
