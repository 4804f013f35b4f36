"""What the portal is about: people, boards, the tiles on them, and work to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pagesight.page import Box
from pagesight.watch.changes import Changes
from pagesight.watch.values import Observation, Part, WatchedPage


class Look(StrEnum):
    """How a tile shows its part."""

    PLAIN = "plain"  # our typography
    ORIGINAL = "original"  # as on the site
    PICTURE = "picture"


class TileState(StrEnum):
    """How a part is; a tile is always in one of these, and says so."""

    WAITING = "waiting"  # for the first look
    FRESH = "fresh"  # seen for the first time, nothing to compare with
    CHANGED = "changed"  # since the visit before
    UNCHANGED = "unchanged"
    OLD = "old copy"  # the site cannot be had
    WALL = "wall"  # a consent dialog, a login, a bot check
    UNSURE = "unsure"  # somebody has to say which part it is
    GONE = "gone"


class Scope(StrEnum):
    """What somebody with a token may do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person who may sign in."""

    id: int
    uid: str
    name: str
    is_admin: bool
    created: datetime
    visited: datetime
    seen_until: datetime
    settings: Mapping[str, Any] = field(default_factory=dict)
    digested: datetime | None = None
    """When the last digest was sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser in which somebody has signed in."""

    id: int
    account: Account
    created: datetime
    used: datetime
    expires: datetime
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What lets a program act for a person."""

    id: int
    account: Account
    name: str
    scopes: frozenset[Scope]
    created: datetime
    used: datetime | None
    expires: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What lets one new person make an account."""

    id: int
    note: str
    created: datetime
    expires: datetime
    used: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Where messages to a person go."""

    id: int
    account: int
    name: str
    address: str = field(repr=False)
    """As Apprise has it; it may hold a password."""

    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a tile is on its tab, in columns and rows of the grid."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A part of a page on a board."""

    id: int
    uid: str
    tab: int
    part: int | None
    """The number of the watched part; none while it waits for the first look."""

    address: str
    name: str
    place: Place
    look: Look
    every: int | None
    """Seconds between two checks; none: as often as it changes."""

    excluded: tuple[str, ...]
    """XPaths below the part that are cut out."""

    condition: Mapping[str, Any] | None
    channel: int | None
    is_paused: bool
    added: datetime
    told: int = field(default=0, repr=False)
    """The last observation that a message was thought of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One of the sheets of a board."""

    id: int
    uid: str
    board: int
    name: str
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A page that somebody has composed."""

    id: int
    uid: str
    owner: int
    name: str
    version: int
    """Rises with every change."""

    created: datetime
    tabs: tuple[Tab, ...] = ()
    people: Mapping[int, bool] = field(default_factory=dict)
    """Who else may see it, by account, and whether they may change it."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles, tab by tab."""
        return tuple(tile for tab in self.tabs for tile in tab.tiles)

    def may_see(self, account: Account) -> bool:
        """Whether somebody may look at it."""
        return account.id == self.owner or account.id in self.people

    def may_edit(self, account: Account) -> bool:
        """Whether somebody may change it."""
        return account.id == self.owner or self.people.get(account.id, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link that shows one board or one tile to who has it."""

    id: int
    uid: str
    board: int | None
    tile: int | None
    is_public: bool
    created: datetime
    expires: datetime | None


class PreviewState(StrEnum):
    """Whether a page can be picked from yet."""

    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A page that somebody picks parts from."""

    id: int
    uid: str
    account: int
    address: str
    created: datetime
    state: PreviewState
    error: Mapping[str, str] | None = None
    problem: str | None = None
    """What is in front of the page: a consent dialog, a login, a bot check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work that a worker has taken, until its lease ends."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    host: str
    attempts: int
    lease: datetime


# What people are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TileView:
    """A tile with what is shown in it: the last good copy, without what was cut out."""

    tile: Tile
    state: TileState
    since: datetime | None
    """Since when it is in this state."""

    may_edit: bool
    part: Part | None = None
    page: WatchedPage | None = None
    observation: Observation | None = None
    """The last one in which the part was there; None while it waits for that."""

    age: timedelta | None = None
    """How long ago that was last seen to be so."""

    error: str | None = None
    """Why the page cannot be had, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What changed in a tile."""

    board: Board
    tile: Tile
    state: TileState
    time: datetime
    summary: str
    changes: Changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a part may be now."""

    xpath: str
    text: str
    score: float | None
    box: Box | None
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Is this it? What a part was, and what it may be now."""

    tile: Tile
    part: Part
    known: Observation | None
    """The last time that it was certain."""

    known_picture: bytes | None = field(repr=False)
    candidates: tuple[Candidate, ...]
    """The best one, and the second."""

    users: int
    """Tiles that show this part: one answer serves all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pickable:
    """A node of the zone tree of a page, which may be picked as a part."""

    id: int
    parent: int | None
    depth: int
    kind: str | None
    """What it is, where that was read: header, navigation, content …"""

    name: str
    text: str
    """Its beginning."""

    length: int
    """Characters of all of it."""

    box: Box
    xpath: str
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a link shows."""

    share: Share
    name: str
    board: Board | None
    views: tuple[TileView, ...]


class JobState(StrEnum):
    """How far work is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    """Or there never was such work: a row goes when it is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that does the work."""

    name: str
    started: datetime
    seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether everything works."""

    workers: tuple[Worker, ...]
    """Those that said so within the last minute."""

    waiting: int
    """Jobs that could be done now."""

    lag: timedelta
    """How long the one that is overdue the longest has been waiting."""

    pages: int
    failing: tuple[WatchedPage, ...]
    database: str

    @property
    def is_well(self) -> bool:
        """Whether the work is being done."""
        return bool(self.workers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import has brought."""

    boards: int = 0
    tiles: int = 0
    parts: int = 0
    observations: int = 0
    skipped: tuple[str, ...] = ()
    """What was left out, and why."""
