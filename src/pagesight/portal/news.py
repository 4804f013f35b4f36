"""What changed since somebody was here, as far as it matters to them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pagesight.portal.conditions import matters
from pagesight.portal.excluding import without
from pagesight.portal.states import state_of
from pagesight.portal.values import Board, News, Tile
from pagesight.watch.changes import Changes, compare, differs
from pagesight.watch.store.store import Store
from pagesight.watch.values import Observation, Part


def news_of(store: Store, boards: Sequence[Board], since: datetime) -> list[News]:
    """What is not as it was at a time on these boards, the newest first."""
    tiles = [(board, tile) for board in boards for tile in board.tiles if tile.part is not None]
    numbers = {tile.part for _, tile in tiles if tile.part is not None}
    parts, latest = store.parts_of(numbers), store.latest(numbers)
    found = []
    for board, tile in tiles:
        now = latest.get(tile.part or 0)
        if now is None or now.number == 1 or now.time <= max(since, tile.added):
            continue
        changes = _changes(store, tile, now, max(since, tile.added))
        if changes and matters(tile.condition, changes):
            found.append(_news(board, tile, parts[now.part], changes, since))
    return sorted(found, key=lambda one: one.time, reverse=True)


def _changes(store: Store, tile: Tile, now: Observation, since: datetime) -> Changes | None:
    """What changed in a tile, without what is cut out of it; None if that is nothing."""
    then = store.observation_at(now.part, since) or store.observation(now.part, 1)
    if then is None or then.number == now.number:
        return None
    return changes_between(store, tile, then, now)


def changes_between(
    store: Store, tile: Tile, then: Observation, now: Observation
) -> Changes | None:
    """What changed between two observations in a tile; None if all of it is cut out."""
    before, after = without(then, tile.excluded), without(now, tile.excluded)
    if tile.excluded and not differs(before, after):
        return None
    return compare(before, after, store.present(now.part, then.number))


def _news(board: Board, tile: Tile, part: Part, changes: Changes, since: datetime) -> News:
    state, _ = state_of(part, changes.after, since)
    return News(
        board=board, tile=tile, state=state, time=changes.after.time, summary=changes.summary,
        changes=changes,
    )  # fmt: skip
