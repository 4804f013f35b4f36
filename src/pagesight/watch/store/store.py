"""Reading and writing the database. Each method is one transaction, kept when it returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    Connection,
    Engine,
    Select,
    delete,
    exc,
    insert,
    select,
    update,
)

from pagesight.errors import PartNotFound
from pagesight.sources import Validators
from pagesight.watch.store import tables
from pagesight.watch.store.opening import explained, opened, writing
from pagesight.watch.store.rows import (
    PRESENT,
    inserted,
    is_last,
    observation_of,
    observations_query,
    page_of,
    part_of,
    parts_query,
    storable,
    storable_json,
)
from pagesight.watch.values import (
    Observation,
    Outcome,
    Part,
    PartState,
    Sight,
    WatchedPage,
)


class Overtaken(Exception):
    """Another process has written about this page meanwhile. Nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """A part to be watched, with the first look at it."""

    component: str
    name: str
    selector: str | None
    sight: Sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The bytes of a page, as far as they are kept: what tells whether they are new."""

    digest: str
    validators: Validators


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A page on which a part is unsure, kept until somebody confirms it."""

    page: bytes
    source: bytes
    picture: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    """When a check was, how it ended, and when the next one is due."""

    time: datetime
    outcome: Outcome
    next_check: datetime
    error: dict[str, str] | None = None


class Store:
    """The database of watched parts. May be used from several threads and processes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = engine.url.render_as_string(hide_password=True)

    @classmethod
    def open(cls, url: str | None = None, *, read_only: bool = False) -> Store:
        """Open a database, and bring its schema up to date; see `opening.opened`."""
        return cls(opened(url, read_only=read_only))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with; raises a `StoreError` that says what is wrong."""
        with explained(self.name), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, kept when the block ends; raises `Overtaken` if a row is there already."""
        try:
            with explained(self.name), writing(self.engine) as connection:
                yield connection
        except exc.IntegrityError as error:  # of a row that another process wrote first
            raise Overtaken from error

    # Reading

    def pages(self) -> tuple[WatchedPage, ...]:
        """All pages, in the order in which they were added."""
        with self.reading() as connection:
            rows = connection.execute(select(tables.pages).order_by(tables.pages.c.id))
            return tuple(map(page_of, rows))

    def page_at(self, address: str) -> WatchedPage | None:
        """The page at an address, or None."""
        query = select(tables.pages).where(tables.pages.c.address == address)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return page_of(row) if row else None

    def page(self, number: int) -> WatchedPage | None:
        """A page by its number, or None if it is gone."""
        query = select(tables.pages).where(tables.pages.c.id == number)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return page_of(row) if row else None

    def parts(self, page: int | None = None) -> tuple[Part, ...]:
        """The parts of a page, or all parts, page by page."""
        query = parts_query().order_by(tables.parts.c.page_id, tables.parts.c.id)
        if page is not None:
            query = query.where(tables.parts.c.page_id == page)
        with self.reading() as connection:
            return tuple(map(part_of, connection.execute(query)))

    def parts_of(self, numbers: Iterable[int]) -> dict[int, Part]:
        """Those of these parts that there are, by their numbers."""
        query = parts_query().where(tables.parts.c.id.in_(list(numbers)))
        with self.reading() as connection:
            return {row.id: part_of(row) for row in connection.execute(query)}

    def part(self, number: int) -> Part:
        """A part by its number; raises `PartNotFound`."""
        with self.reading() as connection:
            row = connection.execute(parts_query().where(tables.parts.c.id == number)).first()
        if row is None:
            raise PartNotFound(f"there is no part {number}", hint="see pagesight watch list")
        return part_of(row)

    def learned(self, page: int) -> dict[int, Any]:
        """What was learned about the parts of a page, by its number."""
        query = select(tables.learned).where(tables.learned.c.page_id == page)
        with self.reading() as connection:
            return {row.id: row.components for row in connection.execute(query)}

    def latest(self, parts: Iterable[int], *, present: bool = False) -> dict[int, Observation]:
        """The last observation of each part, or the last one in which it was present, if any."""
        chosen = tables.observations.c.part_id.in_(list(parts))
        query = observations_query().where(chosen, is_last(present=present))
        with self.reading() as connection:
            return {row.part_id: observation_of(row) for row in connection.execute(query)}

    def observations(
        self, part: int, *, before: int | None = None, most: int | None = None
    ) -> tuple[Observation, ...]:
        """What was observed of a part, the oldest first; of many, the last ones before a number."""
        columns = tables.observations.c
        query = observations_query().where(columns.part_id == part)
        if before is not None:
            query = query.where(columns.number < before)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(columns.number.desc()).limit(most)).all()
        return tuple(map(observation_of, reversed(rows)))

    def observation(self, part: int, number: int) -> Observation | None:
        """One observation, or None."""
        query = observations_query().where(
            tables.observations.c.part_id == part, tables.observations.c.number == number
        )
        with self.reading() as connection:
            row = connection.execute(query).first()
        return observation_of(row) if row else None

    def observation_at(self, part: int, time: datetime) -> Observation | None:
        """The observation of a part that held at a time, or None if there was none yet."""
        columns = tables.observations.c
        query = observations_query().where(columns.part_id == part, columns.time <= time)
        with self.reading() as connection:
            row = connection.execute(query.order_by(columns.number.desc()).limit(1)).first()
        return observation_of(row) if row else None

    def present(self, part: int, number: int) -> Observation | None:
        """The last observation up to a number in which a part was present, or None."""
        columns = tables.observations.c
        query = observations_query().where(
            columns.part_id == part, columns.number <= number, columns.status.in_(PRESENT)
        )
        with self.reading() as connection:
            row = connection.execute(query.order_by(columns.number.desc()).limit(1)).first()
        return observation_of(row) if row else None

    def picture(self, part: int, number: int) -> bytes | None:
        """How a part looked, as a PNG; None if that is not known."""
        query = select(tables.observations.c.picture).where(
            tables.observations.c.part_id == part, tables.observations.c.number == number
        )
        with self.reading() as connection:
            data = connection.execute(query).scalar()
        return None if data is None else bytes(data)

    def checks(self, page: int) -> tuple[CheckRow, ...]:
        """The checks of a page, the oldest first; `next_check` is that of the page now."""
        columns = tables.checks.c
        query = (
            select(columns.time, columns.outcome, columns.error, tables.pages.c.next_check)
            .join(tables.pages, tables.pages.c.id == columns.page_id)
            .where(columns.page_id == page)
            .order_by(columns.id)
        )
        with self.reading() as connection:
            rows = [row._asdict() for row in connection.execute(query)]
        return tuple(CheckRow(**row | {"outcome": Outcome(row["outcome"])}) for row in rows)

    def snapshot(self, page: int) -> Snapshot | None:
        """The page as it was when a part of it was unsure."""
        query = select(tables.snapshots).where(tables.snapshots.c.page_id == page)
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        picture = None if row.picture is None else bytes(row.picture)
        return Snapshot(page=bytes(row.page), source=bytes(row.source), picture=picture)

    # Writing

    def add(
        self,
        address: str,
        content: Content,
        components: Any,
        parts: Sequence[NewPart],
        check: CheckRow,
        known: WatchedPage | None = None,
    ) -> tuple[Part, ...]:
        """Watch parts of a page, which is new or `known`; raises `Overtaken`."""
        with self.writing() as connection:
            if known is None:
                page = inserted(connection, tables.pages, **_new_page(address, content, check))
            else:
                page = known.id
                _advance(connection, known, content, check)
            checked = _check(connection, page, check)
            learned = inserted(connection, tables.learned, page_id=page, components=components)
            numbers = []
            for new in parts:
                fields = {
                    "uid": uuid4().hex, "page_id": page, "learned_id": learned,
                    "component": new.component, "name": storable(new.name),
                    "selector": new.selector, "state": PartState.WATCHED.value,
                    "added": check.time,
                }  # fmt: skip
                numbers.append(inserted(connection, tables.parts, **fields))
                _observe(connection, numbers[-1], 1, checked, check.time, new.sight)
        return tuple(part for part in self.parts(page) if part.id in numbers)

    def write_unchanged(self, page: WatchedPage, content: Content | None, check: CheckRow) -> None:
        """A check that found nothing new: the last observations still hold."""
        with self.writing() as connection:
            _advance(connection, page, content, check)
            _check(connection, page.id, check)
            _hold(connection, _watched(page.id), check.time)

    def write_failed(self, page: WatchedPage, check: CheckRow) -> None:
        """A check that could not look at the page. What was observed before stays."""
        with self.writing() as connection:
            failing = {"failures": page.failures + 1, "error": check.error,
                       "failing_since": page.failing_since or check.time}  # fmt: skip
            _advance(connection, page, None, check, **failing)
            _check(connection, page.id, check)

    def write_observed(
        self,
        page: WatchedPage,
        content: Content | None,
        check: CheckRow,
        *,
        new: Mapping[int, tuple[int, Sight]],
        same: Iterable[int] = (),
        learned: Mapping[int, Any] | None = None,
        states: Mapping[int, PartState] | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """A check with all that it saw, at once; raises `Overtaken`.

        `new` are observations by part, with their numbers; `same` are parts whose last observation
        still holds; `learned` is what changes of what is known about the parts.
        """
        with self.writing() as connection:
            _advance(connection, page, content, check)
            checked = _check(connection, page.id, check)
            for part, (number, sight) in new.items():
                _observe(connection, part, number, checked, check.time, sight)
            _hold(connection, list(same), check.time)
            for number, components in (learned or {}).items():
                changed = update(tables.learned).where(tables.learned.c.id == number)
                connection.execute(changed.values(components=components))
            for number, state in (states or {}).items():
                changed = update(tables.parts).where(tables.parts.c.id == number)
                connection.execute(changed.values(state=state.value))
            _keep(connection, page.id, snapshot)

    def remove(self, part: Part) -> None:
        """Forget a part with all its observations; its page, too, if no other part is watched."""
        with self.writing() as connection:
            connection.execute(delete(tables.parts).where(tables.parts.c.id == part.id))
            kept = select(tables.parts.c.learned_id)
            page = tables.learned.c.page_id == part.page.id
            unused = delete(tables.learned).where(page, tables.learned.c.id.not_in(kept))
            connection.execute(unused)
            kept = select(tables.parts.c.page_id)
            here = tables.pages.c.id == part.page.id
            connection.execute(delete(tables.pages).where(here, tables.pages.c.id.not_in(kept)))

    # robots.txt

    def robots(self, since: float) -> list[dict[str, Any]]:
        """What servers allow robots to do, where that was asked after `since`."""
        query = select(tables.robots).where(tables.robots.c.time > since)
        with self.reading() as connection:
            return [row._asdict() for row in connection.execute(query)]

    def write_robots(self, server: str, time: float, text: str, error: Any) -> None:
        """Keep what a server allows robots to do; whoever has just asked as well is as right."""
        with suppress(Overtaken), self.writing() as connection:
            connection.execute(delete(tables.robots).where(tables.robots.c.server == server))
            fields = {"server": server, "time": time, "text": storable(text), "error": error}
            connection.execute(insert(tables.robots).values(fields))


# Rows


def _new_page(address: str, content: Content, check: CheckRow) -> dict[str, Any]:
    return {
        "address": address,
        "version": 1,
        "digest": content.digest,
        "etag": content.validators.etag,
        "last_modified": content.validators.last_modified,
        "added": check.time,
        "checked": check.time,
        "next_check": check.next_check,
        "failures": 0,
    }


def _advance(
    connection: Connection,
    page: WatchedPage,
    content: Content | None,
    check: CheckRow,
    **failing: Any,
) -> None:
    """Write the state of a page, unless somebody else has done that since it was read."""
    values: dict[str, Any] = {"version": page.version + 1}
    if check.outcome is not Outcome.CONFIRMED:  # an answer about a page that was kept
        values |= {"checked": check.time, "next_check": check.next_check, "failures": 0,
                   "error": None, "failing_since": None, **failing}  # fmt: skip
    if content:
        values |= {"digest": content.digest, "etag": content.validators.etag,
                   "last_modified": content.validators.last_modified}  # fmt: skip
    columns = tables.pages.c
    mine = update(tables.pages).where(columns.id == page.id, columns.version == page.version)
    if connection.execute(mine.values(**values)).rowcount != 1:
        raise Overtaken


def _check(connection: Connection, page: int, check: CheckRow) -> int:
    fields = {"page_id": page, "time": check.time, "outcome": check.outcome.value,
              "error": storable_json(check.error)}  # fmt: skip
    return inserted(connection, tables.checks, **fields)


def _observe(
    connection: Connection, part: int, number: int, check: int, time: datetime, sight: Sight
) -> None:
    fields = {
        "part_id": part,
        "number": number,
        "check_id": check,
        "time": time,
        "last": time,
        "status": sight.status.value,
        "html": storable(sight.html),
        "styled": None if sight.styled is None else storable(sight.styled),
        "text": storable(sight.text),
        "items": storable_json([item.to_json() for item in sight.items]),
        "picture": sight.picture,
        "box": list(sight.box) if sight.box else None,
        "xpath": sight.xpath,
        "css": sight.css,
        "confidence": sight.confidence,
        "runner_up": storable_json(sight.runner_up),
        "changes": list(sight.changes),
    }
    connection.execute(insert(tables.observations).values(**fields))


def _hold(connection: Connection, parts: Any, time: datetime) -> None:
    """The last observations of these parts still hold."""
    chosen = tables.observations.c.part_id.in_(parts)
    connection.execute(update(tables.observations).where(chosen, is_last()).values(last=time))


def _keep(connection: Connection, page: int, snapshot: Snapshot | None) -> None:
    connection.execute(delete(tables.snapshots).where(tables.snapshots.c.page_id == page))
    if snapshot:
        fields = {"page_id": page, "page": snapshot.page, "source": snapshot.source,
                  "picture": snapshot.picture}  # fmt: skip
        connection.execute(insert(tables.snapshots).values(**fields))


def _watched(page: int) -> Select[Any]:
    columns = tables.parts.c
    watched = columns.state == PartState.WATCHED.value
    return select(columns.id).where(columns.page_id == page, watched)
