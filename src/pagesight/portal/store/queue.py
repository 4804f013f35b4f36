"""Work to do: a table of jobs with leases. A lease that has run out is taken by the next worker."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, or_, select, update

from pagesight.crawl.politeness import server_of
from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, insert_new
from pagesight.portal.values import Job, JobState, Worker
from pagesight.watch.store import tables as watched
from pagesight.watch.values import PartState

LEASE = timedelta(seconds=20)  # workers renew theirs more often
ABSENT = timedelta(minutes=1)  # after which a worker is taken to be gone
FAR = timedelta(minutes=5)  # further ahead only if the clock was set back; such a time is over
NEVER = timedelta(days=40)  # the same for the next check of a page
CHECKS = timedelta(days=60)  # that checks are kept; intervals are learned from newer ones
MOST_ATTEMPTS = 3  # after which work is given up
LATER = timedelta(minutes=10)  # when work that has ended workers so often is done again


class Queue(Database):
    """Jobs, and who does them."""

    def add(
        self,
        kind: str,
        key: str,
        payload: Mapping[str, Any] | None = None,
        *,
        host: str = "",
        due: datetime | None = None,
    ) -> None:
        """Work to do, now or when it is due. The same work waits once, for the earlier time."""
        with self.writing() as connection:
            now = self.now()
            add_job(connection, kind, key, payload or {}, host=host, now=now, due=due)

    def take(self, worker: str) -> Job | None:
        """The next job, until its lease ends: a page that somebody waits for, or the oldest."""
        now = self.now()
        columns = tables.jobs.c
        query = (
            select(tables.jobs)
            .where(columns.due <= now, _is_free(now), ~_is_busy(now))
            .order_by(columns.kind != "preview", columns.due, columns.id)
            .limit(1)
        )
        with self.reading() as connection:  # which keeps nobody from writing
            if connection.execute(query).first() is None:
                return None
        with self.writing() as connection:
            row = connection.execute(query.with_for_update(skip_locked=True)).first()
            if row is None:
                return None
            taken = {"lease": now + LEASE, "worker": worker, "attempts": row.attempts + 1}
            if row.attempts >= MOST_ATTEMPTS:  # it may end this one, too
                taken["due"] = now + LATER
            connection.execute(update(tables.jobs).where(columns.id == row.id).values(**taken))
        return Job(
            id=row.id, kind=row.kind, payload=row.payload, host=row.host,
            attempts=row.attempts + 1, lease=now + LEASE,
        )  # fmt: skip

    def done(self, job: Job, worker: str) -> None:
        """It is done, unless somebody else has taken it meanwhile."""
        columns = tables.jobs.c
        mine = delete(tables.jobs).where(columns.id == job.id, columns.worker == worker)
        with self.writing() as connection:
            connection.execute(mine)

    def put_back(self, job: Job, worker: str, error: dict[str, str], wait: timedelta) -> None:
        """It failed, and is to be tried again."""
        columns = tables.jobs.c
        mine = update(tables.jobs).where(columns.id == job.id, columns.worker == worker)
        fields = {"lease": None, "worker": None, "error": error, "due": self.now() + wait}
        with self.writing() as connection:
            connection.execute(mine.values(**fields))

    def state_of(self, key: str) -> JobState:
        """How far the work of a key is."""
        query = select(tables.jobs.c.lease).where(tables.jobs.c.key == key)
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return JobState.DONE
        now = self.now()
        is_running = row.lease is not None and now < row.lease <= now + FAR
        return JobState.RUNNING if is_running else JobState.WAITING

    def plan(self) -> None:
        """Jobs for all pages that are due, and for all tiles whose part is not known yet."""
        now = self.now()
        with self.reading() as connection:
            known = set(connection.execute(select(tables.jobs.c.key)).scalars())
            pages = connection.execute(_due_pages(now)).all()
            tiles = connection.execute(_new_tiles()).all()
        due = [row for row in pages if check_key(row.id) not in known]
        new = [row for row in tiles if f"add:{row.uid}" not in known]
        if not due and not new:
            return
        with self.writing() as connection:
            for row in due:
                add_check(connection, row.id, row.address, now=min(row.next_check, now))
            for row in new:
                host, payload = server_of(row.address), {"tile": row.uid}
                add_job(connection, "add", f"add:{row.uid}", payload, host=host, now=now)

    # Workers

    def here(self, worker: str, jobs: Collection[int] = ()) -> None:
        """A worker says that it is there, and still doing these jobs."""
        now = self.now()
        columns = tables.jobs.c
        with self.writing() as connection:
            mine = update(tables.jobs).where(columns.worker == worker, columns.id.in_(jobs))
            connection.execute(mine.values(lease=now + LEASE))
            if not insert_new(connection, tables.workers, name=worker, started=now, seen=now):
                me = update(tables.workers).where(tables.workers.c.name == worker)
                connection.execute(me.values(seen=now))

    def gone(self, worker: str) -> None:
        """A worker is no longer there: others may do what it has taken, and ask whom it asked."""
        jobs, hosts = tables.jobs.c, tables.hosts.c
        with self.writing() as connection:
            left = update(tables.jobs).where(jobs.worker == worker)
            connection.execute(left.values(lease=None, worker=None))
            asked = update(tables.hosts).where(hosts.worker == worker)
            connection.execute(asked.values(free=self.now() + timedelta(seconds=2), worker=None))
            connection.execute(delete(tables.workers).where(tables.workers.c.name == worker))

    def known_workers(self) -> list[str]:
        """The names of all workers, also of those that were not seen for a while."""
        with self.reading() as connection:
            return list(connection.execute(select(tables.workers.c.name)).scalars())

    def expire(self) -> None:
        """Forget workers not seen for long, servers that may be asked, and checks of no use."""
        now = self.now()
        with self.writing() as connection:
            old = tables.workers.c.seen <= now - 60 * ABSENT
            connection.execute(delete(tables.workers).where(old))
            connection.execute(delete(tables.hosts).where(tables.hosts.c.free <= now - ABSENT))
            connection.execute(delete(watched.checks).where(*_forgettable(now)))

    def workers(self) -> list[Worker]:
        """Those that are there."""
        columns = tables.workers.c
        query = select(tables.workers).where(columns.seen > self.now() - ABSENT)
        with self.reading() as connection:
            return [Worker(**row._asdict()) for row in connection.execute(query)]

    def pages(self) -> int:
        """How many pages there are, for who need not know which."""
        with self.reading() as connection:
            return connection.execute(select(func.count(watched.pages.c.id))).scalar_one()

    def waiting(self) -> tuple[int, timedelta]:
        """How many jobs could be done now, and how long the first of them could have been."""
        now = self.now()
        query = select(func.count(), func.min(tables.jobs.c.due)).where(
            tables.jobs.c.due <= now, _is_free(now)
        )
        with self.reading() as connection:
            count, first = connection.execute(query).one()
        return count, max(now - first, timedelta(0)) if first else timedelta(0)


def check_key(page: int) -> str:
    """The key of a check of a page."""
    return f"check:{page}"


def add_check(connection: Connection, page: int, address: str, *, now: datetime) -> None:
    """A check of a page, to be made now."""
    add_job(connection, "check", check_key(page), {"page": page}, host=server_of(address), now=now)


def add_job(
    connection: Connection,
    kind: str,
    key: str,
    payload: Mapping[str, Any],
    *,
    host: str = "",
    now: datetime,
    due: datetime | None = None,
) -> None:
    """Work to do, in a transaction of its own author."""
    when = due or now
    fields = {"kind": kind, "key": key, "payload": dict(payload), "host": host, "due": when}
    if insert_new(connection, tables.jobs, attempts=0, created=now, **fields):
        return
    columns = tables.jobs.c
    later = update(tables.jobs).where(
        columns.key == key, columns.due > when, columns.worker.is_(None)
    )
    connection.execute(later.values(due=when))


def _due_pages(now: datetime) -> Select[Any]:
    """The pages that are due, and shown in a tile that is not paused."""
    pages, parts, tiles = watched.pages.c, watched.parts.c, tables.tiles.c
    used = (
        select(parts.page_id)
        .join(tables.tiles, tiles.part_id == parts.id)
        .where(tiles.is_paused.is_(False), parts.state == PartState.WATCHED.value)
    )
    is_due = or_(pages.next_check <= now, pages.next_check > now + NEVER)
    return select(pages.id, pages.address, pages.next_check).where(is_due, pages.id.in_(used))


def _new_tiles() -> Select[Any]:
    """The tiles whose part is not known yet."""
    tiles = tables.tiles.c
    chosen = tiles.part_id.is_(None), tiles.is_paused.is_(False)
    return select(tiles.uid, tiles.address).where(*chosen)


def _forgettable(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """What old checks are that have observed nothing: there is one for each look at a page."""
    checks, seen = watched.checks.c, watched.observations.c
    used = select(seen.check_id).where(seen.check_id == checks.id)
    return checks.time <= now - CHECKS, ~used.exists()


def _is_free(now: datetime) -> ColumnElement[bool]:
    """Whether nobody has a job."""
    lease = tables.jobs.c.lease
    return or_(lease.is_(None), lease <= now, lease > now + FAR)


def _is_busy(now: datetime) -> ColumnElement[bool]:
    """Whether a job is for a server that is being asked, or was just now."""
    others, hosts = tables.jobs.alias("others"), tables.hosts.c
    running = select(others.c.id).where(
        others.c.host == tables.jobs.c.host,
        others.c.host != "",
        others.c.lease > now,
        others.c.lease <= now + FAR,
    )
    asked = select(hosts.host).where(
        hosts.host == tables.jobs.c.host, hosts.free > now, hosts.free <= now + FAR
    )
    return or_(running.exists(), asked.exists())
