"""In which state a tile is, and what is shown in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pagesight.portal.excluding import without
from pagesight.portal.values import Tile, TileState, TileView
from pagesight.watch.values import Observation, Part, PartState, Status, WatchedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Sights:
    """What is known of parts, by their numbers."""

    parts: dict[int, Part]
    latest: dict[int, Observation]
    present: dict[int, Observation]
    """The last ones in which they were there."""


def state_of(
    part: Part, latest: Observation, seen_until: datetime
) -> tuple[TileState, datetime | None]:
    """How a part is for who has seen all until a time, and since when."""
    page = part.page
    if part.state is PartState.GONE or latest.status is Status.MISSING:
        return TileState.GONE, latest.time
    if latest.status is Status.UNSURE:
        return TileState.UNSURE, latest.time
    if page.failures:
        return (TileState.WALL if is_wall(page) else TileState.OLD), page.failing_since
    if latest.number == 1 and latest.last == latest.time:
        return TileState.FRESH, latest.time
    changed = latest.number > 1 and latest.time > seen_until
    return (TileState.CHANGED if changed else TileState.UNCHANGED), latest.time


def is_wall(page: WatchedPage) -> bool:
    """Whether something else than the page was there: a consent dialog, a login, a bot check."""
    return bool(page.error and page.error.get("kind") == "problem")


def view_of(
    tile: Tile, sights: Sights, *, seen_until: datetime, now: datetime, may_edit: bool
) -> TileView:
    """A tile with what is shown in it."""
    part = sights.parts.get(tile.part or 0)
    latest = sights.latest.get(tile.part or 0)
    if part is None or latest is None:
        return TileView(tile=tile, state=TileState.WAITING, since=tile.added, may_edit=may_edit)
    shown = sights.present.get(part.id, latest)
    state, since = state_of(part, latest, seen_until)
    return TileView(
        tile=tile,
        state=state,
        since=since,
        may_edit=may_edit,
        part=part,
        page=part.page,
        observation=without(shown, tile.excluded),
        age=now - shown.last,
        error=part.page.error["message"] if part.page.error else None,
    )
