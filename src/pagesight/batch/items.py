"""What an input gives: items, each of which becomes one row, with what is known about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pagesight.sources import Request


class Place(NamedTuple):
    """Where an item begins in its input: what to look up first, and how many to pass there."""

    offset: int = 0
    skip: int = 0


BEGINNING = Place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What tells an item from all others, as far as its input says."""

    record_id: str | None = None
    """``WARC-Record-ID``, or the value of a table's column of ids."""

    target: str | None = None
    """The address that was asked for: ``WARC-Target-URI``, for example."""

    date: str | None = None
    digest: str | None = None
    """``WARC-Payload-Digest``."""

    path: str | None = None
    """The file, of a page that is one."""

    offset: int | None = None
    """Where its record begins in a web archive, compressed or not."""


@dataclass(frozen=True, slots=True)
class Item:
    """One page of an input, not yet loaded."""

    place: Place
    identity: Identity
    request: Callable[[], Request]
    """What is to be read; raises a `SourceError` for what is broken."""


class Input(Protocol):
    """Something with many pages in it."""

    passed: Counter[str]
    """What was passed over, and is not a page: how often, by what it is."""

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The items from a place on, always the same ones in the same order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions:
    """How inputs are to be understood."""

    html: str = "html"
    """The column of a table with the content of pages."""

    address: str = "url"
    """The column with their addresses; without content, pages are fetched from there."""

    identifier: str = "id"
    """The column that tells rows apart, if there is one."""

    max_size: int = 20 << 20
    """Of a page, in bytes."""
