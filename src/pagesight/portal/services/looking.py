"""Tiles with what is in them, their history, what is new, and the question which part it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from pagesight.errors import PagesightError, StoreError
from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.excluding import without
from pagesight.portal.news import news_of
from pagesight.portal.services.base import Service
from pagesight.portal.states import Sights, view_of
from pagesight.portal.store.queue import add_check, check_key
from pagesight.portal.values import (
    Account,
    Board,
    Candidate,
    JobState,
    News,
    Question,
    Tile,
    TileView,
)
from pagesight.watch.changes import Changes, compare
from pagesight.watch.values import Observation, Sight, Status


class Looking(Service):
    """What somebody looks at."""

    def tile(self, account: Account, uid: str) -> TileView:
        """A tile with what is shown in it."""
        board, tile = self._tile(account, uid)
        return self._views([tile], account.seen_until, may_edit=board.may_edit(account))[0]

    def tile_views(self, account: Account, board_uid: str) -> list[TileView]:
        """All tiles of a board, by few queries."""
        board = self._board(account, board_uid)
        return self._views(board.tiles, account.seen_until, may_edit=board.may_edit(account))

    def _views(
        self, tiles: Sequence[Tile], seen_until: datetime, *, may_edit: bool
    ) -> list[TileView]:
        sights, now = self._sights(tiles), self.now()
        return [
            view_of(tile, sights, seen_until=seen_until, now=now, may_edit=may_edit)
            for tile in tiles
        ]

    def _sights(self, tiles: Iterable[Tile]) -> Sights:
        numbers = {tile.part for tile in tiles if tile.part is not None}
        latest = self.store.latest(numbers)
        absent = [part for part, seen in latest.items() if not seen.status.is_present]
        present = {part: seen for part, seen in latest.items() if seen.status.is_present}
        if absent:
            present |= self.store.latest(absent, present=True)
        return Sights(parts=self.store.parts_of(numbers), latest=latest, present=present)

    def stamp(self, account: Account, board_uid: str) -> str:
        """What changes whenever anything of a board does, for an ETag; cheaper than its tiles."""
        board = self._board(account, board_uid)
        numbers = sorted({tile.part for tile in board.tiles if tile.part is not None})
        versions = [part.page.version for part in self.store.parts_of(numbers).values()]
        known = (board.uid, board.version, account.id, account.seen_until, numbers, versions)
        return hashlib.sha256(repr(known).encode()).hexdigest()[:32]

    def check_now(self, account: Account, uid: str) -> None:
        """Look at the page of a tile as soon as its server may be asked."""
        _, number = self._part(account, uid)
        page = self.store.part(number).page
        with self._queue.writing() as connection:
            add_check(connection, page.id, page.address, now=self.now())

    def check_state(self, account: Account, uid: str) -> JobState:
        """Whether the page of a tile is waiting for a check, or being checked."""
        _, number = self._part(account, uid)
        return self._queue.state_of(check_key(self.store.part(number).page.id))

    # History

    def history(
        self, account: Account, uid: str, *, before: int | None = None, most: int = 50
    ) -> list[Observation]:
        """What was observed of the part of a tile, the oldest first: the last ones before one."""
        tile, number = self._part(account, uid)
        seen = self.store.observations(number, before=before, most=most)
        return [without(one, tile.excluded) for one in seen]

    def observation(self, account: Account, uid: str, number: int | None = None) -> Observation:
        """One observation of the part of a tile, or the last one."""
        tile, part = self._part(account, uid)
        seen = self.store.observation(part, number) if number else None
        if number is None:
            seen = self.store.latest([part]).get(part)
        if seen is None:
            raise NotThere("there is no such observation")
        return without(seen, tile.excluded)

    def picture(self, account: Account, uid: str, number: int | None = None) -> bytes | None:
        """How a part looked, as a PNG; None if it was not painted."""
        _, part = self._part(account, uid)
        return self.store.picture(part, self.observation(account, uid, number).number)

    def changes(
        self, account: Account, uid: str, before: int | None = None, after: int | None = None
    ) -> Changes:
        """What changed between two observations: the last two, if not said otherwise."""
        now = self.observation(account, uid, after)
        then = self.observation(account, uid, before or max(1, now.number - 1))
        return compare(then, now, self.store.present(now.part, then.number))

    def users_of(self, account: Account, uid: str) -> list[str]:
        """The names of those who show the same part on a board of theirs."""
        _, part = self._part(account, uid)
        owners = {owner for _, owner in self._boards.tiles_of_parts([part])}
        return [person.name for person in self._accounts.all() if person.id in owners]

    # Is this it?

    def question(self, account: Account, uid: str) -> Question:
        """What a part was, and what it may be now; raises `NotThere` if nobody has to say."""
        tile, number = self._part(account, uid)
        part, latest = self.store.part(number), self.store.latest([number])[number]
        if latest.status is not Status.UNSURE:
            raise NotThere("there is no question about this part")
        known = self.store.present(number, latest.number)
        return Question(
            tile=tile,
            part=part,
            known=known,
            known_picture=self.store.picture(number, known.number) if known else None,
            candidates=tuple(map(_candidate, self._watch.candidates(number))),
            users=len(self._boards.tiles_of_parts([number])),
        )

    def answer(
        self,
        account: Account,
        uid: str,
        *,
        xpath: str | None = None,
        gone: bool = False,
        pause: bool = False,
    ) -> TileView:
        """Say which candidate it is, that it is gone, or that it does not matter for now.

        One answer serves everybody who uses the part.
        """
        board, tile = self._tile(account, uid, to_edit=True)
        if pause:
            self._boards.change_tile(board.id, tile.id, {"is_paused": True})
            return self.tile(account, uid)
        _, part = self._part(account, uid)
        try:
            self._watch.confirm(part, node=xpath, gone=gone)
        except StoreError:
            raise
        except PagesightError as error:
            raise Invalid(error.message, field="xpath", hint=error.hint) from error
        return self.tile(account, uid)

    # What is new

    def news(self, account: Account, since: datetime | None = None) -> list[News]:
        """What changed on somebody's boards since their last visit, the newest first."""
        return self._news(self._boards.of_account(account.id), since or account.seen_until)

    def _news(self, boards: Sequence[Board], since: datetime) -> list[News]:
        return news_of(self.store, boards, since)


def _candidate(sight: Sight) -> Candidate:
    return Candidate(
        xpath=sight.xpath or "", text=sight.text, score=sight.confidence, box=sight.box,
        picture=sight.picture,
    )  # fmt: skip
