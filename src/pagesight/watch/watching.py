"""Watching parts of pages: add them, check them, and ask what changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from pagesight.crawl.politeness import Clock, Turns
from pagesight.errors import NoSuchPart, PagesightError, PartNotFound, WatchError
from pagesight.render import AnyRenderer, open_renderer
from pagesight.sources import DEFAULT_LIMITS, Limits
from pagesight.watch.changes import Changes, compare
from pagesight.watch.checking import Checks
from pagesight.watch.confirming import candidates_of, confirm_part
from pagesight.watch.looking import Looks
from pagesight.watch.observing import Shown, Styled
from pagesight.watch.pacing import Pace
from pagesight.watch.store.store import Content, NewPart, Overtaken, Store
from pagesight.watch.values import (
    Checked,
    Observation,
    Outcome,
    Part,
    PartState,
    Sight,
    WatchedPage,
)
from pagesight.watch.visiting import content_of, place_of

DELAY = 2.0  # seconds between two requests to a server, if it does not ask for more


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that somebody may want to watch parts of."""

    content: Content
    shown: Shown
    problem: str | None = None
    """What is there instead of the page: a wall, a bot check, an error in words."""


class Watch:
    """Watched parts, in a database. Use as a context manager, or call `close`.

    It may be used from several threads; pages are asked for one at a time all the same. Several
    may share a database: `turns` then says when a server may be asked, `pace` how often a page is
    looked at, and `styled` makes the HTML of a part as it looked.
    """

    def __init__(
        self,
        store: Store,
        *,
        renderer: str | AnyRenderer = "auto",
        limits: Limits = DEFAULT_LIMITS,
        delay: float = DELAY,
        clock: Clock = time,
        turns: Turns | None = None,
        pace: Pace | None = None,
        styled: Styled | None = None,
    ) -> None:
        self.store = store
        self._is_ours = isinstance(renderer, str)
        opened = open_renderer(renderer) if isinstance(renderer, str) else renderer
        self._looks = Looks(
            store, opened, limits=limits, delay=delay, clock=clock, turns=turns, styled=styled
        )
        self._checks = Checks(store, self._looks, clock, pace)

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        renderer: str | AnyRenderer = "auto",
        limits: Limits = DEFAULT_LIMITS,
        delay: float = DELAY,
        clock: Clock = time,
        read_only: bool = False,
    ) -> Watch:
        """Open a database by its address: any that SQLAlchemy knows, or the path of a SQLite file.

        Without one: that of the variable `PAGESIGHT_DATABASE`, or a file in the user's data folder.
        An open renderer stays open. `delay` are the seconds between two requests to a server. With
        `read_only`, nothing can be added, checked or confirmed; there must be a database then.
        """
        store = Store.open(url, read_only=read_only)
        return cls(store, renderer=renderer, limits=limits, delay=delay, clock=clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the renderer, if it was opened here, and all connections."""
        self._looks.close()
        if self._is_ours:
            self._looks.renderer.close()
        self.store.close()

    # What is known

    def pages(self) -> tuple[WatchedPage, ...]:
        """The pages of which parts are watched."""
        return self.store.pages()

    def parts(self) -> tuple[Part, ...]:
        """All watched parts, page by page."""
        return self.store.parts()

    def part(self, number: int) -> Part:
        """A part by its number; raises `PartNotFound`."""
        return self.store.part(number)

    def latest(self, parts: Iterable[Part]) -> dict[int, Observation]:
        """The last observation of each part, by its number."""
        return self.store.latest([part.id for part in parts])

    def history(self, part: int) -> tuple[Observation, ...]:
        """Everything that was observed of a part, the oldest first."""
        return self.store.observations(self.part(part).id)

    def observation(self, part: int, number: int | None = None) -> Observation:
        """One observation of a part, or the last one; raises `PartNotFound`."""
        if number is None:
            return self.store.latest([self.part(part).id])[part]
        if seen := self.store.observation(self.part(part).id, number):
            return seen
        raise PartNotFound(
            f"part {part} has no observation {number}", hint=f"see pagesight watch history {part}"
        )

    def picture(self, part: int, number: int | None = None) -> bytes | None:
        """How a part looked, as a PNG; None if it was not painted."""
        return self.store.picture(part, self.observation(part, number).number)

    def diff(self, part: int, before: int | None = None, after: int | None = None) -> Changes:
        """What changed between two observations: the last two, if not said otherwise."""
        now = self.observation(part, after)
        then = self.observation(part, before or max(1, now.number - 1))
        return compare(then, now, self.store.present(part, then.number))

    def changed(
        self, since: datetime, parts: Iterable[int] | None = None
    ) -> Iterator[tuple[Part, Changes]]:
        """What is not as it was at a time, for these parts or for all.

        A part that was added later is compared with the first look at it. What came and went in
        between is in the `history`.
        """
        chosen = self.parts() if parts is None else [self.part(number) for number in parts]
        latest = self.latest(chosen)
        for part in chosen:
            now = latest[part.id]
            if now.time <= since or now.number == 1:
                continue
            then = self.store.observation_at(part.id, since) or self.observation(part.id, 1)
            yield part, compare(then, now, self.store.present(part.id, then.number))

    # What is done

    def add(
        self,
        source: str | Path,
        *,
        select: Sequence[str] = (),
        at: Sequence[tuple[float, float]] = (),
        name: str | None = None,
    ) -> tuple[Part, ...]:
        """Watch parts of a page: those that selectors or points name, or all of its components.

        They are observed for the first time at once. `name` is for a single part.
        """
        address = place_of(source)
        try:
            self._check_new(address, select, is_all=not (select or at))
            visit = self.visit(address)
            if visit.problem:
                raise WatchError(f"this is not the page, but says: {visit.problem}")
            return self.add_from(address, visit, select=select, at=at, name=name)
        except PagesightError as error:
            raise error.about(address) from error.__cause__

    def _check_new(self, address: str, select: Sequence[str], *, is_all: bool) -> None:
        """Refuse what is watched already."""
        known = self.store.page_at(address)
        there = self.store.parts(known.id) if known else ()
        parts = [part for part in there if part.state is PartState.WATCHED]
        if parts and is_all:
            raise WatchError(
                f"parts of this page are watched already: {len(parts)}",
                hint="name further ones with --part or --at",
            )
        for part in parts:
            if part.selector in select:
                raise WatchError(f"part {part.id} is {part.selector} already")

    def visit(self, address: str) -> Visit:
        """A page as it is now, of which nothing is watched yet."""
        source = self._looks.get(address)
        assert source is not None  # nothing is known yet
        shown = self._looks.show(source)
        return Visit(content_of(source), shown, self._looks.problem(shown.page))

    def add_from(
        self,
        address: str,
        visit: Visit,
        *,
        select: Sequence[str] = (),
        at: Sequence[tuple[float, float]] = (),
        name: str | None = None,
    ) -> tuple[Part, ...]:
        """Watch parts of a page as it was at a visit, as `add` does."""
        index, new = self._looks.learn(visit.shown, select, at)
        return self._add(address, visit.content, visit.shown, index, _named(new, name))

    def present_on(self, shown: Shown, page: int) -> dict[int, str]:
        """The parts of a watched page that are found on a copy of it, with their XPaths there."""
        parts = [part for part in self.store.parts(page) if part.state is PartState.WATCHED]
        look = self._looks.look(self.store.learned(page), parts, shown)
        present = {part: sight for part, sight in look.sights.items() if sight.status.is_present}
        return {part: sight.xpath for part, sight in present.items() if sight.xpath}

    def _add(
        self, address: str, content: Content, shown: Shown, index: Any, new: Sequence[NewPart]
    ) -> tuple[Part, ...]:
        while True:
            page = self.store.page_at(address)
            if page and page.digest != content.digest:  # the other parts must see that, too
                self._checks.record(page.id, content, shown)
                page = self.store.page(page.id)
            check = self._checks.row(Outcome.ADDED, page)
            with suppress(Overtaken):
                return self.store.add(address, content, index, new, check, page)

    def check(self, parts: Iterable[int] | None = None, *, due: bool = False) -> Iterator[Checked]:
        """Look at pages again: those of these parts, or all; with `due`, those whose time it is.

        Each result is written to the database before it is given. A page that cannot be looked at
        is a result as well, and the others are checked all the same.
        """
        if parts is None:
            chosen = [part for part in self.parts() if part.state is PartState.WATCHED]
        else:
            chosen = [self.part(number) for number in parts]
        for number in dict.fromkeys(part.page.id for part in chosen):
            page = self.store.page(number)
            if page and not (due and page.next_check > self._checks.now()):
                yield self._checks.check(page)

    def check_page(self, number: int) -> Checked | None:
        """Look at one page again, as `check` does; None if it is no longer watched."""
        page = self.store.page(number)
        return self._checks.check(page) if page else None

    def give_up(self, number: int, error: dict[str, str]) -> None:
        """Write down that a page cannot be looked at, and why."""
        if page := self.store.page(number):
            self._checks.write_failed(page, Outcome.FAILED, error)

    def confirm(self, part: int, *, node: str | None = None, gone: bool = False) -> Observation:
        """Answer what a check was unsure of: the candidate is the part, another node is, or none.

        `node` is a CSS selector or an XPath on the page as it was then. Raises a
        `WatchError` if nothing is unsure.
        """
        confirm_part(self._checks, part, node=node, gone=gone)
        return self.observation(part)

    def candidates(self, part: int) -> list[Sight]:
        """What a part may be that a check was unsure of, the most likely first.

        Raises a `WatchError` if nothing is unsure.
        """
        return candidates_of(self._checks, part)

    def remove(self, parts: Iterable[int]) -> None:
        """Forget parts, with all that was observed of them."""
        for part in [self.part(number) for number in parts]:
            self.store.remove(part)


def _named(new: Sequence[NewPart], name: str | None) -> list[NewPart]:
    """The parts to add, with the name that somebody gave one of them."""
    if not new:
        raise NoSuchPart("nothing on this page is such a part")
    if name is None:
        return list(new)
    if len(new) > 1:
        raise WatchError("a name is for one part, and these are several")
    return [replace(new[0], name=name)]
