"""What each kind of job does. Each may be done twice, if a worker died: the second time is idle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from pagesight.errors import (
    NoSuchPart,
    NotificationFailed,
    PagesightError,
    StoreError,
    UnexpectedError,
)
from pagesight.portal.conditions import matters
from pagesight.portal.digests import digest_due, digest_of
from pagesight.portal.learning import learned_parts
from pagesight.portal.messages import Message, send
from pagesight.portal.news import changes_between, news_of
from pagesight.portal.picks import main_part
from pagesight.portal.services.base import Service
from pagesight.portal.store.notices import Notices
from pagesight.portal.store.queue import MOST_ATTEMPTS
from pagesight.portal.values import Job, JobState, Tile
from pagesight.watch.notifying import lines_of
from pagesight.watch.watching import Watch

FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=5), timedelta(days=1)  # for a page that fails
RETRY = timedelta(minutes=1)  # until a message is tried again; each further attempt doubles it
_DIED = {
    "kind": "worker_died",
    "message": "looking at this page has ended the worker, again and again",
}


class PutBack(Exception):
    """A job failed and is to be tried again, after a while."""

    def __init__(self, error: PagesightError, wait: timedelta) -> None:
        super().__init__(str(error))
        self.error = {"kind": error.kind, "message": error.message}
        self.wait = wait


def wait_after(attempts: int) -> timedelta:
    """How long work that failed waits until it is tried again."""
    return min(LONGEST_WAIT, FIRST_WAIT * float(2 ** min(attempts, 20)))


class Tasks(Service):
    """Does jobs. Failures of pages are results, which are written down."""

    def do(self, job: Job, watch: Watch) -> None:
        """Do a job; raises `PutBack`, or a `StoreError` if the database cannot be used."""
        kinds: dict[str, Callable[[Job, Watch], None]] = {
            "preview": self._preview,
            "add": self._add,
            "check": self._check,
            "notify": self._notify,
            "digest": self._digest,
        }
        kinds[job.kind](job, watch)

    @property
    def _notices(self) -> Notices:
        return Notices(self.store, self.config.clock)

    # Pages

    def _preview(self, job: Job, watch: Watch) -> None:
        preview = self._previews.by_uid(job.payload["preview"])
        if preview is None:
            return
        if job.attempts > MOST_ATTEMPTS:
            self._previews.failed(preview.uid, _DIED)
            return
        try:
            self._previews.ready(preview.uid, watch.visit(preview.address))
        except StoreError:
            raise
        except PagesightError as error:
            self._previews.failed(preview.uid, error.to_json())
        except Exception as error:  # noqa: BLE001 - a defect on one page must not end the worker
            told = UnexpectedError.of(error, preview.address).to_json()
            self._previews.failed(preview.uid, told)

    def _add(self, job: Job, watch: Watch) -> None:
        """Find the main part of a page for a tile that has none yet."""
        board = self._boards.of_tile(job.payload["tile"])
        if board is None:
            return
        tile = next(one for one in board.tiles if one.uid == job.payload["tile"])
        if tile.part is not None:
            return
        try:
            part = self._main_part(tile.address, watch)
        except StoreError:
            raise
        except PagesightError as error:
            raise PutBack(error, wait_after(job.attempts)) from error
        self._boards.change_tile(board.id, tile.id, {"part_id": part, "told": 1})

    def _main_part(self, address: str, watch: Watch) -> int:
        now = self.now()
        visit = watch.visit(address)
        picked = None if visit.problem else main_part(visit.shown.page)
        if picked is None:
            raise NoSuchPart(visit.problem or "nothing is seen on this page")
        (part,) = learned_parts(watch, address, visit, [picked.xpath], now).values()
        return part.id

    def _check(self, job: Job, watch: Watch) -> None:
        number = int(job.payload["page"])
        if job.attempts > MOST_ATTEMPTS:
            watch.give_up(number, _DIED)
        else:
            watch.check_page(number)
        self.tell(number)

    # Messages

    def tell(self, page: int) -> None:
        """Messages about what was observed on a page, as far as it matters to somebody."""
        parts = [part.id for part in self.store.parts(page)]
        told = [tile for tile, _ in self._boards.tiles_of_parts(parts) if tile.channel is not None]
        latest = self.store.latest({tile.part for tile in told if tile.part is not None})
        for tile in told:
            last = latest[tile.part].number if tile.part in latest else 0
            if last > tile.told:
                telling = [] if tile.is_paused else self._telling(tile, last)
                self._notices.add(tile.id, telling, last)

    def _telling(self, tile: Tile, last: int) -> list[int]:
        """The observations of a tile that somebody wants to know of."""
        assert tile.part is not None
        numbers = []
        before = self.store.observation(tile.part, max(1, tile.told))
        for number in range(tile.told + 1, last + 1):
            now = self.store.observation(tile.part, number)
            if before and now and before.number != number:
                changes = changes_between(self.store, tile, before, now)
                if changes and matters(tile.condition, changes):
                    numbers.append(number)
            before = now
        return numbers

    def _notify(self, job: Job, _: Watch) -> None:
        number = int(job.payload["notice"])
        if job.attempts > MOST_ATTEMPTS:
            return  # why is written in it
        notice = self._notices.take(number)
        tile = self._boards.tile_by_id(notice.tile) if notice else None
        if notice is None or tile is None:
            return
        try:
            self._send(tile.channel, self._message(tile, notice.number))
        except NotificationFailed as error:
            self._notices.failed(number, error.to_json())
            raise PutBack(error, RETRY * 2 ** (job.attempts - 1)) from error

    def _message(self, tile: Tile, number: int) -> Message:
        assert tile.part is not None
        before = self.store.observation(tile.part, max(1, number - 1))
        now = self.store.observation(tile.part, number)
        changes = changes_between(self.store, tile, before, now) if before and now else None
        lines = lines_of(changes) if changes else []
        body = "\n".join([*lines, "", tile.address])
        return Message(f"{tile.name}: {changes.summary if changes else 'changed'}", body)

    def _send(self, channel: int | None, message: Message) -> None:
        known = self._sharing.channel(channel) if channel is not None else None
        if known:
            send(known.address, message, self.config.guard)

    # Digests

    def plan_digests(self) -> None:
        """Jobs for all digests that are due."""
        for account in self._accounts.all():
            due, key = digest_due(account, self.now()), f"digest:{account.id}"
            is_due = due and (account.digested is None or account.digested < due)
            if is_due and self._queue.state_of(key) is JobState.DONE:  # one that failed waits
                self._queue.add("digest", key, {"account": account.id})

    def _digest(self, job: Job, _: Watch) -> None:
        account = self._accounts.by_id(int(job.payload["account"]))
        due = digest_due(account, self.now()) if account else None
        if account is None or due is None:
            return
        since = self._notices.take_digest(account.id, due)
        if since is None:
            return
        news = news_of(self.store, self._boards.of_account(account.id), since)
        channel = self._sharing.channel(account.settings["digest_channel"])
        if not news or channel is None or channel.account != account.id:
            return  # a channel that is gone leaves its number to the next one, of anybody
        try:
            send(channel.address, digest_of(news, self.config.address), self.config.guard)
        except NotificationFailed as error:
            if job.attempts >= MOST_ATTEMPTS:
                return  # the next one is due tomorrow
            self._accounts.change(account.id, digested=since)
            raise PutBack(error, RETRY * 2 ** (job.attempts - 1)) from error

    # Order

    def expire(self) -> None:
        """Forget what nobody needs any more."""
        self._previews.expire()
        self._queue.expire()
