"""What watching is about: pages, their parts, and what was observed of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pagesight.page import Box

if TYPE_CHECKING:
    from pagesight.watch.changes import Changes


class Status(StrEnum):
    """Whether a part was found again."""

    FOUND = "found"
    CHANGED = "changed"  # found, though it moved, or looks or is called differently
    UNSURE = "unsure"  # there is a candidate, which somebody has to confirm
    MISSING = "missing"

    @property
    def is_present(self) -> bool:
        return self in (Status.FOUND, Status.CHANGED)


class PartState(StrEnum):
    """Whether a part is looked for."""

    WATCHED = "watched"
    GONE = "gone"  # somebody confirmed that it is no longer there


class Outcome(StrEnum):
    """How a check of a page ended."""

    ADDED = "added"  # the first look at parts of it
    UNCHANGED = "unchanged"  # nothing new about any part; mostly, nothing was rendered
    CHANGED = "changed"
    CONFIRMED = "confirmed"  # somebody answered what was unsure
    PROBLEM = "problem"  # it is not the page: a wall, a bot check, an error in words
    FAILED = "failed"  # not fetched, or not rendered


@dataclass(frozen=True, slots=True)
class Item:
    """One of the repeated things in a part: an entry of a list, a card, a row."""

    title: str
    text: str
    url: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"title": self.title, "text": self.text, "url": self.url}


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """A page of which parts are watched."""

    id: int
    address: str
    """Where it is: an http(s) address, or the absolute path of a file."""

    added: datetime
    checked: datetime
    next_check: datetime
    failures: int = 0
    """Checks in a row that failed."""

    failing_since: datetime | None = None
    """The parts are those of before."""

    error: dict[str, str] | None = None
    """Why the last check failed: a kind and a message."""

    version: int = field(default=0, repr=False)
    etag: str | None = field(default=None, repr=False)
    last_modified: str | None = field(default=None, repr=False)
    digest: str = field(default="", repr=False)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "id": self.id,
            "address": self.address,
            "added": self.added.isoformat(),
            "checked": self.checked.isoformat(),
            "next_check": self.next_check.isoformat(),
            "failures": self.failures,
            "failing_since": self.failing_since.isoformat() if self.failing_since else None,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A watched part of a page."""

    id: int
    uid: str
    """The same wherever the part is copied to."""

    page: WatchedPage
    name: str
    selector: str | None
    """What it was learned from, if that was a selector."""

    state: PartState
    added: datetime
    learned: int = field(default=0, repr=False)
    component: str = field(default="", repr=False)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "id": self.id,
            "uid": self.uid,
            "name": self.name,
            "selector": self.selector,
            "state": self.state.value,
            "added": self.added.isoformat(),
            "page": self.page.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What is seen of a part on one page."""

    status: Status
    html: str = ""
    styled: str | None = field(default=None, repr=False)
    """The same with the styles that it had, where somebody wants to show it so."""

    text: str = ""
    items: tuple[Item, ...] = ()
    picture: bytes | None = field(default=None, repr=False)
    box: Box | None = None
    xpath: str | None = None
    css: str | None = None
    confidence: float | None = None
    runner_up: Any = None
    """What else it might have been, as JSON."""

    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What was seen of a part, from `time` on, and was still so at `last`."""

    part: int
    number: int
    """From 1, without gaps."""

    time: datetime
    last: datetime
    status: Status
    html: str = field(repr=False)
    styled: str | None = field(default=None, repr=False)
    text: str = field(repr=False)
    items: tuple[Item, ...]
    box: Box | None
    xpath: str | None
    css: str | None
    confidence: float | None
    runner_up: Any
    changes: tuple[str, ...]
    has_picture: bool

    def to_json(self) -> dict[str, Any]:
        """As plain values, without the picture."""
        return {
            "part": self.part,
            "number": self.number,
            "time": self.time.isoformat(),
            "last": self.last.isoformat(),
            "status": self.status.value,
            "text": self.text,
            "html": self.html,
            "items": [item.to_json() for item in self.items],
            "box": list(self.box) if self.box else None,
            "xpath": self.xpath,
            "css": self.css,
            "confidence": self.confidence,
            "runner_up": self.runner_up,
            "changes": list(self.changes),
            "has_picture": self.has_picture,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A part at the end of a check."""

    part: Part
    now: Observation
    before: Observation | None
    """The observation before it, if `now` is a new one."""

    known: Observation | None = None
    """The last one before it in which the part was present, if `now` is a new one."""

    @property
    def is_new(self) -> bool:
        """Whether the check wrote a new observation that differs from one before."""
        return self.before is not None

    @property
    def changes(self) -> Changes | None:
        """What is new in `now`, if the check wrote it."""
        from pagesight.watch.changes import compare  # it needs these values

        return compare(self.before, self.now, self.known) if self.before else None

    def to_json(self) -> dict[str, Any]:
        """As plain values: how the part is, and what is new."""
        fields: dict[str, Any] = {
            "id": self.part.id,
            "name": self.part.name,
            "status": self.now.status.value,
            "confidence": self.now.confidence,
            "observation": self.now.number,
            "new": self.is_new,
        }
        if changes := self.changes:
            new_items = [item.to_json() for item in changes.new_items]
            fields |= {"summary": changes.summary, "new_items": new_items}
        return fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of a check of a page; it is written down when this is returned."""

    page: WatchedPage
    outcome: Outcome
    parts: tuple[Seen, ...] = ()
    """Those that are looked for; none if the check failed."""

    error: dict[str, str] | None = None
    """Why it failed, or what kept the page from being the page."""

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "page": self.page.id,
            "address": self.page.address,
            "outcome": self.outcome.value,
            "error": self.error,
            "parts": [seen.to_json() for seen in self.parts],
        }
