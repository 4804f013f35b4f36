"""Checking a page: what is seen of its parts is written down, once and in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from pagesight.crawl.politeness import Clock
from pagesight.errors import FetchFailed, PagesightError, StoreError, UnexpectedError, WatchError
from pagesight.watch.changes import differs
from pagesight.watch.looking import Looks
from pagesight.watch.observing import Shown
from pagesight.watch.pacing import Pace
from pagesight.watch.store.store import CheckRow, Content, Overtaken, Store
from pagesight.watch.values import Checked, Observation, Outcome, Part, PartState, Seen, WatchedPage
from pagesight.watch.visiting import content_of


class Checks:
    """Checks pages, and writes down what comes of it."""

    def __init__(self, store: Store, looks: Looks, clock: Clock, pace: Pace | None = None) -> None:
        self.store = store
        self.looks = looks
        self.clock = clock
        self.pace = pace or Pace()

    def now(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self.clock.time(), UTC)

    def row(self, outcome: Outcome, page: WatchedPage | None) -> CheckRow:
        """A check that is made now, of a page that is known or new."""
        now = self.now()
        due = now + timedelta(seconds=self.pace.until_next(page))
        return CheckRow(time=now, outcome=outcome, next_check=due)

    def check(self, page: WatchedPage) -> Checked:
        """Look at a page again. Whatever fails is a result, except the database itself."""
        try:
            return self._checked(page)
        except StoreError:
            raise
        except PagesightError as error:
            return self._failed(page, error)
        except Exception as error:  # noqa: BLE001 - a defect on one page must not lose the others
            return self._failed(page, UnexpectedError.of(error, page.address))

    def _checked(self, page: WatchedPage) -> Checked:
        source = self.looks.get(page.address, page)
        if source is None:
            return self._unchanged(page)
        content = content_of(source)
        if content.digest == page.digest:
            return self._unchanged(page, content)
        shown = self.looks.show(source)
        if problem := self.looks.problem(shown.page):
            error = {"kind": "problem", "message": problem}
            return self.write_failed(page, Outcome.PROBLEM, error)
        return self.record(page.id, content, shown)

    def record(self, number: int, content: Content, shown: Shown) -> Checked:
        """Write down what a page shows, once, whoever else looks at it at the same time."""
        while True:
            page = self._page(number)
            if page.digest == content.digest:
                return self._unchanged(page, content)
            with suppress(Overtaken):
                return self._observed(page, content, shown)

    def _observed(self, page: WatchedPage, content: Content, shown: Shown) -> Checked:
        parts = [part for part in self.store.parts(page.id) if part.state is PartState.WATCHED]
        before = self.store.latest([part.id for part in parts])
        look = self.looks.look(self.store.learned(page.id), parts, shown)
        new = {
            part: (before[part].number + 1, sight)
            for part, sight in look.sights.items()
            if differs(before[part], sight)
        }
        outcome = Outcome.CHANGED if new else Outcome.UNCHANGED
        self.store.write_observed(
            page,
            content,
            self.row(outcome, page),
            new=new,
            same=look.sights.keys() - new.keys(),
            learned=look.learned,
            snapshot=shown.snapshot() if look.is_unsure else None,
        )
        return self._result(page.id, outcome, {part: before[part] for part in new})

    def _unchanged(self, page: WatchedPage, content: Content | None = None) -> Checked:
        """The bytes are as they were: so are the parts."""
        with suppress(Overtaken):  # by somebody who has checked the page just now
            self.store.write_unchanged(page, content, self.row(Outcome.UNCHANGED, page))
        return self._result(page.id, Outcome.UNCHANGED, {})

    def _failed(self, page: WatchedPage, error: PagesightError) -> Checked:
        fields = {"kind": error.kind, "message": error.message}
        asked = error.retry_after if isinstance(error, FetchFailed) else None
        return self.write_failed(page, Outcome.FAILED, fields, asked or 0.0)

    def write_failed(
        self, page: WatchedPage, outcome: Outcome, error: dict[str, str], asked: float = 0.0
    ) -> Checked:
        """Write down that a check could not look at a page; a server may have `asked` to wait."""
        now = self.now()
        due = now + timedelta(seconds=self.pace.until_retry(page, asked))
        row = CheckRow(time=now, outcome=outcome, next_check=due, error=error)
        with suppress(Overtaken):
            self.store.write_failed(page, row)
        return Checked(page=self.store.page(page.id) or page, outcome=outcome, error=error)

    def _result(self, number: int, outcome: Outcome, before: Mapping[int, Observation]) -> Checked:
        parts = [part for part in self.store.parts(number) if part.state is PartState.WATCHED]
        latest = self.store.latest([part.id for part in parts])
        seen = (self._seen(one, latest[one.id], before.get(one.id)) for one in parts)
        return Checked(page=self._page(number), outcome=outcome, parts=tuple(seen))

    def _seen(self, part: Part, now: Observation, before: Observation | None) -> Seen:
        known = self.store.present(part.id, before.number) if before else None
        return Seen(part=part, now=now, before=before, known=known)

    def _page(self, number: int) -> WatchedPage:
        if page := self.store.page(number):
            return page
        raise WatchError("the page is no longer watched")
